//! A measure on a console: its numbers, and its place on a scale.

use super::{Line, Maker};
use crate::page::{Block, Detail, Item, Mark, Measure, Part, Role, Row, Text};
use foureyes_core::text::escape;

/// Columns of the longest name.
const NAME: usize = 21;
/// Columns of counts in a measure that has several rows.
const COUNTS: usize = 20;
/// Columns of an estimate.
const ESTIMATE: usize = 9;
/// From so many columns on the result is behind the counts, and from so many the scale behind the numbers.
const RESULT: usize = 63;
const SCALE: usize = 74;
/// From so many columns on a short measure has one row, and from so many its interval in figures.
const ONE_ROW: usize = 70;
const INTERVAL: usize = 96;
/// From so many columns on the numbers of short measures are below each other.
const ALIGNED: usize = 50;
/// Columns of a gauge.
pub(super) const GAUGE: usize = 44;

impl Maker<'_> {
    /// Columns of the widest counts among the short measures of a block.
    pub(super) fn counts_width(&self, block: &Block) -> usize {
        let width = |item: &Item| match item {
            Item::Measure(measure) if measure.detail == Detail::Row => measure
                .counts
                .iter()
                .map(|part| escape::width(&self.options.line(&part.text)))
                .sum(),
            _ => 0,
        };
        block.items.iter().map(width).max().unwrap_or_default().max(10)
    }

    pub(super) fn measure(&self, block: &'static str, m: &Measure, counts: usize) -> Vec<Line> {
        let stop = self.stop(block, &m.focus);
        let line = Line::new(Some(stop)).span(Role::Text, m.name);
        match m.detail {
            Detail::Row => self.short(line, m, counts),
            Detail::All | Detail::Folded => self.long(line, m, block),
        }
    }

    /// One row where there is room, two where there is not.
    fn short(&self, line: Line, m: &Measure, counts: usize) -> Vec<Line> {
        let narrow = self.width < ALIGNED;
        let name = if narrow { line.used() + 1 } else { NAME - 1 };
        let line = line.pad_to(name);
        let line = match m.gauge.estimate {
            Some(_) => {
                let line = line.span(Role::Figure, self.options.line(&m.estimate));
                let line = line.span(Role::Text, "  ");
                let line = if narrow { line } else { line.pad_to(NAME - 1 + ESTIMATE) };
                self.parts(line, &m.counts)
            }
            None => {
                let room = self.width.saturating_sub(NAME + 11);
                // Why there is none has its place.
                let reason = m.below.first().map_or_else(|| m.estimate.clone(), value);
                let reason = self.options.line(&reason);
                line.span(Role::Dim, escape::truncate(&reason, room).into_owned())
            }
        };
        let threshold = self.options.line(&m.threshold);
        if self.width < ONE_ROW {
            let room = self.width.saturating_sub(escape::width(&threshold) + 3).min(GAUGE);
            let below = self.gauge(Line::default().span(Role::Text, "  "), m, room);
            return vec![line, below.span(Role::Threshold, format!(" {threshold}"))];
        }
        let at = NAME - 1 + ESTIMATE + counts + 2;
        let wide = if self.width >= INTERVAL { 22 } else { 0 };
        let interval = match wide > 0 && m.gauge.estimate.is_some() {
            true => self.options.line(&m.interval),
            false => String::new(),
        };
        let room = self.width.saturating_sub(at + wide + 12).min(GAUGE);
        // A long reason takes the place of the gauge as well.
        let fits = line.used() < at + wide;
        let line = line.pad_to(at).span(Role::Text, interval).pad_to(at + wide);
        let line = if fits { self.gauge(line, m, room) } else { line };
        vec![line.pad_to(at + wide + room + 1).span(Role::Threshold, threshold)]
    }

    /// Its counts and its result, its numbers on a scale, and what else must be known of it.
    fn long(&self, line: Line, m: &Measure, block: &'static str) -> Vec<Line> {
        let narrow = self.width < NAME + COUNTS;
        let line = if narrow { line.span(Role::Text, " ") } else { line.pad_to(NAME) };
        let line = self.parts(line, &m.counts);
        let mut lines = Vec::new();
        match &m.result {
            None => lines.push(line),
            Some((sign, result)) => {
                let mark = self.glyphs.mark(*sign);
                let result = format!("{mark} {}", self.options.line(result));
                let at = NAME + COUNTS;
                let fits = at.max(line.used()) + escape::width(&result) <= self.width;
                if self.width < RESULT || !fits {
                    lines.push(line);
                    let room = self.width.saturating_sub(2);
                    let wrapped = escape::block(&result, "  ", room + 2);
                    let rows = wrapped.lines().map(|l| Line::default().span(sign.role(), l));
                    lines.extend(rows);
                } else {
                    lines.push(line.pad_to(at).span(sign.role(), result));
                }
            }
        }
        lines.extend(self.numbers(m));
        lines.extend(m.below.iter().flat_map(|row| self.further_in(block, row)));
        lines
    }

    /// Estimate and interval, and the scale behind or below them.
    fn numbers(&self, m: &Measure) -> Vec<Line> {
        let threshold = self.options.line(&m.threshold);
        let line = Line::default().span(Role::Text, "  ");
        let line = line.span(Role::Figure, self.options.line(&m.estimate));
        let line = match m.interval.is_empty() {
            true => line,
            false => line.span(Role::Text, format!("  {}", self.options.line(&m.interval))),
        };
        let mut lines = Vec::new();
        let line = if self.width < SCALE {
            lines.push(line);
            Line::default().span(Role::Text, "  ")
        } else {
            line.pad_to(36)
        };
        let used = line.used() + escape::width(&threshold) + 1;
        let line = self.gauge(line, m, self.width.saturating_sub(used).min(GAUGE));
        lines.push(line.span(Role::Threshold, format!(" {threshold}")));
        lines
    }

    pub(super) fn gauge(&self, line: Line, m: &Measure, width: usize) -> Line {
        let cells = m.gauge.cells(width, self.glyphs).into_iter();
        cells.fold(line, |line, (role, text)| line.span(role, text))
    }

    /// Parts behind what a row holds already.
    pub(super) fn parts(&self, line: Line, parts: &[Part]) -> Line {
        parts.iter().fold(line, |line, part| {
            line.cell(part.role, self.options.line(&part.text), part.link.as_ref())
        })
    }
}

/// What a row says, without the name of a field.
fn value(row: &Row) -> Text {
    let named = usize::from(row.mark == Mark::Field);
    Text::joined(row.parts.iter().skip(named).map(|part| part.text.clone()), "")
}
