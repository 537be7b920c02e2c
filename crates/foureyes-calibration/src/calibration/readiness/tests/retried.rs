//! What is tried again on a later day: it undoes nothing that was met, and is no failure.

use super::*;
use crate::domain::Cause;

/// Thirty GOs a day for six days. On the third the judge is away, and all of it is tried again on
/// the fourth, where so many of the retries fail too.
fn an_outage(still: u64) -> Vec<Evaluation> {
    let lost = |e: Evaluation| Evaluation { cause: Some(Cause::Timeout), ..e };
    let day = |d: i32| (0..30).map(move |n| evaluation(d as u64 * 1000 + n, d, Outcome::Go));
    let mut rows: Vec<Evaluation> = (0..6).flat_map(day).collect();
    for e in rows.iter_mut().filter(|e| e.at.day() == 2) {
        *e = lost(Evaluation { outcome: Outcome::Undetermined, repeated: Some(3).into(), ..*e });
    }
    rows.extend((0..30).map(|n| match n < still {
        true => lost(evaluation(9_000 + n, 3, Outcome::Undetermined)),
        false => evaluation(9_000 + n, 3, Outcome::Go),
    }));
    rows.sort_by_key(|e| e.at);
    rows
}

fn found(rows: &[Evaluation], m: Measure, policy: &Policy) -> (KpiResult, Option<String>) {
    let r = readiness(&Input { policy, ..input(rows, &[], &Plan::default()) });
    let row = r.kpis.iter().find(|k| k.id == m).unwrap();
    (row.result, row.decided_on.clone())
}

#[test]
fn outage_retried_after_midnight_is_not_an_outage() {
    let looks = vec!["1970-01-04".to_owned(), "1970-01-07".to_owned()];
    let fixed = Policy { method: Method::Fixed, looks, ..Policy::default() };
    for policy in [&Policy::default(), &fixed] {
        let (worked, failed) = (an_outage(0), an_outage(30));
        for m in [Measure::Availability, Measure::UndeterminedRate, Measure::MedianLatency] {
            assert_ne!(found(&worked, m, policy).0, KpiResult::NotMet, "{m:?}");
        }
        // As long as the retries fail too, it is one.
        assert_eq!(found(&failed, Measure::Availability, policy).0, KpiResult::NotMet);
        // Before they were made, too.
        let until = worked.partition_point(|e| e.at.day() < 3);
        let early = found(&worked[..until], Measure::Availability, policy);
        assert_eq!(early, (KpiResult::NotMet, Some("1970-01-03".to_owned())));
    }
}
