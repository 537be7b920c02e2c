//! Second words on records that have a label: which are asked for, and what came of them.
//!
//! A share of the sample is drawn by hash before anybody labelled it: its double labels count. A
//! second word that is asked for because of what the first said does not: to count it would correct
//! only one side. Where the policy lets poor count with a second word alone, that word is asked for
//! whenever a first one says poor.

mod confirmed;

pub use confirmed::{Confirmed, TwoOfThree, added_labels};
pub(super) use confirmed::{by_majority, rulings_under_rules};

use super::days::Judged;
use super::input::Input;
use super::{Confirm, Day, Ruling, WindowRules, audit};
use crate::domain::review::{Majority, Requested, Word};
use crate::domain::{IdMap, RecordId};
use crate::stats::sample::public_draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Second words of the window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SecondWords {
    /// Share of the sample that is drawn for a double label, from 0 to 1; 0 where none is.
    pub share: f64,
    /// Double labels: they count.
    pub doubles: Seconds,
    /// On GO called poor: for comparison.
    pub poor: Seconds,
    /// On as many random GO called acceptable: for comparison.
    pub partners: Seconds,
    /// On records called poor, which count as poor only with one; `null` where the policy asks for
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmations: Option<Seconds>,
    /// What came of records called poor, where two of three words decide; `null` where they do not, and
    /// in a document of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub two_of_three: Option<TwoOfThree>,
    /// Double labels of which one person gave both.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub by_one: u64,
    /// The second words that are still to be given, in the order of the records.
    #[serde(skip)]
    pub waiting: Vec<SecondWord>,
    /// Labelled records that wait for nothing: repeats of some of them may stand beside a repeat that
    /// confirms something.
    #[serde(skip)]
    pub beside: Vec<RecordId>,
}

/// Second words of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seconds {
    /// Records that they are asked for.
    pub drawn: u64,
    /// Those of them that have one.
    pub given: u64,
    /// Those of them on which the two words differ, unsure among them.
    pub differ: u64,
    /// Those of them on which nobody has settled it.
    pub open: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A second or third word that is to be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondWord {
    /// On which record.
    pub record: RecordId,
    /// Why.
    pub requested: Requested,
    /// Whether one who has spoken on the record may be asked again from the next day on, where nobody else
    /// is there; else later, as earlier versions had it.
    pub next_day: bool,
}

impl Seconds {
    fn add(&mut self, ruling: &Ruling, differ: Option<bool>) {
        self.drawn += 1;
        if let Some(differ) = differ {
            self.given += 1;
            self.differ += u64::from(differ);
            self.open += u64::from(differ && ruling.conflict);
        }
    }
}

/// Whether poor counts on a record with a second word alone, and it has none: its day stays open.
pub(super) fn is_unconfirmed(input: &Input<'_>, j: &Judged, ruling: Option<&Ruling>) -> bool {
    let asked =
        input.rules.has_label_rules() && input.policy.confirm_under(input.rules) == Confirm::Poor;
    asked && j.pi.is_some() && ruling.is_some_and(|r| is_called_poor(r) && !has_second(r))
}

/// Whether a second word that counts is there, or somebody settled it without one.
fn has_second(ruling: &Ruling) -> bool {
    ruling.double.is_some() || ruling.adjudicated
}

fn is_called_poor(ruling: &Ruling) -> bool {
    ruling.first == Some(Word::Poor) || ruling.word == Word::Poor
}

/// The second words on labelled contents of days, each day with its contents in order.
pub(super) fn second_words<'a>(
    input: &Input<'_>,
    days: impl Iterator<Item = (&'a Day, &'a [Judged])>,
    rulings: &IdMap<Ruling>,
) -> SecondWords {
    if !input.rules.has_label_rules() {
        return SecondWords::default();
    }
    let mut found = SecondWords {
        share: input.policy.double_labels,
        confirmations: (input.policy.confirm_under(input.rules) != Confirm::None)
            .then(Seconds::default),
        two_of_three: by_majority(input).then(TwoOfThree::default),
        ..SecondWords::default()
    };
    let next_day = input.rules == WindowRules::Current || by_majority(input);
    let mut beside = Vec::new();
    for (day, contents) in days {
        let sampled = contents.iter().filter(|j| j.pi.is_some());
        let sample: Vec<(&Judged, &Ruling)> =
            sampled.filter_map(|j| Some((j, rulings.get(&j.id)?))).collect();
        for (j, ruling) in &sample {
            found.counting(j, ruling, next_day);
            beside.extend(waits_for_nothing(ruling).then_some(j.id));
        }
        // Until then a partner that is labelled later could be the one, and what waits would be
        // called poor for certain.
        if day.missing.is_empty() {
            found.compared(input, &sample);
        }
    }
    if found.to_confirm() > 0 {
        found.beside = first_drawn(beside);
    }
    found
}

/// Whether the word on a record waits for nothing.
fn waits_for_nothing(ruling: &Ruling) -> bool {
    ruling.majority.is_none() && !ruling.conflict && ruling.word != Word::Unsure
}

/// A few of some records, by a draw that anybody may know.
fn first_drawn(mut records: Vec<RecordId>) -> Vec<RecordId> {
    let draw = |id: &RecordId| public_draw("foureyes 2026 beside a repeat", &id.0);
    records.sort_by_cached_key(|id| draw(id).to_bits());
    records.truncate(BESIDE);
    records
}

/// So many records are enough to choose two from that one reviewer labelled once.
const BESIDE: usize = 512;

impl SecondWords {
    /// Records called poor that wait for a second or a third word; 0 where no two of three decide.
    pub fn to_confirm(&self) -> u64 {
        self.two_of_three.map_or(0, |all| all.waiting())
    }

    /// A record on which a second word would count.
    fn counting(&mut self, j: &Judged, ruling: &Ruling, next_day: bool) {
        let mut requested = None;
        if j.double {
            self.doubles.add(ruling, ruling.double);
            self.by_one += u64::from(ruling.pair.is_some_and(|pair| pair.by_one));
            // Where the first word is doubt, a second look is asked for, and is the second word.
            requested =
                (ruling.word != Word::Unsure && !has_second(ruling)).then_some(Requested::Double);
        }
        if self.confirm(j, ruling) {
            requested = Some(Requested::Confirm);
        }
        let word = |requested| SecondWord { record: j.id, requested, next_day };
        self.waiting.extend(requested.map(word));
    }

    /// Counts a record that is called poor; tells whether it waits for a further word.
    fn confirm(&mut self, j: &Judged, ruling: &Ruling) -> bool {
        let Some(confirmations) = self.confirmations.as_mut() else { return false };
        match (self.two_of_three.as_mut(), ruling.majority) {
            (Some(all), Some(majority)) => {
                confirmations.add_majority(majority);
                all.add(j, majority);
                matches!(majority, Majority::Open { .. })
            }
            (None, _) if is_called_poor(ruling) => {
                confirmations.add(ruling, ruling.double);
                !has_second(ruling)
            }
            _ => false,
        }
    }

    /// The GO of a day that were called poor, and as many that were not, drawn by key.
    fn compared(&mut self, input: &Input<'_>, sample: &[(&Judged, &Ruling)]) {
        let secret = input.natural.and_then(|natural| natural.key);
        let Some(key) = secret.or_else(|| input.plan.first_seed()) else { return };
        let passed = sample.iter().filter(|(j, _)| !j.flagged && !j.double);
        let (poor, rest): (Vec<_>, Vec<_>) = passed.partition(|(_, r)| is_called_poor(r));
        let acceptable = |(_, r): &&&(&Judged, &Ruling)| r.first == Some(Word::Acceptable);
        let mut rest: Vec<&(&Judged, &Ruling)> =
            rest.iter().copied().filter(|x| acceptable(&x)).collect();
        // A stated word is asked for no second one.
        let is_asked = |ruling: &Ruling| self.two_of_three.is_none() || ruling.majority.is_some();
        let poor: Vec<_> = poor.into_iter().filter(|(_, ruling)| is_asked(ruling)).collect();
        for (j, ruling) in poor {
            if self.confirmations.is_none() {
                self.poor.add(ruling, ruling.compared);
                self.wait(j, ruling);
            }
            let draw =
                |(other, _): &&(&Judged, &Ruling)| audit::partner_draw(&key, &j.id, &other.id);
            let drawn =
                rest.iter().enumerate().min_by(|(_, a), (_, b)| draw(a).total_cmp(&draw(b)));
            let Some(at) = drawn.map(|(at, _)| at) else { continue };
            let (partner, ruling) = rest.swap_remove(at);
            self.partners.add(ruling, ruling.compared);
            self.wait(partner, ruling);
        }
    }

    fn wait(&mut self, j: &Judged, ruling: &Ruling) {
        if ruling.compared.is_none() {
            let (record, requested) = (j.id, Requested::Compare);
            self.waiting.push(SecondWord { record, requested, next_day: false });
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::label::tests::label;
    use crate::calibration::readiness::tests::{agreed, input, plan, planted, single};
    use crate::calibration::{DayState, Labelled, Policy, Readiness, WindowRules, readiness};
    use crate::domain::Outcome;

    fn of(r: &Readiness) -> &SecondWords {
        &r.reviewer_error.second_words
    }

    /// A tenth is labelled twice, and nothing is confirmed.
    fn doubled() -> Policy {
        Policy { double_labels: 0.10, ..single() }
    }

    /// Twenty days of 4 NO-GO and 16 GO, all audited, labelled by `a`; so many GO are called poor.
    struct Bench {
        rows: Vec<crate::calibration::Evaluation>,
        labels: Vec<Labelled>,
        policy: Policy,
        plan: crate::calibration::Plan,
    }

    impl Bench {
        fn new(poor: usize, policy: Policy) -> Self {
            let rows = planted(20, 4);
            let mut labels = agreed(&rows);
            let passed = rows.iter().zip(&mut labels).filter(|(e, _)| e.outcome == Outcome::Go);
            passed.step_by(5).take(poor).for_each(|(_, l)| l.word = Word::Poor);
            Self { rows, labels, policy, plan: plan(1.0) }
        }

        fn answer(&self) -> Readiness {
            let base = input(&self.rows, &self.labels, &self.plan);
            readiness(&Input { policy: &self.policy, ..base })
        }

        fn second(&mut self, of: SecondWord, by: &str, word: Word) {
            let requested = Some(of.requested);
            self.labels.push(Labelled { requested, ..label(of.record, by, 9, word) });
        }

        fn first(&self, id: RecordId) -> Word {
            self.labels.iter().find(|l| l.record == id).unwrap().word
        }
    }

    #[test]
    fn one_tenth_of_sample_is_double_labelled_and_differences_count() {
        let mut world = Bench::new(0, doubled());
        let drawn = of(&world.answer()).clone();
        assert!((20..=60).contains(&drawn.doubles.drawn), "{drawn:?}");
        assert_eq!(
            (drawn.share, drawn.poor.drawn, drawn.waiting.len() as u64),
            (0.1, 0, drawn.doubles.drawn)
        );
        // Other words draw the same records.
        let mut other = Bench::new(0, doubled());
        other.labels.iter_mut().for_each(|l| l.word = Word::Poor);
        let of_other = of(&other.answer()).clone();
        let doubles = of_other.waiting.iter().filter(|w| w.requested == Requested::Double);
        assert!(doubles.eq(drawn.waiting.iter()));
        // All given, one of another mind: that record is unsure, and nothing else is.
        for (at, second) in drawn.waiting.iter().enumerate() {
            let word = if at == 0 { Word::Unsure } else { world.first(second.record) };
            world.second(*second, "b", word);
        }
        let r = world.answer();
        let doubles = of(&r).doubles;
        assert_eq!((doubles.given, doubles.differ, doubles.open), (drawn.doubles.drawn, 1, 1));
        assert_eq!(
            (r.conflicts.as_slice(), of(&r).waiting.len()),
            (&[drawn.waiting[0].record][..], 0)
        );
        assert!(r.days.iter().all(|d| d.state == DayState::Closed), "no day waits for it");
    }

    #[test]
    fn double_label_by_one_reviewer_is_a_repeat() {
        let mut world = Bench::new(0, doubled());
        let first = of(&world.answer()).waiting[0];
        let other =
            if world.first(first.record) == Word::Poor { Word::Acceptable } else { Word::Poor };
        world.second(first, "a", other);
        let r = world.answer();
        assert_eq!((of(&r).doubles.given, r.conflicts.as_slice()), (1, &[first.record][..]));
    }

    #[test]
    fn hand_picked_partner_is_compared_without_changing_rates() {
        let mut world = Bench::new(6, doubled());
        let before = world.answer();
        let all = of(&before);
        let compared: Vec<SecondWord> =
            all.waiting.iter().copied().filter(|w| w.requested == Requested::Compare).collect();
        assert_eq!(
            (all.poor.drawn, all.poor.drawn),
            (all.partners.drawn, compared.len() as u64 / 2)
        );
        assert!((3..=6).contains(&all.poor.drawn), "less those drawn for a double label: {all:?}");
        let words: Vec<Word> = compared.iter().map(|w| world.first(w.record)).collect();
        assert_eq!(words.iter().filter(|w| **w == Word::Poor).count() as u64, all.poor.drawn);
        for second in &compared {
            world.second(*second, "b", Word::Acceptable);
        }
        let after = world.answer();
        let (poor, partners) = (of(&after).poor, of(&after).partners);
        assert_eq!((poor.given, poor.differ), (all.poor.drawn, all.poor.drawn));
        assert_eq!((partners.given, partners.differ), (all.partners.drawn, 0));
        assert_eq!((&after.kpis, &after.conflicts), (&before.kpis, &before.conflicts));
    }

    #[test]
    fn partners_wait_until_their_day_is_labelled() {
        let mut world = Bench::new(6, doubled());
        let drawn = of(&world.answer()).partners.drawn;
        // The first day lacks a label: its GO called poor would wait without a partner.
        world.labels.remove(19);
        assert!(of(&world.answer()).partners.drawn < drawn);
    }

    #[test]
    fn where_poor_needs_a_second_word_its_day_is_open_until_then() {
        let policy = Policy { confirm: Some(Confirm::Poor), ..doubled() };
        let mut world = Bench::new(2, policy);
        let r = world.answer();
        let confirmations = of(&r).confirmations.unwrap();
        assert_eq!((confirmations.drawn, confirmations.given), (82, 0), "80 NO-GO and 2 GO");
        assert!(r.days.iter().all(|d| d.state == DayState::Open && d.missing.is_empty()));
        assert_eq!((r.days[0].unconfirmed.len(), r.window.closed_days), (6, 0));
        let waiting = of(&r).waiting.clone();
        for second in waiting.iter().filter(|w| w.requested == Requested::Confirm) {
            let flagged =
                world.rows.iter().any(|e| e.id == second.record && e.outcome == Outcome::NoGo);
            world.second(*second, "b", if flagged { Word::Poor } else { Word::Acceptable });
        }
        let r = world.answer();
        assert!(r.days.iter().all(|d| d.state == DayState::Closed && d.unconfirmed.is_empty()));
        let confirmations = of(&r).confirmations.unwrap();
        assert_eq!((confirmations.given, confirmations.differ), (82, 2));
        assert_eq!(r.conflicts.len(), 2, "unsure until somebody settles it");
        // A version before this one asked for none.
        let old =
            Input { rules: WindowRules::Earlier, ..input(&world.rows, &world.labels, &world.plan) };
        assert_eq!(of(&readiness(&old)), &SecondWords::default());
    }
}
