//! What a record's family and its words are, by the table.

use super::{INSTRUMENTS, Vocabulary};
use crate::domain::{Cause, Family, JudgementKind, Outcome};

/// Every vocabulary, with the family of judgements that has it.
fn vocabularies() -> impl Iterator<Item = (JudgementKind, &'static Vocabulary)> {
    INSTRUMENTS.iter().flat_map(|row| row.records.iter().map(|vocabulary| (row.kind, vocabulary)))
}

impl Family {
    fn vocabulary(self) -> Option<(JudgementKind, &'static Vocabulary)> {
        vocabularies().find(|(_, vocabulary)| vocabulary.family == self)
    }

    /// The kind of judgement that its verdicts are measured with; none of what is no verdict.
    pub fn kind(self) -> Option<JudgementKind> {
        self.vocabulary().map(|(kind, _)| kind)
    }

    /// Whether its records are rounds of runs.
    pub fn has_rounds(self) -> bool {
        self.kind().is_some_and(JudgementKind::has_rounds)
    }

    /// Those whose records are rounds of runs, in the order of their codes.
    pub fn with_rounds() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|family| family.has_rounds())
    }

    /// The kind of judgement that a record of this family is an evaluation of: one that a judge
    /// gave on the commit's or the task's own content. What `is_partial` is none: a verdict on a part of
    /// another commit's NO-GO, or a round that leaves its run open.
    ///
    /// KPIs of a kind count its evaluations, of each unit the latest.
    pub fn evaluation(self, cause: Option<Cause>, is_partial: bool) -> Option<JudgementKind> {
        self.kind().filter(|_| !is_partial && !cause.is_some_and(Cause::has_no_judge))
    }

    /// Groups a verdict of this family; only the exact words count.
    ///
    /// What is no evaluation has no outcome, and a word of another family is no verdict here.
    pub fn outcome(self, verdict: &str) -> Option<Outcome> {
        let (_, vocabulary) = self.vocabulary()?;
        let found = vocabulary.outcomes.iter().find(|(word, _)| *word == verdict);
        found.map(|(_, outcome)| *outcome)
    }

    /// The family whose exact words hold this verdict.
    pub fn of_verdict(verdict: &str) -> Option<Self> {
        let mut families = vocabularies().map(|(_, vocabulary)| vocabulary.family);
        families.find(|family| family.outcome(verdict).is_some())
    }

    /// Why an exact UNDETERMINED word of this family was said, where nothing else tells.
    pub fn cause_of_word(self) -> Cause {
        self.vocabulary().map_or(Cause::NoConfidence, |(_, vocabulary)| vocabulary.undetermined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_of_records_is_of_one_row_at_most_in_the_order_of_codes() {
        for kind in JudgementKind::ALL {
            let families: Vec<_> = kind.families().collect();
            assert!(families.is_sorted(), "{families:?}");
            assert!(families.iter().all(|family| family.kind() == Some(kind)));
        }
        let tasks: Vec<_> = JudgementKind::Task.families().collect();
        assert_eq!(tasks, [Family::Task, Family::Ladder]);
        let none = [Family::Override, Family::Pick, Family::Prompt];
        assert!(none.iter().all(|family| family.kind().is_none()));
    }

    #[test]
    fn each_word_is_of_one_family() {
        for (_, vocabulary) in vocabularies() {
            for (word, outcome) in vocabulary.outcomes {
                assert_eq!(Family::of_verdict(word), Some(vocabulary.family));
                assert_eq!(vocabulary.family.outcome(word), Some(*outcome));
            }
        }
        assert_eq!((Family::of_verdict("go"), Family::Task.outcome("GO")), (None, None));
        assert_eq!(Family::Ladder.cause_of_word(), Cause::InsufficientEvidence);
        assert_eq!(Family::Override.cause_of_word(), Cause::NoConfidence);
    }
}
