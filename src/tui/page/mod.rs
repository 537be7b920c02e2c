//! What a page is: rows, each at its place, and stops, where the cursor can be and which lead to records. Made
//! once for its documents and a width.

pub mod find;
pub mod picks_report;
pub(in crate::tui) mod row;
pub mod sheet;

use crate::assess::Report;
use crate::domain::{ByKind, Caveat, JudgementKind, Timestamp, Triage};
use crate::overview::Breakdowns;
use crate::page::Link;
use crate::page::write::Options;
use crate::page::write::console::{Layout, PlacedPicture, PlacedRow, PlacedStop};
use crate::report::mask;
use crate::text::{CommandLine, escape};
use crate::tui::theme::Glyphs;
use picks_report::PicksReport;
use row::{Block, Row};
use std::sync::Arc;

/// What a page is made of; something else means another page.
#[derive(Debug, Clone)]
pub(in crate::tui) struct PageInputs {
    pub(in crate::tui) triage: Arc<Triage>,
    pub(in crate::tui) breakdowns: Option<Arc<Breakdowns>>,
    /// The assessment of each family, where there is one.
    pub(in crate::tui) assessed: ByKind<Option<Arc<Report>>>,
    /// Of which families the assessment is underway.
    pub(in crate::tui) is_assessing: ByKind<bool>,
    /// That boxes block, and that READY is withdrawn from them.
    pub(in crate::tui) blocking: Vec<Caveat>,
    /// What the picks of memories come to.
    pub(in crate::tui) picks: Option<Arc<PicksReport>>,
    /// Whether the store is read, of which it is not known what was seen.
    pub(in crate::tui) fleet: bool,
    /// Whether verdicts of open days are hidden.
    pub(in crate::tui) is_gated: bool,
    /// What commands are completed with.
    pub(in crate::tui) command_line: CommandLine,
    pub(in crate::tui) now: Timestamp,
    pub(in crate::tui) width: usize,
    pub(in crate::tui) glyphs: &'static Glyphs,
}

impl PageInputs {
    /// How a writer writes it.
    pub(in crate::tui) fn options(&self) -> Options {
        Options { is_masked: true, width: self.width, command_line: self.command_line }
    }
}

impl PartialEq for PageInputs {
    /// The very same documents, without a look inside.
    fn eq(&self, other: &Self) -> bool {
        same(&self.breakdowns, &other.breakdowns)
            && same(&self.picks, &other.picks)
            && JudgementKind::ALL
                .into_iter()
                .all(|of| same(self.assessed.get(of), other.assessed.get(of)))
            && Arc::ptr_eq(&self.triage, &other.triage)
            && self.blocking == other.blocking
            && self.is_gated == other.is_gated
            && self.is_assessing == other.is_assessing
            && self.now == other.now
            && self.width == other.width
            && std::ptr::eq(self.glyphs, other.glyphs)
    }
}

/// The very same thing, or nothing on both sides.
pub(in crate::tui) fn same<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// The rows of a page, ready to be drawn.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub(in crate::tui) key: Option<PageInputs>,
    pub(in crate::tui) rows: Vec<PlacedRow>,
    pub(in crate::tui) stops: Vec<PlacedStop>,
    /// Pictures, each over rows that have what stands beside it.
    pub(in crate::tui) pictures: Vec<PlacedPicture>,
    /// Number of lines of the page.
    pub(in crate::tui) height: usize,
}

impl Page {
    /// A page that an answer is laid out as.
    pub(in crate::tui) fn laid_out(layout: Layout) -> Self {
        let Layout { rows, pictures, stops, height } = layout;
        Self { key: None, rows, stops, pictures, height }
    }

    /// A page of blocks below each other, in the order in which they are read.
    pub(in crate::tui) fn plain(width: usize, blocks: Vec<Block>) -> Self {
        let mut page = Self::default();
        let (mut from, mut open) = (0, false);
        for (y, row) in blocks.into_iter().flat_map(|b| b.rows).enumerate() {
            let Row { parts, stop, title, .. } = row;
            let at = stop.is_some().then_some(page.stops.len());
            open = !title && (open || at.is_some());
            if let Some(stop) = stop {
                let (lines, around) = (y..y + 1, from..y + 1);
                page.stops.push(PlacedStop { stop, around, lines, column: 0 });
            } else if open && let Some(placed) = page.stops.last_mut() {
                // What follows a stop without one of its own is the stop's.
                (placed.lines.end, placed.around.end) = (y + 1, y + 1);
            }
            from = if open { y + 1 } else { from };
            let x = if title { 0 } else { 2 };
            let width = width.saturating_sub(x);
            page.rows.push(PlacedRow { x, width, y, parts, title, stop: at });
            page.height = y + 1;
        }
        page
    }

    /// The rows as text, one below the other.
    pub(in crate::tui) fn texts(&self) -> Vec<String> {
        let mut rows: Vec<&PlacedRow> = self.rows.iter().collect();
        rows.sort_by_key(|row| (row.y, row.x));
        let text = |row: &PlacedRow| row.parts.iter().map(|(_, text)| text.as_str()).collect();
        rows.into_iter().map(text).collect()
    }

    /// Where a cell of a stop leads.
    pub(in crate::tui) fn target(&self, at: usize, cell: usize) -> Option<&Link> {
        let stop = &self.stops.get(at)?.stop;
        stop.cells.get(cell.min(stop.cells.len().saturating_sub(1))).map(|(_, link)| link)
    }
}

/// A text from outside: secrets masked, nothing left that a terminal acts on.
pub(in crate::tui) fn sanitize(text: &str) -> String {
    escape::line(&mask::mask(text).0).into_owned()
}
