//! Rules of the assessment of a family: its window, its policy, the rates of its audit sample.

use super::{NaturalStart, Seed};
use crate::domain::{JudgementKind, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// When the time of calibration begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WindowStart {
    /// Its first instant: the beginning of a UTC day, or the first record ever of its judge.
    pub from: Timestamp,
    /// Whose evaluations it is of; the kind of its entry tells it.
    #[serde(skip)]
    pub family: JudgementKind,
    /// Which rules it was begun under: 0 of versions whose windows shared no α and had no entry
    /// before which nothing counts, 1 of 0.2, else [`WindowStart::RULES`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rules: u32,
    /// What it fixes where it begins with the first record ever of its judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural: Option<Box<NaturalStart>>,
}

fn is_zero(rules: &u32) -> bool {
    *rules == 0
}

impl WindowStart {
    /// The rules that windows are begun under now.
    pub const RULES: u32 = 2;

    /// A window that begins now, from a day on.
    pub fn new(from: Timestamp) -> Self {
        Self { from, family: JudgementKind::DEFAULT, rules: Self::RULES, natural: None }
    }

    /// A window that begins with the first record ever of its judge.
    pub fn natural(from: Timestamp, natural: NaturalStart) -> Self {
        Self { natural: Some(Box::new(natural)), ..Self::new(from) }
    }

    /// The same of a family.
    pub fn of(self, family: JudgementKind) -> Self {
        Self { family, ..self }
    }

    /// Whether the switch of a box to blocking may have begun it: from 0.3 on none does.
    pub(super) fn may_be_of_switch(&self) -> bool {
        self.rules < 2
    }

    /// Whether an earlier version began it: what it lacks is a caveat and no block.
    pub fn is_old(&self) -> bool {
        self.rules == 0
    }
}

/// A change of the policy; what is in it is the business of the gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PolicyChange {
    /// Whose policy it is; the kind of its entry tells it.
    #[serde(skip)]
    pub family: JudgementKind,
    /// From when it holds.
    pub from: Timestamp,
    /// The whole policy.
    pub policy: Value,
}

/// The rate of the audit sample of a stratum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRate {
    /// Whose sample it is; the kind of its entry tells it.
    #[serde(skip)]
    pub family: JudgementKind,
    /// From when it holds.
    pub from: Timestamp,
    /// Which stratum; all where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stratum: Option<String>,
    /// Probability to be drawn, from 0 to 1.
    pub rate: f64,
    /// What the draw is keyed with; without one that of the rate said before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// It had a seed of its own, which was not published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
    /// Set by a version in which a rate below 1 never binds a record judged before it was set. In an
    /// entry of an earlier one it might, where nothing that it reached had a label.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forward: bool,
}

impl AuditRate {
    /// A rate as this version sets it.
    pub fn new(from: Timestamp, stratum: Option<String>, rate: f64, seed: Option<Seed>) -> Self {
        let (family, withheld) = (JudgementKind::DEFAULT, false);
        Self { family, from, stratum, rate, seed, withheld, forward: true }
    }

    /// The same of a family.
    pub fn of(self, family: JudgementKind) -> Self {
        Self { family, ..self }
    }
}
