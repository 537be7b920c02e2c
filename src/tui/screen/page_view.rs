//! A page and where the person is on it, to be read and drawn.

use crate::answers::triage::kpis;
use crate::page::Link;
use crate::page::write::console::{PlacedPicture, PlacedRow, PlacedStop};
use crate::text::separated;
use crate::tui::model::{Model, PageModel, Screen};
use crate::tui::page::{Page, sanitize};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, chart};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// A page and where the person is on it.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui::screen) struct PageView<'a> {
    page: &'a Page,
    cursor: usize,
    cell: usize,
    top: usize,
}

impl<'a> PageView<'a> {
    /// The page on the screen.
    pub(in crate::tui::screen) fn on_screen(model: &'a Model) -> Self {
        match model.screen {
            Screen::Calibration if model.picks.mode.is_some() => {
                Self::page(&model.picks.calibration.place)
            }
            Screen::Readiness if model.picks.mode.is_some() => {
                Self::page(&model.picks.readiness.place)
            }
            Screen::Calibration | Screen::Readiness => Self::page(Self::place(model)),
            Screen::Trends => Self::page(&model.trends.place),
            _ => Self::overview(model),
        }
    }

    /// The page of the overview, whatever screen is open.
    pub(in crate::tui::screen) fn overview(model: &'a Model) -> Self {
        let o = &model.overview;
        Self { page: &o.page, cursor: o.cursor, cell: o.cell, top: o.top }
    }

    /// Where the person is on the one of the two pages of an assessment that is open.
    pub(in crate::tui::screen) fn place(model: &'a Model) -> &'a PageModel {
        match model.screen {
            Screen::Calibration => &model.assess().calibration,
            _ => &model.assess().readiness,
        }
    }

    fn page(p: &'a PageModel) -> Self {
        Self { page: &p.page, cursor: p.cursor, cell: p.cell, top: p.top }
    }

    /// The stop under the cursor; `None` on an empty page.
    pub(in crate::tui::screen) fn selected_stop(&self) -> Option<&'a PlacedStop> {
        self.page.stops.get(self.cursor)
    }

    /// Cells of the stop under the cursor.
    pub(in crate::tui::screen) fn cells(&self) -> usize {
        self.selected_stop().map_or(0, |placed| placed.stop.cells.len())
    }

    /// The selected cell of it, from 0.
    pub(in crate::tui::screen) fn cell(&self) -> usize {
        self.cell.min(self.cells().saturating_sub(1))
    }

    /// What is behind the selected cell.
    pub(in crate::tui::screen) fn target(&self) -> Option<&'a Link> {
        self.page.target(self.cursor, self.cell)
    }

    /// The stop that is at a place of the screen, and its cell there, where it has one.
    pub(in crate::tui::screen) fn stop_at(
        &self,
        inside: Rect,
        at: Position,
    ) -> Option<(usize, Option<usize>)> {
        let (x, y) = (at.x.checked_sub(inside.x)?, at.y.checked_sub(inside.y)?);
        if !inside.contains(at) {
            return None;
        }
        let (x, y) = (usize::from(x), self.top + usize::from(y));
        // The cells of a picture are on the axis below it.
        let mut pictures = self.page.pictures.iter();
        let picture = pictures.find(|picture| {
            (picture.y..picture.y + picture.height).contains(&y)
                && (picture.x..picture.x + picture.width).contains(&x)
        });
        let y = picture.map_or(y, |picture| picture.y + picture.height);
        let is_here = |row: &&PlacedRow| {
            row.y == y
                && (row.x.saturating_sub(2)..row.x + row.width).contains(&x)
                && row.stop.is_some()
        };
        let row = self.page.rows.iter().find(is_here)?;
        let stop = row.stop?;
        let cells = &self.page.stops.get(stop)?.stop.cells;
        let cell = cells.iter().position(|(columns, _)| columns.contains(&x.saturating_sub(row.x)));
        Some((stop, cell))
    }

    /// Draws the rows that are on the screen.
    pub(in crate::tui::screen) fn rows(&self, pen: &Pen<'_>, buffer: &mut Buffer, inside: Rect) {
        let shown = self.top..self.top + usize::from(inside.height);
        for row in self.page.rows.iter().filter(|r| shown.contains(&r.y)) {
            let y = inside.y + (row.y - self.top) as u16;
            self.line(pen, buffer, inside, row, y);
        }
        for picture in &self.page.pictures {
            self.picture(pen, buffer, inside, picture);
        }
    }

    /// The part of a picture that is on the screen.
    fn picture(&self, pen: &Pen<'_>, buffer: &mut Buffer, inside: Rect, picture: &PlacedPicture) {
        let width = picture.width.min(usize::from(inside.width).saturating_sub(picture.x)) as u16;
        let area = Rect { x: 0, y: 0, width, height: picture.height as u16 };
        let mut whole = Buffer::empty(area);
        whole.set_style(area, pen.style(Role::Text));
        chart(pen, &mut whole, area, &picture.rate);
        for y in 0..area.height {
            let on_screen = (picture.y + usize::from(y)).checked_sub(self.top);
            let on_screen = on_screen.filter(|line| *line < usize::from(inside.height));
            let Some(line) = on_screen else { continue };
            for x in 0..area.width {
                let place = (inside.x + picture.x as u16 + x, inside.y + line as u16);
                let (drawn, cell) = (whole.cell((x, y)), buffer.cell_mut(place));
                if let (Some(drawn), Some(cell)) = (drawn.filter(|c| c.symbol() != " "), cell) {
                    *cell = drawn.clone();
                }
            }
        }
    }

    /// Says in the heading that there is more below.
    pub(in crate::tui::screen) fn more(&self, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
        let seen = self.top + usize::from(room(body).height);
        if self.page.height > seen {
            let more = format!(" {} ", pen.glyphs.down);
            let line = pen.line([(Role::Dim, more.as_str())]);
            pen.put_right(buffer, Rect { height: 1, ..body }, 0, &line);
        }
    }

    /// One row, with the cursor where it is on it.
    fn line(&self, pen: &Pen<'_>, buffer: &mut Buffer, inside: Rect, row: &PlacedRow, y: u16) {
        let styled =
            row.parts.iter().map(|(role, text)| Span::styled(text.as_str(), pen.style(*role)));
        let words = Line::from(styled.collect::<Vec<_>>());
        let width = (row.width.min(usize::from(inside.width).saturating_sub(row.x))) as u16;
        let x = inside.x + row.x as u16;
        if row.title {
            pen.heading(buffer, Rect { x, y, width, height: 1 }, false, &words);
            return;
        }
        buffer.set_line(x, y, &words, width);
        if row.stop != Some(self.cursor) {
            return;
        }
        let cursor = pen.line([(Role::Mark, pen.glyphs.cursor)]);
        buffer.set_line(x.saturating_sub(2), y, &cursor, 1);
        let Some(placed) = self.selected_stop() else { return };
        let at = self.cell.min(placed.stop.cells.len().saturating_sub(1));
        let Some((columns, _)) = placed.stop.cells.get(at) else { return };
        let from = columns.start.min(usize::from(width)) as u16;
        let to = columns.end.min(usize::from(width)) as u16;
        let place = Rect { x: x + from, y, width: to - from, height: 1 };
        buffer.set_style(place, pen.style(Role::Selection));
    }

    /// What is selected, and where Enter leads.
    pub(in crate::tui::screen) fn draw_status(
        &self,
        pen: &Pen<'_>,
        buffer: &mut Buffer,
        body: Rect,
    ) {
        let lines = bottom(body);
        let area = Rect { y: body.y + body.height - lines, height: lines, ..body };
        let note = self.selected_stop().map_or("", |h| h.stop.note.as_str());
        let Some(target) = self.target() else {
            pen.put(buffer, area, 0, &pen.line([(Role::Dim, note)]));
            return;
        };
        let count = target.count.map(|c| separated(c) + " ").unwrap_or_default();
        let filter = if target.query.is_empty() { "all" } else { target.query.as_str() };
        let is_kpi = self.selected_stop().is_some_and(|h| kpis::family(h.stop.id.block).is_some());
        let label = sanitize(&target.label.raw());
        let what = match note {
            "" => format!("{count}{label}"),
            note if is_kpi => note.to_owned(),
            note => format!("{count}{label}; {note}"),
        };
        let enter = format!("{} {}", pen.glyphs.arrow, sanitize(filter));
        if lines > 1 {
            pen.put(buffer, area, 0, &pen.line([(Role::Text, what.as_str())]));
            pen.put(buffer, area, 1, &pen.line([(Role::Dim, enter.as_str())]));
        } else {
            let parts =
                [(Role::Text, what.as_str()), (Role::Dim, "  "), (Role::Dim, enter.as_str())];
            pen.put(buffer, area, 0, &pen.line(parts));
        }
    }
}

/// Lines for rows: one is the heading, one or two the bottom.
pub(in crate::tui::screen) fn room(body: Rect) -> Rect {
    let bottom = bottom(body);
    Rect { y: body.y + 1, height: body.height.saturating_sub(1 + bottom), ..body }
}

fn bottom(body: Rect) -> u16 {
    match body.height {
        ..6 => 0,
        6..26 => 1,
        _ => 2,
    }
}
