//! What next: all that is to be done until the answer can be READY, in the order in which to do it.

use super::facts::Facts;
use super::family_steps::{of_family, rate_command, switch};
use super::{day_text, keep, remedies};
use crate::calibration::number_text::{counted, days, labelling_time, roughly, sentence, share};
use crate::calibration::{
    Block, DayState, KpiResult, KpiRow, Measure, Method, Needed, Opens, Policy, Price, Readiness,
    ReadinessResult, Step, TwoOfThree,
};
use crate::domain::JudgementKind;

/// A rate of the audit sample for a start, where none is set.
const FIRST_RATE: f64 = 0.3;

/// All steps, as a list to follow from its top. Never empty: the last step is to switch.
pub(super) fn steps(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let mut steps = match r.result {
        ReadinessResult::Ready => ready(r, facts),
        ReadinessResult::NotReady => not_met(r, facts),
        ReadinessResult::NotEnoughEvidence => missing(r, facts),
    };
    steps.extend(unsure(facts.unsure));
    steps.extend(conflicts(r.conflicts.len() as u64));
    steps.extend(confirm(r.reviewer_error.second_words.two_of_three));
    // What can be done today comes before what only days end; and no label before the window.
    let waits = |step: &Step| step.kind == "block" && step.ways.iter().all(|w| w.lines.is_empty());
    steps.sort_by_key(|step| (step.about.as_deref() != Some("no_window"), waits(step)));
    if r.result == ReadinessResult::NotEnoughEvidence {
        steps.extend(undecided(r, facts));
    }
    if steps.is_empty() {
        steps.extend(look(r, facts.policy));
    }
    // Whoever reads one line only must not read that of years.
    let (soon, years): (Vec<Step>, Vec<Step>) = steps.into_iter().partition(|s| !s.takes_years());
    soon.into_iter().chain(years).map(|step| of_family(step, facts.family)).collect()
}

/// What READY is for, and what keeps it.
fn ready(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let keep = keep::step(r, facts);
    std::iter::once(switch(facts.family)).chain(keep).collect()
}

/// What can be done before anything else: blocks, a sample, labels that wait.
fn missing(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> =
        r.blocks.iter().filter(|b| b.waived.is_none()).map(|b| block(b, r, facts)).collect();
    // A rule that is broken in several ways has one waiver.
    steps.dedup_by(|later, first| {
        let same = later.about == first.about;
        if same {
            first.text = format!("{} {}", first.text, later.text);
        }
        same
    });
    steps.sort_by_key(|step| step.days);
    if facts.pi <= 0.0 && open(r).any(|k| audited(k.id)) {
        steps.push(audit(facts.family));
    }
    steps.extend(labels(r));
    steps
}

fn block(block: &Block, r: &Readiness, facts: &Facts<'_>) -> Step {
    let ended = remedies::remedy(&block.id, r, facts);
    Step {
        about: Some(block.id.clone()),
        ready_from: ended.ways.iter().filter_map(|way| way.ready_from.clone()).min(),
        days: Some(ended.days),
        ways: ended.ways,
        opens: ended.opens,
        ..Step::new("block", ended.title, format!("{}.", sentence(&block.text)))
    }
}

fn audit(family: JudgementKind) -> Step {
    let text = "No passed content is drawn for labelling, so it is unknown how much poor content \
                passes. A rate of 0.3 draws 30 % of what passes from now on.";
    Step {
        ways: vec![crate::calibration::Way::new(
            "Set a rate.",
            &[&rate_command(family, FIRST_RATE)],
        )],
        opens: Some(Opens::AuditRate),
        ..Step::new("audit", "Draw an audit sample of what passes", text)
    }
}

/// Labels of the open days, which count once all of a day are there.
fn labels(r: &Readiness) -> Option<Step> {
    let open: Vec<_> = r.days.iter().filter(|d| d.state == DayState::Open).collect();
    let missing = |d: &&crate::calibration::Day| {
        (d.no_go + d.audit).saturating_sub(d.no_go_labelled + d.audit_labelled)
    };
    let count: u64 = open.iter().map(missing).sum();
    let first = open.first().filter(|_| count > 0)?;
    let title = format!(
        "Label {} of {}",
        counted(count, "record", "records"),
        counted(open.len() as u64, "open day", "open days")
    );
    let time = labelling_time(count);
    let text = format!(
        "{} at half a minute each. Error rates use only the closed days before the first open day, {}.",
        sentence(&time),
        first.day
    );
    Some(Step {
        labels: Some(count),
        days: Some(0),
        opens: Some(Opens::Queue("calibration".to_owned())),
        ..Step::new("label", title, text)
    })
}

fn unsure(count: u64) -> Option<Step> {
    let text = "Until one is settled, it counts as an error of the judge when a KPI is checked for \
                being met. A label from another reviewer settles it.";
    (count > 0).then(|| Step {
        labels: Some(count),
        opens: Some(Opens::Queue("second look".to_owned())),
        ..Step::new("second_look", format!("Re-check {}", records(count, "unsure ")), text)
    })
}

fn conflicts(count: u64) -> Option<Step> {
    let text = "Until then, each counts as unsure. One more label settles it.";
    let title = format!("Settle {} on which reviewers differ", records(count, ""));
    (count > 0).then(|| Step {
        labels: Some(count),
        opens: Some(Opens::Queue("conflicts".to_owned())),
        ..Step::new("conflicts", title, text)
    })
}

/// Second and third words on what was called poor.
fn confirm(all: Option<TwoOfThree>) -> Option<Step> {
    let count = all.map_or(0, |all| all.waiting());
    let text = "Until then, each counts as an error of the judge when a KPI is checked for being met. \
                They stand unmarked in the calibration queue of each reviewer who has not labelled \
                them; a lone reviewer gets them again from the next day on.";
    let title = format!("Confirm {} called poor", records(count, ""));
    (count > 0).then(|| Step {
        labels: Some(count),
        opens: Some(Opens::Queue("calibration".to_owned())),
        ..Step::new("confirm", title, text)
    })
}

fn records(count: u64, kind: &str) -> String {
    counted(count, &format!("{kind}record"), &format!("{kind}records"))
}

/// The KPIs that decide and are not decided.
fn open(r: &Readiness) -> impl Iterator<Item = &KpiRow> {
    let results = [KpiResult::NotEnoughEvidence, KpiResult::NotEstimable];
    let decides = |k: &&KpiRow| k.gated && k.waived_by.is_none() && !k.not_recorded;
    r.kpis.iter().filter(decides).filter(move |k| results.contains(&k.result))
}

fn audited(id: Measure) -> bool {
    id.needs_labels() && id != Measure::FalseDiscoveryRate
}

/// A step for each KPI that is not decided, the soonest first, those last that will not pass.
fn undecided(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let unaudited = |id: Measure| facts.pi <= 0.0 && audited(id);
    let open = open(r).filter(|k| !unaudited(k.id));
    let needed = open.filter_map(|k| Some((k, r.next.iter().find(|n| n.kpi == k.id)?)));
    let mut steps: Vec<Step> = needed.map(|(k, n)| kpi(k, n, r, facts)).collect();
    steps.extend(sooner(r, *facts));
    steps.extend(thresholds(r, facts));
    let rank = |s: &Step| (s.kind == "thresholds", s.kind == "hopeless");
    steps.sort_by_key(|s| (rank(s), s.days.unwrap_or(u64::MAX)));
    steps
}

fn kpi(row: &KpiRow, needed: &Needed, r: &Readiness, facts: &Facts<'_>) -> Step {
    let id = row.id;
    let (name, the_kpi) = (id.title(), id.in_sentence());
    let waiver = Policy::WAIVABLE.contains(&id.as_str());
    let ways = if waiver { remedies::remedy(id.as_str(), r, facts).ways } else { Vec::new() };
    let (kind, title) = match needed.records {
        None => ("hopeless", format!("Decide what to do about {the_kpi}")),
        Some(_) if id.needs_labels() => ("kpi", format!("Continue labelling for {the_kpi}")),
        Some(_) => ("kpi", format!("Wait for more evaluations: {name}")),
    };
    let opens = match (kind, id) {
        ("kpi", _) if id.needs_labels() => Some(Opens::Queue("calibration".to_owned())),
        ("hopeless", _) => errors(id),
        _ => None,
    };
    let from = needed.days.and_then(|n| i32::try_from(n).ok());
    let ready = from.and_then(|n| r.generated.day().checked_add(n)).map(day_text);
    let mut step = Step {
        about: Some(id.as_str().to_owned()),
        labels: needed.labels,
        days: needed.days,
        opens,
        ways,
        ..Step::new(kind, title, format!("{}.", sentence(&needed.text)))
    };
    // Where the unsure ones alone keep it from passing, they are the thing to do, in a step of their own.
    let (limit, unsure) = (row.threshold, row.unsure);
    let rescued = id.needs_labels() && unsure.is_some_and(|u| u.from < limit && u.to > u.from);
    if rescued && kind == "hopeless" {
        step.title = format!("Re-check unsure records for {the_kpi}");
        step.opens = Some(Opens::Queue("second look".to_owned()));
    } else if kind == "hopeless" {
        step.text +=
            " Change the judge or its prompt and start a new window, or change the policy.";
        step.ways.push(remedies::start(r, facts));
    }
    step.ready_from = ready.filter(|_| !step.takes_years());
    step
}

/// The records that are the errors of a rate.
fn errors(id: Measure) -> Option<Opens> {
    let filter = match id {
        Measure::FalsePositiveRate | Measure::FalseDiscoveryRate => {
            "verdict:no-go label:acceptable"
        }
        Measure::FalseNegativeRate | Measure::FalseOmissionRate => "verdict:go label:poor",
        Measure::UndeterminedRate => "verdict:undetermined",
        Measure::GoRate | Measure::Availability | Measure::MedianLatency => return None,
    };
    Some(Opens::Records(filter.to_owned()))
}

/// Thresholds of undecided KPIs that ask for more than others at the share of poor content seen.
fn thresholds(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let (policy, option) = (facts.policy, facts.family.option());
    let poor = r.prevalence.as_ref().and_then(|p| p.estimate);
    let demands = poor.map(|poor| policy.demands(poor)).unwrap_or_default();
    let asks = demands.into_iter().filter(|demand| open(r).any(|k| k.id == demand.measure));
    let step = |demand: crate::calibration::Demand| {
        let show = format!("foureyes gate show{option} > policy.toml");
        let set = format!("foureyes gate set policy.toml{option}");
        let lines = [show.as_str(), set.as_str()];
        let text = "To change the policy, edit the file between these two commands. The new policy \
                    decides from the next window on.";
        let title = format!("Check the threshold of {}", demand.measure.in_sentence());
        Step {
            about: Some(demand.measure.as_str().to_owned()),
            ways: vec![crate::calibration::Way::new(text, &lines)],
            ..Step::new("thresholds", title, demand.text)
        }
    };
    asks.map(step).collect()
}

/// A higher rate of the audit sample that brings all decisions clearly sooner.
fn sooner(r: &Readiness, Facts { family, pi, .. }: Facts<'_>) -> Option<Step> {
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
    let prices: Vec<String> = all
        .iter()
        .map(|p| {
            let labels = roughly(p.labels, ("label", "labels"));
            format!("{}: {}, about {labels}", share(p.pi), days(p.days))
        })
        .collect();
    let text = format!(
        "At the present audit rate of {}, the error rates are decided in {}. At other rates from \
         now on: {}.",
        share(pi),
        days(now),
        prices.join("; ")
    );
    let command = rate_command(family, best.pi);
    Some(Step {
        labels: Some(best.labels),
        days: Some(best.days),
        ways: vec![crate::calibration::Way::new("Set the rate.", &[&command])],
        opens: Some(Opens::AuditRate),
        ..Step::new("audit_rate", title, text)
    })
}

/// KPIs that are found to be on the wrong side: nothing else helps in this window.
fn not_met(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let decides = |k: &&KpiRow| k.gated && k.waived_by.is_none();
    let missed = r.kpis.iter().filter(decides).filter(|k| k.result == KpiResult::NotMet);
    missed.map(|k| one_not_met(k, r, facts)).collect()
}

fn one_not_met(row: &KpiRow, r: &Readiness, facts: &Facts<'_>) -> Step {
    let id = row.id;
    let text = format!(
        "{}; more labels will not change it. Change the judge or its prompt, then start a new window.",
        found(row)
    );
    let start = remedies::start(r, facts);
    let mut ways = vec![start];
    if Policy::WAIVABLE.contains(&id.as_str()) {
        ways.extend(remedies::remedy(id.as_str(), r, facts).ways);
    }
    Step {
        about: Some(id.as_str().to_owned()),
        ready_from: ways.iter().filter_map(|way| way.ready_from.clone()).min(),
        ways,
        opens: errors(id),
        ..Step::new("not_met", format!("Improve the judge: {} is not met", id.title()), text)
    }
}

/// When it was found, as a sentence begins.
fn found(row: &KpiRow) -> String {
    match (&row.withdrawn, &row.decided_on) {
        (Some(day), _) => format!("By {day} it had become worse than its threshold"),
        (None, Some(day)) => format!("This was found at the end of {day}"),
        (None, None) => "This was found".to_owned(),
    }
}

/// The next declared look, where nothing else is missing.
fn look(r: &Readiness, policy: &Policy) -> Option<Step> {
    if policy.method != Method::Fixed {
        return None;
    }
    let today = r.generated.day();
    let next = policy.look_days().into_iter().find(|day| *day > today);
    Some(match next {
        Some(day) => Step {
            days: u64::try_from(day - today).ok(),
            ready_from: Some(day_text(day)),
            ..Step::new(
                "look",
                format!("Wait for the look on {}", day_text(day)),
                "The policy decides only on its declared days.",
            )
        },
        None => Step::new(
            "look",
            "Declare further looks",
            "No declared day is left on which the policy could decide.",
        ),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
