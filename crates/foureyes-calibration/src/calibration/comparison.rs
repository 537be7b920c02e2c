//! A run of judging again, beside what was said before of the same items.
//!
//! Flagged is NO-GO, here as everywhere. UNDETERMINED is no flag and no pass: an item with it on
//! either side stands in no pair and is counted beside them, so that an outage does not look like
//! another opinion. Each item is counted in one place.

use crate::domain::Outcome;
use crate::domain::review::{Evaluated, Run};
use crate::stats::binomial;
use crate::stats::paired::Paired;
use crate::stats::{CONFIDENCE, Interval};
use std::collections::BTreeSet;

/// Fewest pairs that differ of which McNemar can tell anything: were all of them to go one way,
/// mid-p would be 0.5 to their number, and that is below 5 % from here on.
pub const LEAST: u64 = 5;

/// What was said before of the items of a run, and what the run said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunComparison {
    /// Items of the run.
    pub items: u64,
    /// Items with GO or NO-GO both times; `first_only` were NO-GO and are GO, `second_only` were
    /// GO and are NO-GO.
    pub pairs: Paired,
    /// Of the pairs, those that are NO-GO both times.
    pub both_flagged: u64,
    /// Items that were UNDETERMINED and are decided now.
    pub undetermined_before: u64,
    /// Items that were decided and are UNDETERMINED now, for whatever cause.
    pub undetermined_now: u64,
    /// Items that are UNDETERMINED both times.
    pub undetermined_both: u64,
    /// Items of which nothing was said before.
    pub no_verdict_before: u64,
    /// Items of which something was said before and nothing now.
    pub no_verdict_now: u64,
    /// Items whose content is known to be another one than before.
    pub other_content: u64,
}

/// What may be said of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// No item has GO or NO-GO both times.
    Nothing,
    /// No verdict of a pair differs. That is not to say that none would.
    NoneDiffers,
    /// Fewer than [`LEAST`] differ: whichever way they go, chance may do it.
    Few,
    /// Chance may do as much, or it may not.
    Open,
    /// More is NO-GO now than chance does in 95 of 100 times.
    MoreFlagged,
    /// Less is NO-GO now than chance does in 95 of 100 times.
    FewerFlagged,
}

impl RunComparison {
    /// A run beside the verdicts of the records that it answers.
    pub fn of_records(run: &Run) -> Self {
        let was = |at: usize| (run.was(at), true);
        Self::new(run, was)
    }

    /// A run beside an earlier one of the same items in the same order. An item is the same where
    /// its place, its record, its commit and its files are.
    pub fn of_run(run: &Run, before: &Run) -> Self {
        let was = |at: usize| {
            let (items, earlier) = (&run.begun.what.items, &before.begun.what.items);
            let same = items.get(at).zip(earlier.get(at)).is_some_and(|(one, other)| {
                (one.record, &one.commit, &one.files) == (other.record, &other.commit, &other.files)
            });
            let evaluated = before.evaluation(at).filter(|_| same);
            let outcome = evaluated.and_then(|_| before.outcome(at));
            let hashes = evaluated.and_then(|evaluated| {
                Some((content(&evaluated.what)?, content(&run.evaluation(at)?.what)?))
            });
            (outcome, hashes.is_none_or(|(then, now)| then == now))
        };
        Self::new(run, was)
    }

    fn new(run: &Run, was: impl Fn(usize) -> (Option<Outcome>, bool)) -> Self {
        let mut all = Self {
            items: 0,
            pairs: Paired { first_only: 0, second_only: 0, items: 0 },
            both_flagged: 0,
            undetermined_before: 0,
            undetermined_now: 0,
            undetermined_both: 0,
            no_verdict_before: 0,
            no_verdict_now: 0,
            other_content: 0,
        };
        for at in 0..run.begun.what.items.len() {
            let (was, same) = was(at);
            all.add(was, run.outcome(at), same);
        }
        all
    }

    fn add(&mut self, was: Option<Outcome>, now: Option<Outcome>, same_content: bool) {
        use Outcome::{NoGo, Undetermined};
        self.items += 1;
        let (was, now) = match (was, now) {
            (None, _) => return self.no_verdict_before += 1,
            (_, None) => return self.no_verdict_now += 1,
            _ if !same_content => return self.other_content += 1,
            (Some(was), Some(now)) => (was, now),
        };
        match (was, now) {
            (Undetermined, Undetermined) => self.undetermined_both += 1,
            (Undetermined, _) => self.undetermined_before += 1,
            (_, Undetermined) => self.undetermined_now += 1,
            (was, now) => {
                self.pairs.items += 1;
                self.pairs.first_only += u64::from(was == NoGo && now != NoGo);
                self.pairs.second_only += u64::from(was != NoGo && now == NoGo);
                self.both_flagged += u64::from(was == NoGo && now == NoGo);
            }
        }
    }

    /// Pairs whose verdicts differ.
    pub fn differing(&self) -> u64 {
        self.pairs.first_only + self.pairs.second_only
    }

    /// The share of pairs whose verdicts differ, with its exact interval at 95 %.
    pub fn differing_share(&self) -> Option<(f64, Interval)> {
        binomial::share(self.differing(), self.pairs.items)
    }

    /// Pairs that were NO-GO before.
    pub fn flagged_before(&self) -> u64 {
        self.both_flagged + self.pairs.first_only
    }

    /// Pairs that are NO-GO now.
    pub fn flagged_now(&self) -> u64 {
        self.both_flagged + self.pairs.second_only
    }

    /// The share that is flagged now less the share that was, with an interval of at least 95 %.
    pub fn difference(&self) -> Option<(f64, Interval)> {
        self.pairs.difference(CONFIDENCE)
    }

    /// Mid-p of McNemar; `None` where no pair differs, since there is nothing that it speaks of.
    pub fn mid_p(&self) -> Option<f64> {
        (self.differing() > 0).then(|| self.pairs.mid())
    }

    /// What may be said of it.
    pub fn reading(&self) -> Reading {
        let Paired { first_only, second_only, items } = self.pairs;
        match (items, self.differing(), self.mid_p()) {
            (0, ..) => Reading::Nothing,
            (_, 0, _) => Reading::NoneDiffers,
            (_, ..LEAST, _) => Reading::Few,
            (.., Some(p)) if p < 1.0 - CONFIDENCE && second_only > first_only => {
                Reading::MoreFlagged
            }
            (.., Some(p)) if p < 1.0 - CONFIDENCE => Reading::FewerFlagged,
            _ => Reading::Open,
        }
    }
}

/// Something in which the judges of two runs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Differs {
    /// The question, by its hash.
    Question,
    /// The model that was asked for.
    Model,
    /// The models that answered, as far as answers name them.
    Served,
    /// Endpoint, temperature, most tokens or most bytes of content.
    Settings,
}

/// In what the judges of two runs differ, as far as both are known; nothing where one judge was
/// asked twice, so that all that differs in what they say is noise.
pub fn differs(run: &Run, before: &Run) -> Vec<Differs> {
    let (now, then) = (&run.begun.what, &before.begun.what);
    let other = |name: &str| known(run, name).is_some_and(|now| known(before, name) != Some(now));
    let model = now.model != then.model;
    let all = [
        (Differs::Question, now.prompt.sha != then.prompt.sha),
        (Differs::Model, model),
        (Differs::Served, other("served_model") && known(before, "served_model").is_some()),
        // The model is a part of that hash.
        (Differs::Settings, !model && other("judge_sha") && known(before, "judge_sha").is_some()),
    ];
    all.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what).collect()
}

/// The values of a field in the evaluations of a run; `None` where none has it.
fn known<'a>(run: &'a Run, name: &str) -> Option<BTreeSet<&'a str>> {
    let of = |evaluated: &'a crate::domain::review::Dated<Evaluated>| {
        evaluated.what.evaluation.get(name)?.as_str().filter(|text| !text.is_empty())
    };
    let all: BTreeSet<&str> = run.evaluations.iter().filter_map(of).collect();
    (!all.is_empty()).then_some(all)
}

/// The hash of what was judged, where it is known.
fn content(evaluated: &Evaluated) -> Option<&str> {
    evaluated.evaluation.get("content_sha")?.as_str().filter(|hash| !hash.is_empty())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{Dated, EntryId, PromptUsed, RunBegun, RunItem, outcome_of};
    use crate::domain::{JudgementKind, RecordId, Timestamp};
    use crate::stats::near;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn dated<T>(what: T) -> Dated<T> {
        let (entry, time) = (EntryId([1; 16]), Timestamp(0));
        Dated { entry, time, reviewer: "anna".to_owned(), what }
    }

    fn evaluation(word: &str) -> Value {
        json!({"verdict": word, "served_model": "south-9", "judge_sha": "j"})
    }

    /// A run; of each item what its record said, and what was said in it.
    fn run(items: &[(&str, &str)]) -> Run {
        let of = |word: &str| {
            outcome_of(JudgementKind::Push, &json!({"verdict": word})).filter(|_| !word.is_empty())
        };
        let item = |(at, (was, _)): (usize, &(&str, &str))| RunItem {
            record: Some(RecordId([at as u8; 32])),
            was: of(was),
            ..RunItem::default()
        };
        let items_of = items.iter().enumerate().map(item).collect();
        let mut run = Run::new(dated(RunBegun { items: items_of, ..RunBegun::default() }));
        for (at, (_, now)) in items.iter().enumerate().filter(|(_, (_, now))| !now.is_empty()) {
            let evaluated = Evaluated {
                run: run.id(),
                item: at as u32,
                record: None,
                prompt: PromptUsed::default(),
                cost: None,
                family: JudgementKind::Push,
                evaluation: evaluation(now),
            };
            run.evaluations.push(dated(evaluated));
        }
        run
    }

    /// So many items of each kind.
    fn made(kinds: &[(usize, (&'static str, &'static str))]) -> Run {
        let all: Vec<_> = kinds.iter().flat_map(|(n, kind)| vec![*kind; *n]).collect();
        run(&all)
    }

    #[test]
    fn one_against_seven_is_mid_p_of_fagerland_with_its_counts() {
        let kinds = [
            (1, ("NO-GO", "GO")),
            (7, ("GO", "NO-GO")),
            (4, ("NO-GO", "NO-GO")),
            (8, ("GO", "GO")),
        ];
        let again = RunComparison::of_records(&made(&kinds));
        assert_eq!(again.pairs, Paired { first_only: 1, second_only: 7, items: 20 });
        assert_eq!((again.flagged_before(), again.flagged_now(), again.differing()), (5, 11, 8));
        near(again.mid_p().unwrap(), 0.039_062_5, 1e-12);
        near(again.difference().unwrap().0, 0.3, 1e-12);
        near(again.differing_share().unwrap().0, 0.4, 1e-12);
        assert_eq!(again.reading(), Reading::MoreFlagged);
        let back = kinds.map(|(n, (was, now))| (n, (now, was)));
        assert_eq!(RunComparison::of_records(&made(&back)).reading(), Reading::FewerFlagged);
    }

    #[test]
    fn undetermined_is_unpaired_and_each_item_counts_once() {
        let again = RunComparison::of_records(&made(&[
            (2, ("UNDETERMINED", "NO-GO")),
            (3, ("NO-GO", "UNDETERMINED")),
            (1, ("UNDETERMINED", "UNDETERMINED")),
            (4, ("", "GO")),
            (1, ("", "")),
            (5, ("GO", "")),
            (6, ("GO", "GO")),
        ]));
        assert_eq!(again.pairs, Paired { first_only: 0, second_only: 0, items: 6 });
        let beside = [again.undetermined_before, again.undetermined_now, again.undetermined_both];
        assert_eq!(beside, [2, 3, 1]);
        assert_eq!((again.no_verdict_before, again.no_verdict_now), (5, 5));
        assert_eq!(again.items, 22);
        // Nothing differs: there is no p-value that could be taken for a likeness.
        assert_eq!((again.mid_p(), again.reading()), (None, Reading::NoneDiffers));
    }

    #[test]
    fn few_discordant_pairs_are_inconclusive() {
        for (n, reading) in [(1, Reading::Few), (4, Reading::Few), (5, Reading::MoreFlagged)] {
            let again =
                RunComparison::of_records(&made(&[(n, ("GO", "NO-GO")), (9, ("GO", "GO"))]));
            assert_eq!(again.reading(), reading, "{n}");
            near(again.mid_p().unwrap(), 0.5_f64.powi(n as i32), 1e-12);
        }
        let even = made(&[(6, ("GO", "NO-GO")), (5, ("NO-GO", "GO"))]);
        assert_eq!(RunComparison::of_records(&even).reading(), Reading::Open);
        let nothing = made(&[(3, ("UNDETERMINED", "GO"))]);
        let nothing = RunComparison::of_records(&nothing);
        assert_eq!((nothing.reading(), nothing.difference()), (Reading::Nothing, None));
    }

    #[test]
    fn repeat_is_compared_with_its_run_not_the_record() {
        let before = made(&[(2, ("NO-GO", "GO")), (1, ("NO-GO", "NO-GO")), (1, ("NO-GO", ""))]);
        let mut now = made(&[(4, ("NO-GO", "NO-GO"))]);
        let again = RunComparison::of_run(&now, &before);
        assert_eq!(again.pairs, Paired { first_only: 0, second_only: 2, items: 3 });
        assert_eq!(again.no_verdict_before, 1);
        assert_eq!(RunComparison::of_records(&now).pairs.first_only, 0);
        // Another record in a place, or another content of the same one, is no pair.
        now.begun.what.items[0].record = Some(RecordId([9; 32]));
        now.evaluations[1].what.evaluation["content_sha"] = "new".into();
        let mut other = before.clone();
        other.evaluations[1].what.evaluation["content_sha"] = "old".into();
        let again = RunComparison::of_run(&now, &other);
        assert_eq!((again.pairs.items, again.other_content, again.no_verdict_before), (1, 1, 2));
    }

    #[test]
    fn same_judge_twice_is_distinguished_from_two_judges() {
        let one = made(&[(2, ("GO", "GO"))]);
        assert_eq!(differs(&one, &one.clone()), []);
        let mut other = one.clone();
        other.begun.what.model = "b".to_owned();
        other.begun.what.prompt.sha = "b".to_owned();
        other.evaluations[0].what.evaluation["judge_sha"] = "b".into();
        assert_eq!(differs(&other, &one), [Differs::Question, Differs::Model]);
        let mut other = one.clone();
        other.evaluations[1].what.evaluation["served_model"] = "north".into();
        other.evaluations[1].what.evaluation["judge_sha"] = "b".into();
        assert_eq!(differs(&other, &one), [Differs::Served, Differs::Settings]);
        // What one side does not say is not known to differ.
        let mut silent = one.clone();
        for evaluated in &mut silent.evaluations {
            evaluated.what.evaluation = json!({"verdict": "GO"});
        }
        assert_eq!(differs(&silent, &one), []);
        assert_eq!(differs(&one, &silent), []);
    }

    proptest! {
        #[test]
        fn every_item_is_in_one_place(kinds in prop::collection::vec((0_usize..4, 0_usize..4), 0..60)) {
            const WORDS: [&str; 4] = ["GO", "NO-GO", "UNDETERMINED", ""];
            let items: Vec<_> = kinds.iter().map(|(a, b)| (WORDS[*a], WORDS[*b])).collect();
            let a = RunComparison::of_records(&run(&items));
            let beside = a.undetermined_before + a.undetermined_now + a.undetermined_both
                + a.no_verdict_before + a.no_verdict_now + a.other_content;
            prop_assert_eq!(a.items, kinds.len() as u64);
            prop_assert_eq!(a.pairs.items + beside, a.items);
            prop_assert!(a.differing() + a.both_flagged <= a.pairs.items);
            prop_assert_eq!(a.mid_p().is_some(), a.differing() > 0);
        }
    }
}
