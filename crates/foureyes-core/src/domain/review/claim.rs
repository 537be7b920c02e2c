//! Claims: who takes on an escalation.
//!
//! A claim is of one record, the last line of a run that a person must decide: the next run of the task
//! waits for somebody anew. It decides nothing, counts in no rate, and ends by itself: who claimed may have
//! forgotten it.

use super::{Dated, EntryId};
use crate::domain::{RecordId, Timestamp};
use serde::{Deserialize, Serialize};

/// Somebody takes on an escalation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The last record of its run.
    pub record: RecordId,
}

/// A claim ends without a decision. Anybody may end it: who claimed may be away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The entry of the claim.
    pub claim: EntryId,
}

/// So long a claim holds, in microseconds: a day.
const HOLDS: i64 = 24 * 3_600_000_000;

impl Dated<Claim> {
    /// Until when it holds, if nobody releases it before.
    pub fn until(&self) -> Timestamp {
        Timestamp(self.time.0.saturating_add(HOLDS))
    }
}

/// The claims of a record that nobody released, the earliest first: that one holds. A later one is
/// of a machine that did not know it, and holds once the first is released.
pub type Claims = Vec<Dated<Claim>>;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::review::{Act, Entry, LineHash, Override, OverrideWord, Sequence, present};

    const RECORD: RecordId = RecordId([7; 32]);

    fn entry(n: u8, who: &str, act: Act) -> Entry {
        Entry {
            id: EntryId([n; 16]),
            time: Timestamp(i64::from(n)),
            reviewer: who.to_owned(),
            machine: "desk".to_owned(),
            act,
            prev: None,
            seen: Vec::new(),
            hash: LineHash([n; 32]),
        }
    }

    fn claim(n: u8, who: &str) -> Entry {
        entry(n, who, Act::Claim(Claim { record: RECORD }))
    }

    /// Who holds claims by these ledgers, the first first.
    fn held(ledgers: &[&[Entry]]) -> Vec<String> {
        let names = ["a", "b", "c"];
        let sequence = |(name, entries): (&'static str, &&'static [Entry])| Sequence {
            name,
            entries: entries.iter().collect(),
            doubted: Vec::new(),
        };
        let ledgers: Vec<&'static [Entry]> =
            ledgers.iter().map(|ledger| &*Vec::leak(ledger.to_vec())).collect();
        let all: Vec<_> = names.into_iter().zip(&ledgers).map(sequence).collect();
        let claims = present(&all).claims;
        claims.get(&RECORD).into_iter().flatten().map(|one| one.reviewer.clone()).collect()
    }

    #[test]
    fn first_claim_holds_until_it_is_released_by_anybody() {
        let release = |n, of| Act::Release(Release { claim: EntryId([of; 16]) }).at(n);
        assert_eq!(held(&[&[claim(1, "anna")], &[claim(2, "bert")]]), ["anna", "bert"]);
        assert_eq!(held(&[&[claim(2, "anna")], &[claim(1, "bert")]]), ["bert", "anna"]);
        assert_eq!(held(&[&[claim(1, "anna"), release(3, 1)], &[claim(2, "bert")]]), ["bert"]);
        assert_eq!(held(&[&[claim(1, "anna")], &[release(3, 1)]]), [""; 0], "by another");
        assert_eq!(held(&[&[claim(5, "anna")], &[release(3, 5)]]), [""; 0], "its clock is behind");
        let again = [claim(1, "anna"), release(2, 1), claim(3, "anna")];
        assert_eq!(held(&[&again]), ["anna"]);
    }

    #[test]
    fn claim_ends_after_a_day_and_the_next_one_holds() {
        let entries = [claim(1, "anna"), claim(2, "bert")];
        let at = |now: i64| {
            let entries = entries.iter().collect();
            let sequence = Sequence { name: "a", entries, doubted: Vec::new() };
            let claims = present(&[sequence]).at(Timestamp(now)).claims;
            let held = claims.get(&RECORD).into_iter().flatten();
            held.map(|one| one.reviewer.clone()).collect::<Vec<_>>()
        };
        assert_eq!(at(HOLDS), ["anna", "bert"]);
        assert_eq!(at(HOLDS + 1), ["bert"]);
        assert_eq!(at(HOLDS + 2), [""; 0]);
    }

    impl Act {
        fn at(self, n: u8) -> Entry {
            entry(n, "bert", self)
        }
    }

    #[test]
    fn claims_are_no_labels_or_overrides_and_are_in_no_stack() {
        let entries = [
            entry(
                1,
                "anna",
                Act::Override(Override {
                    record: RECORD,
                    word: OverrideWord::Accept,
                    reason: "r".to_owned(),
                    together: None,
                }),
            ),
            entry(2, "anna", Act::Undo(EntryId([1; 16]))),
            claim(3, "anna"),
            entry(4, "anna", Act::Redo(EntryId([1; 16]))),
            // What another decided is no claim.
            entry(5, "bert", Act::Release(Release { claim: EntryId([1; 16]) })),
        ];
        let sequence =
            Sequence { name: "a", entries: entries.iter().collect(), doubted: Vec::new() };
        let present = present(&[sequence]);
        // A version that does not know claims keeps them and agrees on everything else.
        assert_eq!((present.unknown, present.labels.len()), (0, 0));
        assert_eq!(present.overrides[&RECORD].len(), 1, "a claim leaves a redo possible");
        assert_eq!(present.stacks["anna"].done, [EntryId([1; 16])]);
        assert_eq!(present.reviews().get(RECORD).unwrap().reviewers, ["anna"]);
    }

    #[test]
    fn words_in_the_file_are_kept() {
        let claim = Act::Claim(Claim { record: RECORD });
        let release = Act::Release(Release { claim: EntryId([1; 16]) });
        for (act, kind) in [(claim, "claim"), (release, "release")] {
            assert_eq!(act.kind(), kind);
            assert_eq!(Act::read(kind, act.body().unwrap()), act);
            assert!(!act.is_undoable() && !act.is_rule());
        }
        let strange = serde_json::json!({"record": 5});
        assert!(matches!(Act::read("claim", strange), Act::Other { .. }));
    }
}
