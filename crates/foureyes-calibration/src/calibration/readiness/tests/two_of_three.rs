//! Records called poor count by the majority of three words.

use super::*;
use crate::calibration::ChangedWord;
use crate::domain::review::Requested;
use proptest::prelude::*;

/// Two of three, and no double labels beside it.
fn policy() -> Policy {
    Policy { confirm: Some(Confirm::TwoOfThree), double_labels: 0.0, ..Policy::default() }
}

/// A word on a day, typed where the content was shown.
fn seen(record: RecordId, reviewer: &str, day: i32, word: Word) -> Labelled {
    Labelled { seen: true, at: Timestamp::of_day(day), ..label(record, reviewer, 0, word) }
}

/// The same, which was asked for.
fn requested_label(record: RecordId, reviewer: &str, day: i32, word: Word) -> Labelled {
    let requested = Some(Requested::Confirm);
    Labelled { requested, ..seen(record, reviewer, day, word) }
}

/// Right words by `a` on the day of each record, and by `b` on what is called poor.
fn confirmed(rows: &[Evaluation]) -> Vec<Labelled> {
    let word = |o| if o == Outcome::NoGo { Word::Poor } else { Word::Acceptable };
    let first = rows.iter().map(|e| seen(e.id, "a", e.at.day(), word(e.outcome)));
    let flagged = rows.iter().filter(|e| e.outcome == Outcome::NoGo);
    let second = flagged.map(|e| requested_label(e.id, "b", e.at.day(), Word::Poor));
    first.chain(second).collect()
}

fn decide(rows: &[Evaluation], labels: &[Labelled]) -> Readiness {
    let (policy, plan) = (policy(), plan(1.0));
    readiness(&Input { policy: &policy, ..input(rows, labels, &plan) })
}

fn wealth(r: &Readiness, m: Measure) -> (f64, f64) {
    let row = r.kpis.iter().chain(&r.beside).find(|k| k.id == m).unwrap();
    (row.e_value, row.e_value_not_met)
}

const FNR: Measure = Measure::FalseNegativeRate;

#[test]
fn confirmed_judge_is_ready_and_counts_are_told() {
    let rows = planted(30, 4);
    let labels = confirmed(&rows);
    let r = decide(&rows, &labels);
    assert_eq!(r.result, ReadinessResult::Ready, "{:?}", r.blocks);
    let all = r.reviewer_error.second_words.two_of_three.unwrap();
    let expected = (120, 120, 0, 0);
    assert_eq!(
        (all.no_go.called_poor, all.no_go.confirmed, all.waiting(), all.go.called_poor),
        expected
    );
    assert!(r.days.iter().all(|d| d.state == DayState::Closed));
}

#[test]
fn slip_counts_against_judge_until_two_words_agree_otherwise() {
    let rows = planted(30, 4);
    let mut labels = confirmed(&rows);
    let slip = rows[590].id;
    labels[590].word = Word::Poor;
    let clean = wealth(&decide(&rows, &confirmed(&rows)), FNR);
    let waits = decide(&rows, &labels);
    assert!(wealth(&waits, FNR).0 < clean.0);
    assert_eq!(wealth(&waits, FNR).1, clean.1, "at its best for not met");
    // Beside it a GO called acceptable is compared.
    let second = waits.reviewer_error.second_words.waiting.iter();
    let confirm: Vec<_> = second.filter(|one| one.requested == Requested::Confirm).collect();
    assert_eq!((confirm.len(), confirm[0].record, confirm[0].next_day), (1, slip, true));
    // Estimates take it as it stands.
    let row = waits.kpis.iter().find(|k| k.id == FNR).unwrap();
    assert_eq!(row.estimate, Some(1.0 / 121.0));
    labels.push(requested_label(slip, "b", 30, Word::Acceptable));
    let differ = decide(&rows, &labels);
    assert_eq!(wealth(&differ, FNR), wealth(&waits, FNR));
    assert!(differ.conflicts.is_empty(), "a third word settles it");
    assert_eq!(differ.reviewer_error.second_words.two_of_three.unwrap().go.waiting, 1);
    labels.push(requested_label(slip, "c", 30, Word::Acceptable));
    let settled = decide(&rows, &labels);
    assert_eq!(wealth(&settled, FNR), clean);
    assert_eq!(settled.reviewer_error.second_words.two_of_three.unwrap().go.acceptable, 1);
    // A third who cannot tell leaves it unsure, for a conflict that somebody adjudicates.
    labels.last_mut().unwrap().word = Word::Unsure;
    let split = decide(&rows, &labels);
    assert_eq!(split.conflicts, [slip]);
    assert_eq!(split.reviewer_error.second_words.two_of_three.unwrap().go.split, 1);
}

/// Thirty days on which the judge misses two of four poor contents; `a` says so, `b` confirms the NO-GOs
/// alone.
fn missed() -> (Vec<Evaluation>, Vec<Labelled>) {
    let rows = planted(30, 4);
    let mut labels = confirmed(&rows);
    let missed = |n: usize| n % 20 == 10 || n % 20 == 11;
    labels.iter_mut().take(600).enumerate().filter(|(n, _)| missed(*n)).for_each(|(_, l)| {
        l.word = Word::Poor;
    });
    (rows, labels)
}

#[test]
fn words_that_wait_for_three_days_count_as_they_stand() {
    let (rows, mut labels) = missed();
    let r = decide(&rows, &labels);
    assert_eq!(result(&r, FNR), KpiResult::NotMet, "nobody keeps READY by not asking");
    // All given on the last two days.
    labels.iter_mut().for_each(|label| label.at = Timestamp::of_day(29));
    let r = decide(&rows, &labels);
    assert_eq!((r.result.code(), result(&r, FNR)), (2, KpiResult::NotEnoughEvidence));
    let first = r.qualifiers.first().unwrap();
    let expected = "NOT READY as the words stand, 60 to confirm: not met: false negative rate";
    assert!(first.starts_with(expected), "{first}");
    // Nothing else is worth doing until that is known.
    assert_eq!((kinds(&r), r.steps[0].labels), (vec!["confirm"], Some(60)));
    assert!(r.steps[0].text.starts_with("If they are confirmed, the answer is NOT READY."));
    // Without misses nothing of the kind is said.
    let r = decide(&rows, &confirmed(&rows));
    assert!(r.qualifiers.iter().all(|text| !text.contains("as the words stand")));
    assert!(r.steps.iter().all(|step| step.kind != "confirm"));
}

/// Right words by `a` alone, all given on the last day.
fn unconfirmed(rows: &[Evaluation]) -> Vec<Labelled> {
    let mut labels = confirmed(rows);
    labels.retain(|label| label.requested.is_none());
    labels.iter_mut().for_each(|label| label.at = Timestamp::of_day(29));
    labels
}

fn kinds(r: &Readiness) -> Vec<&str> {
    r.steps.iter().map(|step| step.kind.as_str()).collect()
}

#[test]
fn kpi_that_only_confirmations_keep_from_met_asks_for_no_labels() {
    let rows = planted(30, 4);
    let labels = unconfirmed(&rows);
    let r = decide(&rows, &labels);
    assert_eq!((r.result.code(), result(&r, FNR)), (2, KpiResult::NotEnoughEvidence));
    assert_eq!((kinds(&r), r.next.len()), (vec!["confirm"], 0), "{:#?}", r.steps);
    // A lone reviewer confirms from the next day on, another one at once.
    let from = |r: &Readiness| r.steps[0].ready_from.clone().unwrap();
    assert_eq!(from(&r), r.generated.day_text(), "of words that were given yesterday");
    let mut two = labels.clone();
    two.iter_mut().for_each(|label| label.at = r.generated);
    let r = decide(&rows, &two);
    assert_eq!(from(&r), r.generated.plus_days(1).day_text());
    two[0].reviewer = "b".into();
    let r = decide(&rows, &two);
    assert_eq!(from(&r), r.generated.day_text());
    // Neither do open days.
    let closed = rows.iter().filter(|e| e.at.day() < 25).count();
    let r = decide(&rows, &labels[..closed]);
    assert!(r.days.iter().any(|day| day.state == DayState::Open));
    assert_eq!(kinds(&r), ["confirm"], "{:#?}", r.steps);
    // Where confirmations are not enough, more labels are asked for as well.
    let r = decide(&rows[..100], &labels[..100]);
    let about: Vec<_> = r.steps.iter().filter_map(|step| step.about.as_deref()).collect();
    assert!(about.contains(&"false_negative_rate"), "{about:?}");
}

#[test]
fn stated_words_are_asked_for_no_second_one() {
    let (rows, mut labels) = missed();
    labels.truncate(600);
    labels.iter_mut().for_each(|label| label.seen = false);
    let r = decide(&rows, &labels);
    let all = r.reviewer_error.second_words.two_of_three.unwrap();
    assert_eq!((all.no_go.called_poor, all.go.called_poor), (0, 0));
    assert_eq!(result(&r, FNR), KpiResult::NotMet);
}

#[test]
fn outcome_is_the_word_in_both_computations() {
    let rows = planted(30, 4);
    let (mut now, plan) = (confirmed(&rows), plan(1.0));
    let mut first = now.clone();
    let changed: Vec<ChangedWord> = (0..30)
        .map(|day| {
            first[day * 20 + 10].word = Word::Poor;
            let record = rows[day * 20 + 10].id;
            ChangedWord {
                record,
                reviewer: "a".into(),
                first: Word::Poor,
                first_at: first[day * 20 + 10].at,
                first_seen: true,
                first_blind: true,
                now: Some(Word::Acceptable),
                adjudicated: false,
                at: Timestamp::of_day(30),
                settled: false,
                gone: false,
            }
        })
        .collect();
    let policy = policy();
    let decide = |now: &[Labelled], first: &[Labelled]| {
        let base = Input { policy: &policy, ..input(&rows, now, &plan) };
        readiness(&Input { changed: &changed, first_labels: Some(first), ..base })
    };
    let waits = decide(&now, &first);
    let all = waits.reviewer_error.second_words.two_of_three.unwrap();
    assert_eq!((all.go.waiting, waits.label_quality.unwrap().unsettled.len()), (30, 0));
    // The change is no vote: two more words are, and decide in both.
    for reviewer in ["b", "c"] {
        let more =
            changed.iter().map(|c| requested_label(c.record, reviewer, 30, Word::Acceptable));
        let more: Vec<Labelled> = more.collect();
        now.extend(more.iter().cloned());
        first.extend(more);
    }
    let settled = decide(&now, &first);
    assert_eq!(settled.result, ReadinessResult::Ready, "{:?}", settled.blocks);
    assert_eq!(settled.label_quality.unwrap().changed[0].settled, 30);
    // So is what they say the other way round.
    let poor = |labels: &mut Vec<Labelled>| {
        labels.iter_mut().skip(720).for_each(|label| label.word = Word::Poor);
    };
    poor(&mut now);
    poor(&mut first);
    assert_eq!(result(&decide(&now, &first), FNR), KpiResult::NotMet);
}

#[test]
fn word_taken_back_still_calls_for_a_second_one() {
    let (rows, plan, policy) = (planted(30, 4), plan(1.0), policy());
    let mut labels = confirmed(&rows);
    let called = HashSet::from([rows[590].id]);
    let decide = |labels: &[Labelled]| {
        let base = Input { policy: &policy, ..input(&rows, labels, &plan) };
        readiness(&Input { called_poor: &called, ..base }).reviewer_error.second_words
    };
    assert_eq!(decide(&labels).two_of_three.unwrap().go.waiting, 1);
    labels.push(requested_label(rows[590].id, "b", 30, Word::Acceptable));
    assert_eq!(decide(&labels).two_of_three.unwrap().go.acceptable, 1);
}

#[test]
fn repeat_of_one_reviewer_counts_on_a_later_day_among_two_others() {
    let rows = planted(30, 4);
    let slip = rows[590].id;
    let settled = |day: i32, others: usize| {
        let mut labels = confirmed(&rows);
        labels[590].word = Word::Poor;
        labels.push(requested_label(slip, "a", day, Word::Acceptable));
        labels.push(requested_label(slip, "a", day + 1, Word::Acceptable));
        for (n, day) in (0..others).flat_map(|n| [(n, day), (n, day + 1)]) {
            let again = seen(rows[n + 4].id, "a", day, Word::Acceptable);
            labels.push(Labelled { requested: Some(Requested::Repeat), repeat: true, ..again });
        }
        let r = decide(&rows, &labels);
        r.reviewer_error.second_words.two_of_three.unwrap().go.acceptable
    };
    assert_eq!(settled(40, 2), 1);
    assert_eq!(settled(40, 1), 0);
    assert_eq!(settled(28, 2), 0, "one of the two is of the day of the first");
}

/// First words and what comes after them, by record.
fn words_given() -> impl Strategy<Value = Vec<(bool, Option<bool>, Option<bool>)>> {
    let later = prop::option::of(any::<bool>());
    prop::collection::vec((prop::bool::weighted(0.3), later.clone(), later), 60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn wealths_only_rise_as_words_come(given in words_given()) {
        let rows = planted(3, 6);
        let word = |poor| if poor { Word::Poor } else { Word::Acceptable };
        // All is young: nothing counts as it stands.
        let mut labels: Vec<Labelled> =
            rows.iter().zip(&given).map(|(e, (poor, ..))| seen(e.id, "a", 2, word(*poor))).collect();
        let mut before = decide(&rows, &labels);
        for (reviewer, which) in [("b", 1), ("c", 2)] {
            for (e, (first, second, third)) in rows.iter().zip(&given).filter(|(_, s)| s.0) {
                let of = if which == 1 { *second } else { third.filter(|_| second.is_some()) };
                let open = which == 1 || *second != Some(*first);
                let more = of.filter(|_| open);
                labels.extend(more.map(|poor| requested_label(e.id, reviewer, 2, word(poor))));
            }
            let after = decide(&rows, &labels);
            for m in Measure::ALL.into_iter().filter(|m| m.needs_labels()) {
                let ((met, not_met), (more_met, more_not)) = (wealth(&before, m), wealth(&after, m));
                prop_assert!(more_met >= met * (1.0 - 1e-9), "{m:?}: {met} {more_met}");
                prop_assert!(more_not >= not_met * (1.0 - 1e-9), "{m:?}: {not_met} {more_not}");
            }
            before = after;
        }
    }
}
