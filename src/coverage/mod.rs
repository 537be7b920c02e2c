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
//! ran. A bypass does not: somebody chose that the commit is not judged. It is counted on its own,
//! and not listed as missing.

mod lookup;

use crate::domain::{CoverageRow, Timestamp};
use crate::git::Commit;
use lookup::Lookup;
use std::collections::BTreeMap;

/// How many missing commits a row lists.
const LISTED: usize = 10;

/// What a record says about a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged<'a> {
    /// The box of the record.
    pub box_name: &'a str,
    /// The commit as written, perhaps abbreviated; hostile text.
    pub commit: &'a str,
    /// The record says that a person skipped the evaluation.
    pub bypassed: bool,
}

/// What is known of one commit: how good its best record is, and the rank of that record's box.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fate<'a> {
    bypassed: bool,
    rank: usize,
    box_name: &'a str,
}

/// Compares commits with records, a row a box and UTC day, by day and then by box.
///
/// `commits` are those of one repository, without doubles; their day is that of their committer
/// date. `boxes` are those that push to it. A commit in a record may be abbreviated to
/// [`crate::git::CommitId::SHORTEST`] digits or more; an abbreviation of several commits counts for
/// none. Records of other commits are passed over.
pub fn rows<'a>(
    commits: &[Commit],
    judged: impl IntoIterator<Item = Judged<'a>>,
    boxes: &[String],
) -> Vec<CoverageRow> {
    let lookup = Lookup::new(commits);
    let mut fates: Vec<Option<Fate<'a>>> = vec![None; commits.len()];
    for record in judged {
        let Some(slot) = lookup.find(record.commit).and_then(|i| fates.get_mut(i)) else {
            continue;
        };
        let rank = boxes.iter().position(|b| b == record.box_name).unwrap_or(boxes.len());
        let fate = Fate { bypassed: record.bypassed, rank, box_name: record.box_name };
        if slot.is_none_or(|best| fate < best) {
            *slot = Some(fate);
        }
    }
    tally(commits, &fates, &boxes.join("+"))
}

/// Sums the commits up by day and box.
fn tally(commits: &[Commit], fates: &[Option<Fate<'_>>], nobody: &str) -> Vec<CoverageRow> {
    let mut rows: BTreeMap<(i32, &str), CoverageRow> = BTreeMap::new();
    for (commit, fate) in commits.iter().zip(fates) {
        let (box_name, day) = (fate.map_or(nobody, |f| f.box_name), commit.time.day());
        let row = rows.entry((day, box_name)).or_insert_with(|| empty(box_name, commit.time));
        row.commits += 1;
        match fate {
            Some(fate) if fate.bypassed => row.bypassed += 1,
            Some(_) => row.judged += 1,
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
        missing: Vec::new(),
    }
}
