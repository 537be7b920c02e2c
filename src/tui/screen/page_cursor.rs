//! The cursor of a page, and what follows it. All of it is asked by `update`.

use super::page_view::{PageView, room};
use crate::page::write::console::PlacedStop;
use crate::tui::model::{Model, PageModel, Screen};
use crate::tui::page::{Page, PageInputs};
use ratatui::layout::{Position, Rect};
use std::sync::Arc;

/// A page and where the person is on it, to be changed.
pub(in crate::tui::screen) struct PageCursor<'a> {
    page: &'a mut Arc<Page>,
    cursor: &'a mut usize,
    cell: &'a mut usize,
    top: &'a mut usize,
}

impl<'a> PageCursor<'a> {
    /// The page on the screen.
    pub(in crate::tui::screen) fn on_screen(model: &'a mut Model) -> Self {
        match model.screen {
            Screen::Calibration if model.picks.mode.is_some() => {
                Self::page(&mut model.picks.calibration.place)
            }
            Screen::Readiness if model.picks.mode.is_some() => {
                Self::page(&mut model.picks.readiness.place)
            }
            Screen::Calibration => Self::page(&mut model.assess_mut().calibration),
            Screen::Readiness => Self::page(&mut model.assess_mut().readiness),
            Screen::Trends => Self::page(&mut model.trends.place),
            _ => {
                let o = &mut model.overview;
                let (page, cursor) = (&mut o.page, &mut o.cursor);
                Self { page, cursor, cell: &mut o.cell, top: &mut o.top }
            }
        }
    }

    /// One of the two pages of an assessment.
    pub(in crate::tui::screen) fn page(p: &'a mut PageModel) -> Self {
        let (page, cursor) = (&mut p.page, &mut p.cursor);
        Self { page, cursor, cell: &mut p.cell, top: &mut p.top }
    }

    /// What the page was made of; `None` where it is no overview.
    pub(in crate::tui::screen) fn made_of(&self) -> Option<&PageInputs> {
        self.page.key.as_ref()
    }

    /// Takes a page in place of the one before; the cursor stays on what it stood on.
    pub(in crate::tui::screen) fn replace_page(&mut self, page: Page) {
        let before = self.page.stops.get(*self.cursor).map(|h| &h.stop.id);
        let found = page.stops.iter().position(|h| Some(&h.stop.id) == before);
        let last = page.stops.len().saturating_sub(1);
        *self.cursor = found.unwrap_or((*self.cursor).min(last));
        *self.page = Arc::new(page);
        let cells = self.page.stops.get(*self.cursor).map_or(0, |h| h.stop.cells.len());
        *self.cell = (*self.cell).min(cells.saturating_sub(1));
    }

    /// Scrolls as little as it takes to show the selected stop, with what only it shows.
    pub(in crate::tui::screen) fn scroll_to_cursor(&mut self, height: usize) {
        let page = &self.page;
        let Some(placed) = page.stops.get(*self.cursor) else { return };
        let mut top = (*self.top).min(page.height.saturating_sub(height));
        let last = page.stops.iter().rfind(|h| h.column == placed.column);
        let is_last = last.is_some_and(|h| h.lines == placed.lines);
        let end = if is_last { page.height } else { placed.lines.end };
        // The whole of it where it fits, and always its first line.
        for lines in
            [placed.around.start..end, placed.around.start..placed.lines.end, placed.lines.clone()]
        {
            if lines.len() <= height {
                top = top.min(lines.start).max((lines.end).saturating_sub(height));
                break;
            }
            if lines == placed.lines {
                top = lines.start;
            }
        }
        *self.top = top;
    }

    fn step(&mut self, stops: isize) {
        let last = self.page.stops.len().saturating_sub(1);
        self.go((*self.cursor).saturating_add_signed(stops).min(last));
    }

    /// Moves the cursor; in another block it begins with that block's own cell.
    fn go(&mut self, at: usize) {
        let stops = &self.page.stops;
        let (from, to) = (stops.get(*self.cursor), stops.get(at));
        let Some(to) = to else { return };
        let alike = |from: &PlacedStop| {
            from.stop.id.block == to.stop.id.block && from.stop.cells.len() == to.stop.cells.len()
        };
        if !from.is_some_and(alike) {
            *self.cell = to.stop.first;
        }
        *self.cursor = at;
    }
}

/// Selects the stop at a place of the screen; tells whether it was selected already.
pub(in crate::tui) fn press(model: &mut Model, body: Rect, at: Position) -> bool {
    let Some((stop, cell)) = PageView::on_screen(model).stop_at(room(body), at) else {
        return false;
    };
    let mut page_cursor = PageCursor::on_screen(model);
    let before = (*page_cursor.cursor, *page_cursor.cell);
    page_cursor.go(stop);
    if let Some(cell) = cell {
        *page_cursor.cell = cell;
    }
    before == (*page_cursor.cursor, *page_cursor.cell)
}

/// Goes so many stops on.
pub(in crate::tui) fn step(model: &mut Model, stops: isize) {
    PageCursor::on_screen(model).step(stops);
}

/// Goes so many cells on in the selected stop.
pub(in crate::tui) fn cell(model: &mut Model, by: isize) {
    let last = PageView::on_screen(model).cells().saturating_sub(1);
    let cell = PageCursor::on_screen(model).cell;
    *cell = (*cell).min(last).saturating_add_signed(by).min(last);
}

/// Goes so many lines on, to the stop that is nearest there in the same column of blocks.
pub(in crate::tui) fn page(model: &mut Model, lines: isize) {
    let mut page_cursor = PageCursor::on_screen(model);
    let stops = &page_cursor.page.stops;
    let Some(placed) = stops.get(*page_cursor.cursor) else { return };
    let to = placed.lines.start.saturating_add_signed(lines);
    let below = |h: &&PlacedStop| h.column == placed.column;
    let near = |h: &PlacedStop| h.lines.start.abs_diff(to);
    let found = stops.iter().enumerate().filter(|(_, h)| below(h)).min_by_key(|(_, h)| near(h));
    let found = found.map(|(at, _)| at);
    match found {
        Some(at) if at != *page_cursor.cursor => page_cursor.go(at),
        // At the end of a column: on to the next stop.
        _ => page_cursor.step(lines.signum()),
    }
}

/// Goes to the first stop of the next block, or of the one before.
pub(in crate::tui) fn block(model: &mut Model, by: isize) {
    let mut page_cursor = PageCursor::on_screen(model);
    let (stops, cursor) = (&page_cursor.page.stops, *page_cursor.cursor);
    let name = |at: usize| stops.get(at).map(|h| h.stop.id.block);
    let here = name(cursor);
    let starts: Vec<usize> =
        (0..stops.len()).filter(|at| *at == 0 || name(at - 1) != name(*at)).collect();
    let own = starts.iter().rposition(|at| name(*at) == here && *at <= cursor);
    let Some(own) = own else { return };
    // The last goes on to the first, and the other way round.
    let next = (own as isize + by).rem_euclid(starts.len().max(1) as isize) as usize;
    let Some(at) = starts.get(next) else { return };
    // As much of the block as there is room for.
    let title = stops.get(*at).map_or(0, |h| h.around.start);
    page_cursor.go(*at);
    *page_cursor.top = title;
}
