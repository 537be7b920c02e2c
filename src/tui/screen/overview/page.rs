//! All rows of the overview, each at its place. Made once for a pair of documents and a width.

use super::drill_down::{Documents, DrillDown, DrillTarget, elsewhere, peer_differs, unlabelled};
use super::row::{Block, Row, Stop};
use super::{days, heat, kpi, scores, sources, summary, tables};
use crate::assess::Report;
use crate::domain::{ByKind, JudgementKind, Timestamp, Triage};
use crate::overview::Breakdowns;
use crate::text::CommandLine;
use crate::tui::model::PicksReport;
use crate::tui::theme::{Glyphs, Role};
use std::ops::Range;
use std::sync::Arc;

/// From so many columns on there are two columns of blocks below the KPIs.
pub(in crate::tui::screen) const BESIDE: usize = 100;

/// What a page is made of; something else means another page.
#[derive(Debug, Clone)]
pub(in crate::tui::screen) struct PageInputs {
    pub(in crate::tui::screen) triage: Arc<Triage>,
    pub(in crate::tui::screen) breakdowns: Option<Arc<Breakdowns>>,
    /// The assessment of each family, where there is one.
    pub(in crate::tui::screen) assessed: ByKind<Option<Arc<Report>>>,
    /// What the picks of memories come to.
    pub(in crate::tui::screen) picks: Option<Arc<PicksReport>>,
    /// Whether the store is read, of which it is not known what was seen.
    pub(in crate::tui::screen) fleet: bool,
    /// What commands are completed with.
    pub(in crate::tui::screen) command_line: CommandLine,
    pub(in crate::tui::screen) now: Timestamp,
    pub(in crate::tui::screen) width: usize,
    pub(in crate::tui::screen) glyphs: &'static Glyphs,
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
            && self.now == other.now
            && self.width == other.width
            && std::ptr::eq(self.glyphs, other.glyphs)
    }
}

/// The very same thing, or nothing on both sides.
pub(in crate::tui::screen) fn same<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl PageInputs {
    fn documents(&self) -> Documents<'_> {
        Documents {
            triage: &self.triage,
            breakdowns: self.breakdowns.as_deref(),
            readiness: ByKind::new(|of| self.assessed.get(of).as_deref().map(|a| &a.readiness)),
            picks: self.picks.as_deref(),
            fleet: self.fleet,
            command_line: self.command_line,
            now: self.now,
        }
    }
}

/// A row at its place.
#[derive(Debug, Clone)]
pub(in crate::tui::screen) struct PlacedRow {
    /// The first of its columns; two more than where its cursor is.
    pub(in crate::tui::screen) x: usize,
    /// Columns it may take.
    pub(in crate::tui::screen) width: usize,
    /// Line on the page, from 0.
    pub(in crate::tui::screen) y: usize,
    /// Its text.
    pub(in crate::tui::screen) parts: Vec<(Role, String)>,
    /// It is the title of a block.
    pub(in crate::tui::screen) title: bool,
    /// Which stop it is.
    pub(in crate::tui::screen) stop: Option<usize>,
}

/// A stop at its place.
#[derive(Debug, Clone)]
pub(in crate::tui::screen) struct PlacedStop {
    /// The stop, with its cells.
    pub(in crate::tui::screen) stop: Stop,
    /// Lines on the page, from 0.
    pub(in crate::tui::screen) lines: Range<usize>,
    /// Its lines, and those before and behind it that no stop shows.
    pub(in crate::tui::screen) around: Range<usize>,
    /// Which column of blocks.
    pub(in crate::tui::screen) column: usize,
}

/// The rows of the overview, ready to be drawn.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub(in crate::tui::screen) key: Option<PageInputs>,
    pub(in crate::tui::screen) rows: Vec<PlacedRow>,
    pub(in crate::tui::screen) stops: Vec<PlacedStop>,
    /// Number of lines of the page.
    pub(in crate::tui::screen) height: usize,
}

impl Page {
    /// Makes the page of some documents.
    pub(in crate::tui::screen) fn build(key: PageInputs) -> Self {
        let documents = key.documents();
        let mut page = Self::default();
        let (full, glyphs) = (key.width, key.glyphs);
        let half = Self::half(full);
        let two = half < full;
        let room = |width: usize| width.saturating_sub(2);
        let y = page.column((0, 0), full, 0, summary::blocks(&documents, room(full), glyphs));
        let y = page.column((0, 0), full, y, kpi::of_pushes(&documents, room(full), glyphs));
        let (left, right) = sides(&documents, room(half), glyphs);
        let end = page.column((0, 0), half, y, left);
        page.height = match two {
            true => end.max(page.column((1, half + 1), full - half - 1, y, right)),
            false => page.column((0, 0), full, end, right),
        };
        page.key = Some(key);
        page
    }

    /// A page of blocks in one column or two, in the order in which they are read.
    pub(in crate::tui::screen) fn plain(
        width: usize,
        above: Vec<Block>,
        sides: Option<(Vec<Block>, Vec<Block>)>,
    ) -> Self {
        let mut page = Self::default();
        let y = page.column((0, 0), width, 0, above);
        page.height = y;
        if let Some((left, right)) = sides {
            let half = Self::half(width);
            if half == width {
                let y = page.column((0, 0), width, y, left);
                page.height = page.column((0, 0), width, y, right);
            } else {
                let end = page.column((0, 0), half, y, left);
                page.height = end.max(page.column((1, half + 1), width - half - 1, y, right));
            }
        }
        page
    }

    /// Columns of a side: half of them where there is room for two.
    pub(in crate::tui::screen) fn half(width: usize) -> usize {
        if width >= BESIDE { (width - 1) / 2 } else { width }
    }

    /// The same of a family: what its figures lead to are records of that one.
    pub(in crate::tui::screen) fn of(mut self, family: JudgementKind) -> Self {
        self.stops.iter_mut().for_each(|placed| placed.stop.family = family);
        self
    }

    /// Places blocks below each other; gives the line behind them.
    fn column(
        &mut self,
        place: (usize, usize),
        width: usize,
        top: usize,
        blocks: Vec<Block>,
    ) -> usize {
        let (column, x) = place;
        let (mut y, mut from, mut open) = (top, top, false);
        for row in blocks.into_iter().flat_map(|b| b.rows) {
            let Row { parts, stop, title, .. } = row;
            let at = stop.is_some().then_some(self.stops.len());
            open = !title && (open || at.is_some());
            if let Some(stop) = stop {
                let lines = y..y + 1;
                self.stops.push(PlacedStop { stop, around: from..y + 1, lines, column });
            } else if open && let Some(placed) = self.stops.last_mut() {
                // What follows a stop without one of its own is the stop's.
                (placed.lines.end, placed.around.end) = (y + 1, y + 1);
            }
            from = if open { y + 1 } else { from };
            let inset = if title { 0 } else { 2 };
            let width = width.saturating_sub(inset);
            self.rows.push(PlacedRow { x: x + inset, width, y, parts, title, stop: at });
            y += 1;
        }
        y
    }

    /// What is behind a cell of a stop.
    pub(in crate::tui::screen) fn target(&self, at: usize, cell: usize) -> Option<DrillTarget> {
        let stop = &self.stops.get(at)?.stop;
        let (_, drill_down) = stop.cells.get(cell.min(stop.cells.len().saturating_sub(1)))?;
        let family = stop.family;
        match *drill_down {
            DrillDown::Labelled(group) => Some(group.target(family)),
            DrillDown::Elsewhere(kpi, numerator) => elsewhere(family, kpi, numerator),
            DrillDown::Unlabelled(day) => Some(unlabelled(family, day)),
            DrillDown::PeerDiffers => Some(peer_differs()),
            drill_down => self.key.as_ref()?.documents().target(drill_down, family),
        }
    }
}

/// The blocks below the KPIs, in two columns; in one they follow each other.
fn sides(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> (Vec<Block>, Vec<Block>) {
    let mut left = days::blocks(documents, width, glyphs);
    left.extend(heat::blocks(documents, width, glyphs));
    left.extend(kpi::of_others(documents, width, glyphs));
    left.extend(scores::blocks(documents, width, glyphs));
    let mut right = sources::boxes(documents, width, glyphs);
    right.extend(tables::blocks(documents, width, glyphs));
    right.extend(sources::blocks(documents, width, glyphs));
    (left, right)
}
