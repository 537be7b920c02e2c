//! Two of three: what counts on records that somebody called poor, and what came of it.

use super::Seconds;
use crate::calibration::days::Judged;
use crate::calibration::label::{Ruling, Unconfirmed, rulings};
use crate::calibration::{ChangedWord, Confirm, Input, Labelled, Policy, Word};
use crate::domain::review::{Ballot, Majority, OTHERS, Requested, two_of_three};
use crate::domain::{IdMap, RecordId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// After so many days without the words that it waits for, a word counts against the judge as it stands.
const OVERDUE_DAYS: u32 = 3;

/// Records that were called poor, by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TwoOfThree {
    /// NO-GO.
    pub no_go: Confirmed,
    /// GO of the audit sample.
    pub go: Confirmed,
}

/// What came of records that were called poor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confirmed {
    /// Records that somebody called poor, taken back or not.
    pub called_poor: u64,
    /// Those that two words call poor.
    pub confirmed: u64,
    /// Those that two words call acceptable.
    pub acceptable: u64,
    /// Those on which three words have no majority: they are unsure.
    pub split: u64,
    /// Those that wait for a second or a third word.
    pub waiting: u64,
}

impl Confirmed {
    fn add(&mut self, majority: Majority) {
        self.called_poor += 1;
        let count = match majority {
            Majority::Decided { word: Word::Poor, .. } => &mut self.confirmed,
            Majority::Decided { .. } => &mut self.acceptable,
            Majority::Split => &mut self.split,
            Majority::Open { .. } => &mut self.waiting,
        };
        *count += 1;
    }

    /// Records on which the words are given: the denominator of the share that is confirmed.
    pub fn settled(&self) -> u64 {
        self.confirmed + self.acceptable + self.split
    }
}

impl TwoOfThree {
    pub(super) fn add(&mut self, j: &Judged, majority: Majority) {
        let of = if j.flagged { &mut self.no_go } else { &mut self.go };
        of.add(majority);
    }

    /// Records that wait for a second or a third word.
    pub fn waiting(&self) -> u64 {
        self.no_go.waiting + self.go.waiting
    }
}

impl Seconds {
    /// Counts a record by what its words come to.
    pub(super) fn add_majority(&mut self, majority: Majority) {
        let (words, open) = match majority {
            Majority::Open { words, .. } => (words, words > 1),
            Majority::Decided { words, .. } => (words, false),
            Majority::Split => (3, true),
        };
        let differ = words > 2 || open;
        self.drawn += 1;
        self.given += u64::from(words > 1);
        self.differ += u64::from(differ);
        self.open += u64::from(open);
    }
}

/// Whether a record that is called poor counts by the majority of three words.
pub(in crate::calibration) fn by_majority(input: &Input<'_>) -> bool {
    let confirm = input.policy.confirm_under(input.rules);
    input.rules.has_label_rules() && confirm == Confirm::TwoOfThree
}

/// What counts for each labelled record under the rules of the window.
pub(in crate::calibration) fn rulings_under_rules(input: &Input<'_>) -> IdMap<Ruling> {
    let mut rulings = rulings(input.labels);
    if by_majority(input) {
        CalledPoor::new(input).apply(&mut rulings);
    }
    rulings
}

/// The words on records that somebody may have called poor.
struct CalledPoor<'a> {
    input: &'a Input<'a>,
    labels: IdMap<Vec<&'a Labelled>>,
    changed: IdMap<Vec<&'a ChangedWord>>,
    /// Labels of a reviewer on a day that confirm nothing: what a repeat is among.
    others: HashMap<(&'a str, i32), usize>,
}

impl<'a> CalledPoor<'a> {
    fn new(input: &'a Input<'a>) -> Self {
        let candidates = candidates(input);
        let (mut labels, mut changed) = (IdMap::default(), IdMap::default());
        let mut others = HashMap::new();
        let (spoken, changes) = spoken(input);
        for label in spoken {
            if candidates.contains(&label.record) {
                let of: &mut Vec<&Labelled> = labels.entry(label.record).or_default();
                of.push(label);
            }
            if label.seen && label.requested != Some(Requested::Confirm) {
                *others.entry((&*label.reviewer, label.at.day())).or_default() += 1;
            }
        }
        for change in changes {
            let of: &mut Vec<&ChangedWord> = changed.entry(change.record).or_default();
            of.push(change);
        }
        Self { input, labels, changed, others }
    }

    fn apply(&self, rulings: &mut IdMap<Ruling>) {
        for (id, labels) in &self.labels {
            let Some(ruling) = rulings.get_mut(id) else { continue };
            let is_called = self.input.called_poor.contains(id);
            ruling.majority = two_of_three(&self.ballots(id, labels), is_called);
            match ruling.majority {
                Some(Majority::Open { since, .. }) => ruling.unconfirmed = self.age(since),
                Some(Majority::Decided { word, .. }) => {
                    (ruling.word, ruling.conflict) = (word, false);
                }
                Some(Majority::Split) if !ruling.adjudicated => {
                    (ruling.word, ruling.conflict) = (Word::Unsure, true);
                }
                Some(Majority::Split) | None => {}
            }
        }
    }

    fn age(&self, since: Timestamp) -> Unconfirmed {
        match since <= self.input.now.minus_days(OVERDUE_DAYS) {
            _ if self.input.as_words_stand => Unconfirmed::No,
            true => Unconfirmed::Overdue,
            false => Unconfirmed::Recently,
        }
    }

    /// The words on a record, the earliest first: of one that its reviewer changed the first.
    fn ballots(&self, id: &RecordId, labels: &[&'a Labelled]) -> Vec<Ballot<'a>> {
        let changed = self.changed.get(id).map_or(&[][..], Vec::as_slice);
        let changed = changed.iter().filter(|change| change.first != Word::Unsure);
        let is_changed = |label: &&&Labelled| {
            label.requested.is_none() && changed.clone().any(|c| c.reviewer == label.reviewer)
        };
        let counting = |label: &&&Labelled| label.requested != Some(Requested::Compare);
        let unchanged = labels.iter().filter(counting).filter(|label| !is_changed(label));
        let firsts = changed.clone().map(|change| first_ballot(change));
        let mut ballots: Vec<Ballot<'_>> =
            unchanged.map(|label| self.ballot(label)).chain(firsts).collect();
        ballots.sort_by_key(|ballot| ballot.at);
        ballots
    }

    fn ballot(&self, label: &'a Labelled) -> Ballot<'a> {
        let of_day = self.others.get(&(&*label.reviewer, label.at.day())).copied().unwrap_or(0);
        let own = usize::from(label.seen && label.requested != Some(Requested::Confirm));
        Ballot {
            reviewer: &label.reviewer,
            word: label.word,
            at: label.at,
            asked: label.requested.is_some(),
            seen: label.seen,
            blind: label.blind,
            among_others: of_day.saturating_sub(own) >= OTHERS,
        }
    }
}

fn first_ballot(change: &ChangedWord) -> Ballot<'_> {
    Ballot {
        reviewer: &change.reviewer,
        word: change.first,
        at: change.first_at,
        asked: false,
        seen: change.first_seen,
        blind: change.first_blind,
        among_others: false,
    }
}

/// The labels and changes that decide: the same ones whichever words count otherwise, so that the outcome is too.
fn spoken<'a>(input: &Input<'a>) -> (&'a [Labelled], &'a [ChangedWord]) {
    input.spoken.unwrap_or((input.labels, input.changed))
}

/// The records on which a word that was typed in this program says, or once said, poor.
fn candidates(input: &Input<'_>) -> HashSet<RecordId> {
    let (labels, changes) = spoken(input);
    let poor = labels.iter().filter(|label| label.seen && label.word == Word::Poor);
    let changed = changes.iter().filter(|c| c.first_seen && c.first == Word::Poor);
    let changed = changed.map(|change| change.record);
    poor.map(|label| label.record).chain(changed).chain(input.called_poor.iter().copied()).collect()
}

/// How many second and third words a policy adds to each first word, about, where this share of the sample
/// is poor: double labels, and words on what is called poor beside them. Third words are few and left out.
pub fn added_labels(policy: &Policy, confirm: Confirm, poor: f64) -> f64 {
    let doubles = policy.double_labels;
    match confirm {
        Confirm::None => doubles,
        Confirm::Poor | Confirm::TwoOfThree => doubles + (1.0 - doubles) * poor,
    }
}
