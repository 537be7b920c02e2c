//! The figures of docs/simulation.md, each repeated with fewer runs and another seed.

use super::*;
use crate::calibration::Cluster;
use crate::stats::binomial;

/// A row of the document.
struct Row {
    truth: Truth,
    policy: Policy,
    days: u32,
    runs: u32,
}

impl Row {
    fn new(truth: Truth, days: u32) -> Self {
        Self { truth: Truth { per_day: 40, ..truth }, policy: Policy::default(), days, runs: 500 }
    }

    fn run(&self) -> Characteristic {
        simulate(&self.truth, &self.policy, self.days, self.runs, 99)
    }
}

/// A judge whose false negative rate is at the threshold.
fn at_threshold() -> Truth {
    Truth { false_negative: 0.05, ..Truth::default() }
}

fn misses(c: &Characteristic) -> &MeasureRow {
    let row = c.measures.iter().find(|m| m.id == Measure::FalseNegativeRate);
    row.unwrap_or_else(|| unreachable!("it is gated"))
}

/// Fails where so many runs show that the documented share, percent, is another: it is outside of the exact
/// interval of 99.9 % (Clopper and Pearson).
#[track_caller]
fn same(share: f64, runs: u32, documented: f64) {
    let count = (share * f64::from(runs)).round() as u64;
    let found = binomial::two_sided(count, runs.into(), 0.999);
    let found = found.unwrap_or_else(|| unreachable!("there are runs"));
    let documented = documented / 100.0;
    assert!(
        found.lower <= documented && documented <= found.upper,
        "{count} of {runs}, documented {documented}"
    );
}

/// Fails where a day is more than a fifth, or two days, from the documented one.
#[track_caller]
fn near_day(day: Option<u64>, documented: u64) {
    let allowed = (documented / 5).max(2);
    assert!(day.is_some_and(|day| day.abs_diff(documented) <= allowed), "{day:?}, {documented}");
}

#[test]
fn natural_start_of_judge_at_threshold_is_rarely_ready() {
    let thin = Truth { backlog_days: 40, pi: 0.5, no_go_rate: 0.5, ..at_threshold() };
    let all = Truth { backlog_rate: Some(1.0), pi: 1.0, no_go_rate: 1.0, ..thin };
    for (truth, documented) in [(thin, 3.3), (all, 3.4)] {
        let row = Row { runs: 1000, ..Row::new(truth, 90) };
        same(row.run().ready, row.runs, documented);
    }
}

#[test]
fn forty_days_of_logs_make_good_judge_ready_as_documented() {
    let best = Truth { false_negative: 0.004, false_positive: 0.01, ..Truth::default() };
    for (judge, documented) in [(best, 76.3), (Truth::default(), 48.7)] {
        let thin = Truth { backlog_days: 40, pi: 0.5, no_go_rate: 0.5, ..judge };
        let row = Row::new(thin, 40);
        same(row.run().ready, row.runs, documented);
    }
}

#[test]
fn judge_that_turns_bad_is_withdrawn_within_documented_days() {
    let turned = Truth { changes_on: Some(61), later_false_negative: 0.25, ..Truth::default() };
    for (pi, days, [median, most]) in [(1.0, 85, [7, 13]), (0.3, 110, [15, 32])] {
        let row = Row { runs: 200, ..Row::new(Truth { pi, ..turned }, days) };
        let c = row.run();
        near_day(c.withdrawal.days.p50, median);
        near_day(c.withdrawal.days.p95, most);
        assert!(c.withdrawal.before_change <= 0.01, "{:?}", c.withdrawal);
    }
}

#[test]
fn hopeless_is_said_of_bad_judges_and_rarely_of_good_ones() {
    let rows = [
        (0.01, 1.0, 0.5, None),
        (0.01, 0.3, 0.7, None),
        (0.15, 1.0, 99.4, Some(3)),
        (0.15, 0.3, 86.6, Some(8)),
        (0.25, 0.1, 82.6, Some(10)),
    ];
    for (false_negative, pi, documented, day) in rows {
        let row = Row::new(Truth { false_negative, pi, ..Truth::default() }, 21);
        let c = row.run();
        same(misses(&c).hopeless, row.runs, documented);
        match day {
            Some(day) => near_day(misses(&c).hopeless_day, day),
            None => assert_eq!(misses(&c).hopeless_day, None),
        }
    }
}

#[test]
fn whole_days_are_rarely_wrong_where_bad_days_are_three_times_as_large() {
    let truth = Truth { bursts: 0.0173, size_by_rate: 0.5, pi: 0.3, ..at_threshold() };
    let policy = Policy { cluster: Cluster::Day, ..Policy::default() };
    let row = Row { runs: 100, policy, ..Row::new(truth, 500) };
    same(row.run().ready, row.runs, 2.6);
}

#[test]
fn what_has_a_factor_of_its_own_is_rarely_wrong() {
    let base = Truth { per_day: 30, ..at_threshold() };
    let thinned = Truth { pi: 0.3, no_go_rate: 0.3, ..base };
    let retried =
        Truth { false_negative: 0.0316, retried: 0.02, retried_rate: 0.3, pi: 1.0, ..base };
    let apart = Truth { poor_undetermined: 0.3, pi: 1.0, ..base };
    let rows = [(thinned, 3.0), (retried, 1.1), (Truth { pi: 0.3, ..retried }, 2.5), (apart, 3.1)];
    for (truth, documented) in rows {
        let policy = Policy::default();
        let row = Row { truth, policy, days: 90, runs: 1000 };
        same(row.run().ready, row.runs, documented);
    }
}

#[test]
fn slips_keep_no_good_judge_away_and_let_no_bad_one_pass() {
    let slips = |rate, false_negative| Truth {
        poor_as_acceptable: rate,
        acceptable_as_poor: rate,
        pi: 0.3,
        false_negative,
        ..Truth::default()
    };
    for (rate, false_negative, documented) in [(0.02, 0.01, 97.3), (0.01, 0.05, 3.4)] {
        let row = Row { runs: 300, ..Row::new(slips(rate, false_negative), 300) };
        same(misses(&row.run()).met, row.runs, documented);
    }
}

#[test]
fn good_judge_is_withdrawn_in_no_year() {
    let row = Row { runs: 100, ..Row::new(Truth::default(), 365) };
    assert!(row.run().withdrawal.ever <= f64::EPSILON);
}
