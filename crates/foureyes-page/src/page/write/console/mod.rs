//! A page as rows of a console: each at its place, made once for a page and a width.
//!
//! Nothing here draws: a row is pieces of harmless text, each with its role, and a stop is a place of the
//! cursor with what it leads to.

mod charts;
mod figures;
mod heat;
mod line;
mod measure;
mod outcomes;
mod rate;
mod table;
mod wrap;

use super::Options;
use crate::page::chart::RateOverTime;
use crate::page::{
    Block, Detail, Focus, Forms, Glyphs, Item, Link, Mark, Page, Place, Role, Row, Split, Text,
};
use foureyes_core::text::escape;
use line::Line;
pub use rate::picture_row;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// From so many columns on there are two columns of blocks below the first ones.
pub const TWO_COLUMNS: usize = 100;

/// Columns of a table of figures with all its heads.
const FIGURES: usize = 80;

/// Columns at the left of each row: the cursor is there.
const CURSOR: usize = 2;

/// What is unfolded.
pub type Unfolded = BTreeSet<FocusId>;

/// What distinguishes a stop from all others, so that it is found again when its numbers have changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FocusId {
    /// Name of the block.
    pub block: &'static str,
    /// Which row of it.
    pub row: String,
}

/// A place where the cursor can be.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// Block and row, the same whenever the page is made again.
    pub id: FocusId,
    /// Its cells: the columns of each, and where it leads.
    pub cells: Vec<(Range<usize>, Link)>,
    /// The cell that is selected first.
    pub first: usize,
    /// More about it, for the bottom of the screen; harmless, and empty where there is no more.
    pub note: String,
    /// Whether there is more of it on the page, unfolded or not.
    pub folds: bool,
}

/// A row at its place.
#[derive(Debug, Clone)]
pub struct PlacedRow {
    /// The first of its columns; two more than where its cursor is.
    pub x: usize,
    /// Columns it may take.
    pub width: usize,
    /// Line on the page, from 0.
    pub y: usize,
    /// Its pieces of harmless text.
    pub parts: Vec<(Role, String)>,
    /// It is the title of a block.
    pub title: bool,
    /// Which stop it is.
    pub stop: Option<usize>,
}

/// A stop at its place.
#[derive(Debug, Clone)]
pub struct PlacedStop {
    /// The stop, with its cells.
    pub stop: Stop,
    /// Lines on the page, from 0.
    pub lines: Range<usize>,
    /// Its lines, and those before and behind it that no stop shows.
    pub around: Range<usize>,
    /// Which column of blocks.
    pub column: usize,
}

/// A picture at its place, which the console draws over the rows there.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedPicture {
    /// The first of its columns.
    pub x: usize,
    /// Columns it takes.
    pub width: usize,
    /// First line on the page, from 0.
    pub y: usize,
    /// Lines it takes.
    pub height: usize,
    /// What is drawn: its last days, one or more columns each.
    pub rate: Arc<RateOverTime>,
}

/// A page for a width.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// All rows.
    pub rows: Vec<PlacedRow>,
    /// All pictures.
    pub pictures: Vec<PlacedPicture>,
    /// All stops, in the order in which the cursor visits them.
    pub stops: Vec<PlacedStop>,
    /// Number of lines.
    pub height: usize,
}

impl Layout {
    /// Lays a page out in so many columns. Where there is one column of blocks, one follows the other in
    /// the order of the page.
    pub fn new(
        page: &Page,
        width: usize,
        glyphs: &'static Glyphs,
        options: &Options,
        unfolded: &Unfolded,
    ) -> Self {
        let mut layout = Self::default();
        let column = |places: &[Place], width: usize| -> Vec<Line> {
            let width = width.saturating_sub(CURSOR).max(10);
            let maker = Maker { width, glyphs, options, unfolded };
            let blocks = page.blocks.iter().filter(|block| places.contains(&block.place));
            blocks.flat_map(|block| maker.block(block)).collect()
        };
        let above = column(&[Place::Above], width);
        let y = layout.column((0, 0), width, 0, above);
        if width < TWO_COLUMNS {
            let below = column(&[Place::Left, Place::Right, Place::Below], width);
            layout.height = layout.column((0, 0), width, y, below);
            return layout;
        }
        let first = match page.split {
            Split::Even => (width - 1) / 2,
            Split::Figures => FIGURES.min(width * 2 / 3),
        };
        let left = layout.column((0, 0), first, y, column(&[Place::Left], first));
        let (x, rest) = (first + 1, width - first - 1);
        let right = layout.column((1, x), rest, y, column(&[Place::Right], rest));
        let below = column(&[Place::Below], width);
        layout.height = layout.column((0, 0), width, left.max(right), below);
        layout
    }

    /// Where a cell of a stop leads.
    pub fn link(&self, stop: usize, cell: usize) -> Option<&Link> {
        let stop = &self.stops.get(stop)?.stop;
        stop.cells.get(cell.min(stop.cells.len().saturating_sub(1))).map(|(_, link)| link)
    }

    /// Places rows below each other; gives the line behind them.
    fn column(
        &mut self,
        place: (usize, usize),
        width: usize,
        top: usize,
        lines: Vec<Line>,
    ) -> usize {
        let (column, x) = place;
        let (mut y, mut from, mut open) = (top, top, false);
        for Line { parts, stop, title, picture, .. } in lines {
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
            let inset = if title { 0 } else { CURSOR };
            let width = width.saturating_sub(inset);
            self.rows.push(PlacedRow { x: x + inset, width, y, parts, title, stop: at });
            self.pictures.extend(picture.map(|picture| picture.at(x + inset, y)));
            y += 1;
        }
        y
    }
}

/// Makes the rows of a column of blocks.
struct Maker<'a> {
    /// Columns for a row.
    width: usize,
    glyphs: &'static Glyphs,
    options: &'a Options,
    unfolded: &'a Unfolded,
}

impl Maker<'_> {
    fn block(&self, block: &Block) -> Vec<Line> {
        if matches!(block.forms, Forms::Documents | Forms::Html) {
            return Vec::new();
        }
        let (title, is_open) = match &block.folded {
            Some(summary) => self.folded_title(block, summary),
            None => (self.title(block), true),
        };
        let mut lines: Vec<Line> = title.into_iter().collect();
        if is_open {
            self.items(block, &mut lines);
        }
        lines
    }

    fn items(&self, block: &Block, lines: &mut Vec<Line>) {
        let counts = self.counts_width(block);
        let figures = self.figure_widths(block);
        lines.extend(figures.as_ref().map(|widths| self.figure_heads(widths)));
        // What belongs to a folded row, further in than it, is left out.
        let mut folded: Option<usize> = None;
        for item in &block.items {
            let level = match item {
                Item::Row(row) => Some(row.level),
                Item::Quote { level, .. } => Some(*level),
                _ => None,
            };
            folded = folded.filter(|above| level.is_some_and(|level| level > *above));
            if folded.is_some() {
                continue;
            }
            match item {
                Item::Row(row) => {
                    lines.extend(self.row(block.name, row));
                    let is_folded = row.is_folded && !self.is_unfolded(block.name, row);
                    folded = is_folded.then_some(row.level);
                }
                Item::Quote { label, text, level } => lines.extend(self.quote(*level, label, text)),
                Item::Measure(measure) if measure.detail == Detail::Folded => {
                    lines.extend(self.figure(block.name, measure, figures.as_ref()));
                }
                Item::Measure(measure) => lines.extend(self.measure(block.name, measure, counts)),
                Item::Table(table) => lines.extend(self.table(block.name, table)),
                Item::Chart(chart) => lines.extend(self.chart(block.name, chart)),
            }
        }
    }

    fn is_unfolded(&self, block: &'static str, row: &Row) -> bool {
        let id = |focus: &Focus| FocusId { block, row: focus.id.clone() };
        row.focus.as_ref().is_some_and(|focus| self.unfolded.contains(&id(focus)))
    }

    /// The title of a block that is folded, and whether it is unfolded.
    fn folded_title(&self, block: &Block, summary: &Text) -> (Option<Line>, bool) {
        // A count in the title is none of its name.
        let title = block.title.raw().replace(|c: char| c.is_ascii_digit(), "");
        let mut stop = self.stop(block.name, &Focus::new(title));
        stop.folds = true;
        let is_open = self.unfolded.contains(&stop.id);
        let sign = if is_open { self.glyphs.open } else { self.glyphs.closed };
        let line = Line::new(Some(stop)).span(Role::Dim, format!("{sign} "));
        let line = line.span(Role::Title, self.options.line(&block.title));
        let room = self.width.saturating_sub(line.used() + 2);
        let summary = self.options.line(summary);
        let summary = escape::truncate(&summary, room).into_owned();
        let line = match summary.as_str() {
            "" => line,
            summary => line.span(Role::Text, format!("  {summary}")),
        };
        (Some(line), is_open)
    }

    /// The title, and what is to be known of the numbers below it.
    fn title(&self, block: &Block) -> Option<Line> {
        if block.title.is_empty() {
            return None;
        }
        let title = self.options.line(&block.title);
        let line = Line::default().span(Role::Title, format!(" {title} "));
        let room = self.width.saturating_sub(line.used() + 5);
        let note = self.options.line(&block.note);
        let note = escape::truncate(&note, room).into_owned();
        let line = match note.as_str() {
            "" => line,
            note => line.span(Role::Dim, format!("{} {note} ", self.glyphs.separator)),
        };
        Some(line.into_title())
    }

    fn row(&self, block: &'static str, row: &Row) -> Vec<Line> {
        if matches!(row.forms, Forms::Documents | Forms::Html) {
            return Vec::new();
        }
        let mark = match row.mark {
            Mark::None | Mark::Field => String::new(),
            Mark::Number(number) => format!("{number}. "),
            Mark::Bullet => format!("{} ", self.glyphs.bullet),
            Mark::Done(true) => "[x] ".to_owned(),
            Mark::Done(false) => "[ ] ".to_owned(),
            Mark::Sign(sign) => {
                let sign = self.glyphs.mark(sign);
                format!("{sign} ")
            }
            Mark::Name(name) => format!("{name}: "),
            Mark::Command => "  ".to_owned(),
        };
        let stop = row
            .focus
            .as_ref()
            .map(|focus| Stop { folds: row.is_folded, ..self.stop(block, focus) });
        wrap::lines(row, &mark, stop, self.width, self.options)
    }

    /// A row that belongs to what is above it.
    fn further_in(&self, block: &'static str, row: &Row) -> Vec<Line> {
        self.row(block, &Row { level: row.level + 1, ..row.clone() })
    }

    fn quote(&self, level: usize, label: &Text, text: &Text) -> Vec<Line> {
        let indent = " ".repeat(2 * level);
        let label = format!("{indent}{}", self.options.line(label));
        let mut lines = vec![Line::default().span(Role::Dim, label)];
        let gutter = format!("{indent}{} ", self.glyphs.gutter);
        let width = self.width.saturating_sub(escape::width(&gutter));
        let masked = self.options.masked(text);
        for piece in escape::block(&masked, "", width).lines() {
            let line = Line::default().span(Role::Gutter, gutter.clone());
            lines.push(line.span(Role::Text, piece));
        }
        lines
    }

    fn stop(&self, block: &'static str, focus: &Focus) -> Stop {
        let id = FocusId { block, row: focus.id.clone() };
        let note = self.options.line(&focus.note);
        Stop { id, cells: Vec::new(), first: focus.first, note, folds: false }
    }
}

#[cfg(test)]
#[path = "folding_tests.rs"]
mod tests;
