//! What a store elsewhere answers in place of a collection.

use super::{CacheError, Cached, FileReport, Located, Row};
use crate::domain::review::Entry;
use crate::domain::{Accounting, JudgementKind, RecordId, RejectRow, Timestamp, Window};
use crate::frame::grid::Grid;
use crate::frame::query::{Query, Scope};
use crate::frame::trend::TrendSpec;
use crate::frame::{Configured, EvaluationRows, Frame, Grade, LogSpan, OtherEvaluations, Tally};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Debug;

/// Logs that a store elsewhere holds. It counts and filters by the rules of a collection, so the answers
/// are the same.
///
/// Rows are numbers that it gives, all of segment 0; they mean nothing to another store. Every question
/// fails where the store does not answer it.
pub trait SharedLogs: Debug + Send + Sync {
    /// What it holds in all.
    fn totals(&self) -> &Totals;

    /// The ledgers that were published, by their names, without the seeds of audit samples.
    fn ledgers(&self) -> Cached<BTreeMap<String, Vec<Entry>>>;

    /// Takes the records that have labels: those alone are looked for among the evaluations of other
    /// kinds, where this was called. The last call counts.
    fn look_for(&self, labelled: BTreeSet<RecordId>);

    /// Counts a window; gives also the first of its flagged rows, at most `most`.
    fn tally(&self, window: Window, most: usize) -> Cached<Tallied>;

    /// The records of a window that a query matches, in order.
    fn list(&self, query: &Query, scope: &Scope<'_>, window: Window) -> Cached<Vec<Row>>;

    /// The first of them, as many as it lists for a person, and how many more there are.
    fn newest(&self, query: &Query, scope: &Scope<'_>, window: Window)
    -> Cached<(Vec<Row>, usize)>;

    /// How many these are.
    fn count(&self, query: &Query, scope: &Scope<'_>, window: Window) -> Cached<usize>;

    /// The row of a record; `None` where the store does not have it.
    fn find_row(&self, id: RecordId) -> Cached<Option<Row>>;

    /// The ids of rows.
    fn ids(&self, rows: &[Row]) -> Cached<Vec<RecordId>>;

    /// The records of rows; secrets in them are masked. Those that cannot be read are left out.
    fn records(&self, rows: &[Row]) -> Cached<Vec<Located>>;

    /// The records that were left out until now.
    fn left_out(&self) -> Vec<RecordId>;

    /// How bad rows are.
    fn grades(&self, rows: &[Row]) -> Cached<Vec<Grade>>;

    /// The texts of a column in rows.
    fn texts(&self, rows: &[Row], column: &str) -> Cached<Vec<Option<String>>>;

    /// Pieces of logs that are no record, at most so many, in the order of the logs.
    fn rejects(&self, most: usize) -> Cached<Vec<RejectRow>>;

    /// What [`crate::frame::VerdictOn::lifted`] counts.
    fn lifted(&self, window: Window) -> Cached<u64>;

    /// What [`Frame::configured`] gives.
    fn configured(&self, window: Window) -> Cached<Vec<Configured>>;

    /// What [`Frame::questions`] gives.
    fn questions(&self, window: Window) -> Cached<Vec<Configured>>;

    /// What a trend is made of, equal rows once.
    fn trend(&self, spec: &TrendSpec, now: Timestamp) -> Cached<Frame>;

    /// The sums of a window.
    fn grid(&self, of: JudgementKind, window: Window) -> Cached<Grid>;

    /// The evaluations of a kind, in as many parts as it likes.
    fn evaluation_rows(&self, of: JudgementKind) -> Cached<Vec<EvaluationRows>>;

    /// The same, each part when it is asked for.
    fn evaluation_parts(&self, of: JudgementKind) -> Cached<Box<dyn EvaluationParts + '_>>;

    /// Those of the wanted logs that hold verdicts of a kind, by their index among the totals'.
    fn log_spans(
        &self,
        of: JudgementKind,
        wanted: &BTreeSet<u32>,
    ) -> Cached<BTreeMap<u32, LogSpan>>;
}

/// The evaluations of a kind in parts of bounded size, one after the other in order of time. Rows in them
/// have no number.
pub trait EvaluationParts {
    /// How many parts there are.
    fn count(&self) -> usize;

    /// A part, by its place; its rows are in no order.
    fn part(&self, at: usize) -> Cached<EvaluationRows>;

    /// Those of some records that are evaluations.
    fn some(&self, ids: &[RecordId]) -> Cached<EvaluationRows>;

    /// What evaluations of other parts decide.
    fn others(&self) -> &OtherEvaluations;
}

/// What logs say that they have, and the store does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lacking {
    /// Places of records.
    pub records: u64,
    /// Pieces that are no record.
    pub rejects: u64,
}

impl Lacking {
    /// In words: `3 records and 1 reject`.
    pub fn described(&self) -> String {
        let counted = |count: u64, one: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {one}s")),
        };
        let both = [counted(self.records, "record"), counted(self.rejects, "reject")];
        both.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }
}

/// What a store holds in all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    /// Names of the boxes by their index in the rows.
    pub boxes: Vec<String>,
    /// Where every line of every log went.
    pub accounting: Accounting,
    /// What of it is not there.
    pub lacking: Lacking,
    /// Distinct records without a usable time.
    pub undated: u64,
    /// Distinct records and logs, by box.
    pub on_box: BTreeMap<String, (u64, u64)>,
    /// Logs of which something is to be known: with rejects, an incomplete line, or lines that do not
    /// follow each other.
    pub files: Vec<FileReport>,
}

/// What is counted of a window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tallied {
    /// The counts.
    pub tally: Tally,
    /// The first of the flagged rows.
    pub first: Vec<Row>,
}

impl CacheError {
    /// An error of a store elsewhere.
    pub fn of_store(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Store(Box::new(error))
    }
}
