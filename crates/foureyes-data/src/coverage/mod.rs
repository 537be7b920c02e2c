//! Agent commits pushed against agent commits judged.
//!
//! A hook whose key is missing skips, leaves no record, and so looks healthy: no rate over records
//! can show it. Only git knows what was pushed, so commits are held against records here.
//!
//! **Whose row a commit stands in.** Git does not say which box pushed a commit; a record does.
//! A commit with a record stands in the row of the box of that record (of several boxes the one
//! named first). One without any can only be told to be from one of the boxes that push to the
//! repository: with one box it stands in that box's row, with several in a row that names them
//! all, joined with `+`.
//!
//! **What counts.** An evaluation counts as judged whatever it says, UNDETERMINED too: the hook
//! ran. A bypass does not: somebody chose that the commit is not judged. Nor does what a file of answers
//! said, or a commit whose files are empty. These are counted on their own, and not listed as missing.
//!
//! **History.** Where existing history is pushed to a remote for the first time, one record stands for
//! all of its commits that nobody was asked about: it names the tip, and how many they are. Commits
//! without a record of their own that the tip leads to count as history, the oldest first, and never
//! more of them than the record says: so it explains no commit that was pushed past the hook.

mod lookup;
mod survey;

pub use survey::{SurveyError, compared, survey};

use crate::domain::{Cause, CoverageRow, Timestamp};
use crate::git::{Commit, CommitId};
use lookup::Lookup;
use std::collections::{BTreeMap, HashSet};

/// How many missing commits a row lists.
const LISTED: usize = 10;

/// What a record says about a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged<'a> {
    /// The box of the record.
    pub box_name: &'a str,
    /// The commit as written, perhaps abbreviated; hostile text.
    pub commit: &'a str,
    /// Why it is no evaluation, or none that decided.
    pub cause: Option<Cause>,
}

/// What a record says of history that was pushed for the first time.
#[derive(Debug, Clone)]
pub struct Before<'a> {
    /// The box of the record.
    pub box_name: &'a str,
    /// The commits that its tip leads to.
    pub commits: &'a HashSet<CommitId>,
    /// How many of them nobody was asked about.
    pub unasked: u64,
}

/// What a record makes of a commit, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Judged,
    Scripted,
    Empty,
    Bypassed,
    History,
}

impl Status {
    fn from_cause(cause: Option<Cause>) -> Self {
        match cause {
            Some(Cause::Scripted) => Self::Scripted,
            Some(Cause::Empty) => Self::Empty,
            Some(Cause::Bypassed) => Self::Bypassed,
            Some(Cause::History) => Self::History,
            _ => Self::Judged,
        }
    }
}

/// What is known of one commit: how good its best record is, and the rank of that record's box.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fate<'a> {
    status: Status,
    rank: usize,
    box_name: &'a str,
}

/// Compares commits with records, a row a box and UTC day, by day and then by box.
///
/// `commits` are those of one repository, newest first, without doubles; their day is that of their committer
/// date. `boxes` are those that push to it. A commit in a record may be abbreviated to
/// [`crate::git::CommitId::SHORTEST`] digits or more; an abbreviation of several commits counts for
/// none. Records of other commits are passed over. `before` is the history of records that stand for
/// many commits.
pub fn rows<'a>(
    commits: &[Commit],
    judged: impl IntoIterator<Item = Judged<'a>>,
    before: &[Before<'a>],
    boxes: &[String],
) -> Vec<CoverageRow> {
    let lookup = Lookup::new(commits);
    let mut fates: Vec<Option<Fate<'a>>> = vec![None; commits.len()];
    for record in judged {
        let Some(slot) = lookup.find(record.commit).and_then(|i| fates.get_mut(i)) else {
            continue;
        };
        let fate = Fate::new(Status::from_cause(record.cause), record.box_name, boxes);
        if slot.is_none_or(|best| fate < best) {
            *slot = Some(fate);
        }
    }
    for one in before {
        let fate = Fate::new(Status::History, one.box_name, boxes);
        let of_it = |(commit, fate): &(&Commit, &mut Option<Fate<'_>>)| {
            let is_open = fate.is_none_or(|f| f.status == Status::History);
            is_open && one.commits.contains(&commit.id)
        };
        let oldest = commits.iter().zip(&mut fates).rev().filter(of_it);
        for (_, slot) in oldest.take(usize::try_from(one.unasked).unwrap_or(usize::MAX)) {
            slot.get_or_insert(fate);
        }
    }
    tally(commits, &fates, &boxes.join("+"))
}

impl<'a> Fate<'a> {
    fn new(status: Status, box_name: &'a str, boxes: &[String]) -> Self {
        let rank = boxes.iter().position(|b| b == box_name).unwrap_or(boxes.len());
        Self { status, rank, box_name }
    }
}

/// Sums the commits up by day and box.
fn tally(commits: &[Commit], fates: &[Option<Fate<'_>>], nobody: &str) -> Vec<CoverageRow> {
    let mut rows: BTreeMap<(i32, &str), CoverageRow> = BTreeMap::new();
    for (commit, fate) in commits.iter().zip(fates) {
        let (box_name, day) = (fate.map_or(nobody, |f| f.box_name), commit.time.day());
        let row = rows.entry((day, box_name)).or_insert_with(|| empty(box_name, commit.time));
        row.commits += 1;
        match fate.map(|f| f.status) {
            Some(Status::Judged) => row.judged += 1,
            Some(Status::Scripted) => row.scripted += 1,
            Some(Status::Empty) => row.empty += 1,
            Some(Status::Bypassed) => row.bypassed += 1,
            Some(Status::History) => row.history += 1,
            None if row.missing.len() < LISTED => row.missing.push(commit.id.to_string()),
            None => {}
        }
    }
    rows.into_values().collect()
}

fn empty(box_name: &str, time: Timestamp) -> CoverageRow {
    CoverageRow {
        box_name: box_name.to_owned(),
        day: time.day_text(),
        commits: 0,
        judged: 0,
        bypassed: 0,
        history: 0,
        scripted: 0,
        empty: 0,
        missing: Vec::new(),
    }
}
