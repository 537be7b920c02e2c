//! Claiming an escalation: who takes it on, before anybody decides.

use crate::domain::review::{Act, Claim, Dated, Release, Reviewer, Reviews};
use crate::domain::{RecordId, Timestamp, Window};
use crate::frame::query::{Match, Node, Query, Scope, Term, TextField};
use crate::store::cache::{Archive, CacheError};
use crate::store::ledger::{Ledger, LedgerError, fresh_id};

/// What became of the wish to claim a record, or to release it.
#[derive(Debug, Clone, PartialEq)]
pub enum Claimed {
    /// It is written.
    Saved,
    /// The reviewer holds it already: nothing is added.
    Already(Dated<Claim>),
    /// Somebody else holds it: nothing is added.
    Taken(Dated<Claim>),
    /// These claims are released, the earliest first.
    Released(Vec<Dated<Claim>>),
    /// Nobody holds it: nothing is added.
    Free,
}

/// Claims a record for a reviewer, unless somebody holds it.
///
/// # Errors
/// The ledger cannot be written.
pub fn claim(
    ledger: &mut Ledger,
    reviewer: &Reviewer,
    record: RecordId,
    now: Timestamp,
) -> Result<Claimed, LedgerError> {
    let claims = ledger.present(now).claims.remove(&record).unwrap_or_default();
    match claims.into_iter().next() {
        Some(held) if held.reviewer == reviewer.name => Ok(Claimed::Already(held)),
        Some(held) => Ok(Claimed::Taken(held)),
        None => {
            ledger.append(reviewer, fresh_id(now), now, &Act::Claim(Claim { record }))?;
            Ok(Claimed::Saved)
        }
    }
}

/// Releases all claims of some records, whoever holds them.
///
/// # Errors
/// The ledger cannot be written; claims before the one that failed are released.
pub fn release(
    ledger: &mut Ledger,
    reviewer: &Reviewer,
    records: &[RecordId],
    now: Timestamp,
) -> Result<Claimed, LedgerError> {
    let mut claims = ledger.present(now).claims;
    let mut held: Vec<Dated<Claim>> =
        records.iter().filter_map(|record| claims.remove(record)).flatten().collect();
    held.sort_by_key(|claim| claim.time);
    for claim in &held {
        let act = Act::Release(Release { claim: claim.entry });
        ledger.append(reviewer, fresh_id(now), now, &act)?;
    }
    Ok(if held.is_empty() { Claimed::Free } else { Claimed::Released(held) })
}

/// Whether a record is an escalation that waits for a person, by these reviews: only such a one can be
/// claimed.
///
/// # Errors
/// A cache that cannot be read.
pub fn waits(
    archive: &Archive,
    record: RecordId,
    reviews: &Reviews,
    now: Timestamp,
) -> Result<bool, CacheError> {
    let id = Node::Term(Term::Id(record.to_string()));
    let query = Query::new(Node::And(vec![id, Node::Term(Term::Escalation)]));
    let scope = Scope { boxes: archive.boxes(), now, reviews };
    Ok(!archive.matching(&query, &scope, Window::ALL)?.is_empty())
}

/// All records of a task, on one box where one is named: a claim of an earlier run is one of the task too.
///
/// # Errors
/// A cache that cannot be read.
pub fn of_task(
    archive: &Archive,
    task: &str,
    box_name: Option<&str>,
) -> Result<Vec<RecordId>, CacheError> {
    let exact = |field, text: &str| Node::Term(Term::Text(field, Match::Exact, text.to_owned()));
    let on_box = box_name.map(|name| exact(TextField::Box, name));
    let query =
        Query::new(Node::And([exact(TextField::Task, task)].into_iter().chain(on_box).collect()));
    // It is not relative to the time, and asks for nothing that people said.
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    archive.ids(&archive.matching(&query, &scope, Window::ALL)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::files::paths::DataDir;

    #[test]
    fn forgotten_claim_is_taken_over_after_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::load(&DataDir::at(dir.path().to_owned())).unwrap();
        let mut at = |name: &str, hour: i64| {
            let reviewer = Reviewer { name: name.to_owned(), machine: "desk".to_owned() };
            let now = Timestamp(1_771_151_400_000_000 + hour * 3_600_000_000);
            claim(&mut ledger, &reviewer, RecordId([7; 32]), now).unwrap()
        };
        let holder = |done: Claimed| match done {
            Claimed::Taken(held) => held.reviewer,
            other => format!("{other:?}"),
        };
        assert_eq!(at("anna", 0), Claimed::Saved);
        assert_eq!(holder(at("bert", 23)), "anna");
        assert_eq!(at("bert", 25), Claimed::Saved);
        assert_eq!(holder(at("anna", 26)), "bert");
    }
}
