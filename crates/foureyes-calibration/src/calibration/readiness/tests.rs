//! The decision over windows that are planted day by day.

use super::*;
use crate::calibration::evaluation::tests::evaluation;
use crate::calibration::label::tests::label;
use crate::calibration::{
    Absent, Allowance, Confirm, DayState, Drawn, Evaluation, Fingerprint, Labelled, Method, Plan,
    Policy, Rate, Stratum, Waiver, WindowRules, Word,
};
use crate::domain::{IdMap, Outcome, RecordId, Scores};
use std::collections::HashSet;
use std::sync::LazyLock;

mod contradictions;
mod expiry;
mod imported;
mod no_go;
mod parts;
mod retried;
mod strata;
mod two_of_three;
mod withdrawn;

/// What most tests are about needs no second words: where they do, they name another policy.
static DEFAULT: LazyLock<Policy> = LazyLock::new(single);
static SCORES: LazyLock<IdMap<Scores>> = LazyLock::new(IdMap::default);
static NOBODY: LazyLock<HashSet<RecordId>> = LazyLock::new(HashSet::new);
static JUDGE: LazyLock<Vec<Fingerprint>> = LazyLock::new(|| vec![Fingerprint::default()]);

/// The default policy, of labels that count one by one.
pub(in crate::calibration) fn single() -> Policy {
    Policy { confirm: Some(Confirm::None), double_labels: 0.0, ..Policy::default() }
}

/// A plan of one rate from the first day of all.
pub(in crate::calibration) fn plan(pi: f64) -> Plan {
    let rate = Rate { from: Timestamp(i64::MIN), stratum: Stratum::Go, pi, key: [1; 32] };
    Plan { rates: vec![rate] }
}

/// An input with a window from day 0, read on the day after its last evaluation.
pub(in crate::calibration) fn input<'a>(
    evaluations: &'a [Evaluation],
    labels: &'a [Labelled],
    plan: &'a Plan,
) -> Input<'a> {
    let now = Timestamp::of_day(evaluations.last().map_or(0, |e| e.at.day()) + 1);
    Input {
        family: crate::domain::JudgementKind::Push,
        evaluations,
        folded: None,
        labels,
        changed: &[],
        as_words_stand: false,
        spoken: None,
        called_poor: &NOBODY,
        first_labels: None,
        later: &[],
        scores: &SCORES,
        strata: &[],
        fingerprints: &JUDGE,
        rounds: &[],
        plan,
        policy: &DEFAULT,
        policy_since: None,
        window_start: Some(Timestamp::of_day(0)),
        counted_from: None,
        natural: None,
        allowance: Allowance::FIRST,
        labelled_before_window: 0,
        rules: WindowRules::Current,
        release: Release::V03,
        now,
        complete_until: now,
        missing_boxes: &[],
        damaged: &[],
        absent: Absent::default(),
    }
}

/// Twenty evaluations a day: `bad` NO-GOs, the rest GO.
pub(in crate::calibration) fn planted(days: i32, bad: u64) -> Vec<Evaluation> {
    let outcome = |n| if n < bad { Outcome::NoGo } else { Outcome::Go };
    let day = |d: i32| (0..20).map(move |n| evaluation(d as u64 * 1000 + n, d, outcome(n)));
    (0..days).flat_map(day).collect()
}

/// The right label for everything the judge said, by one reviewer.
pub(in crate::calibration) fn agreed(rows: &[Evaluation]) -> Vec<Labelled> {
    let word = |o| if o == Outcome::NoGo { Word::Poor } else { Word::Acceptable };
    rows.iter().map(|e| label(e.id, "a", 1, word(e.outcome))).collect()
}

fn result(r: &Readiness, m: Measure) -> KpiResult {
    r.kpis.iter().find(|k| k.id == m).map_or(KpiResult::NotEstimable, |k| k.result)
}

#[track_caller]
fn blocked_by(r: &Readiness, ids: &[&str]) {
    let found: Vec<&str> = r.blocks.iter().map(|b| b.id.as_str()).collect();
    assert_eq!(found, ids, "{:?}", r.blocks);
}

#[test]
fn perfect_judge_is_ready_after_enough_days() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(r.result, ReadinessResult::Ready, "{r:#?}");
    blocked_by(&r, &[]);
    assert_eq!((r.window.days, r.window.closed_days), (30, 30));
    assert_eq!(r.literal.passes, Some(true));
    assert!(r.next.is_empty());
    let ids: Vec<&str> = r.kpis.iter().map(|k| k.id.as_str()).collect();
    assert_eq!(ids.len(), 6, "{ids:?}");
    let beside: Vec<Measure> = r.beside.iter().map(|k| k.id).collect();
    assert_eq!(beside, [Measure::FalseDiscoveryRate, Measure::FalseOmissionRate]);
    let json = serde_json::to_string(&r).unwrap();
    // Which records wait for a second label is for the queue alone.
    let mut written = r.clone();
    written.reviewer_error.second_words.waiting.clear();
    assert_eq!(serde_json::from_str::<Readiness>(&json).unwrap(), written);
    assert!(json.contains("\"schema\":\"foureyes/readiness/1\","));
    assert!(json.contains("\"result\":\"ready\""));
}

#[test]
fn thirteen_days_are_never_enough() {
    let (rows, plan) = (planted(13, 8), plan(1.0));
    let labels = agreed(&rows);
    let policy = Policy { go_rate: [0.4, 0.9], ..single() };
    let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
    assert!(r.kpis.iter().all(|k| k.result == KpiResult::Met), "{:#?}", r.kpis);
    blocked_by(&r, &["short_window"]);
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
}

#[test]
fn labels_on_flagged_content_alone_leave_misses_not_estimable() {
    let rows = planted(30, 4);
    let flagged: Vec<_> = rows.iter().copied().filter(|e| e.outcome == Outcome::NoGo).collect();
    let labels = agreed(&flagged);
    let none = Plan::default();
    let r = readiness(&input(&rows, &labels, &none));
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    assert_eq!(r.result.code(), 2);
    for m in [Measure::FalseNegativeRate, Measure::FalsePositiveRate] {
        assert_eq!(result(&r, m), KpiResult::NotEstimable);
        let row = r.kpis.iter().find(|k| k.id == m).unwrap();
        assert_eq!((row.estimate, row.lower, row.upper), (None, None, None));
        assert!(row.reason.as_deref().is_some_and(|t| t.starts_with("not estimable")));
    }
    // The old runbook would have called the misses none at all.
    let literal = r.literal.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    assert_eq!((literal.estimate, literal.passes), (Some(0.0), Some(true)));
    assert!(r.caveats.iter().any(|c| c.id == "no_audit"));
}

#[test]
fn open_day_ends_counted_span() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let mut labels = agreed(&rows);
    // One label of the third day is missing.
    labels.remove(45);
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(r.window.closed_days, 2);
    assert_eq!(r.days[2].state, DayState::Open);
    assert_eq!(r.days[2].missing, [rows[45].id]);
    assert_eq!(r.window.first_open_day.as_deref(), Some("1970-01-03"));
    assert_eq!(result(&r, Measure::FalseNegativeRate), KpiResult::NotEnoughEvidence);
    assert_eq!(result(&r, Measure::GoRate), KpiResult::Met);
    assert!(r.caveats.iter().any(|c| c.id == "open_days"));
    assert!(r.next.iter().any(|n| n.kpi == Measure::FalseNegativeRate && n.labels > Some(0)));
}

#[test]
fn disagreement_reduces_evidence_until_adjudicated() {
    let (rows, plan) = (planted(18, 4), plan(1.0));
    let mut labels = agreed(&rows);
    let before = readiness(&input(&rows, &labels, &plan));
    assert_eq!(result(&before, Measure::FalseNegativeRate), KpiResult::Met);
    labels.push(label(rows[0].id, "b", 2, Word::Acceptable));
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(r.conflicts, [rows[0].id]);
    let e = |r: &Readiness, m| r.kpis.iter().find(|k| k.id == m).map(|k| k.e_value).unwrap();
    assert!(e(&r, Measure::FalsePositiveRate) < e(&before, Measure::FalsePositiveRate));
    labels.push(Labelled { adjudicates: true, ..label(rows[0].id, "c", 3, Word::Poor) });
    let settled = readiness(&input(&rows, &labels, &plan));
    assert!(settled.conflicts.is_empty());
    assert_eq!(settled.kpis, before.kpis);
}

#[test]
fn second_judge_in_window_blocks_until_waived_and_waiver_expires() {
    let (mut rows, plan) = (planted(30, 4), plan(1.0));
    rows.iter_mut().filter(|e| e.at.day() >= 20).for_each(|e| e.fingerprint = 1);
    let model = |m: &str| Fingerprint { model: Some(m.to_owned()), ..Fingerprint::default() };
    let labels = agreed(&rows);
    let judges = [model("one"), model("two")];
    let base = Input { fingerprints: &judges, ..input(&rows, &labels, &plan) };
    let r = readiness(&base);
    blocked_by(&r, &["fingerprint"]);
    assert!(r.blocks[0].text.contains("1970-01-21"), "{}", r.blocks[0].text);
    let waiver = |until: &str| Policy {
        waivers: vec![Waiver {
            what: "fingerprint".to_owned(),
            name: "Ada".to_owned(),
            reason: "a patch".to_owned(),
            until: until.to_owned(),
        }],
        ..single()
    };
    let (holds, ended) = (waiver("1971-01-01"), waiver("1970-01-05"));
    assert_eq!(readiness(&Input { policy: &holds, ..base }).result, ReadinessResult::Ready);
    let ended = readiness(&Input { policy: &ended, ..base });
    assert_eq!(ended.result, ReadinessResult::NotEnoughEvidence);
    // A part that old records do not name is no other judge.
    let judges = [Fingerprint::default(), model("two")];
    let r = readiness(&Input { fingerprints: &judges, ..base });
    assert_eq!(r.result, ReadinessResult::Ready);
    assert!(r.caveats.iter().any(|c| c.id == "field_began"));
}

#[test]
fn missing_days_stale_data_and_missing_boxes_are_never_ready() {
    let plan = plan(1.0);
    let all = planted(30, 4);
    let gap: Vec<_> = all.iter().copied().filter(|e| e.at.day() != 9).collect();
    let labels = agreed(&all);
    let r = readiness(&input(&gap, &labels, &plan));
    blocked_by(&r, &["missing_days"]);
    assert_eq!(r.window.missing_days, ["1970-01-10"]);
    // The tenth of January 1970 was a Saturday.
    let quiet = Policy { quiet_weekdays: vec!["saturday".to_owned()], ..single() };
    let r = readiness(&Input { policy: &quiet, ..input(&gap, &labels, &plan) });
    assert_eq!(r.result, ReadinessResult::Ready);
    let stale = Input { now: Timestamp::of_day(40), ..input(&all, &labels, &plan) };
    blocked_by(&readiness(&stale), &["stale_data"]);
    let boxes = ["night".to_owned()];
    let missing = Input { missing_boxes: &boxes, ..input(&all, &labels, &plan) };
    blocked_by(&readiness(&missing), &["missing_boxes"]);
    let no_window = Input { window_start: None, ..input(&all, &labels, &plan) };
    let r = readiness(&no_window);
    blocked_by(&r, &["no_window"]);
    assert_eq!((r.result, r.window.from), (ReadinessResult::NotEnoughEvidence, None));
    let late = Input { labelled_before_window: 1, ..input(&all, &labels, &plan) };
    let r = readiness(&late);
    blocked_by(&r, &["window_after_labels"]);
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    assert_ne!(r.evidence, readiness(&input(&all, &labels, &plan)).evidence);
}

#[test]
fn silent_logs_are_no_evidence_for_current_judge() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let at = |policy, day| {
        let now = Timestamp::of_day(day);
        readiness(&Input { policy, now, complete_until: now, ..input(&rows, &labels, &plan) })
    };
    assert_eq!(at(&DEFAULT, 30).result, ReadinessResult::Ready);
    let night = at(&DEFAULT, 31);
    blocked_by(&night, &["missing_days"]);
    assert_eq!(night.window.missing_days, ["1970-01-31"]);
    let week = at(&DEFAULT, 37);
    blocked_by(&week, &["missing_days", "stale_data"]);
    assert_eq!(week.result, ReadinessResult::NotEnoughEvidence);
    // The 31st of January 1970 was a Saturday.
    let weekend = ["saturday", "sunday"].map(str::to_owned).to_vec();
    let quiet = Policy { quiet_weekdays: weekend, ..single() };
    assert_eq!(at(&quiet, 32).result, ReadinessResult::Ready);
    blocked_by(&at(&quiet, 33), &["missing_days"]);
}

#[test]
fn repeat_after_window_changes_nothing() {
    let (mut rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let day = Timestamp::of_day(30);
    let of = |rows: &[Evaluation]| {
        decided(&Input { now: day, complete_until: day, ..input(rows, &labels, &plan) })
    };
    let before = of(&rows);
    rows[7].repeated = Some(day.day()).into();
    rows.push(evaluation(99_000, 30, Outcome::NoGo));
    let after = of(&rows);
    assert_eq!((&after.1, after.0.result), (&before.1, ReadinessResult::Ready));
    assert_eq!(after.0, before.0);
    // One inside the window takes the place of what it repeats.
    rows[7].repeated = Some(29).into();
    let inside = of(&rows);
    assert_ne!(inside.1.evaluations, before.1.evaluations);
    assert_eq!(inside.0.kpis[0].denominator + 1, before.0.kpis[0].denominator);
}

#[test]
fn ancient_record_does_not_extend_window() {
    let mut rows = planted(3, 1);
    rows.insert(0, Evaluation { at: Timestamp::of_day(-700_000), ..rows[0] });
    let plan = Plan::default();
    let r = readiness(&Input { window_start: None, ..input(&rows, &[], &plan) });
    assert!(r.days.len() <= 366, "{}", r.days.len());
    assert_eq!(r.kpis[0].denominator, 60);
}

#[test]
fn nothing_at_all_is_not_enough_evidence() {
    let plan = Plan::default();
    let r = readiness(&Input { window_start: None, ..input(&[], &[], &plan) });
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    assert!(r.kpis.iter().all(|k| k.result == KpiResult::NotEstimable), "{:#?}", r.kpis);
    let one = [evaluation(1, 3, Outcome::Go)];
    let r = readiness(&input(&one, &[], &plan));
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    let lost: Vec<_> = (0..400).map(|n| evaluation(n, 3, Outcome::Undetermined)).collect();
    let r = readiness(&input(&lost, &[], &plan));
    assert_eq!(result(&r, Measure::UndeterminedRate), KpiResult::NotMet);
    assert_eq!(r.result, ReadinessResult::NotReady);
}

#[test]
fn changed_policy_excludes_earlier_verdicts() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let since = Some(Timestamp::of_day(20));
    let r = readiness(&Input { policy_since: since, ..input(&rows, &labels, &plan) });
    assert_eq!((r.window.days, r.window.from), (10, since));
    blocked_by(&r, &["short_window"]);
    assert!(r.caveats.iter().any(|c| c.id == "policy_changed"));
}

#[test]
fn declared_looks_decide_on_their_days_only() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let policy = Policy { method: Method::Fixed, looks: vec!["1970-01-29".to_owned()], ..single() };
    let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
    assert_eq!(r.result, ReadinessResult::Ready, "{r:#?}");
    assert!(r.kpis.iter().all(|k| k.decided_on.as_deref() == Some("1970-01-28")));
    let r = readiness(&Input { policy: &policy, ..input(&rows, &labels[..40], &plan) });
    assert_eq!(r.pending_looks, ["1970-01-29"]);
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
}

#[test]
fn days_without_latency_are_not_judged_by_timeouts() {
    let mut rows = planted(30, 4);
    let legacy = rows.iter_mut().filter(|e| e.at.day() < 10);
    for (n, e) in legacy.enumerate() {
        e.latency_ms = None.into();
        if n % 10 == 0 {
            (e.outcome, e.cause) = (Outcome::Undetermined, Some(crate::domain::Cause::Timeout));
        }
    }
    let plan = plan(1.0);
    let r = readiness(&input(&rows, &agreed(&rows), &plan));
    assert_eq!(result(&r, Measure::MedianLatency), KpiResult::Met, "{r:#?}");
    let row = r.kpis.iter().find(|k| k.id == Measure::MedianLatency).unwrap();
    assert_eq!((row.numerator, row.denominator), (400, 400));
}

#[test]
fn met_rule_stays_met_after_later_retries() {
    let of = |rows: &[Evaluation], policy: &Policy| {
        let r = readiness(&Input { policy, ..input(rows, &[], &Plan::default()) });
        let row = r.kpis.iter().find(|k| k.id == Measure::Availability).unwrap();
        (row.result, row.decided_on.clone(), (row.numerator, row.denominator))
    };
    let looks = vec!["1970-01-06".to_owned(), "1970-01-07".to_owned()];
    let fixed = Policy { method: Method::Fixed, looks, ..single() };
    let mut rows = planted(6, 4);
    let met = |day: &str, of| (KpiResult::Met, Some(day.to_owned()), of);
    assert_eq!(of(&rows, &DEFAULT), met("1970-01-05", (120, 120)));
    assert_eq!(of(&rows, &fixed), met("1970-01-05", (120, 120)));
    // On the sixth day those of the first two are tried again, and three of them are outages.
    rows[..40].iter_mut().for_each(|e| e.repeated = Some(5).into());
    rows.extend((0..40).map(|n| {
        let lost = n < 3;
        let outcome = if lost { Outcome::Undetermined } else { Outcome::Go };
        let cause = lost.then_some(crate::domain::Cause::Timeout);
        Evaluation { cause, ..evaluation(9000 + n, 5, outcome) }
    }));
    rows.sort_by_key(|e| e.at);
    assert_eq!(of(&rows, &DEFAULT), met("1970-01-05", (117, 120)));
    assert_eq!(of(&rows, &fixed), met("1970-01-05", (117, 120)));
    // Within a day only the latest is known at its end.
    rows.iter_mut()
        .filter(|e| e.repeated.get().is_some())
        .for_each(|e| e.at = Timestamp::of_day(5));
    rows.sort_by_key(|e| e.at);
    assert_eq!(of(&rows, &DEFAULT).0, KpiResult::NotEnoughEvidence);
}
