//! Charts on a console.

use super::{Line, Maker};
use crate::page::Role;
use crate::page::chart::{Chart, Strip};

/// Columns of the names of strips.
const LABEL: usize = 11;

impl Maker<'_> {
    pub(super) fn chart(&self, block: &'static str, chart: &Chart) -> Vec<Line> {
        match chart {
            Chart::Strip(strip) => vec![self.strip(block, strip)],
            _ => Vec::new(),
        }
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
