//! What would decide a KPI that is not decided yet.

mod enough;
mod outlook;
mod pricing;
mod sentence;
mod soonest;
mod whole_days;

pub(super) use soonest::{days, days_anew, first_rates};

use super::gate::{Evidence, Gate, Track};
use super::{Measure, Needed, Outlook, Policy, Price};
use crate::domain::{Side, Unit};
use crate::stats::binomial;
use crate::text::counted;
use pricing::Pricing;

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
    /// The same of what is stopped, of which nothing is drawn where it is 0.
    pub(super) stopped: f64,
    /// Whether outlooks are those of this version; else of one before it.
    pub(super) has_outlook: bool,
}

/// What would decide a measure.
pub(super) fn needed(gate: &Gate<'_>, policy: &Policy, track: &Track, traffic: Traffic) -> Needed {
    match &track.evidence {
        Evidence::Error(..) => of_errors(gate, policy, track, traffic),
        Evidence::Shares(_) => of_evaluations(gate, policy, track, traffic),
    }
}

/// Whether more labels or evaluations can decide a measure at all; `None` where there are none yet.
pub(super) fn outlook(
    gate: &Gate<'_>,
    policy: &Policy,
    track: &Track,
    traffic: &Traffic,
) -> Option<Outlook> {
    let prospect = match &track.evidence {
        Evidence::Error(..) => outlook::of_errors(gate, policy, track, traffic),
        Evidence::Shares(_) => outlook::of_evaluations(gate, policy, track, traffic),
    };
    prospect.map(|prospect| prospect.verdict)
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
    let pricing = Pricing::new(gate, policy, track, traffic);
    let is_drawn = pricing.is_drawn();
    let outlook = outlook::of_errors(gate, policy, track, &traffic).filter(|_| is_drawn);
    // Errors were seen and the rate may be one that cannot be shown: a price would be that of chance.
    let is_open = pricing.seen.0 > 0 && outlook.is_some_and(|o| o.is_open());
    let is_priced = outlook.is_none_or(|o| o.verdict == Outlook::Priced) && !is_open;
    let more = if is_drawn && is_priced { pricing.more(traffic.pi) } else { None };
    let safe = more.map(|m| m.safe);
    let evaluations = safe.and_then(|m| pricing.come(m, pricing.seen_records()?));
    let days = evaluations.and_then(|evaluations| pricing.in_days(evaluations));
    let labels = safe.map(|m| days.map_or(m, |days| pricing.labels(days, traffic.pi, m)));
    let price = |pi: f64| pricing.price(pi).filter(|_| is_priced);
    let priced = [Measure::FalseNegativeRate, Measure::FalsePositiveRate].contains(&measure);
    let prices = if priced { RATES.into_iter().filter_map(price).collect() } else { Vec::new() };
    let costs = Costs {
        more,
        labels,
        evaluations,
        days,
        clean: pricing.seen.0 == 0,
        has_doubts: pricing.seen.0 > gate.tally.sure(measure).0,
        outlook: outlook.map(|o| o.verdict),
        least: outlook.filter(|_| is_open).and_then(|o| pricing.cost_at(o.lower)),
        limit: outlook.map(|o| o.limit),
    };
    let share = share(gate, &traffic, measure);
    let mut text = pricing.kind.sentence(&costs, pricing.rates(), share, is_drawn);
    text += &by_whole_days(pricing.whole_days);
    let is_payable = outlook.is_some_and(|o| o.verdict == Outlook::Priced);
    let range = outlook.filter(|_| is_payable && (is_open || labels.is_some()));
    Needed {
        kpi: measure,
        stratum: pricing.kind.stratum.to_owned(),
        records: more.map(|m| m.likely),
        records_safe: safe,
        labels,
        evaluations,
        days: days.map(|d| d as u64),
        text,
        prices,
        outlook: outlook.map(|o| o.verdict),
        limit: outlook.map(|o| o.limit),
        range: range.map(|outlook| pricing.range(&outlook)),
    }
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
    /// Whether labels of doubt count as errors.
    has_doubts: bool,
    /// Whether any number of labels will do; `None` where nothing is known yet.
    outlook: Option<Outlook>,
    /// What is needed at the lower end of the interval, where its upper end cannot be shown.
    least: Option<Price>,
    /// The largest rate that can be shown to be below the threshold.
    limit: Option<f64>,
}

/// Further records that decide.
#[derive(Debug, Clone, Copy)]
struct More {
    /// Where errors come just as they came.
    likely: u64,
    /// In 95 of 100 cases.
    safe: u64,
}

/// With which probabilities errors and what is right are labelled, at rates of what passes and of what is
/// stopped.
fn probabilities(measure: Measure, pi: f64, stopped: f64) -> (f64, f64) {
    match measure {
        Measure::FalseNegativeRate => (pi, stopped),
        Measure::FalsePositiveRate => (stopped, pi),
        Measure::FalseOmissionRate => (pi, pi),
        _ => (stopped, stopped),
    }
}

/// How much more or less often errors are among labelled records than in the rate; and as much a correct one
/// weighs in the test.
fn ratio(measure: Measure, pi: f64, stopped: f64) -> f64 {
    let (errors, right) = probabilities(measure, pi, stopped);
    if errors == right { 1.0 } else { errors / right }
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
    let outlook = outlook::of_evaluations(gate, policy, track, &traffic);
    let is_priced = outlook.is_none_or(|o| o.verdict == Outlook::Priced);
    let more = with(&likely).zip(with(&nearly_all)).filter(|_| is_priced);
    let more = more.map(|(likely, safe)| More { likely, safe: safe.max(likely) });
    let safe = more.map(|m| m.safe);
    let per_day = traffic.evaluations as f64 / traffic.days.max(1) as f64;
    let days = safe.filter(|_| per_day > 0.0).map(|m| (m as f64 / per_day).ceil());
    let text = match (more, days) {
        (Some(m), Some(d)) => sentence::evaluations(m, d, lacks),
        _ if gate.counts.evaluations == 0 => sentence::NO_EVALUATIONS.to_owned(),
        _ => {
            let is_rate = whole > 0 && track.measure != Measure::MedianLatency;
            let found = is_rate.then_some(share);
            match outlook.is_some_and(|o| o.verdict != Outlook::Hopeless) {
                true => sentence::close_evaluations(found),
                false => sentence::no_evaluations(found),
            }
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
        outlook: outlook.map(|o| o.verdict),
        limit: outlook.map(|o| o.limit),
        range: None,
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
