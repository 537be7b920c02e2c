//! The documents that `calibration` prints: what the screen of calibration shows.

use super::{Breakdown, CUSUM, Report, Week};
use crate::calibration::{
    Agreement, KpiRow, Measure, Part, Prevalence, Replayed, StratumRow, WindowRow,
};
use crate::domain::{Caveat, JudgementKind, RecordId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

/// Value of `schema` in the document of a calibration.
pub const CALIBRATION_SCHEMA: &str = "foureyes/calibration/1";

/// Value of `schema` in the rates of parts.
pub const BREAKDOWN_SCHEMA: &str = "foureyes/calibration-breakdown/1";

/// Value of `schema` in the scores from week to week.
pub const DRIFT_SCHEMA: &str = "foureyes/calibration-drift/1";

/// Value of `schema` in what other score rules would have done.
pub const WHAT_IF_SCHEMA: &str = "foureyes/calibration-what-if/1";

/// How often the judge errs, by the labels of the window. It decides nothing: `readiness` does.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Calibration {
    /// [`CALIBRATION_SCHEMA`].
    pub schema: &'static str,
    /// Whose evaluations it is about; absent for those of pushes.
    #[serde(skip_serializing_if = "JudgementKind::is_default")]
    #[schemars(default)]
    pub family: JudgementKind,
    /// When the document was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// The span it speaks of.
    pub window: WindowRow,
    /// Contents of closed days and their labels: what was flagged, and each stratum of what passed.
    pub strata: Vec<StratumRow>,
    /// Labels of GO contents that nobody drew; they are in no rate. Open days are among them.
    pub picked: Picked,
    /// The error rates, each with its bounds and its threshold.
    pub rates: Vec<KpiRow>,
    /// Confidence of the bounds, one-sided.
    pub confidence: f64,
    /// How much of the content is poor.
    pub prevalence: Option<Prevalence>,
    /// How far labels and verdicts, and labels among themselves, agree.
    pub agreement: Agreement,
    /// Records on which reviewers differ and nobody has settled it.
    #[schemars(with = "Vec<String>")]
    pub conflicts: Vec<RecordId>,
    /// What a reader must know.
    pub caveats: Vec<Caveat>,
    /// Hash of all inputs, the same as that of `readiness`.
    pub evidence: String,
}

/// Labels of what somebody picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Picked {
    /// Acceptable ones.
    pub acceptable: u64,
    /// Poor ones.
    pub poor: u64,
    /// Those of doubt.
    pub unsure: u64,
}

impl Calibration {
    /// The part of a report that speaks of the judge's errors, with the labels of what was picked:
    /// acceptable, poor, unsure.
    pub fn new(report: &Report, [acceptable, poor, unsure]: [u64; 3]) -> Self {
        let r = &report.readiness;
        let rates = r.kpis.iter().chain(&r.beside).filter(|k| k.id.needs_labels());
        Self {
            schema: CALIBRATION_SCHEMA,
            family: r.family,
            generated: r.generated,
            window: r.window.clone(),
            strata: strata(report).to_vec(),
            picked: Picked { acceptable, poor, unsure },
            rates: rates.cloned().collect(),
            confidence: report.policy.confidence,
            prevalence: r.prevalence.clone(),
            agreement: r.agreement.clone(),
            conflicts: r.conflicts.clone(),
            caveats: r.caveats.clone(),
            evidence: r.evidence.clone(),
        }
    }
}

/// The strata of both outcomes: those of the rate that needs both.
fn strata(report: &Report) -> &[StratumRow] {
    let r = &report.readiness;
    let is = |k: &&KpiRow| k.id == Measure::FalsePositiveRate;
    r.kpis.iter().chain(&r.beside).find(is).map_or(&[], |k| k.strata.as_slice())
}

/// The rates of parts of the window. They decide nothing.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BreakdownDocument {
    /// [`BREAKDOWN_SCHEMA`].
    pub schema: &'static str,
    /// Whose evaluations it is about; absent for those of pushes.
    #[serde(skip_serializing_if = "JudgementKind::is_default")]
    #[schemars(default)]
    pub family: JudgementKind,
    /// When the document was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// By what the contents are told apart.
    pub by: Breakdown,
    /// Confidence of each bound, one-sided, for one look at one part.
    pub confidence: f64,
    /// The parts, in the order of their names. Contents of open days are among them.
    pub parts: Vec<Part>,
}

/// The judge's scores from week to week, over all push evaluations.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DriftDocument {
    /// [`DRIFT_SCHEMA`].
    pub schema: &'static str,
    /// Whose evaluations it is about; absent for those of pushes.
    #[serde(skip_serializing_if = "JudgementKind::is_default")]
    #[schemars(default)]
    pub family: JudgementKind,
    /// When the document was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// Allowance of the cumulative sums, in standard deviations of the first week.
    pub allowance: f64,
    /// Their limit.
    pub limit: f64,
    /// The latest weeks in order, those without an evaluation left out.
    pub weeks: Vec<Week>,
}

impl DriftDocument {
    /// The document of some weeks of a family.
    pub fn new(family: JudgementKind, weeks: Vec<Week>, generated: Timestamp) -> Self {
        let (allowance, limit) = CUSUM;
        Self { schema: DRIFT_SCHEMA, family, generated, allowance, limit, weeks }
    }
}

/// What other score rules would have done. Nothing is changed by it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WhatIfDocument {
    /// [`WHAT_IF_SCHEMA`].
    pub schema: &'static str,
    /// Whose evaluations it is about; absent for those of pushes.
    #[serde(skip_serializing_if = "JudgementKind::is_default")]
    #[schemars(default)]
    pub family: JudgementKind,
    /// When the document was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// Labelled records of the sample that the rules are replayed over.
    pub records: u64,
    /// Each rule that was asked for: they share the allowed error.
    pub rules: Vec<Replayed>,
}
