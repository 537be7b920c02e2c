//! Rates of strata, and records of a stratum without one.

use super::*;

#[test]
fn rates_for_all_strata_leave_nothing_out() {
    let rate = |stratum, pi| Rate {
        from: Timestamp(i64::MIN),
        stratum: Stratum::Band(stratum),
        pi,
        key: [1; 32],
    };
    let plan = Plan { rates: vec![rate(0, 1.0), rate(1, 0.5)] };
    let strata = ["weak", "strong", "unscored"].map(str::to_owned);
    let mut rows = planted(45, 4);
    rows.iter_mut().enumerate().for_each(|(n, e)| e.stratum = u16::from(n % 2 == 0));
    let labels = agreed(&rows);
    let of =
        |rows: &[Evaluation]| readiness(&Input { strata: &strata, ..input(rows, &labels, &plan) });
    let r = of(&rows);
    let row = r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    assert_eq!((row.estimate, row.result), (Some(0.0), KpiResult::Met), "{row:#?}");
    assert_eq!(r.result, ReadinessResult::Ready, "{r:#?}");
    // The thinner of the two sets the pace: as at a rate of .5 for both.
    let even = Plan { rates: vec![rate(0, 0.5), rate(1, 0.5)] };
    let slow = readiness(&Input { strata: &strata, ..input(&rows, &labels, &even) });
    let e = |r: &Readiness| {
        r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).map(|k| k.e_value)
    };
    assert_eq!(e(&r), e(&slow));
    // One record of a stratum without a rate, and nothing more is known from its day on.
    rows[10].stratum = 2;
    let r = of(&rows);
    let row = r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    assert_eq!(row.result, KpiResult::NotEstimable, "{row:#?}");
    let reason = row.reason.as_deref().unwrap();
    assert!(reason.contains("`unscored`: 1 record since 1970-01-01"), "{reason}");
}
