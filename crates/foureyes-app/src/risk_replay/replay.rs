//! Rules over what was judged: what they would have cost, caught and delayed.

use super::document::DepthCount;
use super::estimate::PARTS;
use super::{
    Decided, Evidences, FEW, Facts, Labels, Past, PastChange, REPLAY_SCHEMA, ReplayDocument,
    RuleCount, Share,
};
use crate::domain::{JudgementKind, RecordId, Timestamp};
use crate::engine::panel::Depth;
use crate::engine::risk::{Assessment, Certainty, RiskDepth};
use crate::instruments::EvaluationUnit;
use crate::risk::RiskRules;
use crate::stats::binomial;
use std::collections::{HashMap, HashSet};

/// The confidence with which all intervals hold together.
const CONFIDENCE: f64 = 0.95;
/// Intervals of a replay: calls, tokens, cost, seconds, misses that are reached, what a panel catches, what
/// it stops wrongly, and what it leaves to a person. The allowed error is shared by all (Bonferroni).
const INTERVALS: f64 = 8.0;

/// What is asked.
#[derive(Debug)]
pub struct Planned<'a> {
    /// Whose changes.
    pub family: JudgementKind,
    /// The rules.
    pub rules: &'a RiskRules,
    /// Since when.
    pub since: Timestamp,
    /// The present.
    pub now: Timestamp,
    /// What past runs took.
    pub evidences: &'a Evidences,
}

/// Replays rules.
pub fn replay(asked: &Planned<'_>, past: &Past, facts: &Facts, labels: &Labels) -> ReplayDocument {
    let each = 1.0 - (1.0 - CONFIDENCE) / INTERVALS;
    let assessed: Vec<_> = facts.changes.iter().map(|change| asked.rules.assess(change)).collect();
    let both = || past.changes.iter().zip(&assessed);
    let draws = [|a: &Assessment| a.depth, |a: &Assessment| a.at_most]
        .map(|of| draws(both().map(|(change, assessment)| (change, of(assessment)))));
    let before = PARTS.map(|part| replaced(asked.family, both(), part));
    let [calls, tokens, cost, seconds] = asked.evidences.figures(draws, before, each);
    let is_deeper = |change: &PastChange, depth: RiskDepth| depth > change.depth;
    let share = |ids: Option<&HashSet<RecordId>>| {
        let own = both().filter(|(change, _)| ids.is_none_or(|ids| ids.contains(&change.id)));
        let (mut least, mut most, mut of) = (0, 0, 0);
        for (change, assessment) in own {
            of += 1;
            least += u64::from(is_deeper(change, assessment.depth));
            most += u64::from(is_deeper(change, assessment.at_most));
        }
        (least, most, of)
    };
    let reached = interval(share(Some(&labels.misses)), each);
    let [caught, wrongly_stopped] = [&labels.poor, &labels.acceptable]
        .map(|ids| looked_again(asked.family, past, ids).map(|count| interval(count, each)));
    let panels = past.runs.iter().filter(|run| run.depth == Depth::Panel);
    let people = panels.clone().filter(|run| run.decided == Decided::Person).count() as u64;
    let panels = panels.count() as u64;
    let left = (panels > 0).then(|| interval((people, people, panels), each));
    let (catch_low, catch_high) =
        caught.as_ref().map_or((0.0, 1.0), |share| (share.low, share.high));
    let (least, most, of) = share(None);
    ReplayDocument {
        schema: REPLAY_SCHEMA,
        family: asked.family,
        generated: asked.now,
        since: asked.since,
        changes: past.changes.len() as u64,
        in_clones: facts.in_clones,
        rules: rules(asked.rules, &assessed),
        depths: depths(&assessed),
        evidence: asked.evidences.rows(),
        calls,
        tokens,
        cost,
        seconds,
        // All of them are there: nothing is estimated.
        deeper: Share { least, most, of, low: ratio(least, of), high: ratio(most, of) },
        caught_low: reached.low * catch_low,
        caught_high: reached.high * catch_high,
        caveats: caveats(asked, past, facts, labels, (panels, caught.is_some())),
        reached,
        caught,
        wrongly_stopped,
        left_to_person: left,
        confidence: CONFIDENCE,
    }
}

/// Runs that are to be made, by depth: of changes that are judged deeper than they were.
fn draws<'a>(all: impl Iterator<Item = (&'a PastChange, RiskDepth)>) -> [(Depth, u64); 3] {
    let mut counts = [(Depth::Quick, 0), (Depth::Sequential, 0), (Depth::Panel, 0)];
    for (change, depth) in all.filter(|(change, depth)| *depth > change.depth) {
        // A person decides about the same runs.
        if depth.judges() > change.depth.judges() || change.depth == RiskDepth::Quick {
            counts[depth.judges() as usize].1 += 1;
        }
    }
    counts
}

/// What the runs took in whose place deeper ones come; of pushes nothing is replaced. `None` where it is not
/// known of one, or where it is not certain which are.
fn replaced<'a>(
    family: JudgementKind,
    all: impl Iterator<Item = (&'a PastChange, &'a Assessment)>,
    part: fn(&super::Spent) -> Option<f64>,
) -> Option<f64> {
    if !family.has_rounds() {
        return Some(0.0);
    }
    let mut sum = 0.0;
    for (change, assessment) in all {
        let is_deeper = |depth: RiskDepth| depth.judges() > change.depth.judges();
        if is_deeper(assessment.depth) != is_deeper(assessment.at_most) {
            return None;
        }
        if is_deeper(assessment.depth) {
            sum += part(&change.spent)?;
        }
    }
    Some(sum)
}

/// Of contents that a first judge accepted and a panel looked at, those that the panel did not accept: with
/// how many these are. `None` without any.
fn looked_again(
    family: JudgementKind,
    past: &Past,
    ids: &HashSet<RecordId>,
) -> Option<(u64, u64, u64)> {
    let panels = past.runs.iter().filter(|run| run.depth == Depth::Panel);
    let accepted: Vec<_> = match family.instrument().unit {
        EvaluationUnit::Run => {
            panels.filter(|run| ids.contains(&run.id) && run.quick_accepts == Some(true)).collect()
        }
        EvaluationUnit::Content => {
            let passed = past.changes.iter().filter(|one| ids.contains(&one.id) && !one.is_flagged);
            let passed: HashSet<_> = passed.filter_map(|one| one.content_sha.as_deref()).collect();
            panels
                .filter(|run| run.content_sha.as_deref().is_some_and(|sha| passed.contains(sha)))
                .collect()
        }
    };
    let stopped = accepted.iter().filter(|run| run.decided != Decided::Accept).count() as u64;
    (!accepted.is_empty()).then_some((stopped, stopped, accepted.len() as u64))
}

/// A share of which the count itself is between two numbers.
fn interval((least, most, of): (u64, u64, u64), confidence: f64) -> Share {
    let (low, high) = match of {
        0 => (0.0, 1.0),
        of => {
            let ends = |count| binomial::two_sided(count, of, confidence);
            (ends(least).map_or(0.0, |i| i.lower), ends(most).map_or(1.0, |i| i.upper))
        }
    };
    Share { least, most, of, low, high }
}

fn ratio(count: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { count as f64 / of as f64 }
}

fn rules(rules: &RiskRules, assessed: &[Assessment]) -> Vec<RuleCount> {
    let mut counts: HashMap<&str, [u64; 2]> = HashMap::new();
    for one in assessed.iter().flat_map(|assessment| &assessment.rules) {
        let count = counts.entry(one.rule.as_str()).or_default();
        count[0] += u64::from(one.applies == Certainty::Yes);
        count[1] += 1;
    }
    let of = |rule: &crate::engine::risk::RiskRule| {
        let [least, most] = counts.get(rule.name.as_str()).copied().unwrap_or_default();
        RuleCount { rule: rule.name.clone(), depth: rule.depth, least, most }
    };
    rules.rules.iter().map(of).collect()
}

fn depths(assessed: &[Assessment]) -> Vec<DepthCount> {
    let of = |depth| {
        let count = |of: fn(&Assessment) -> RiskDepth| {
            assessed.iter().filter(|assessment| of(assessment) == depth).count() as u64
        };
        DepthCount { depth, certain: count(|a| a.depth), worst: count(|a| a.at_most) }
    };
    RiskDepth::ALL.map(of).into()
}

/// What past records do not tell.
fn caveats(
    asked: &Planned<'_>,
    past: &Past,
    facts: &Facts,
    labels: &Labels,
    (panels, is_caught): (u64, bool),
) -> Vec<String> {
    let open = past.changes.len() as u64 - facts.in_clones.min(past.changes.len() as u64);
    let mut all = Vec::new();
    if open > 0 {
        all.push(format!(
            "{open} changes are in no clone of [[repository]]: of these, records have only the files that were \
             judged, so rules may apply that do not, and the other way round"
        ));
    }
    if panels < FEW {
        all.push(format!(
            "not enough evidence of what a panel takes: {panels} past runs by one, and {FEW} are needed"
        ));
    } else {
        all.push(format!(
            "cost and time assume that changes which rules send to a depth are like the past runs of it \
             ({panels} by a panel)"
        ));
    }
    if !is_caught {
        all.push(
            "not enough evidence of what a panel catches: it looked at no labelled poor content that a first \
             judge accepted; a record judged by one judge has no verdict of a panel"
                .to_owned(),
        );
    }
    if labels.misses.is_empty() {
        all.push(
            "not enough evidence of which misses the rules reach: the audit found none".to_owned(),
        );
    }
    if let Some(error) = asked.rules.without_rates() {
        all.push(format!("rules about authors may apply to all changes: {}", error.words()));
    } else if asked.rules.rules.iter().any(|rule| rule.is_about_author()) {
        all.push(
            "authors are judged by the rates of today, which know how past changes ended; then they did not"
                .to_owned(),
        );
    }
    let failed = facts.failed.iter().map(|(path, why)| format!("{}: {why}", path.display()));
    all.extend(failed);
    all
}
