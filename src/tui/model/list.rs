//! A list of records: which, in what order, and where the person is in it.

use super::{Filter, ListId, ListKey, Loadable};
use crate::domain::{Column, RecordId, Sort};
use crate::store::cache::Row;
use crate::tui::session::{Arrangement, ListPosition};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A list of records.
#[derive(Debug, Clone)]
pub struct List {
    /// The queue or all records.
    pub id: ListId,
    /// What it is narrowed to.
    pub filter: Filter,
    /// Sort order of the rows.
    pub sort: Sort,
    /// The columns that are shown as far as there is room, in the order of [`Column::ALL`].
    pub columns: Vec<Column>,
    /// How it shares the screen with its record.
    pub arrangement: Arrangement,
    /// The same of a queue that is labelled, which is beside its record.
    pub beside: Arrangement,
    /// Row numbers in the order of the list.
    pub rows: Loadable<Arc<Vec<Row>>>,
    /// Lines of the queue without a filter; records of the other list with the rounds that its lines
    /// stand for.
    pub whole: usize,
    /// So many older ones a store elsewhere has beyond those that it lists.
    pub beyond: usize,
    /// Records of its span whose verdicts are kept back; where being in the list would tell one, they are not in it.
    pub hidden: usize,
    /// Whether each round of a task's run is a line, not the run.
    pub rounds: bool,
    /// The archive that the rows are of.
    pub edition: u64,
    /// Number of the last request; answers to older requests are dropped.
    pub generation: u64,
    /// What was asked for last.
    pub asked: Option<ListKey>,
    /// What the rows were made of.
    pub made: Option<(Filter, ListKey)>,
    /// Goes up when the list must be made again though nothing it is made of changed.
    pub serial: u64,
    /// The selected line, from 0.
    pub cursor: usize,
    /// The first line on the screen.
    pub top: usize,
    /// The record on the selected line, once it is read. The selection follows it.
    pub selected: Option<RecordId>,
    /// The record to go to as soon as the list holds it, in place of the selected one.
    pub wanted: Option<RecordId>,
    /// The record that the list on its way looks for, and the line where it was.
    pub anchor: Option<(RecordId, usize)>,
    /// Marked records that are in the list.
    pub marks: BTreeSet<RecordId>,
    /// Marked records that are not, since a filter hides them: nothing is done with those.
    pub away: BTreeSet<RecordId>,
    /// Where a range of marks began.
    pub range: Option<usize>,
    /// Ranges whose records are being read, each with the list's [`List::generation`] then.
    pub ranging: BTreeMap<u64, u64>,
    /// So many rows at the end were put off.
    pub later: usize,
    /// Records that came above the first line while the person was looking.
    pub above: usize,
    /// It was opened anew, and its rows are still those of before.
    pub fresh: bool,
}

impl List {
    /// A list before it is loaded.
    pub fn new(id: ListId) -> Self {
        Self {
            id,
            filter: Filter::default(),
            sort: Sort::default(),
            columns: id.columns().to_vec(),
            arrangement: Arrangement::default(),
            beside: Arrangement::default(),
            rows: Loadable::default(),
            whole: 0,
            beyond: 0,
            hidden: 0,
            rounds: false,
            edition: 0,
            generation: 0,
            asked: None,
            made: None,
            serial: 0,
            cursor: 0,
            top: 0,
            selected: None,
            wanted: None,
            anchor: None,
            marks: BTreeSet::new(),
            away: BTreeSet::new(),
            range: None,
            ranging: BTreeMap::new(),
            later: 0,
            above: 0,
            fresh: false,
        }
    }

    /// Number of lines, with the filter.
    pub fn len(&self) -> usize {
        self.rows.value.as_ref().map_or(0, |rows| rows.len())
    }

    /// So many earlier rounds its lines stand for; none in a queue, which has no rounds, nor where more is
    /// beyond.
    pub fn folded(&self) -> usize {
        match self.id {
            ListId::Records if self.beyond == 0 => self.whole.saturating_sub(self.len()),
            ListId::Records | ListId::Queue => 0,
        }
    }

    /// Whether it has no lines.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of a line.
    pub fn row(&self, line: usize) -> Option<Row> {
        self.rows.value.as_ref()?.get(line).copied()
    }

    /// Rows that are on `height` lines of the screen.
    pub fn visible(&self, height: usize) -> impl Iterator<Item = (usize, Row)> + '_ {
        let rows = self.rows.value.as_deref().map_or(&[][..], Vec::as_slice);
        rows.iter().copied().enumerate().skip(self.top).take(height)
    }

    /// Goes to a line, or as near as there is one.
    pub fn go(&mut self, line: usize) {
        let line = line.min(self.len().saturating_sub(1));
        if line != self.cursor {
            self.cursor = line;
            self.selected = None;
            // Whoever moves on is no longer on the way elsewhere.
            (self.wanted, self.fresh) = (None, false);
        }
    }

    /// Begins at the first line, as a list that is opened anew does.
    pub fn to_top(&mut self) {
        (self.cursor, self.top, self.above) = (0, 0, 0);
        (self.selected, self.wanted, self.fresh) = (None, None, true);
    }

    /// Becomes another list: nothing of this one stays on the screen.
    pub fn renew(&mut self) {
        self.to_top();
        self.unmark();
        (self.rows, self.whole, self.later, self.made) = (Loadable::default(), 0, 0, None);
        self.beyond = 0;
        self.anchor = None;
    }

    /// Goes so many lines down, up where negative.
    pub fn step(&mut self, lines: isize) {
        self.go(self.cursor.saturating_add_signed(lines));
    }

    /// Scrolls so that the selected line is on a screen of `height` lines.
    pub fn scroll(&mut self, height: usize) {
        let height = height.max(1);
        self.cursor = self.cursor.min(self.len().saturating_sub(1));
        let last_top = self.len().saturating_sub(height);
        let lowest = (self.cursor + 1).saturating_sub(height);
        self.top = self.top.clamp(lowest, self.cursor).min(last_top.max(lowest));
        if self.top == 0 {
            self.above = 0;
        }
        self.above = self.above.min(self.top);
    }

    /// Scrolls so many lines down, up where negative; the selected line stays on a screen of `height` lines.
    pub fn wheel(&mut self, lines: isize, height: usize) {
        let height = height.max(1);
        let last_top = self.len().saturating_sub(height);
        self.top = self.top.saturating_add_signed(lines).min(last_top);
        self.go(self.cursor.clamp(self.top, self.top + height - 1));
    }

    /// The record that a list to be made is to look for.
    pub fn look(&mut self) -> Option<RecordId> {
        self.anchor = self.wanted.or(self.selected).map(|id| (id, self.cursor));
        self.anchor.map(|(id, _)| id)
    }

    /// Takes new rows; the selected record stays where it is on the screen.
    ///
    /// `at` is where the record that was looked for is among them, `near` are those around it.
    pub fn take(
        &mut self,
        rows: Arc<Vec<Row>>,
        at: Option<usize>,
        near: &[(Row, Arc<super::ShownRecord>)],
    ) {
        let looked = self.anchor.take();
        if std::mem::take(&mut self.fresh) && self.wanted.is_none() {
            // Read on the rows of before, which nobody chose here.
            self.selected = None;
        }
        let target = self.wanted.or(self.selected);
        // Who moved on while the list was made does not go back.
        let moved = looked.map(|(id, _)| id) != target;
        let found = match (target, at, looked) {
            _ if !moved => at,
            (Some(id), ..) => near
                .iter()
                .find(|(_, shown)| shown.row.id == id)
                .and_then(|(row, _)| rows.iter().position(|r| r == row)),
            (None, Some(at), Some((_, line))) => Some((at + self.cursor).saturating_sub(line)),
            (None, ..) => None,
        };
        let first = self.rows.value.is_none();
        // A range stays with the line where it began, as long as the list has that.
        let began = self.range.and_then(|line| self.row(line));
        self.range = began.and_then(|row| rows.iter().position(|other| *other == row));
        self.rows.settle(Ok(rows));
        match found {
            Some(at) => self.follow(at, first),
            None if moved && target.is_some() => {
                self.wanted = target;
                self.serial += 1;
            }
            None => match self.wanted.take() {
                // What is wanted is not there: the selected record is looked for in its place.
                Some(id) if self.selected.is_some_and(|s| s != id) => {
                    self.wanted = self.selected;
                    self.serial += 1;
                }
                _ => self.selected = None,
            },
        }
        self.cursor = self.cursor.min(self.len().saturating_sub(1));
    }

    /// Goes where the record went; the lines around it stay where they are on the screen.
    fn follow(&mut self, at: usize, first: bool) {
        let before = std::mem::replace(&mut self.cursor, at);
        if self.wanted.take().is_some() {
            return;
        }
        if !first {
            self.above += at.saturating_sub(before);
        }
        self.top = (self.top + at).saturating_sub(before);
    }

    /// Takes lines out, as they were handled, or puts them last, as they were put off; what
    /// followed moves up to the cursor.
    pub fn remove(&mut self, gone: &BTreeSet<(u32, u32)>, put_off: bool) {
        if self.remove_here(gone, put_off) {
            return;
        }
        let Some(rows) = &self.rows.value else { return };
        let is_gone = |r: &Row| gone.contains(&(r.segment, r.row));
        let before = rows.iter().take(self.cursor).filter(|r| is_gone(r)).count();
        let open = rows.len().saturating_sub(self.later);
        self.later -= rows.iter().skip(open).filter(|r| is_gone(r)).count();
        let mut left: Vec<Row> = rows.iter().filter(|r| !is_gone(r)).copied().collect();
        if !put_off {
            self.whole = self.whole.saturating_sub(rows.len() - left.len());
        }
        if put_off {
            let kept = left.len();
            left.extend(rows.iter().filter(|r| is_gone(r)));
            self.later += left.len() - kept;
        }
        self.cursor = (self.cursor - before).min(left.len().saturating_sub(1));
        self.rows.value = Some(Arc::new(left));
        self.selected = None;
        self.range = None;
    }

    /// The same of the one line under the cursor: a key costs the same however long the list is.
    fn remove_here(&mut self, gone: &BTreeSet<(u32, u32)>, put_off: bool) -> bool {
        let here = self.row(self.cursor).map(|r| (r.segment, r.row));
        let [one] = *gone.iter().collect::<Vec<_>>() else { return false };
        if put_off || here != Some(*one) {
            return false;
        }
        self.later -= usize::from(self.is_later(self.cursor));
        let Some(rows) = &mut self.rows.value else { return false };
        let rows = Arc::make_mut(rows);
        rows.remove(self.cursor);
        self.cursor = self.cursor.min(rows.len().saturating_sub(1));
        self.whole = self.whole.saturating_sub(1);
        (self.selected, self.range) = (None, None);
        true
    }

    /// Whether a line's record was put off.
    pub fn is_later(&self, line: usize) -> bool {
        line + self.later >= self.len()
    }

    /// All marked records, also those that are not in the list.
    pub fn all_marks(&self) -> Vec<RecordId> {
        self.marks.union(&self.away).copied().collect()
    }

    /// Takes the answer which of the marked records are in the list that is taken. Those marked
    /// since it was asked for are asked for again.
    pub fn sort_marks(&mut self, found: &BTreeMap<RecordId, bool>) {
        let all = self.all_marks();
        self.serial += u64::from(all.iter().any(|id| !found.contains_key(id)));
        let here = |id: &RecordId| found.get(id).copied().unwrap_or_default();
        (self.marks, self.away) = all.into_iter().partition(here);
    }

    /// Lines of the range from where it began to the cursor; `None` where none was begun.
    pub fn span(&self) -> Option<std::ops::RangeInclusive<usize>> {
        let from = self.range?;
        Some(from.min(self.cursor)..=from.max(self.cursor))
    }

    /// Takes all marks away, also those that are on their way.
    pub fn unmark(&mut self) {
        self.marks.clear();
        self.away.clear();
        self.ranging.clear();
        self.range = None;
    }

    /// Whether anything is marked, or about to be.
    pub fn is_marking(&self) -> bool {
        let none = self.marks.is_empty() && self.away.is_empty() && self.ranging.is_empty();
        !none || self.range.is_some()
    }

    /// How it is left.
    pub fn position(&self) -> ListPosition {
        let (sort, columns) = self.order();
        let (filter, selected) = (self.filter.text.clone(), self.selected);
        let (arrangement, beside) = (self.arrangement, self.beside);
        ListPosition { filter, selected, sort, columns, arrangement, beside }
    }

    /// Takes up how it was left.
    pub fn restore(&mut self, left: ListPosition) {
        self.filter = Filter::parse(&left.filter).unwrap_or_default();
        self.selected = left.selected;
        self.order_as(&left.sort, &left.columns);
        (self.arrangement, self.beside) = (left.arrangement, left.beside);
    }

    /// Order and columns by their names; nothing where they are those that nobody chose.
    pub fn order(&self) -> (String, Vec<String>) {
        let is_sorted = self.sort != Sort::default();
        let sort = if is_sorted { self.sort.to_string() } else { String::new() };
        let chosen = self.columns.iter().filter(|_| self.columns != self.id.columns());
        (sort, chosen.map(|column| column.as_str().to_owned()).collect())
    }

    /// Takes up order and columns by their names; what is not known is as if nobody had chosen.
    pub fn order_as(&mut self, sort: &str, columns: &[String]) {
        self.sort = Sort::parse(sort).unwrap_or_default();
        let named: Vec<Column> =
            columns.iter().filter_map(|name| Column::from_name(name)).collect();
        let named = if named.is_empty() { self.id.columns().to_vec() } else { named };
        let is_shown = |column: &Column| *column == Column::Path || named.contains(column);
        self.columns = Column::ALL.into_iter().filter(is_shown).collect();
    }
}
