//! Measures below heads: a line each, and the rest of one that is unfolded.

use super::super::whole;
use super::measure::GAUGE;
use super::{Line, Maker};
use crate::page::{Block, Detail, Item, Measure, Role, Row, Text};
use foureyes_core::text::escape;

/// Columns of a mark and of the longest name.
const NAME: usize = 24;
/// Columns between two cells.
const GAP: usize = 2;
/// Heads of the columns behind the name; what is counted goes first where there is little room, then the
/// interval.
const HEADS: [&str; 4] = ["now", "likely", "needed", "counted"];
/// Which of them.
const LIKELY: usize = 1;
const COUNTED: usize = 3;

/// Columns of each cell; 0 where there is no room for it.
pub(super) struct Widths([usize; HEADS.len()]);

impl Maker<'_> {
    /// Columns of the folded measures of a block; `None` where it has none.
    pub(super) fn figure_widths(&self, block: &Block) -> Option<Widths> {
        let measures = block.items.iter().filter_map(|item| match item {
            Item::Measure(measure) if measure.detail == Detail::Folded => Some(measure),
            _ => None,
        });
        let cells: Vec<[String; HEADS.len()]> = measures.map(|m| self.cells(m)).collect();
        if cells.is_empty() {
            return None;
        }
        let mut widths = HEADS.map(str::len);
        for cells in &cells {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(escape::width(cell));
            }
        }
        for gone in [COUNTED, LIKELY] {
            let taken: usize = widths.iter().filter(|w| **w > 0).map(|w| w + GAP).sum();
            if NAME + taken > self.width {
                widths[gone] = 0;
            }
        }
        Some(Widths(widths))
    }

    pub(super) fn figure_heads(&self, widths: &Widths) -> Line {
        let line = Line::default().span(Role::Dim, "  figure").pad_to(NAME);
        let heads = HEADS.map(str::to_owned);
        line_of(line, &heads, widths, |_| Role::Dim)
    }

    /// A line, and where it is unfolded its scale and what else must be known.
    pub(super) fn figure(
        &self,
        block: &'static str,
        m: &Measure,
        widths: Option<&Widths>,
    ) -> Vec<Line> {
        let Some(widths) = widths else { return Vec::new() };
        let mut stop = self.stop(block, &m.focus);
        stop.folds = true;
        let is_open = self.unfolded.contains(&stop.id);
        let line = Line::new(Some(stop));
        let line = match &m.result {
            Some((sign, _)) => line.span(sign.role(), format!("{} ", self.glyphs.mark(*sign))),
            None => line.span(Role::Text, "  "),
        };
        let line = line.span(Role::Text, m.name).pad_to(NAME);
        let mut lines = vec![match m.gauge.estimate {
            Some(_) => line_of(line, &self.cells(m), widths, role),
            None => self.without_estimate(line, m, widths),
        }];
        if is_open {
            lines.extend(self.unfolded_figure(block, m));
        }
        lines
    }

    /// Why there is no number, in its place.
    fn without_estimate(&self, line: Line, m: &Measure, widths: &Widths) -> Line {
        let Widths([now, likely, needed, counted]) = widths;
        let reason = m.below.iter().find(|row| row.parts.iter().any(|p| p.role == Role::Warning));
        let reason = reason.map_or_else(|| m.estimate.clone(), Row::text);
        let gap = if *likely > 0 { GAP } else { 0 };
        let text = self.options.line(&reason);
        let text = escape::truncate(&text, now + gap + likely).into_owned();
        let end = line.used() + GAP + now + gap + likely;
        let line = line.span(Role::Text, " ".repeat(GAP)).span(Role::Dim, text).pad_to(end);
        let [.., threshold, counts] = self.cells(m);
        let rest = [String::new(), String::new(), threshold, counts];
        line_of(line, &rest, &Widths([0, 0, *needed, *counted]), role)
    }

    fn unfolded_figure(&self, block: &'static str, m: &Measure) -> Vec<Line> {
        let mut lines = Vec::new();
        let inset = Line::default().span(Role::Text, "    ");
        let threshold = self.options.line(&m.threshold);
        let room = self.width.saturating_sub(inset.used() + escape::width(&threshold) + 1);
        let gauge = self.gauge(inset, m, room.min(GAUGE));
        lines.push(gauge.span(Role::Threshold, format!(" {threshold}")));
        if let Some((sign, result)) = &m.result {
            let row = Row::new(sign.role(), result.clone()).level(1);
            lines.extend(self.further_in(block, &row));
        }
        let mut row = Row::default().focus(format!("{} records", m.focus.id)).level(1);
        row.parts.clone_from(&m.counts);
        if row.parts.iter().any(|part| part.link.is_some()) {
            lines.extend(self.further_in(block, &row));
        }
        let below = m.below.iter().map(|row| Row { level: row.level + 1, ..row.clone() });
        lines.extend(below.flat_map(|row| self.further_in(block, &row)));
        lines
    }

    fn cells(&self, m: &Measure) -> [String; HEADS.len()] {
        let counts = whole(&m.counts);
        let (none, is_known) = (Text::EMPTY, m.gauge.estimate.is_some());
        let [estimate, interval] =
            [&m.estimate, &m.interval].map(|t| if is_known { t } else { &none });
        [estimate, interval, &m.threshold, &counts].map(|text| self.options.line(text))
    }
}

fn role(column: usize) -> Role {
    match column {
        0 => Role::Figure,
        COUNTED => Role::Dim,
        _ => Role::Text,
    }
}

/// Cells behind the name: numbers at the right of their columns, the others at the left.
fn line_of(
    line: Line,
    cells: &[String; HEADS.len()],
    Widths(widths): &Widths,
    role: impl Fn(usize) -> Role,
) -> Line {
    cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0).fold(
        line,
        |line, (at, (cell, width))| {
            let end = line.used() + GAP + width;
            let is_right = [0, COUNTED].contains(&at);
            let start =
                if is_right { end.saturating_sub(escape::width(cell)) } else { line.used() + GAP };
            line.pad_to(start).span(role(at), cell.clone()).pad_to(end)
        },
    )
}
