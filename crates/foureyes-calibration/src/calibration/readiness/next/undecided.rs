//! A step for each KPI that is not decided.

use super::super::dates::{self, is_audited};
use super::super::facts::Facts;
use super::super::family_steps::rate_command;
use super::super::{day_text, remedies, way};
use super::labelling::{other_rates, waiting};
use super::{errors, first_day, lacking};
use crate::calibration::number_text::{days, sentence, share};
use crate::calibration::{
    KpiResult, KpiRow, Measure, Needed, Opens, Outlook, Policy, Price, Readiness, Step, Way,
};

/// The soonest first, those last that will not pass, then thresholds that ask for too much.
pub(super) fn steps(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> = kpis(r, facts).collect();
    steps.extend(sooner(r, facts));
    steps.extend(thresholds(r, facts));
    let rank = |s: &Step| (s.kind == "thresholds", s.is_dead_end());
    steps.sort_by_key(|s| (rank(s), s.days.unwrap_or(u64::MAX)));
    steps
}

/// The same of those that no number of labels decides, with thresholds that ask for too much.
pub(super) fn dead_ends(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    kpis(r, facts).filter(Step::is_dead_end).chain(thresholds(r, facts)).collect()
}

fn kpis(r: &Readiness, facts: &Facts<'_>) -> impl Iterator<Item = Step> {
    let unaudited = |id: Measure| facts.pi <= 0.0 && is_audited(id);
    // What a block alone keeps from being met has the step of the block, and confirmations have theirs.
    let lacking = lacking(r, facts).filter(move |k| !unaudited(k.id));
    let needed = lacking.filter_map(|k| Some((k, r.next.iter().find(|n| n.kpi == k.id)?)));
    needed.map(|(k, n)| kpi(k, n, r, facts))
}

/// What stands in the way of a KPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// Nothing but labels, or evaluations.
    None,
    /// The rate is too close to the threshold for any number of them.
    TooClose,
    /// The whole interval of the rate is beyond what can be shown.
    Hopeless,
}

/// What stands in the way of a KPI that is not decided.
pub(super) fn obstacle(row: &KpiRow, r: &Readiness) -> Obstacle {
    let outlook = r.next.iter().find(|n| n.kpi == row.id).and_then(|n| n.outlook);
    // Where the unsure ones alone keep it from passing, to decide them is the thing to do.
    let limit = row.threshold;
    let is_rescued = row.id.needs_labels()
        && row.unsure.is_some_and(|unsure| unsure.from < limit && unsure.to > unsure.from);
    match outlook {
        Some(Outlook::Hopeless) if !is_rescued => Obstacle::Hopeless,
        Some(Outlook::TooClose) => Obstacle::TooClose,
        _ => Obstacle::None,
    }
}

fn kpi(row: &KpiRow, needed: &Needed, r: &Readiness, facts: &Facts<'_>) -> Step {
    let id = row.id;
    let obstacle = obstacle(row, r);
    let (kind, title) = title(row, needed, obstacle, waiting(r) > 0);
    let waiver = Policy::WAIVABLE.contains(&id.as_str());
    let mut ways = if waiver { remedies::remedy(id.as_str(), r, facts).ways } else { Vec::new() };
    let text = match (&row.reason, row.result) {
        (Some(reason), KpiResult::NotEstimable) if needed.records.is_none() => reason,
        _ => &needed.text,
    };
    let mut text = format!("{}.", sentence(text));
    if obstacle != Obstacle::None {
        text += " Change the judge or its prompt and start a new window, or change the policy.";
        ways.push(way::start(r, facts));
    }
    let opens = match obstacle {
        Obstacle::None if id.needs_labels() && waiting(r) > 0 => {
            Some(Opens::Queue("calibration".to_owned()))
        }
        Obstacle::None => None,
        _ => errors(id),
    };
    let ends = dates::kpi(row, r, facts).filter(|_| obstacle == Obstacle::None);
    let ready = ends.and_then(|ends| dates::ready_from(id.as_str(), ends, r, facts));
    Step {
        about: Some(id.as_str().to_owned()),
        labels: needed.labels,
        days: needed.days,
        opens,
        ready_from: ready.map(day_text).or_else(|| first_day(&ways)),
        ways,
        ..Step::new(kind, title, text)
    }
}

/// Kind and title; `waits` tells whether records wait for a label today.
fn title(row: &KpiRow, needed: &Needed, obstacle: Obstacle, waits: bool) -> (&'static str, String) {
    let (name, the_kpi) = (row.id.title(), row.id.in_sentence());
    let decide = || format!("Decide what to do about {the_kpi}");
    match obstacle {
        Obstacle::Hopeless => ("hopeless", decide()),
        Obstacle::TooClose => ("too_close", decide()),
        Obstacle::None if !row.id.needs_labels() => match needed.records {
            Some(_) => ("kpi", format!("Wait for more evaluations: {name}")),
            None => ("kpi", decide()),
        },
        Obstacle::None if !waits => ("kpi", format!("Label the days to come for {the_kpi}")),
        Obstacle::None if row.denominator == 0 => ("kpi", format!("Label for {the_kpi}")),
        Obstacle::None => ("kpi", format!("Continue labelling for {the_kpi}")),
    }
}

/// Thresholds of undecided KPIs that ask for more than others at the share of poor content seen.
fn thresholds(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let (policy, option) = (facts.policy, facts.family.option());
    let poor = r.prevalence.as_ref().and_then(|p| p.estimate);
    let demands = poor.map(|poor| policy.demands(poor)).unwrap_or_default();
    let asks =
        demands.into_iter().filter(|demand| lacking(r, facts).any(|k| k.id == demand.measure));
    let step = |demand: crate::calibration::Demand| {
        let show = format!("foureyes gate show{option} > policy.toml");
        let set = format!("foureyes gate set policy.toml{option}");
        let lines = [show.as_str(), set.as_str()];
        let text = "To change the policy, edit the file between these two commands. The new policy \
                    decides from the next window on.";
        let title = format!("Check the threshold of {}", demand.measure.in_sentence());
        Step {
            about: Some(demand.measure.as_str().to_owned()),
            ways: vec![Way::new(text, &lines)],
            ..Step::new("thresholds", title, demand.text)
        }
    };
    asks.map(step).collect()
}

/// A higher rate of the audit sample that brings all decisions clearly sooner.
fn sooner(r: &Readiness, facts: &Facts<'_>) -> Option<Step> {
    let (family, pi) = (facts.family, facts.pi);
    // Where one of them has no price there is no day on which all are decided.
    let price = |k: &KpiRow| r.next.iter().find(|n| n.kpi == k.id).and_then(|n| n.days);
    if lacking(r, facts).any(|k| k.id.needs_labels() && price(k).is_none()) {
        return None;
    }
    let priced: Vec<&Needed> =
        r.next.iter().filter(|n| !n.prices.is_empty() && n.days.is_some()).collect();
    let now = priced.iter().filter_map(|n| n.days).max()?;
    let total = |rate: f64| -> Option<Price> {
        let all: Option<Vec<&Price>> =
            priced.iter().map(|n| n.prices.iter().find(|p| p.pi == rate)).collect();
        let all = all?;
        let (labels, days) =
            (all.iter().map(|p| p.labels).max()?, all.iter().map(|p| p.days).max()?);
        Some(Price { pi: rate, labels, days })
    };
    let rates = priced.first()?.prices.iter().map(|p| p.pi).filter(|rate| *rate > pi);
    let all: Vec<Price> = rates.filter_map(total).collect();
    let least = all.iter().map(|p| p.days).min()?;
    // The cheapest of those that are nearly as quick as the quickest.
    let best = all.iter().find(|p| p.days * 4 <= least * 5)?;
    if best.days >= now || (now - best.days) * 10 < now {
        return None;
    }
    let title = format!("Or audit {} of what passes, to decide sooner", share(best.pi));
    let text = format!(
        "At the present audit rate of {}, the error rates are decided in {}. At other rates from \
         now on: {}.",
        share(pi),
        days(now),
        other_rates(all.iter())
    );
    let command = rate_command(family, best.pi);
    Some(Step {
        labels: Some(best.labels),
        days: Some(best.days),
        ways: vec![Way::new("Set the rate.", &[&command])],
        opens: Some(Opens::AuditRate),
        ..Step::new("audit_rate", title, text)
    })
}
