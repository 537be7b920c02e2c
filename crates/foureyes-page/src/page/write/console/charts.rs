//! Charts of one row on a console.

use super::{Line, Maker, Stop};
use crate::page::chart::{Chart, Histogram, Slider, Strip, Totals};
use crate::page::{Part, Role};
use foureyes_core::text::{escape, separated};

/// Columns of the names of strips.
const LABEL: usize = 11;
/// Columns between two counts by outcome.
const GAP: usize = 3;
/// From so many columns on a histogram is below the signs of its strip.
const BELOW: usize = 50;

impl Maker<'_> {
    pub(super) fn chart(&self, block: &'static str, chart: &Chart) -> Vec<Line> {
        match chart {
            Chart::Totals(totals) => self.totals(block, totals),
            Chart::Outcomes(outcomes) => self.outcomes(block, outcomes),
            Chart::Heat(heat) => self.heat(block, heat),
            Chart::Strip(strip) => vec![self.strip(block, strip)],
            Chart::Histogram(histogram) => vec![self.histogram(block, histogram)],
            Chart::Slider(slider) => vec![self.slider(block, slider)],
            Chart::Rate(rate) => self.rate(block, rate),
        }
    }

    /// Signs with their counts; what does not fit is in a row with a stop of its own.
    fn totals(&self, block: &'static str, totals: &Totals) -> Vec<Line> {
        let signs = totals.counts.iter().map(|(sign, count, link)| {
            (
                sign.role(),
                format!("{} {}", self.glyphs.sign(*sign), separated(*count)),
                link.as_ref(),
            )
        });
        let Part { role, text, link } = &totals.all;
        let all = (*role, self.options.line(text), link.as_ref());
        let stop = self.stop(block, &totals.focus);
        let mut lines = vec![Line::new(Some(stop.clone()))];
        for (role, text, link) in signs.chain([all]) {
            let mut line = lines.pop().unwrap_or_default();
            let gap = if line.used() > 0 { GAP } else { 0 };
            if gap > 0 && line.used() + gap + escape::width(&text) > self.width {
                lines.push(line);
                line = Line::new(Some(numbered(&stop, lines.len())));
            } else {
                line = line.span(Role::Text, " ".repeat(gap));
            }
            lines.push(line.cell(role, text, link));
        }
        lines
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
        let after: usize =
            strip.after.iter().map(|part| escape::width(&self.options.line(&part.text))).sum();
        let line = Line::new(Some(self.stop(block, &strip.focus)));
        let line = self.parts(line, &strip.label).pad_to(LABEL);
        let room = self.width.saturating_sub(line.used() + after + 2);
        let skip = strip.points.len().saturating_sub(room);
        let line = strip.points.iter().skip(skip).fold(line, |line, point| {
            line.cell(point.role, self.glyphs.spark(point.share), point.link.as_ref())
        });
        let line = line.skipped(skip);
        match strip.after.is_empty() {
            true => line,
            false => self.parts(line.span(Role::Text, "  "), &strip.after),
        }
    }

    fn histogram(&self, block: &'static str, histogram: &Histogram) -> Line {
        let bins = &histogram.bins;
        let most = bins.iter().map(|(_, count, _)| *count).max().unwrap_or(0).max(1);
        let label = if self.width >= BELOW { LABEL } else { 0 };
        let each = (self.width.saturating_sub(label) / bins.len().max(1)).clamp(5, 16);
        let bar = each.saturating_sub(separated(most).len() + 5);
        let line = Line::new(Some(self.stop(block, &histogram.focus)));
        bins.iter().enumerate().fold(line, |line, (at, (score, count, link))| {
            let drawn = self.glyphs.bar(*count as f64 / most as f64, bar as u16);
            let gap = if drawn.is_empty() { "" } else { " " };
            let line = line.pad_to(label + at * each).span(Role::Dim, format!("{score} "));
            let line = line.span(Role::Gauge, drawn).span(Role::Text, gap);
            line.cell(Role::Text, separated(count), link.as_ref())
        })
    }
}

/// The stop of a further row.
pub(super) fn numbered(stop: &Stop, at: usize) -> Stop {
    let mut stop = stop.clone();
    stop.id.row.push_str(&format!(", {at}"));
    stop
}

#[cfg(test)]
#[path = "charts_tests.rs"]
mod tests;
