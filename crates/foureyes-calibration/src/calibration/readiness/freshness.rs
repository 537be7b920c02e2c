//! How old the evidence is. Labels are what finds a judge that has become worse: where nobody labels any
//! more nothing would, so READY has a date.

use super::{Fold, blocks};
use crate::calibration::{Block, Day, DayState, KpiRow, Release};
use crate::text::counted;

/// Name of the rule.
pub(super) const STALE: &str = "stale_evidence";

/// The last day with data of the unbroken run of closed days; `None` where no day is closed.
pub(super) fn last_closed_day(fold: &Fold<'_>) -> Option<String> {
    let run = fold.days.iter().take_while(|day| day.state != DayState::Open);
    run.filter(|day| day.state == DayState::Closed).last().map(|day| day.day.clone())
}

/// That the evidence is too old, where that alone keeps the answer from READY: whoever has something else to
/// do first is not told to label as well.
pub(super) fn stale(fold: &Fold<'_>, kpis: &[KpiRow]) -> Option<Block> {
    let fresh = fold.input.policy.fresh_days;
    let (open, late) = (days_since(&fold.days), late_days(&fold.days, fresh));
    if late.is_empty() || !rests_on_labels(fold, kpis) {
        return None;
    }
    let since = last_closed_day(fold).map_or_else(String::new, |day| format!(" since {day}"));
    let text = format!(
        "no day has been closed{since}, and {} with data have passed since then; READY holds for {fresh}. \
         {}{}",
        counted(open.len() as u64, "whole day", "whole days"),
        label(&late),
        fold.input.newness()
    );
    Some(blocks::block(fold, STALE, text))
}

/// What to label so that the evidence is young enough.
fn label(days: &[&Day]) -> String {
    let records = counted(lacking(days), "record", "records");
    match days {
        [one] => format!("Label {records} of {}", one.day),
        all => format!("Label {records} of the {} oldest open days", all.len()),
    }
}

fn lacking(days: &[&Day]) -> u64 {
    days.iter().map(|day| (day.missing.len() + day.unconfirmed.len()) as u64).sum()
}

/// How many records must be labelled so that the evidence is young enough; 0 where it is.
pub fn overdue_labels(days: &[Day], fresh_days: u32) -> u64 {
    lacking(&late_days(days, fresh_days))
}

/// The earliest of the days behind the unbroken run that are too many.
fn late_days(days: &[Day], fresh_days: u32) -> Vec<&Day> {
    let mut behind = days_since(days);
    let fresh = usize::try_from(fresh_days).unwrap_or(usize::MAX);
    behind.truncate(behind.len().saturating_sub(fresh));
    behind
}

/// The first day on which the evidence is too old if no further day is closed, where days come as the
/// policy expects them: days since 1970.
pub(super) fn lapses_on(fold: &Fold<'_>, kpis: &[KpiRow]) -> Option<i32> {
    if !rests_on_labels(fold, kpis) {
        return None;
    }
    let fresh = usize::try_from(fold.input.policy.fresh_days).ok()?;
    let further = fresh.saturating_sub(days_since(&fold.days).len());
    let today = fold.input.end_day().max(fold.input.today());
    // With a day a week at least, so many days hold them all.
    let last = i32::try_from(further.saturating_add(1).saturating_mul(7)).ok()?;
    let expected =
        (today..today.saturating_add(last)).filter(|day| !fold.input.policy.is_quiet(*day));
    expected.skip(further).map(|day| day.saturating_add(1)).next()
}

/// Whether anything that decides is found by labels. A policy that gates on no error rate asks for none.
/// Reports of 0.2 know no such rule.
fn rests_on_labels(fold: &Fold<'_>, kpis: &[KpiRow]) -> bool {
    let by_labels = |k: &KpiRow| k.gated && k.waived_by.is_none() && k.id.needs_labels();
    fold.input.release >= Release::V03 && kpis.iter().any(by_labels)
}

/// The whole days with data behind the unbroken run of closed days, closed or not.
fn days_since(days: &[Day]) -> Vec<&Day> {
    let behind = days.iter().skip_while(|day| day.state != DayState::Open);
    behind.filter(|day| day.evaluations > 0).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::{agreed, input, plan, planted, single};
    use super::*;
    use crate::calibration::{
        Evaluation, Input, Labelled, Policy, Readiness, ReadinessResult, Waiver, WindowRules,
        readiness,
    };

    /// Days of data, and the labels of the first of them.
    fn world(days: i32, labelled: usize) -> (Vec<Evaluation>, Vec<Labelled>) {
        let rows = planted(days, 4);
        let mut labels = agreed(&rows);
        labels.truncate(labelled * 20);
        (rows, labels)
    }

    fn blocks(r: &Readiness) -> Vec<&str> {
        r.blocks.iter().map(|block| block.id.as_str()).collect()
    }

    fn answer(days: i32, labelled: usize, change: impl Fn(&mut Input<'_>)) -> Readiness {
        let ((rows, labels), plan, policy) = (world(days, labelled), plan(1.0), single());
        let mut input = Input { policy: &policy, ..input(&rows, &labels, &plan) };
        change(&mut input);
        readiness(&input)
    }

    #[test]
    fn ready_holds_for_fourteen_days_with_data_after_last_closed_one() {
        let fresh = answer(44, 30, |_| {});
        assert_eq!((fresh.result, blocks(&fresh)), (ReadinessResult::Ready, vec![]));
        let stale = answer(45, 30, |_| {});
        assert_eq!(stale.result, ReadinessResult::NotEnoughEvidence);
        assert_eq!(blocks(&stale), [STALE]);
        let text = "no day has been closed since 1970-01-30, and 15 whole days with data have passed \
                    since then; READY holds for 14. Label 20 records of 1970-01-31";
        assert_eq!(stale.blocks[0].text, text);
        // One day more is closed, and it holds again.
        assert_eq!(answer(45, 31, |_| {}).result, ReadinessResult::Ready);
        let policy = Policy { fresh_days: 3, ..single() };
        let sooner = |days| {
            let ((rows, labels), plan) = (world(days, 30), plan(1.0));
            blocks(&readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) })).len()
        };
        assert_eq!((sooner(33), sooner(34)), (0, 1));
    }

    #[test]
    fn days_without_data_make_evidence_no_older() {
        let ((mut rows, labels), plan) = (world(46, 30), plan(1.0));
        rows.retain(|e| e.at.day() != 40 && e.at.day() != 41);
        let policy = Policy { waivers: vec![waiver("missing_days")], ..single() };
        let of = |rows: &[Evaluation]| {
            readiness(&Input { policy: &policy, ..input(rows, &labels, &plan) })
        };
        assert_eq!(of(&rows).result, ReadinessResult::Ready, "16 days, 14 of them with data");
        let whole = planted(46, 4);
        assert_eq!(blocks(&of(&whole)), [STALE]);
    }

    fn waiver(what: &str) -> Waiver {
        Waiver {
            what: what.to_owned(),
            name: "Ada".to_owned(),
            reason: "a holiday".to_owned(),
            until: "1971-01-01".to_owned(),
        }
    }

    #[test]
    fn waived_rule_is_named_and_leaves_ready() {
        let policy = Policy { waivers: vec![waiver(STALE)], ..single() };
        let ((rows, labels), plan) = (world(45, 30), plan(1.0));
        let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
        assert_eq!((r.result, blocks(&r)), (ReadinessResult::Ready, vec![STALE]));
        assert_eq!(r.qualifiers.last().map(String::as_str), Some("Waived: stale_evidence."));
    }

    #[test]
    fn rule_holds_for_older_windows_and_for_no_older_report() {
        for rules in [WindowRules::Earlier, WindowRules::Shared] {
            let r = answer(45, 30, |input| input.rules = rules);
            assert_eq!(blocks(&r), [STALE], "{rules:?}");
            assert!(r.blocks[0].text.ends_with(" (new with this version)"), "{}", r.blocks[0].text);
            let before =
                answer(45, 30, |input| (input.rules, input.release) = (rules, Release::V02));
            assert_eq!((before.result, blocks(&before)), (ReadinessResult::Ready, vec![]));
            assert_eq!(before.window.evidence_until, None);
            assert!(before.steps.iter().all(|step| step.kind != "keep"), "{:?}", before.steps);
        }
    }

    #[test]
    fn nothing_is_said_of_age_where_anything_else_is_missing() {
        let short = Policy { days: 60, ..single() };
        let ((rows, labels), plan) = (world(45, 30), plan(1.0));
        let r = readiness(&Input { policy: &short, ..input(&rows, &labels, &plan) });
        assert_eq!(blocks(&r), ["short_window"]);
        // Undecided error rates: what is to be labelled is said already.
        let r = answer(45, 3, |_| {});
        assert!(blocks(&r).is_empty(), "{:?}", r.blocks);
        assert_eq!(r.window.evidence_until.as_deref(), Some("1970-01-03"));
        // A policy that gates on no error rate asks for no label.
        let reported = ["false_positive_rate", "false_negative_rate"].map(str::to_owned);
        let none = Policy { reported: reported.to_vec(), ..single() };
        let r = readiness(&Input { policy: &none, ..input(&rows, &[], &plan) });
        assert_eq!((r.result, blocks(&r)), (ReadinessResult::Ready, vec![]));
    }

    #[test]
    fn ready_names_labels_a_week_and_the_day_on_which_it_lapses() {
        let keep = |r: &Readiness| {
            let step = r.steps.iter().find(|step| step.kind == "keep");
            step.cloned().unwrap_or_else(|| panic!("{:#?}", r.steps))
        };
        // 30 closed days of 20 records each: the fifteenth open day is the 45th, and over on the 46th.
        let step = keep(&answer(30, 30, |_| {}));
        assert_eq!(step.labels, Some(140));
        assert!(step.text.contains("on 1970-02-15"), "{}", step.text);
        // Five open days on, the day is the same.
        assert!(keep(&answer(35, 30, |_| {})).text.contains("on 1970-02-15"));
        // Then it lapses on that very day, and not before.
        assert_eq!(answer(44, 30, |_| {}).result, ReadinessResult::Ready);
        assert_eq!(answer(45, 30, |_| {}).generated.day_text(), "1970-02-15");
        // No data are expected at weekends: fifteen working days from Saturday, 31 January, on.
        let weekend = ["saturday", "sunday"].map(str::to_owned).to_vec();
        let policy = Policy { quiet_weekdays: weekend, ..single() };
        let ((rows, labels), plan) = (world(30, 30), plan(1.0));
        let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
        assert!(keep(&r).text.contains("on 1970-02-21"), "{}", keep(&r).text);
    }
}
