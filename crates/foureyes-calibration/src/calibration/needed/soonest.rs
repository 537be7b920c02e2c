//! How soon the gate can be decided, and at which audit rate it takes the fewest labels.

use super::pricing::Pricing;
use super::{RATES, Traffic};
use crate::calibration::gate::{Gate, Tests, Track};
use crate::calibration::{Allowance, Measure, Method, Needed, Policy, Price};

/// Days with data, whole ones, until a measure can be found to be met at the present traffic: without a
/// further error where labels tell, and as evaluations came elsewhere. `None` where nothing comes, or where
/// no number would do.
pub(in crate::calibration) fn days(
    (gate, policy, track): (&Gate<'_>, &Policy, &Track),
    traffic: Traffic,
    needed: &Needed,
) -> Option<u64> {
    if !track.measure.needs_labels() {
        let evaluations = traffic.evaluations as f64;
        let days = needed.records? as f64 * traffic.days.max(1) as f64 / evaluations;
        return (evaluations > 0.0).then_some(days.ceil() as u64);
    }
    let pricing = Pricing::new(gate, policy, track, traffic);
    pricing.clean_days(traffic.pi).filter(|_| pricing.is_drawn())
}

/// The same of a window that is begun anew: at the bar of a judge's first window, since a later one has none
/// that is lower. `None` where no rate that labels tell decides, or where nothing comes.
pub(in crate::calibration) fn days_anew(
    gate: &Gate<'_>,
    policy: &Policy,
    traffic: Traffic,
    measure: Measure,
) -> Option<u64> {
    let traffic = Traffic { stopped: positive(traffic.stopped), ..traffic };
    let fresh = Gate::of_window(policy, Allowance::FIRST, Tests::CURRENT);
    let (track, known) = (fresh.track(measure)?, gate.track(measure)?);
    // What comes is as it came; only the evidence begins anew.
    let pricing = Pricing::new(gate, policy, known, traffic).with_evidence(&fresh, track);
    pricing.clean_days(positive(traffic.pi)).filter(|_| policy.method == Method::Anytime)
}

/// A rate, or 1 where nothing is drawn.
fn positive(rate: f64) -> f64 {
    if rate > 0.0 { rate } else { 1.0 }
}

/// What each audit rate costs until all of some error rates are decided, of which nothing that passes was
/// drawn so far: labels, and days, which are `at_least` so many. None of it where nothing comes.
pub(in crate::calibration) fn first_rates(
    gate: &Gate<'_>,
    policy: &Policy,
    traffic: Traffic,
    (measures, at_least): (&[Measure], u64),
) -> Vec<Price> {
    let price = |pi: f64| {
        let days = measures.iter().map(|measure| {
            let pricing = Pricing::new(gate, policy, gate.track(*measure)?, traffic);
            let records = pricing.further(0.0, pi)?.safe as f64;
            Some((records / pricing.right_a_day(pi)?).ceil() as u64)
        });
        let days = days.collect::<Option<Vec<u64>>>()?.into_iter().max()?.max(at_least);
        let each = traffic.flagged as f64 * traffic.stopped + traffic.passed as f64 * pi;
        let labels = days as f64 * each / traffic.days.max(1) as f64;
        Some(Price { pi, labels: labels.ceil() as u64, days })
    };
    RATES.into_iter().filter_map(price).collect()
}
