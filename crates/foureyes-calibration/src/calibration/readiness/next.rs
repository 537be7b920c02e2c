//! What next: all that is to be done until the answer can be READY, in the order in which to do it.

mod labelling;
mod undecided;

use super::facts::Facts;
use super::family_steps::{of_family, switch};
use super::{dates, day_text, keep, remedies, way};
use crate::calibration::number_text::sentence;
use crate::calibration::{
    Block, KpiResult, KpiRow, Measure, Method, Opens, Policy, Readiness, ReadinessResult, Step, Way,
};
use undecided::Obstacle;

/// All steps, as a list to follow from its top. Never empty: the last step is to switch.
pub(super) fn steps(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let mut steps = match r.result {
        ReadinessResult::Ready => ready(r, facts),
        ReadinessResult::NotReady => not_met(r, facts),
        ReadinessResult::NotEnoughEvidence => missing(r, facts),
    };
    if steps.is_empty() {
        steps.push(look(r, facts.policy).unwrap_or_else(evaluations));
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

/// What is left to do in a window.
enum Course {
    /// No window runs: nothing that a start may change comes before it.
    Begin,
    /// Days, labels and evaluations are missing.
    GoOn,
    /// No label decides anything, unless it settles a doubt.
    Settle,
    /// Words that are to be confirmed make it NOT READY, and nothing else counts until they are.
    Confirm,
    /// Only a new window, of another judge or policy, can be READY.
    Anew,
}

impl Course {
    fn new(r: &Readiness, facts: &Facts<'_>) -> Self {
        if r.window.from.is_none() {
            return Self::Begin;
        }
        if !facts.unmet_as_words_stand.is_empty() {
            return Self::Confirm;
        }
        let labelled = lacking(r, facts).filter(|k| k.id.needs_labels());
        let obstacles: Vec<Obstacle> = labelled.map(|k| undecided::obstacle(k, r)).collect();
        let is_close = |obstacle: &Obstacle| *obstacle == Obstacle::TooClose;
        match obstacles.contains(&Obstacle::Hopeless) {
            true => Self::Anew,
            false if !obstacles.is_empty() && obstacles.iter().all(is_close) => Self::Settle,
            false => Self::GoOn,
        }
    }
}

/// What is to be done before READY is possible: what can be done today first, then what only days end, then
/// what is undecided.
fn missing(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let course = Course::new(r, facts);
    let mut steps = blocks(r, facts, &course);
    match course {
        Course::Begin => {}
        // Estimates take words as they stand until others confirm them.
        Course::Anew => steps.extend(labelling::confirm(r, facts)),
        Course::Confirm => steps.extend(labelling::confirm(r, facts)),
        Course::Settle => steps.extend(labelling::unsettled_labels(r, facts)),
        Course::GoOn => steps.extend(labelling::steps(r, facts)),
    }
    let waits = |step: &Step| step.kind == "block" && step.ways.iter().all(|w| w.lines.is_empty());
    steps.sort_by_key(|step| (step.about.as_deref() != Some("no_window"), waits(step)));
    match course {
        Course::Begin | Course::Confirm => {}
        Course::Settle | Course::Anew => steps.extend(undecided::dead_ends(r, facts)),
        // Before anything was judged there is nothing to say of a rate.
        Course::GoOn if is_empty(r) => {}
        Course::GoOn => steps.extend(undecided::steps(r, facts)),
    }
    steps
}

/// Whether no evaluation counts yet.
fn is_empty(r: &Readiness) -> bool {
    r.kpis.iter().filter(|k| k.id == Measure::GoRate).all(|k| k.denominator == 0)
}

/// What keeps the answer from READY; where a new window is due, only what would be there in it too.
fn blocks(r: &Readiness, facts: &Facts<'_>, course: &Course) -> Vec<Step> {
    let stays = |id: &str| match course {
        Course::GoOn => true,
        Course::Begin => id == "no_window" || remedies::outlives_window(id),
        Course::Confirm => false,
        Course::Settle | Course::Anew => remedies::outlives_window(id),
    };
    let open = r.blocks.iter().filter(|b| b.waived.is_none() && stays(&b.id));
    let mut steps: Vec<Step> = open.map(|b| block(b, r, facts)).collect();
    // A rule that is broken in several ways has one waiver.
    steps.dedup_by(|later, first| {
        let same = later.about == first.about;
        if same {
            first.text = format!("{} {}", first.text, later.text);
        }
        same
    });
    steps.sort_by_key(|step| step.days);
    steps
}

fn block(block: &Block, r: &Readiness, facts: &Facts<'_>) -> Step {
    let ended = remedies::remedy(&block.id, r, facts);
    Step {
        about: Some(block.id.clone()),
        ready_from: first_day(&ended.ways),
        days: Some(ended.days),
        ways: ended.ways,
        opens: ended.opens,
        ..Step::new("block", ended.title, format!("{}.", sentence(&block.text)))
    }
}

/// The first day on which READY is possible by any of some ways.
fn first_day(ways: &[Way]) -> Option<String> {
    ways.iter().filter_map(|way| way.ready_from.clone()).min()
}

/// The first day on which READY is possible where a thing is done today.
fn ready_from(about: &str, r: &Readiness, facts: &Facts<'_>) -> Option<String> {
    dates::ready_from(about, r.generated.day(), r, facts).map(day_text)
}

/// The KPIs that decide and are not decided.
fn open(r: &Readiness) -> impl Iterator<Item = &KpiRow> {
    let results = [KpiResult::NotEnoughEvidence, KpiResult::NotEstimable];
    let open = move |k: &&KpiRow| dates::decides(k) && results.contains(&k.result);
    r.kpis.iter().filter(open)
}

/// Those of them that more labels, days or evaluations decide: neither a block alone nor confirmations.
fn lacking<'r>(r: &'r Readiness, facts: &Facts<'_>) -> impl Iterator<Item = &'r KpiRow> {
    let waits = |id: &Measure| facts.held.contains(id) || facts.met_as_words_stand.contains(id);
    open(r).filter(move |k| !waits(&k.id))
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
    let start = way::start(r, facts);
    let mut ways = vec![start];
    if Policy::WAIVABLE.contains(&id.as_str()) {
        ways.extend(remedies::remedy(id.as_str(), r, facts).ways);
    }
    Step {
        about: Some(id.as_str().to_owned()),
        ready_from: first_day(&ways),
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

/// Evaluations, where nothing else is missing.
fn evaluations() -> Step {
    Step::new(
        "wait",
        "Wait for evaluations",
        "Nothing that counts has been judged in the window yet. A day counts when it is over (UTC).",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
