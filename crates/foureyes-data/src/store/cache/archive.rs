//! What all logs hold, ready to be asked: a collection on this machine, or a store elsewhere.

use super::collection::Collection;
use super::shared::{Lacking, SharedLogs};
use super::{Cached, Cancel, FileReport, Located, Row, RowError};
use crate::domain::{Accounting, Distinct, JudgementKind, RecordId, RejectRow, Timestamp, Window};
use crate::frame::grid::Grid;
use crate::frame::query::{Query, Scope};
use crate::frame::trend::{Trend, TrendSpec, columns};
use crate::frame::{EvaluationRows, Grade, LogSpan};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What all logs hold.
pub struct Archive(pub(super) Place);

pub(super) enum Place {
    Here(Box<Collection>),
    Elsewhere(Arc<dyn SharedLogs>),
}

/// Records of a store that are fetched at once.
const CHUNK: usize = 500;

impl From<Collection> for Archive {
    fn from(collection: Collection) -> Self {
        Self(Place::Here(Box::new(collection)))
    }
}

impl Archive {
    /// The logs of a store elsewhere.
    pub fn shared(logs: Arc<dyn SharedLogs>) -> Self {
        Self(Place::Elsewhere(logs))
    }

    /// The collection on this machine; `None` where a store elsewhere has the logs.
    pub fn here(&self) -> Option<&Collection> {
        match &self.0 {
            Place::Here(here) => Some(here),
            Place::Elsewhere(_) => None,
        }
    }

    /// The store elsewhere that has the logs.
    pub(super) fn store(&self) -> Option<&Arc<dyn SharedLogs>> {
        if let Place::Elsewhere(store) = &self.0 { Some(store) } else { None }
    }

    /// Names of the boxes by their index in the rows.
    pub fn boxes(&self) -> &[String] {
        match &self.0 {
            Place::Here(here) => here.boxes(),
            Place::Elsewhere(store) => &store.totals().boxes,
        }
    }

    /// Where every line of every log went.
    pub fn accounting(&self) -> Accounting {
        match &self.0 {
            Place::Here(here) => here.accounting(),
            Place::Elsewhere(store) => store.totals().accounting,
        }
    }

    /// What logs say that they have, and the store does not; nothing where the logs are here.
    pub fn lacking(&self) -> Lacking {
        self.store().map(|store| store.totals().lacking).unwrap_or_default()
    }

    /// Records whose bytes in the store cannot be read, of those that were asked for until now.
    pub fn left_out(&self) -> Vec<RecordId> {
        self.store().map(|store| store.left_out()).unwrap_or_default()
    }

    /// Distinct records without a usable time.
    pub fn undated(&self) -> u64 {
        match &self.0 {
            Place::Here(here) => here.undated(),
            Place::Elsewhere(store) => store.totals().undated,
        }
    }

    /// The logs. Of a store those that have rejects, an incomplete line, or lines that do not follow each
    /// other.
    pub fn files(&self) -> &[FileReport] {
        match &self.0 {
            Place::Here(here) => here.files(),
            Place::Elsewhere(store) => &store.totals().files,
        }
    }

    /// Distinct records that were seen on a box, and its logs.
    pub fn seen_on(&self, box_name: &str) -> (u64, u64) {
        match &self.0 {
            Place::Here(here) => {
                let logs = here.files().iter().filter(|file| file.box_name == box_name).count();
                (here.seen_on(box_name), logs as u64)
            }
            Place::Elsewhere(store) => {
                store.totals().on_box.get(box_name).copied().unwrap_or_default()
            }
        }
    }

    /// The records of a window that a query matches, in no order.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn matching(&self, query: &Query, scope: &Scope<'_>, window: Window) -> Cached<Vec<Row>> {
        match &self.0 {
            Place::Here(here) => here.matching(query, scope, window),
            Place::Elsewhere(store) => store.list(query, scope, window),
        }
    }

    /// Keeps the first `most` of rows that [`Archive::matching`] gave, in order: the newest first, undated
    /// ones last, equal times in the order of the logs.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn first(&self, rows: &mut Vec<Row>, most: usize) -> Cached<()> {
        match &self.0 {
            Place::Here(here) => here.first(rows, most),
            Place::Elsewhere(_) => {
                rows.truncate(most);
                Ok(())
            }
        }
    }

    /// The records of a window that a query matches, in the order of [`Archive::first`]; `None` where it was
    /// cancelled.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn list(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        cancel: Cancel<'_>,
    ) -> Cached<Option<Vec<Row>>> {
        match &self.0 {
            Place::Here(here) => here.list(query, scope, window, cancel),
            Place::Elsewhere(store) => unless(cancel, || store.list(query, scope, window)),
        }
    }

    /// The same for a person to look at: of a store elsewhere the first of them, and how many more there are.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn newest(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        cancel: Cancel<'_>,
    ) -> Cached<Option<(Vec<Row>, usize)>> {
        match &self.0 {
            Place::Here(here) => Ok(here.list(query, scope, window, cancel)?.map(|rows| (rows, 0))),
            Place::Elsewhere(store) => unless(cancel, || store.newest(query, scope, window)),
        }
    }

    /// How many records of a window a query matches; `None` where it was cancelled.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn count(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        cancel: Cancel<'_>,
    ) -> Cached<Option<usize>> {
        match &self.0 {
            Place::Here(here) => here.count(query, scope, window, cancel),
            Place::Elsewhere(store) => unless(cancel, || store.count(query, scope, window)),
        }
    }

    /// The row of a record; `None` where there is none.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn find_row(&self, id: RecordId) -> Cached<Option<Row>> {
        match &self.0 {
            Place::Here(here) => here.find_row(id),
            Place::Elsewhere(store) => store.find_row(id),
        }
    }

    /// Where a record is in a list; `None` where it is not.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn position(&self, rows: &[Row], id: RecordId) -> Cached<Option<usize>> {
        match &self.0 {
            Place::Here(here) => here.position(rows, id),
            Place::Elsewhere(store) => Ok(store.ids(rows)?.iter().position(|one| *one == id)),
        }
    }

    /// The ids of rows, in their order.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn ids(&self, rows: &[Row]) -> Cached<Vec<RecordId>> {
        match &self.0 {
            Place::Here(here) => here.ids(rows),
            Place::Elsewhere(store) => store.ids(rows),
        }
    }

    /// How bad rows are, in their order.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn grades(&self, rows: &[Row]) -> Cached<Vec<Grade>> {
        match &self.0 {
            Place::Here(here) => here.grades(rows),
            Place::Elsewhere(store) => store.grades(rows),
        }
    }

    /// The texts of a column of [`crate::frame::schema::TEXTS`] in rows, in their order.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn texts(&self, rows: &[Row], column: &str) -> Cached<Distinct<Option<String>>> {
        self.parts_of_texts(rows, column, |text| Some(text))
    }

    /// A part of each of these texts, the same where several differ only in others.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn parts_of_texts(
        &self,
        rows: &[Row],
        column: &str,
        part: fn(&str) -> Option<&str>,
    ) -> Cached<Distinct<Option<String>>> {
        match &self.0 {
            Place::Here(here) => here.texts(rows, column, part),
            Place::Elsewhere(store) => {
                let texts: Distinct<Option<String>> =
                    store.texts(rows, column)?.into_iter().collect();
                Ok(texts.map(|text| part(&text?).map(str::to_owned)))
            }
        }
    }

    /// The records of rows, in their order; without those of [`Archive::left_out`].
    ///
    /// # Errors
    /// A log that is gone or has changed since it was read, or a store that does not answer.
    pub fn records(&self, rows: &[Row]) -> Result<Vec<Located>, RowError> {
        match &self.0 {
            Place::Here(here) => here.records(rows),
            Place::Elsewhere(store) => Ok(store.records(rows)?),
        }
    }

    /// Hands the records of rows over in their order, a bounded number at a time. A damaged cache shows
    /// before the first one.
    ///
    /// # Errors
    /// As [`Archive::records`], or the receiver's own.
    pub fn each_record<E: From<RowError>>(
        &self,
        rows: &[Row],
        mut take: impl FnMut(Located) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.0 {
            Place::Here(here) => here.each_record(rows, take),
            Place::Elsewhere(store) => {
                for some in rows.chunks(CHUNK) {
                    let located = store.records(some).map_err(RowError::from)?;
                    located.into_iter().try_for_each(&mut take)?;
                }
                Ok(())
            }
        }
    }

    /// Pieces of logs that are no record, at most so many, in the order of the logs.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn rejects(&self, most: usize) -> Cached<Vec<RejectRow>> {
        match &self.0 {
            Place::Here(here) => here.rejects(most),
            Place::Elsewhere(store) => store.rejects(most),
        }
    }

    /// How many more were counted here, of which no place is kept.
    pub fn rejects_unkept(&self) -> u64 {
        self.here().map_or(0, Collection::rejects_unkept)
    }

    /// How the judge did, as a table.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn trend(&self, spec: &TrendSpec, now: Timestamp) -> Cached<Trend> {
        let frame = match &self.0 {
            Place::Here(here) => here.frame(spec.window, &columns(&spec.by))?,
            Place::Elsewhere(store) => store.trend(spec, now)?,
        };
        Ok(frame.trend(spec, self.boxes(), self.undated(), now)?)
    }

    /// Sums a window in one pass, with the units of a kind of judgement; `None` where it was cancelled.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn grid(
        &self,
        of: JudgementKind,
        window: Window,
        cancel: Cancel<'_>,
    ) -> Cached<Option<Grid>> {
        match &self.0 {
            Place::Here(here) => here.grid(of, window, cancel),
            Place::Elsewhere(store) => unless(cancel, || store.grid(of, window)),
        }
    }

    /// Hands over the evaluations of a kind, those of a segment at a time with its index; `None` where it was
    /// cancelled.
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn each_evaluation_rows(
        &self,
        of: JudgementKind,
        cancel: Cancel<'_>,
        mut take: impl FnMut(usize, EvaluationRows),
    ) -> Cached<Option<()>> {
        match &self.0 {
            Place::Here(here) => here.each_evaluation_rows(of, cancel, take),
            Place::Elsewhere(store) => {
                let parts = unless(cancel, || store.evaluation_rows(of))?;
                Ok(parts.map(|parts| parts.into_iter().for_each(|rows| take(0, rows))))
            }
        }
    }

    /// Those of the wanted logs that hold verdicts of a kind; both by their index among
    /// [`Archive::files`].
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn log_spans(
        &self,
        of: JudgementKind,
        wanted: &BTreeSet<u32>,
    ) -> Cached<BTreeMap<u32, LogSpan>> {
        match &self.0 {
            Place::Here(here) => here.log_spans(of, wanted),
            Place::Elsewhere(store) => store.log_spans(of, wanted),
        }
    }

    /// Keeps what is read from now on in memory, up to so many bytes: see [`Collection::keep`].
    pub fn keep(&mut self, bytes: usize) {
        if let Place::Here(here) = &mut self.0 {
            here.keep(bytes);
        }
    }
}

/// What a store answers, unless it was cancelled before or meanwhile.
fn unless<T>(cancel: Cancel<'_>, ask: impl FnOnce() -> Cached<T>) -> Cached<Option<T>> {
    if cancel() {
        return Ok(None);
    }
    let answer = ask()?;
    Ok((!cancel()).then_some(answer))
}
