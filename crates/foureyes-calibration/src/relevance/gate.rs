//! Whether the judge is worth being on.

use super::Measured;
use crate::domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a judge of memories must meet to be turned on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Policy {
    /// When the picks that count begin; all count without it.
    #[schemars(with = "Option<String>")]
    pub since: Option<Timestamp>,
    /// Share of the memories it keeps for a prompt that must help, on average; in (0, 1).
    pub precision: f64,
    /// Labelled picks that are needed at the least.
    pub labelled: u64,
    /// Longest median time of its calls in milliseconds.
    pub latency_ms: u64,
    /// Largest share of calls that come to no choice; in (0, 1).
    pub fallback_rate: f64,
    /// Most that a UTC day may cost; no limit without it.
    pub cost_per_day: Option<f64>,
    /// Chance of an error that is accepted in each decision; in (0, 1).
    pub alpha: f64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            since: None,
            precision: 0.7,
            labelled: 30,
            latency_ms: 3_000,
            fallback_rate: 0.1,
            cost_per_day: None,
            alpha: 0.05,
        }
    }
}

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckId {
    /// Enough picks are labelled.
    Labelled,
    /// The judge is better than search more often than worse.
    Better,
    /// Of what it keeps for a prompt, enough helps.
    Precision,
    /// It answers fast enough.
    Latency,
    /// It answers often enough.
    FallbackRate,
    /// It costs no more than it may.
    Cost,
}

/// What is decided, of one check or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It is met.
    Ready,
    /// The data say neither.
    NotEnoughEvidence,
    /// It is not met.
    NotReady,
}

/// One check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Check {
    /// What is checked.
    pub id: CheckId,
    /// What came of it.
    pub decision: Decision,
}

/// Decides whether the judge is worth being on: all checks must be met. With each check.
pub fn decide(measured: &Measured, policy: &Policy) -> (Decision, Vec<Check>) {
    let shows = |evidence: f64| evidence >= 1.0 / policy.alpha;
    let by = |met: bool, failed: bool| match (met, failed) {
        (_, true) => Decision::NotReady,
        (true, false) => Decision::Ready,
        (false, false) => Decision::NotEnoughEvidence,
    };
    let comparison = &measured.comparison;
    let latency = measured.latency_ms.and_then(|median| Some((median.lower?, median.upper?)));
    let fallback = measured.picks.fallback_rate;
    let checks = [
        (CheckId::Labelled, by(measured.labels.labelled >= policy.labelled, false)),
        (CheckId::Better, by(shows(comparison.evidence_better), shows(comparison.evidence_worse))),
        (
            CheckId::Precision,
            by(shows(measured.evidence_precise), shows(measured.evidence_imprecise)),
        ),
        (
            CheckId::Latency,
            by(
                latency.is_some_and(|(_, upper)| upper <= policy.latency_ms),
                latency.is_some_and(|(lower, _)| lower > policy.latency_ms),
            ),
        ),
        (
            CheckId::FallbackRate,
            by(
                fallback.is_some_and(|share| share.upper <= policy.fallback_rate),
                fallback.is_some_and(|share| share.lower > policy.fallback_rate),
            ),
        ),
        (CheckId::Cost, cost(measured, policy)),
    ];
    let checks: Vec<Check> = checks.map(|(id, decision)| Check { id, decision }).to_vec();
    let all = checks.iter().map(|check| check.decision).max();
    (all.unwrap_or(Decision::NotEnoughEvidence), checks)
}

/// What is not known to cost something may cost anything.
fn cost(measured: &Measured, policy: &Policy) -> Decision {
    match policy.cost_per_day {
        None => Decision::Ready,
        Some(most) if measured.cost.dearest_day > most => Decision::NotReady,
        Some(_) if measured.picks.judged == 0 || measured.cost.unknown > 0 => {
            Decision::NotEnoughEvidence
        }
        Some(_) => Decision::Ready,
    }
}
