//! Whether the judge is worth being on.

use super::evidence::{Bets, Evidence, TESTS};
use super::{Labelled, Measured, Pick, Policy, measure};
use crate::stats::spending;
use schemars::JsonSchema;
use serde::Serialize;

/// What is checked, in the order in which it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckId {
    /// Enough picks are labelled.
    Labelled,
    /// It keeps about as much of what helps as search does.
    Recall,
    /// It keeps something where something helps.
    Keeps,
    /// Its choice does good more often than harm.
    BetterThanNone,
    /// The judge is better than search more often than worse.
    Better,
    /// Of what it keeps for a prompt, enough helps.
    Precision,
    /// It answers often enough.
    FallbackRate,
    /// It answers fast enough.
    Latency,
    /// It costs no more than it may.
    Cost,
}

impl CheckId {
    /// All in the order of the document: those of earlier versions first, in their places.
    const IN_DOCUMENT: [Self; 9] = [
        Self::Labelled,
        Self::Better,
        Self::Precision,
        Self::Latency,
        Self::FallbackRate,
        Self::Cost,
        Self::Recall,
        Self::Keeps,
        Self::BetterThanNone,
    ];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Labelled => "labelled prompts",
            Self::Recall => "recall",
            Self::Keeps => "keeps something",
            Self::BetterThanNone => "better than none",
            Self::Better => "better than search",
            Self::Precision => "precision",
            Self::FallbackRate => "fallbacks",
            Self::Latency => "latency",
            Self::Cost => "cost",
        }
    }

    /// Whether labels decide it.
    pub fn needs_labels(self) -> bool {
        !matches!(self, Self::FallbackRate | Self::Latency | Self::Cost)
    }
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

impl Decision {
    fn new(is_met: bool, is_failed: bool) -> Self {
        match (is_met, is_failed) {
            (_, true) => Self::NotReady,
            (true, false) => Self::Ready,
            (false, false) => Self::NotEnoughEvidence,
        }
    }
}

/// One check.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Check {
    /// What is checked.
    pub id: CheckId,
    /// What came of it.
    pub decision: Decision,
    /// What decided it, over all picks of the window; absent where a count or a sum is compared with its limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// The wealth at which a condition of a window is met, by the number of the window among those of its judge,
/// from 1, and the wealth at which it is not met.
pub fn bars(policy: &Policy, number: u64) -> (f64, f64) {
    // Without the last digits of a product, which say nothing.
    let rounded = |bar: f64| (bar * 1e9).round() / 1e9;
    let met: f64 = 1.0 / (policy.alpha * spending::window(number));
    (rounded(met), rounded(TESTS as f64 / policy.alpha))
}

/// Measures the picks of a window and checks each condition, at the bars of the window with this number.
pub fn check<'a>(
    picks: impl Iterator<Item = (&'a Pick, Option<Labelled>)> + Clone,
    policy: &Policy,
    number: u64,
) -> (Measured, Vec<Check>) {
    let measured = measure(picks.clone());
    let mut bets = Bets::new(policy);
    picks.for_each(|(pick, labelled)| bets.take(pick, labelled.as_ref()));
    let check = |id| {
        let evidence = bets.evidence(id, bars(policy, number));
        let decision = match evidence {
            Some(evidence) => by_wealth(&evidence),
            None => by_limit(id, &measured, policy),
        };
        Check { id, decision, evidence }
    };
    let checks = CheckId::IN_DOCUMENT.map(check).to_vec();
    (measured, checks)
}

/// The last bits of a product must not ask for more than 1/α.
fn by_wealth(evidence: &Evidence) -> Decision {
    let reaches = |wealth: f64, bar: f64| wealth >= bar * (1.0 - 1e-12);
    let is_failed = reaches(evidence.wealth_against, evidence.bar_against);
    Decision::new(reaches(evidence.wealth, evidence.bar), is_failed)
}

fn by_limit(id: CheckId, measured: &Measured, policy: &Policy) -> Decision {
    match id {
        CheckId::Cost => cost(measured, policy),
        _ => Decision::new(measured.labels.labelled >= policy.labelled, false),
    }
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

/// What follows of all checks: each must be met, and a block keeps READY away.
pub fn decide(checks: &[Check], is_blocked: bool) -> Decision {
    let all = checks.iter().map(|check| check.decision).max();
    match all.unwrap_or(Decision::NotEnoughEvidence) {
        Decision::Ready if is_blocked => Decision::NotEnoughEvidence,
        decision => decision,
    }
}
