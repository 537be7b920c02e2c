//! Which columns of a list fit, and where they are.

use crate::domain::{Column, Sort};
use crate::text::escape;
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::Pen;
use ratatui::text::{Line, Span};

/// Columns before the first one: cursor, mark, outcome, and a space.
pub(super) const BEFORE: usize = 4;

/// The same where no outcome is shown.
pub(super) const BEFORE_BARE: usize = 2;

/// Path and finding together have so many columns before anything else is shown.
const READABLE: usize = 65;

/// A finding in fewer columns says nothing.
const LEAST_FINDING: usize = 20;

/// A path has so many columns of what it shares with the finding, or more than half of it.
const PATH: usize = 42;

/// What makes room first.
const FIRST_TO_GO: [Column; 5] =
    [Column::Author, Column::Scores, Column::Box, Column::Model, Column::Latency];

/// A column on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct Place {
    /// Which one.
    pub(in crate::tui) column: Column,
    /// The first column of the terminal, from the list's left edge.
    pub(in crate::tui) x: usize,
    /// Columns of the terminal; of a state that is its mark alone, 1.
    pub(in crate::tui) width: usize,
}

/// Columns that fit, from left to right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) struct Columns {
    pub(super) places: Vec<Place>,
    sort: Option<Sort>,
}

/// What columns are made for.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct Fitting<'a> {
    /// Which ones are wanted.
    pub(in crate::tui) chosen: &'a [Column],
    /// By which the list is ordered, where it is by one.
    pub(in crate::tui) sort: Option<Sort>,
    /// Columns of the terminal.
    pub(in crate::tui) width: usize,
    /// Columns before the first one.
    pub(in crate::tui) before: usize,
    /// Columns that the longest path takes.
    pub(in crate::tui) longest: usize,
}

impl Columns {
    /// Those of the chosen ones that there is room for. First to go are [`FIRST_TO_GO`], then the words of the state,
    /// then the finding.
    pub(in crate::tui) fn fit(fitting: Fitting<'_>) -> Self {
        let Fitting { chosen, sort, width, before, longest } = fitting;
        let mut kept: Vec<Column> =
            Column::ALL.into_iter().filter(|c| chosen.contains(c)).collect();
        let mut is_mark = false;
        let has_finding = kept.contains(&Column::Finding);
        let wanted = if has_finding { READABLE } else { PATH };
        let room = |kept: &[Column], is_mark| {
            let fixed: usize = kept.iter().map(|c| taken(*c, sort, is_mark)).sum();
            // The last one has no gap behind it.
            (width + 1).saturating_sub(before + fixed)
        };
        let by = sort.map(|sort| sort.column);
        // What the list is ordered by stays.
        for first in FIRST_TO_GO.into_iter().filter(|first| by != Some(*first)) {
            if room(&kept, false) < wanted {
                kept.retain(|column| *column != first);
            }
        }
        if room(&kept, false) < wanted && by != Some(Column::State) {
            is_mark = true;
        }
        let shared = room(&kept, is_mark);
        let most = PATH.min(shared * 65 / 100).max(shared * 54 / 100);
        let mut path = longest.clamp(most.min(PATH + 1), most);
        if !has_finding || shared.saturating_sub(path) < LEAST_FINDING {
            kept.retain(|column| *column != Column::Finding);
            path = shared + usize::from(has_finding);
        }
        let finding = shared.saturating_sub(path);
        let mut places = Vec::with_capacity(kept.len());
        let mut x = before;
        for column in kept {
            let cell = match column {
                Column::Path => path,
                Column::Finding => finding,
                Column::State if is_mark => 1,
                fixed => cell_width(fixed, sort),
            };
            let width = cell.min(width.saturating_sub(x));
            places.push(Place { column, x, width });
            x += cell + usize::from(!(column == Column::State && is_mark));
        }
        Self { places, sort }
    }

    /// The column at a place of a row, from the list's left edge.
    pub(in crate::tui) fn at(&self, x: usize) -> Option<Column> {
        let is_here = |place: &&Place| x >= place.x && x < place.x + place.width;
        self.places.iter().find(is_here).map(|place| place.column)
    }

    /// The line of heads.
    pub(super) fn heads(&self, pen: &Pen<'_>) -> Line<'static> {
        let head = |place: &Place| {
            let text = match place.width {
                1 => String::new(),
                _ => head(place.column, self.sort, pen.glyphs),
            };
            (Role::Title, text)
        };
        self.line(pen, Vec::new(), head)
    }

    /// A line of cells behind what comes before them. Texts are made harmless before they are cut.
    pub(super) fn line(
        &self,
        pen: &Pen<'_>,
        before: Vec<Span<'static>>,
        cell: impl Fn(&Place) -> (Role, String),
    ) -> Line<'static> {
        let mut x = before.iter().map(Span::width).sum::<usize>();
        let mut parts = before;
        for place in &self.places {
            let (role, text) = cell(place);
            let text = escape::line(&text).into_owned();
            let text = escape::truncate(&text, place.width);
            let left = place.width.saturating_sub(escape::width(&text));
            let (indent, fill) = if place.column.is_right() { (left, 0) } else { (0, left) };
            let gap = place.x.saturating_sub(x);
            parts.push(Span::raw(" ".repeat(gap + indent)));
            parts.push(pen.span(role, &text));
            parts.push(Span::raw(" ".repeat(fill)));
            x = place.x + place.width;
        }
        Line::from(parts)
    }
}

/// What stands above a column.
fn head(column: Column, sort: Option<Sort>, glyphs: &Glyphs) -> String {
    match sort.filter(|sort| sort.column == column) {
        Some(sort) => format!("{} {}", column.head(), direction(sort, glyphs)),
        None => column.head().to_owned(),
    }
}

/// Whether an order is reversed, as a sign.
pub(super) fn direction(sort: Sort, glyphs: &Glyphs) -> &'static str {
    if sort.is_reversed { glyphs.reversed } else { glyphs.sorted }
}

/// Columns of a cell and the gap behind it; of the two that share the rest, the gap alone.
fn taken(column: Column, sort: Option<Sort>, is_mark: bool) -> usize {
    match column {
        Column::State if is_mark => 1,
        other => cell_width(other, sort) + 1,
    }
}

/// Columns of a cell that does not share: its head fits into it, with the sign of the order.
fn cell_width(column: Column, sort: Option<Sort>) -> usize {
    let is_sorted = sort.is_some_and(|sort| sort.column == column);
    let head = column.head().len() + if is_sorted { 2 } else { 0 };
    column.width().map_or(0, |width| width.max(head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::model::ListId;
    use proptest::prelude::*;

    fn fitted(chosen: &[Column], width: usize, longest: usize) -> Vec<(Column, usize, usize)> {
        let fitting = Fitting { chosen, sort: None, width, before: BEFORE, longest };
        let places = Columns::fit(fitting).places;
        places.into_iter().map(|p| (p.column, p.x, p.width)).collect()
    }

    #[test]
    fn a_queue_has_the_columns_of_the_drawings() {
        use Column::{Age, Box, Finding, Path, Scores, State};
        let wide = [
            (Path, 4, 43),
            (Finding, 48, 38),
            (State, 87, 9),
            (Scores, 97, 6),
            (Box, 104, 7),
            (Age, 112, 8),
        ];
        assert_eq!(fitted(ListId::Queue.columns(), 120, 41), wide);
        let narrow = [(Path, 4, 42), (Finding, 47, 23), (State, 71, 1), (Age, 72, 8)];
        assert_eq!(fitted(ListId::Queue.columns(), 80, 41), narrow);
        assert_eq!(
            fitted(ListId::Queue.columns(), 40, 41),
            [(Path, 4, 26), (State, 31, 1), (Age, 32, 8)]
        );
    }

    #[test]
    fn a_long_path_takes_more_where_there_is_room() {
        let path = |longest| fitted(ListId::Queue.columns(), 200, longest)[0].2;
        assert_eq!((path(10), path(60), path(500)), (43, 60, 86));
    }

    #[test]
    fn scores_go_before_the_box_and_the_box_before_the_words_of_the_state() {
        let names = |width| -> Vec<Column> {
            fitted(ListId::Queue.columns(), width, 41).iter().map(|place| place.0).collect()
        };
        let has = |width, column| names(width).contains(&column);
        let gone = |column| (80..200).rev().find(|width| !has(*width, column)).unwrap_or(0);
        assert!(gone(Column::Scores) > gone(Column::Box) && gone(Column::Box) > 80);
        assert!((80..200).all(|width| has(width, Column::Path) && has(width, Column::Finding)));
    }

    proptest! {
        #[test]
        fn columns_never_overlap_and_no_head_is_cut(
            width in 80usize..=200,
            longest in 0usize..300,
            wanted in proptest::collection::vec(any::<bool>(), 9),
            sorted in 0usize..9,
            is_reversed in any::<bool>(),
        ) {
            let wanted = Column::ALL.into_iter().zip(wanted).filter(|(_, is)| *is).map(|(c, _)| c);
            let chosen: Vec<Column> = std::iter::once(Column::Path).chain(wanted).collect();
            let sort = Some(Sort { column: Column::ALL[sorted], is_reversed });
            let fitting = Fitting { chosen: &chosen, sort, width, before: BEFORE, longest };
            let columns = Columns::fit(fitting);
            let mut end = BEFORE;
            for place in &columns.places {
                prop_assert!(place.x >= end && place.x + place.width <= width, "{columns:?}");
                let head = head(place.column, sort, &Glyphs::UNICODE);
                prop_assert!(place.width == 1 || place.width >= escape::width(&head));
                prop_assert_eq!(columns.at(place.x), Some(place.column));
                end = place.x + place.width;
            }
            prop_assert!(columns.places[0].column == Column::Path && columns.places[0].width >= 30);
        }
    }
}
