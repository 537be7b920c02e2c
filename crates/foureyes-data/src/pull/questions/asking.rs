//! What is still to be asked of a box, and what came of the rest.

use crate::store::state::{Fact, OpenQuestion};
use std::collections::HashSet;

/// So many are asked for at once.
const BATCH: usize = 50;

/// Questions while they are asked for. A hash that stands in several directories is asked for in one after the other,
/// until it is kept.
pub(super) struct Asking {
    /// Those that nothing is known of, in their order.
    pub(super) left: Vec<OpenQuestion>,
    /// Those that are on the box and were not taken, with the reason.
    refused: Vec<OpenQuestion>,
    kept: HashSet<String>,
}

impl Asking {
    pub(super) fn new(left: Vec<OpenQuestion>) -> Self {
        Self { left, refused: Vec::new(), kept: HashSet::new() }
    }

    /// What to ask for next: directory and hash, each hash once.
    pub(super) fn batch(&self) -> Vec<(String, String)> {
        let mut shas = HashSet::new();
        let fresh = self.left.iter().filter(|question| shas.insert(&question.sha));
        let pair = |question: &OpenQuestion| (question.directory.clone(), question.sha.clone());
        fresh.take(BATCH).map(pair).collect()
    }

    /// Takes up what came of a batch, by the hashes that are on the box.
    pub(super) fn settle(
        &mut self,
        batch: &[(String, String)],
        found: Vec<(String, Result<(), String>)>,
    ) {
        let batch: HashSet<(&str, &str)> =
            batch.iter().map(|(directory, sha)| (directory.as_str(), sha.as_str())).collect();
        let is_of = |question: &OpenQuestion| {
            batch.contains(&(question.directory.as_str(), question.sha.as_str()))
        };
        for (sha, kept) in found {
            let Err(why) = kept else {
                self.kept.insert(sha);
                continue;
            };
            let question = self.left.iter().find(|one| one.sha == sha && is_of(one));
            let refused = question.map(|one| OpenQuestion { why: Some(why), ..one.clone() });
            self.refused.extend(refused);
        }
        let kept = &self.kept;
        self.left.retain(|question| !is_of(question) && !kept.contains(&question.sha));
    }

    /// What is noticed: each hash that no directory gave, once.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let mut named: HashSet<&str> = HashSet::new();
        let mut facts = Vec::new();
        for question in self.refused.iter().filter(|one| !self.kept.contains(&one.sha)) {
            let what = format!("question of the task {}", question.sha);
            let why = question.why.clone().filter(|_| named.insert(&question.sha));
            facts.extend(why.map(|why| Fact::QuestionNotTaken { what, why }));
        }
        facts
    }

    /// What the next pull asks for: what was not taken, and what was put off.
    pub(super) fn open(self, later: Vec<OpenQuestion>) -> Vec<OpenQuestion> {
        let Self { left, refused, kept } = self;
        let all = left.into_iter().chain(later).chain(refused);
        all.filter(|question| !kept.contains(&question.sha)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;

    fn open(directory: &str, sha: &str) -> OpenQuestion {
        let (directory, sha) = (directory.to_owned(), sha.to_owned());
        OpenQuestion { directory, sha, at: Timestamp(1), why: None }
    }

    fn shas(batch: &[(String, String)]) -> Vec<String> {
        batch.iter().map(|(directory, sha)| format!("{directory}{sha}")).collect()
    }

    #[test]
    fn next_directory_is_asked_until_a_question_is_kept() {
        let mut asking =
            Asking::new(vec![open("a", "1"), open("b", "1"), open("a", "2"), open("b", "2")]);
        let batch = asking.batch();
        assert_eq!(shas(&batch), ["a1", "a2"]);
        asking.settle(&batch, vec![("2".to_owned(), Ok(()))]);
        let batch = asking.batch();
        assert_eq!(shas(&batch), ["b1"]);
        asking.settle(&batch, vec![("1".to_owned(), Err("closed".to_owned()))]);
        assert!(asking.left.is_empty() && asking.batch().is_empty());
        assert_eq!(asking.facts().len(), 1);
        let refused = OpenQuestion { why: Some("closed".to_owned()), ..open("b", "1") };
        let later = open("c", "3");
        assert_eq!(asking.open(vec![later.clone(), open("c", "2")]), [later, refused]);
    }

    #[test]
    fn refusal_in_one_directory_is_forgotten_where_another_gave_it() {
        let mut asking = Asking::new(vec![open("a", "1"), open("b", "1")]);
        let batch = asking.batch();
        asking.settle(&batch, vec![("1".to_owned(), Err("closed".to_owned()))]);
        let batch = asking.batch();
        assert_eq!(shas(&batch), ["b1"]);
        asking.settle(&batch, vec![("1".to_owned(), Ok(()))]);
        assert!(asking.facts().is_empty() && asking.open(Vec::new()).is_empty());
    }
}
