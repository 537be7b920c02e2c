//! What all entries say together at present.

use super::{
    Assignment, AuditRate, Ballot, Change, Claims, Dated, EntryId, Given, Known, LabelVote, Looks,
    Majority, ModeSet, Override, PickWindow, Places, PolicyChange, Relevance, Review, Reviews, Run,
    StepSaid, WindowAddition, WindowStart, Word, settle, two_of_three,
};
use crate::domain::{ByKind, JudgementKind, RecordId, Timestamp};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A window, a policy or a rate of the sample that counts as said much later than its own time: an
/// entry that stands before it in its ledger bears that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The entry of the rule.
    pub rule: EntryId,
    /// Whose it is. Raw text.
    pub reviewer: String,
    /// Its own time.
    pub written: Timestamp,
    /// When it counts as said.
    pub counts_at: Timestamp,
    /// The entry whose time that is.
    pub by: EntryId,
}

/// What a reviewer can take back, and what can be brought back; the last is the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stack {
    /// Entries that count.
    pub done: Vec<EntryId>,
    /// Entries that were taken back since something was last said.
    pub undone: Vec<EntryId>,
}

/// What was said of the assessment of a family.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FamilyRules {
    /// Beginnings of the time of calibration, the earliest said first: the last counts.
    pub windows: Vec<Dated<WindowStart>>,
    /// By whom and when window starts were taken back, by the entries of those.
    pub taken_back: BTreeMap<EntryId, Dated<EntryId>>,
    /// What was added to windows, the earliest said first.
    pub additions: Vec<Dated<WindowAddition>>,
    /// Policies, the earliest said first: the last counts.
    pub policies: Vec<Dated<PolicyChange>>,
    /// Rates of the audit sample, the earliest said first: of a stratum the last counts.
    pub rates: Vec<Dated<AuditRate>>,
    /// Those of them that count as said much later than their own time.
    pub moved: Vec<Moved>,
    /// The rules that a window names, where it is read under others: see [`Known::is_outdated`].
    pub as_written: BTreeMap<EntryId, u32>,
    /// The entries of all of them, in the order in which they count.
    pub order: Vec<EntryId>,
}

impl FamilyRules {
    /// Whether there is a secret to draw with: of a rate, or of a window.
    pub fn has_seed(&self) -> bool {
        let windows = self.windows.iter().filter_map(|window| window.what.natural.as_ref());
        self.rates.iter().any(|rate| rate.what.seed.is_some())
            || windows.into_iter().any(|natural| natural.seed.is_some())
    }

    /// Whether one rule was said before another: the order of the entries tells it, and clocks where that
    /// is not known.
    pub fn is_before<A, B>(&self, one: &Dated<A>, other: &Dated<B>) -> bool {
        self.is_said_before(one.entry, one.time, other)
    }

    /// The same of the entry of a rule, and when it was said.
    pub fn is_said_before<B>(&self, one: EntryId, time: Timestamp, other: &Dated<B>) -> bool {
        let place = |entry: EntryId| self.order.iter().position(|own| *own == entry);
        match (place(one), place(other.entry)) {
            (Some(one), Some(other)) => one < other,
            _ => time < other.time,
        }
    }
}

/// What holds at present.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Present {
    /// The labels of a record that count, the earliest first: of a reviewer the last is their
    /// word, and earlier ones are repeats.
    pub labels: BTreeMap<RecordId, Vec<Given>>,
    /// The overrides of a record that count, the earliest first.
    pub overrides: BTreeMap<RecordId, Vec<Dated<Override>>>,
    /// The claims of a record that nobody released and that have not ended; records without one are not in it.
    pub claims: BTreeMap<RecordId, Claims>,
    /// Assignments, with their releases as their ends.
    pub assignments: Vec<Dated<Assignment>>,
    /// The places that reviewers got by them.
    pub places: Places,
    /// The time of the question: what ended before holds no longer.
    pub as_of: Timestamp,
    /// What was said of the candidates of a pick and counts, the earliest first.
    pub relevance: BTreeMap<RecordId, Vec<Dated<Relevance>>>,
    /// Windows of the gate of picks, the earliest said first: of a mode the last runs.
    pub pick_windows: Vec<Dated<PickWindow>>,
    /// Windows, policies and rates of each family.
    pub rules: ByKind<FamilyRules>,
    /// What was said of runbooks, the earliest said first.
    pub steps: Vec<Dated<StepSaid>>,
    /// Which modes hooks of boxes were set to, the earliest first.
    pub modes: Vec<Dated<ModeSet>>,
    /// Runs of judging again, the earliest first. They count in no rate.
    pub runs: Vec<Run>,
    /// Words that their reviewers changed without being asked to.
    pub changes: Vec<Change>,
    /// Records that somebody called poor in this program, taken back or not.
    pub called_poor: BTreeSet<RecordId>,
    /// The looks so far.
    pub looks: Looks,
    /// Records whose verdicts were shown to a reviewer who had not labelled them, by the reviewer's name.
    pub exposed: BTreeMap<String, HashSet<RecordId>>,
    /// Which records had a label when windows, policies and rates were said.
    pub known: Known,
    /// What each reviewer can take back.
    pub stacks: BTreeMap<String, Stack>,
    /// Labels and overrides that do not count, since their ledger is not as it was written.
    pub distrusted: usize,
    /// Whose words on which records those are.
    pub doubted: BTreeSet<(String, RecordId)>,
    /// Entries that this version does not know.
    pub unknown: usize,
}

impl Present {
    /// The same at a time: what ended by then holds no longer.
    pub fn at(mut self, now: Timestamp) -> Self {
        self.as_of = now;
        self.claims.values_mut().for_each(|claims| claims.retain(|claim| claim.until() > now));
        self.claims.retain(|_, claims| !claims.is_empty());
        self
    }

    /// Reads what [`Known::is_outdated`] tells of under the rules of now.
    pub(super) fn renew_outdated(&mut self) {
        let known = &self.known;
        for family in JudgementKind::ALL {
            let rules = self.rules.get_mut(family);
            let windows = rules.windows.iter_mut().filter(|w| known.is_outdated(w.entry));
            windows.for_each(|window| {
                rules.as_written.insert(window.entry, window.what.rules);
                window.what.rules = WindowStart::RULES;
            });
            let rates = rules.rates.iter_mut().filter(|rate| known.is_outdated(rate.entry));
            rates.for_each(|rate| rate.what.forward = true);
        }
    }

    /// The same with each rule in the form that it was written in: as 0.2 read them.
    #[must_use]
    pub fn as_written(&self) -> Self {
        let mut written = self.clone();
        for family in JudgementKind::ALL {
            let rules = written.rules.get_mut(family);
            for window in &mut rules.windows {
                window.what.rules =
                    rules.as_written.get(&window.entry).copied().unwrap_or(window.what.rules);
            }
            let rates = rules.rates.iter_mut().filter(|rate| self.known.is_outdated(rate.entry));
            rates.for_each(|rate| rate.what.forward = false);
        }
        written
    }

    /// Windows, policies and rates of a family.
    pub fn of(&self, family: JudgementKind) -> &FamilyRules {
        self.rules.get(family)
    }

    /// Each reviewer's latest label of a record, the earliest first.
    pub fn words(&self, record: RecordId) -> Vec<&Given> {
        self.labels.get(&record).map_or_else(Vec::new, |given| latest(&Vec::from_iter(given)))
    }

    /// The latest label of a record by a reviewer.
    pub fn word_of(&self, record: RecordId, reviewer: &str) -> Option<&Given> {
        self.labels.get(&record)?.iter().rev().find(|given| given.reviewer == reviewer)
    }

    /// Whether the verdict on a record was shown to a reviewer who had not labelled it.
    pub fn is_exposed(&self, reviewer: &str, record: RecordId) -> bool {
        self.exposed.get(reviewer).is_some_and(|exposed| exposed.contains(&record))
    }

    /// Whether the words on a record that somebody called poor wait for a further one, which is asked blind.
    pub fn waits_for_word(&self, record: RecordId) -> bool {
        let given = self.labels.get(&record).into_iter().flatten();
        let given: Vec<&Given> = given.filter(|one| !one.label.is_unseen()).collect();
        matches!(self.vote(record, &given), Some(Majority::Open { .. }))
    }

    /// The records that a reviewer labelled, and did not take back.
    pub fn labelled_by(&self, reviewer: &str) -> HashSet<RecordId> {
        let own = |given: &Vec<Given>| given.iter().any(|given| given.reviewer == reviewer);
        let found = self.labels.iter().filter(|(_, given)| own(given));
        found.map(|(record, _)| *record).collect()
    }

    /// What all reviewers say together of each record that anything was said of.
    pub fn reviews(&self) -> Reviews {
        let mut reviews: HashMap<RecordId, Review> = HashMap::new();
        for (record, given) in &self.labels {
            reviews.extend(self.labelled(*record, given).map(|review| (*record, review)));
        }
        for (record, decisions) in &self.overrides {
            let review = reviews.entry(*record).or_default();
            review.decision = decisions.last().map(|decision| decision.what.word);
            for decision in decisions {
                if !review.reviewers.contains(&decision.reviewer) {
                    review.reviewers.push(decision.reviewer.clone());
                }
            }
        }
        for (record, claims) in &self.claims {
            let held = claims.first().map(|claim| claim.reviewer.clone());
            reviews.entry(*record).or_default().claimed_by = held;
        }
        for (record, places) in &self.places {
            let waiting: Vec<String> = places
                .iter()
                .filter(|place| self.waits(*record, place))
                .map(|place| place.reviewer.clone())
                .collect();
            if !waiting.is_empty() {
                reviews.entry(*record).or_default().assigned_to = waiting;
            }
        }
        for (record, opinion) in self.runs.iter().flat_map(Run::peer_opinions) {
            reviews.entry(record).or_default().peer = Some(opinion);
        }
        Reviews::new(reviews)
    }

    /// What the labels of a record say together. One that was typed where nothing was shown settles nothing
    /// between those that count; where there is none of those it is shown.
    fn labelled(&self, record: RecordId, given: &[Given]) -> Option<Review> {
        let all: Vec<&Given> = given.iter().collect();
        let seen: Vec<&Given> = given.iter().filter(|one| !one.label.is_unseen()).collect();
        let given = if seen.is_empty() { &all } else { &seen };
        let votes: Vec<LabelVote<'_>> = given.iter().map(|one| one.vote()).collect();
        let settled = settle(&votes)?;
        let majority = settled.conflict.then(|| self.majority(record, given)).flatten();
        let names: Vec<String> = latest(&all).iter().map(|one| one.reviewer.clone()).collect();
        Some(Review {
            label: Some(majority.unwrap_or(settled.word)),
            conflict: settled.conflict && majority.is_none(),
            reviewers: names.clone(),
            labelled_by: names,
            ..Review::default()
        })
    }

    /// The word that two of three give to a record that was called poor.
    fn majority(&self, record: RecordId, given: &[&Given]) -> Option<Word> {
        match self.vote(record, given) {
            Some(Majority::Decided { word, .. }) => Some(word),
            _ => None,
        }
    }

    /// What the words on a record that was called poor come to; `None` of one that was not.
    fn vote(&self, record: RecordId, given: &[&Given]) -> Option<Majority> {
        let from = self.changes.partition_point(|change| change.record() < record);
        let changes = self.changes.iter().skip(from);
        let changes = changes.take_while(|change| change.record() == record);
        let firsts = changes.filter(|change| change.first.label.label != Word::Unsure);
        let is_changed = |one: &&Given| {
            let own = |change: &Change| change.first.reviewer == one.reviewer;
            one.label.requested.is_none() && firsts.clone().any(own)
        };
        let unchanged = given.iter().copied().filter(|one| !is_changed(one));
        let mut all: Vec<&Given> =
            unchanged.chain(firsts.clone().map(|change| &change.first)).collect();
        all.sort_by_key(|one| one.time);
        let ballots: Vec<Ballot<'_>> = all.into_iter().filter_map(Given::ballot).collect();
        two_of_three(&ballots, self.called_poor.contains(&record))
    }

    /// The names of the imports whose labels count, each once.
    pub fn imports(&self) -> Vec<&str> {
        let all = self.labels.values().flatten().filter_map(|given| given.import.as_deref());
        let mut names: Vec<&str> = all.collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Each reviewer's last label, in the order of the labels.
fn latest<'g>(given: &[&'g Given]) -> Vec<&'g Given> {
    let later = |at: usize, who: &str| given.iter().skip(at + 1).any(|g| g.reviewer == who);
    let last = given.iter().enumerate().filter(|(at, g)| !later(*at, &g.reviewer));
    last.map(|(_, given)| *given).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{ContentHash, Label, Shown};

    const ID: RecordId = RecordId([7; 32]);

    fn given(reviewer: &str, word: Word, shown: Shown) -> Given {
        Given {
            entry: EntryId([0; 16]),
            time: Timestamp(0),
            reviewer: reviewer.to_owned(),
            label: Label { shown: Some(shown), ..Label::new(ID, word) },
            import: None,
        }
    }

    fn review(given: &[Given]) -> Option<Review> {
        let labels = BTreeMap::from([(ID, given.to_vec())]);
        Present { labels, ..Present::default() }.reviews().get(ID).cloned()
    }

    #[test]
    fn word_given_where_nothing_was_shown_settles_no_conflict() {
        let content = Shown::Content(ContentHash([1; 32]));
        let differ = [given("anna", Word::Acceptable, content), given("bert", Word::Poor, content)];
        let ruling = |shown| {
            let mut ruling = given("cleo", Word::Acceptable, shown);
            ruling.label.adjudicates = true;
            [&differ[..], &[ruling]].concat()
        };
        let unseen = review(&ruling(Shown::Nothing)).unwrap();
        assert!(unseen.conflict);
        assert_eq!(unseen.reviewers, ["anna", "bert", "cleo"]);
        let seen = review(&ruling(content)).unwrap();
        assert_eq!((seen.label, seen.conflict), (Some(Word::Acceptable), false));
        // Nor does it stand in for an earlier word of its reviewer.
        let taken = [&differ[..], &[given("bert", Word::Acceptable, Shown::Nothing)]].concat();
        assert!(review(&taken).unwrap().conflict);
        // Alone it is shown, and counts in no rate.
        let alone = review(&[given("anna", Word::Poor, Shown::Nothing)]).unwrap();
        assert_eq!(alone.label, Some(Word::Poor));
    }
}
