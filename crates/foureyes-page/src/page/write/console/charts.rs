//! Charts on a console.

use super::{Line, Maker};
use crate::page::Role;
use crate::page::chart::{Chart, Slider, Strip};

/// Columns of the names of strips.
const LABEL: usize = 11;

impl Maker<'_> {
    pub(super) fn chart(&self, block: &'static str, chart: &Chart) -> Vec<Line> {
        match chart {
            Chart::Strip(strip) => vec![self.strip(block, strip)],
            Chart::Slider(slider) => vec![self.slider(block, slider)],
            _ => Vec::new(),
        }
    }

    fn slider(&self, block: &'static str, slider: &Slider) -> Line {
        let line = Line::new(Some(self.stop(block, &slider.focus)));
        let line = line.span(Role::Text, slider.name).pad_to(LABEL);
        let line = (0..slider.places).fold(line, |line, place| match place == slider.place {
            true => line.span(Role::Gauge, self.glyphs.thumb),
            false => line.span(Role::Dim, self.glyphs.track),
        });
        line.span(Role::Text, format!(" {}", self.options.line(&slider.text)))
    }

    fn strip(&self, block: &'static str, strip: &Strip) -> Line {
        let line = Line::new(Some(self.stop(block, &strip.focus)));
        let line = self.parts(line, &strip.label).pad_to(LABEL);
        let line = strip.points.iter().fold(line, |line, point| {
            line.cell(point.role, self.glyphs.spark(point.share), point.link.as_ref())
        });
        match strip.after.is_empty() {
            true => line,
            false => self.parts(line.span(Role::Text, "  "), &strip.after),
        }
    }
}
