//! How the labels came about: by whom, how many blind, how many twice, and which words were changed.

use super::days::Judged;
use super::input::Input;
use super::later_words::{LaterWords, later_words};
use super::{Labelled, Word};
use crate::domain::review::Requested;
use crate::domain::{IdMap, RecordId, Timestamp};
use crate::stats::sample::public_draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How the labels of the window came about. Of contents of the window that are in the sample:
/// NO-GO, and audited GO.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelQuality {
    /// Who labelled, in the order of their names. Raw text.
    pub reviewers: Vec<ReviewerLabels>,
    /// Labelled NO-GO contents.
    pub no_go: BlindShare,
    /// Labelled GO contents of the audit sample.
    pub go: BlindShare,
    /// Words that reviewers changed without being asked to.
    pub changed: Vec<ChangedWords>,
    /// What reviewers said after the first words and outside the second words that the program draws:
    /// adjudications, second looks, repeats and whatever else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<LaterWords>,
    /// Records with such a change that nobody has settled, in order.
    #[schemars(with = "Vec<String>")]
    pub unsettled: Vec<RecordId>,
    /// Unchanged records with the same verdict that are still to be repeated with them, so that a
    /// repeat does not tell which word is in question.
    #[serde(skip)]
    pub companions: Vec<RecordId>,
    /// The same of the days that are not fully labelled: NO-GO, and audited GO.
    #[serde(skip)]
    pub open_days: [BlindShare; 2],
}

/// At least this share of the labelled NO-GO contents must have been labelled blind.
pub const BLIND_NO_GO: f64 = 0.80;

/// And this of the labelled contents of the audit sample. It is higher since a fifth of some 430
/// labels would hide every miss.
pub const BLIND_GO: f64 = 0.95;

/// A repeat settles a changed word only among so many repeats, of the same day, of records with the same
/// verdict whose words were not changed.
pub const COMPANIONS: usize = 2;

/// What one reviewer labelled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewerLabels {
    /// The name. Raw text.
    pub name: String,
    /// Contents that the reviewer labelled.
    pub labelled: u64,
    /// Those whose label that counts was given blind.
    pub blind: u64,
    /// Those whose label that counts was typed where the content was shown; the others are stated.
    /// Absent from reports of 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
}

/// How contents of one verdict were labelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlindShare {
    /// Contents with a label.
    pub labelled: u64,
    /// Those of which every label that counts was given before its reviewer saw the verdict: as this
    /// program showed the content, or, in windows begun before 0.3, as the label says.
    pub blind: u64,
    /// Those of which every label that counts was typed where the content was shown; the others are
    /// stated. Absent from reports of 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
    /// Those that two reviewers or more labelled.
    pub by_several: u64,
    /// Those that one reviewer labelled a second time.
    pub repeated: u64,
}

impl BlindShare {
    /// The share that was labelled blind, in [0, 1]; `None` where nothing is labelled.
    pub fn share(&self) -> Option<f64> {
        (self.labelled > 0).then(|| self.blind as f64 / self.labelled as f64)
    }

    /// Whether at least a share was labelled blind. Where nothing is labelled it was.
    pub fn reaches(&self, least: f64) -> bool {
        self.share().is_none_or(|share| share >= least)
    }
}

/// Words that one reviewer changed in one direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedWords {
    /// Who. Raw text.
    pub reviewer: String,
    /// What the judge said: `no_go` or `go`; `gone` where the record is in none of these logs.
    pub verdict: String,
    /// The word that was given first: `acceptable`, `poor` or `unsure`.
    pub first: String,
    /// The word that counts now; `null` where it was taken back.
    pub now: Option<String>,
    /// Whether the reviewer settled a difference with another reviewer that way.
    pub adjudicated: bool,
    /// How many records.
    pub records: u64,
    /// Those on which it is settled: by a reviewer who labelled neither side, or a blind repeat.
    pub settled: u64,
}

/// A word that its reviewer changed without being asked to, as the statistics see it.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedWord {
    /// Of which record.
    pub record: RecordId,
    /// By whom. Raw text.
    pub reviewer: Arc<str>,
    /// The word that was given first.
    pub first: Word,
    /// When it was given.
    pub first_at: Timestamp,
    /// Whether it was typed in this program where the content was shown.
    pub first_seen: bool,
    /// Whether the verdict was hidden from its reviewer.
    pub first_blind: bool,
    /// The word that counts now; `None` where it was taken back.
    pub now: Option<Word>,
    /// Whether the reviewer settled a difference that they are a party to.
    pub adjudicated: bool,
    /// When it was changed last.
    pub at: Timestamp,
    /// Whether the change is settled, so that the word that counts now is believed.
    pub settled: bool,
    /// Whether the record is in none of these logs.
    pub gone: bool,
}

/// How the labels of the sample came about; `judged` are the labelled contents of the window, `open` those
/// of its open days, and `flagged` tells of each record of the window that was changed or has a later word whether it is a
/// NO-GO.
pub(super) fn label_quality<'j>(
    judged: &[Judged],
    open: impl Iterator<Item = &'j Judged>,
    input: &Input<'_>,
    flagged: &IdMap<bool>,
) -> LabelQuality {
    let by_record = by_record(input.labels);
    let (mut quality, mut reviewers) = (LabelQuality::default(), Counts::new());
    for j in judged.iter().filter(|j| j.pi.is_some()) {
        let Some(labels) = by_record.get(&j.id) else { continue };
        let share = if j.flagged { &mut quality.no_go } else { &mut quality.go };
        share.add(labels, input, &mut reviewers);
    }
    // Their reviewers are counted above.
    let mut counted = Counts::new();
    for j in open.filter(|j| j.pi.is_some()) {
        let [no_go, go] = &mut quality.open_days;
        let share = if j.flagged { no_go } else { go };
        by_record.get(&j.id).into_iter().for_each(|labels| share.add(labels, input, &mut counted));
    }
    let known = input.has_new_rules();
    let of = |(name, [labelled, blind, seen]): (&str, [u64; 3])| ReviewerLabels {
        name: name.to_owned(),
        labelled,
        blind,
        seen: known.then_some(seen),
    };
    quality.reviewers = reviewers.into_iter().map(of).collect();
    quality.changed = changed_words(input.changed, flagged);
    quality.later = later_words(input.later, flagged);
    let changed = input.changed;
    let open = changed.iter().filter(|c| !c.settled && flagged.contains_key(&c.record));
    let open: BTreeSet<RecordId> = open.map(|c| c.record).collect();
    for verdict in [true, false] {
        if open.iter().any(|record| flagged.get(record) == Some(&verdict)) {
            let of_verdict = judged.iter().filter(|j| j.flagged == verdict && j.pi.is_some());
            let unchanged = of_verdict.filter(|j| changed.iter().all(|c| c.record != j.id));
            quality.companions.extend(companions(unchanged, &by_record, input.now));
        }
    }
    quality.unsettled = open.into_iter().collect();
    quality
}

/// The labels of each record, in order of time.
fn by_record(labels: &[Labelled]) -> IdMap<Vec<&Labelled>> {
    let mut by_record: IdMap<Vec<&Labelled>> = IdMap::default();
    for label in labels {
        by_record.entry(label.record).or_default().push(label);
    }
    by_record.values_mut().for_each(|labels| labels.sort_by_key(|label| label.at));
    by_record
}

/// Of each reviewer the contents labelled, those labelled blind, and those that were seen.
type Counts<'a> = BTreeMap<&'a str, [u64; 3]>;

impl BlindShare {
    /// Takes the labels of one content, in order of time.
    fn add<'a>(&mut self, labels: &[&'a Labelled], input: &Input<'_>, reviewers: &mut Counts<'a>) {
        let is_blind = |label: &&Labelled| input.rules.is_blind(label);
        let last = last_words(labels);
        for (name, label) in &last {
            let [labelled, blind, seen] = reviewers.entry(name).or_default();
            *labelled += 1;
            *blind += u64::from(is_blind(label));
            *seen += u64::from(label.seen);
        }
        let rulings = labels.iter().copied().filter(|label| label.adjudicates);
        let counting: Vec<&Labelled> = last.values().copied().chain(rulings).collect();
        self.labelled += 1;
        self.blind += u64::from(counting.iter().all(is_blind));
        if input.has_new_rules() {
            let seen = u64::from(counting.iter().all(|label| label.seen));
            self.seen = Some(self.seen.unwrap_or(0) + seen);
        }
        self.by_several += u64::from(last.len() > 1);
        self.repeated += u64::from(labels.iter().any(|label| label.repeat && !label.adjudicates));
    }
}

/// Which of these records are to be repeated, where fewer than enough were within the last day.
fn companions<'a>(
    unchanged: impl Iterator<Item = &'a Judged>,
    labels: &IdMap<Vec<&Labelled>>,
    now: Timestamp,
) -> Vec<RecordId> {
    let day_ago = now.minus_days(1);
    let (mut missing, mut once) = (COMPANIONS, Vec::new());
    for j in unchanged {
        match labels.get(&j.id).map(Vec::as_slice) {
            Some([label]) if label.at < day_ago => once.push(j.id),
            Some(labels) => {
                let repeat = |label: &&Labelled| {
                    let asked = label.requested == Some(Requested::Repeat);
                    asked && label.blind && label.at > day_ago
                };
                missing = missing.saturating_sub(labels.iter().copied().filter(repeat).count());
            }
            None => {}
        }
    }
    once.sort_by(|a, b| {
        let draw = |id: &RecordId| public_draw("foureyes 2026 companion of a repeat", &id.0);
        draw(a).total_cmp(&draw(b))
    });
    once.truncate(missing);
    once
}

/// The last label of each reviewer that counts in a rate, of labels in order of time.
fn last_words<'a>(labels: &[&'a Labelled]) -> BTreeMap<&'a str, &'a Labelled> {
    let counts = |label: &&&Labelled| label.requested != Some(Requested::Compare);
    let counting = labels.iter().filter(counts);
    counting.map(|label| (label.reviewer.as_ref(), *label)).collect()
}

/// The changes in the window, by reviewer, verdict and direction; those on records that are gone come
/// last.
fn changed_words(changed: &[ChangedWord], flagged: &IdMap<bool>) -> Vec<ChangedWords> {
    type Kind<'a> = (&'a str, Verdict, Word, Option<Word>, bool);
    let mut kinds: BTreeMap<Kind<'_>, (u64, u64)> = BTreeMap::new();
    for c in changed {
        let verdict = flagged.get(&c.record).map(|flagged| Verdict::from_flag(*flagged));
        let Some(verdict) = verdict.or(c.gone.then_some(Verdict::Gone)) else { continue };
        let kind = (c.reviewer.as_ref(), verdict, c.first, c.now, c.adjudicated);
        let (records, settled) = kinds.entry(kind).or_default();
        (*records, *settled) = (*records + 1, *settled + u64::from(c.settled));
    }
    let of = |((reviewer, verdict, first, now, adjudicated), (records, settled)): (Kind<'_>, _)| {
        ChangedWords {
            reviewer: reviewer.to_owned(),
            verdict: verdict.as_str().to_owned(),
            first: first.as_str().to_owned(),
            now: now.map(|word| word.as_str().to_owned()),
            adjudicated,
            records,
            settled,
        }
    };
    kinds.into_iter().map(of).collect()
}

/// What the judge said of a record, where that is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Go,
    NoGo,
    Gone,
}

impl Verdict {
    fn from_flag(flagged: bool) -> Self {
        if flagged { Self::NoGo } else { Self::Go }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::NoGo => "no_go",
            Self::Gone => "gone",
        }
    }
}
