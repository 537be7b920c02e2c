//! What would decide a KPI that is not decided yet.

mod enough;
mod sentence;
mod whole_days;

use super::gate::{Evidence, Gate, Track};
use super::number_text::counted;
use super::tally::Reading;
use super::{Measure, Method, Needed, Policy, Price};
use crate::domain::{Side, Unit};
use crate::stats::sampled::Sampled;
use crate::stats::sequential::error::Inclusion;
use crate::stats::{binomial, spending};

/// Beyond this many records a KPI is called undecidable.
const MOST: u64 = 10_000_000;

/// Rates of the audit sample whose price is shown.
const RATES: [f64; 5] = [0.1, 0.2, 0.3, 0.5, 1.0];

/// Poor content, percent, where no label tells how much of it is: to have a number to plan with.
const ASSUMED: f64 = 15.0;

/// A rate that is well below its threshold, as a part of it: with fewer errors nobody should plan,
/// whatever few labels say.
const WELL_BELOW: f64 = 0.1;

/// What a day of the present traffic brings.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Traffic {
    /// Days that were counted.
    pub(super) days: u64,
    /// Evaluations in them.
    pub(super) evaluations: u64,
    /// Flagged contents in them.
    pub(super) flagged: u64,
    /// Passed contents in them.
    pub(super) passed: u64,
    /// The smallest rate of the audit sample in force now; 0 where there is none.
    pub(super) pi: f64,
}

/// What would decide a measure.
pub(super) fn needed(gate: &Gate<'_>, policy: &Policy, track: &Track, traffic: Traffic) -> Needed {
    match &track.evidence {
        Evidence::Error(..) => of_errors(gate, policy, track, traffic),
        Evidence::Shares(_) => of_evaluations(gate, policy, track, traffic),
    }
}

/// The smallest number for which something holds, by doubling and halving.
///
/// It may hold and cease to hold where a further error falls in between; then the number is one at
/// which it holds.
fn least(holds: impl Fn(u64) -> bool) -> Option<u64> {
    let mut high = 1;
    while !holds(high) {
        high *= 2;
        if high > MOST {
            return None;
        }
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// What counting by whole days adds; nothing where it takes no longer.
fn by_whole_days(days: f64) -> String {
    if days.is_infinite() {
        return "; counted by whole days, it cannot pass at the present rate".to_owned();
    }
    if days <= 0.0 {
        return String::new();
    }
    let more = counted(days as u64, "more day", "more days");
    format!("; counted by whole days, it takes {more}")
}

/// Further records in the present mixture of errors and what is right; all clean where none is
/// labelled yet.
fn of_errors(gate: &Gate<'_>, policy: &Policy, track: &Track, traffic: Traffic) -> Needed {
    let measure = track.measure;
    let (errors, correct) = gate.tally.seen(measure, Reading::Worst);
    let kind = Kind::from_measure(measure);
    let mix = |pi: f64| at_rate(measure, (errors, correct), traffic.pi, pi);
    let more = |pi: f64| further(gate, policy, track, (errors, correct), mix(pi)?, pi);
    let more_now = if kind.needs_audit && traffic.pi <= 0.0 { None } else { more(traffic.pi) };
    let (records, safe) = more_now.map_or((None, None), |m| (Some(m.likely), Some(m.safe)));
    let per_day = |count: u64| count as f64 / traffic.days.max(1) as f64;
    // By chance fewer of them come than the mixture has: so many evaluations bring them nearly surely.
    let come = |m: u64, seen: f64| {
        let share = seen / traffic.evaluations.max(1) as f64;
        (share > 0.0).then(|| enough::evaluations(m, share.min(1.0)))
    };
    // All evaluations of the closed days may have been made anew later, and count there.
    let traffic_a_day = Some(per_day(traffic.evaluations)).filter(|per_day| *per_day > 0.0);
    let whole_days = whole_days::needed(gate, policy, track, traffic.days);
    let in_days = |evaluations: u64| {
        let days = (evaluations as f64 / traffic_a_day?).ceil().max(whole_days);
        days.is_finite().then_some(days)
    };
    let cost = |pi: f64| {
        let passed = if kind.needs_audit { per_day(traffic.passed) * pi } else { 0.0 };
        per_day(traffic.flagged) + passed
    };
    let seen = traffic_a_day.map(|_| (errors + correct) as f64);
    let evaluations = safe.zip(seen).and_then(|(m, seen)| come(m, seen));
    let days = evaluations.and_then(in_days);
    let labels = safe.map(|m| days.map_or(m, |d| ((d * cost(traffic.pi)).ceil() as u64).max(m)));
    let price = |pi: f64| {
        let (wrong, right) = mix(pi)?;
        let m = more(pi)?.safe;
        let days = in_days(come(m, wrong + right)?)?;
        let labels = ((days * cost(pi)).ceil() as u64).max(m);
        Some(Price { pi, labels, days: days as u64 })
    };
    let priced = [Measure::FalseNegativeRate, Measure::FalsePositiveRate].contains(&measure);
    let prices = if priced { RATES.into_iter().filter_map(price).collect() } else { Vec::new() };
    let doubts = errors.saturating_sub(gate.tally.sure(measure).0);
    let costs = Costs { more: more_now, labels, evaluations, days, clean: errors == 0, doubts };
    let rate = |(errors, correct): (u64, u64)| {
        let (_, ratio) = ratios(measure, traffic.pi);
        let (errors, correct) = (errors as f64, correct as f64 * ratio);
        (errors + correct > 0.0).then(|| errors / (errors + correct))
    };
    let best = gate.tally.seen(measure, Reading::Best);
    let rates = rate((errors, correct)).zip(rate(best));
    let threshold = policy.threshold(measure).value;
    let rates = rates.map(|(worst, best)| sentence::Rate { worst, best, threshold });
    let mut text = kind.sentence(&costs, rates, share(gate, &traffic, measure), traffic.pi);
    text += &by_whole_days(whole_days);
    let days = days.map(|d| d as u64);
    let stratum = kind.stratum.to_owned();
    let records_safe = safe;
    Needed { kpi: measure, stratum, records, records_safe, labels, evaluations, days, text, prices }
}

/// Errors and what is right as another rate of the sample would have brought them: what passed comes
/// more often at a higher one. `None` where none was looked at.
fn at_rate(
    measure: Measure,
    (errors, correct): (u64, u64),
    now: f64,
    pi: f64,
) -> Option<(f64, f64)> {
    let (errors, correct) = (errors as f64, correct as f64);
    let more = if now > 0.0 { pi / now } else { 1.0 };
    match measure {
        Measure::FalseNegativeRate => Some((errors * more, correct)),
        Measure::FalsePositiveRate if now > 0.0 => Some((errors, correct * more)),
        Measure::FalsePositiveRate => (pi == now).then_some((errors, correct)),
        _ => Some((errors, correct)),
    }
}

/// How much of the content is of the kind that a measure counts, with its name.
fn share(gate: &Gate<'_>, traffic: &Traffic, measure: Measure) -> Option<(f64, &'static str)> {
    let contents = traffic.flagged + traffic.passed;
    let of = |part: u64| (contents > 0).then(|| part as f64 / contents as f64);
    match measure {
        Measure::FalseNegativeRate => Some((gate.tally.poor()?, "poor")),
        Measure::FalsePositiveRate => Some((1.0 - gate.tally.poor()?, "acceptable")),
        Measure::FalseOmissionRate => Some((of(traffic.passed)?, "GO")),
        _ => Some((of(traffic.flagged)?, "NO-GO")),
    }
}

/// What a decision would cost.
struct Costs {
    more: Option<More>,
    labels: Option<u64>,
    evaluations: Option<u64>,
    days: Option<f64>,
    /// Whether no error was seen yet.
    clean: bool,
    /// Labels of doubt that count as errors.
    doubts: u64,
}

/// Further records that decide.
#[derive(Debug, Clone, Copy)]
struct More {
    /// Where errors come just as they came.
    likely: u64,
    /// In 95 of 100 cases.
    safe: u64,
}

/// What a correct record weighs in the test at a rate of the sample, and how much more or less often
/// errors are among labelled records than in the rate.
fn ratios(measure: Measure, pi: f64) -> (f64, f64) {
    match measure {
        Measure::FalseNegativeRate => (pi, pi),
        Measure::FalsePositiveRate => (1.0 / pi, 1.0 / pi),
        _ => (1.0, 1.0),
    }
}

/// Records until the gate would find the measure met, where so many are there and more come in the
/// mixture of errors and what is right that a rate of the sample brings.
fn further(
    gate: &Gate<'_>,
    policy: &Policy,
    track: &Track,
    (errors, correct): (u64, u64),
    (wrong, right): (f64, f64),
    pi: f64,
) -> Option<More> {
    let Evidence::Error(below, _) = &track.evidence else { return None };
    let part = if errors == 0 { 0.0 } else { wrong / (wrong + right) };
    let (share, ratio) = ratios(track.measure, pi);
    let t = policy.threshold(track.measure).value;
    let allowance = gate.allowance;
    let each = spending::each(allowance.alpha(policy), policy.look_days().len());
    let is_met = |wrong: u64, right: u64| match policy.method {
        Method::Anytime => {
            let mut test = *below;
            let how = Inclusion { errors: share, ..Inclusion::WHOLE };
            test.take(true, Inclusion::WHOLE, wrong as f64);
            test.take(false, how, right as f64);
            allowance.is_met(policy, test.wealth().ln())
        }
        Method::Fixed => {
            let s = Sampled { errors: errors + wrong, correct: correct + right, ratio };
            s.upper(1.0 - each) < t
        }
    };
    let likely = least(|m| {
        let wrong = (m as f64 * part).floor() as u64;
        is_met(wrong, m - wrong)
    })?;
    // Among labelled records errors are more or fewer than in the rate, by how both are chosen.
    let low = WELL_BELOW * t * ratio / (WELL_BELOW * t * ratio + 1.0 - WELL_BELOW * t);
    let safe = match policy.method {
        Method::Anytime => enough::at_any(part.max(low), &is_met),
        Method::Fixed => enough::at_last(part.max(low), &is_met),
    };
    Some(More { likely, safe: safe?.max(likely) })
}

/// How the records of a measure are called.
struct Kind {
    stratum: &'static str,
    needs_audit: bool,
    name: &'static str,
}

impl Kind {
    fn from_measure(measure: Measure) -> Self {
        let (stratum, needs_audit, name) = match measure {
            Measure::FalseNegativeRate => ("no_go", true, "poor records"),
            Measure::FalsePositiveRate => ("go", true, "acceptable records"),
            Measure::FalseOmissionRate => ("go", true, "audited GO records"),
            _ => ("no_go", false, "NO-GO records"),
        };
        Self { stratum, needs_audit, name }
    }
}

/// Further evaluations, which need no labels.
fn of_evaluations(gate: &Gate<'_>, policy: &Policy, track: &Track, traffic: Traffic) -> Needed {
    let (part, whole) = gate.counts.parts(track.measure);
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let likely = |m: u64, errors: f64| m as f64 * errors;
    let nearly_all = |m: u64, errors: f64| binomial::quantile(errors, m, enough::SURE) as f64;
    // The median is told only where half of the evaluations carry a latency: as many more as lack.
    let lacking = gate.counts.evaluations.saturating_sub(gate.counts.timed * 2);
    let lacks = track.measure == Measure::MedianLatency && lacking > 0;
    let with = |errors: &dyn Fn(u64, f64) -> f64| {
        let found = least(|m| would_meet(gate, policy, track, share, m, errors));
        found.filter(|_| whole > 0).map(|m| if lacks { m.max(lacking) } else { m })
    };
    let more = with(&likely).zip(with(&nearly_all));
    let more = more.map(|(likely, safe)| More { likely, safe: safe.max(likely) });
    let safe = more.map(|m| m.safe);
    let per_day = traffic.evaluations as f64 / traffic.days.max(1) as f64;
    let days = safe.filter(|_| per_day > 0.0).map(|m| (m as f64 / per_day).ceil());
    let text = match (more, days) {
        (Some(m), Some(d)) => sentence::evaluations(m, d, lacks),
        _ if gate.counts.evaluations == 0 => sentence::NO_EVALUATIONS.to_owned(),
        _ => {
            let is_rate = whole > 0 && track.measure != Measure::MedianLatency;
            sentence::no_evaluations(is_rate.then_some(share))
        }
    };
    Needed {
        kpi: track.measure,
        stratum: "all".to_owned(),
        records: more.map(|m| m.likely),
        records_safe: safe,
        labels: more.map(|_| 0),
        evaluations: safe,
        days: days.map(|d| d as u64),
        text,
        prices: Vec::new(),
    }
}

/// Whether so many evaluations more would show a measure to be met, where the present share of them
/// counts; `errors` tells how many of a number are errors, by their share.
fn would_meet(
    gate: &Gate<'_>,
    policy: &Policy,
    track: &Track,
    share: f64,
    m: u64,
    errors: &dyn Fn(u64, f64) -> f64,
) -> bool {
    let Evidence::Shares(tests) = &track.evidence else { return false };
    // What counts for the measure is an error in the second test of a range, and where the measure
    // is to be small; elsewhere it is what is right.
    let definition = track.measure.definition();
    let small = definition.side == Side::Below && definition.unit == Unit::Share;
    let is_error = |i: usize| i == 1 || small;
    tests.iter().enumerate().all(|(i, (below, _))| {
        let mut test = *below;
        let wrong = errors(m, if is_error(i) { share } else { 1.0 - share });
        test.take(wrong, m as f64 - wrong);
        gate.allowance.is_met(policy, test.wealth().ln())
    })
}

#[cfg(test)]
mod tests;
