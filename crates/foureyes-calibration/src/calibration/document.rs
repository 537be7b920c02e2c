//! The document that `readiness` prints: one shape for JSON, text, Markdown and HTML.

mod needed;

pub use needed::{LabelRange, Needed, Outlook, Price};

use super::{
    Agreement, Allowance, Arriving, Day, DayHistory, LabelQuality, Measure, Method, PlanPrice,
    Policy, Prevalence, Range, ReviewerError, Step,
};
use crate::domain::{Caveat, JudgementKind, RecordId, Threshold, Timestamp};
use crate::engine::judged::JudgeSeen;
use crate::text::separated;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of `schema` in the readiness document.
pub const READINESS_SCHEMA: &str = "foureyes/readiness/1";

/// Value of `rules` in the readiness document.
pub const READINESS_RULES: u32 = 2;

/// Whether the judge may block, and what that rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Readiness {
    /// [`READINESS_SCHEMA`].
    pub schema: String,
    /// Which rules it was made under: [`READINESS_RULES`]; absent in a document of 0.2 or before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u32>,
    /// Whose evaluations it is about; absent for those of pushes.
    #[serde(default, skip_serializing_if = "JudgementKind::is_default")]
    pub family: JudgementKind,
    /// When the document was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// The answer.
    pub result: ReadinessResult,
    /// Sentences that belong right behind the answer: a policy weaker than the default, what is waived.
    #[serde(default)]
    pub qualifiers: Vec<String>,
    /// How many of the contents that were flagged are acceptable, in one sentence; `null` where no
    /// label tells.
    #[serde(default)]
    pub wrong_blocks: Option<String>,
    /// The span it speaks of.
    pub window: WindowRow,
    /// The six KPIs, and the further rates that the policy gates on.
    pub kpis: Vec<KpiRow>,
    /// Rates that are shown and decide nothing.
    pub beside: Vec<KpiRow>,
    /// Rules other than KPIs that keep the answer from READY, waived ones among them.
    pub blocks: Vec<Block>,
    /// What point estimates alone would have said.
    pub literal: Literal,
    /// What to label next, the cheapest first.
    pub next: Vec<Needed>,
    /// All that is to be done until the answer can be READY, in the order in which to do it; empty in a
    /// document that was made before there was such a list.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// How much poor content arrives; absent where nothing is UNDETERMINED or such content does not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arriving: Option<Arriving>,
    /// What an answer from the logs that are there costs; only where no window of the present rules runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<PlanPrice>,
    /// Days of the window in order.
    pub days: Vec<Day>,
    /// Outcomes of each of these days, and the rates up to its end; empty in a document that was made
    /// before there was such a list.
    #[serde(default)]
    pub history: Vec<DayHistory>,
    /// Declared days of a decision that wait for labels, `YYYY-MM-DD`.
    pub pending_looks: Vec<String>,
    /// Records on which reviewers differ and nobody has settled it, in order.
    #[schemars(with = "Vec<String>")]
    pub conflicts: Vec<RecordId>,
    /// Records that everybody who labelled them is unsure of, in order: they wait for a second look.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub second_look: Vec<RecordId>,
    /// How much of the content is poor, by what was flagged. It is no KPI; `null` in a document that
    /// was made before there was such a part.
    #[serde(default)]
    pub prevalence: Option<Prevalence>,
    /// The judges of the window, the one first seen first.
    #[serde(default)]
    pub judges: Vec<JudgeSeen>,
    /// How the labels came about: by whom, how many blind, which were changed; `null` in a document
    /// that was made before there was such a part.
    #[serde(default)]
    pub label_quality: Option<LabelQuality>,
    /// How far labels and verdicts, and labels among themselves, agree.
    pub agreement: Agreement,
    /// How large errors of reviewers would have to be to turn a rate, and how large they seem.
    #[serde(default)]
    pub reviewer_error: ReviewerError,
    /// Contents of closed days that passed after their author was stopped on the same path; missing where
    /// there is none, and in windows of an earlier version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retried: Option<Retried>,
    /// What a reader must know.
    pub caveats: Vec<Caveat>,
    /// Hash of all inputs: `blake3:` and 64 hexadecimal digits.
    pub evidence: String,
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadinessResult {
    /// Every gated KPI is met and no rule speaks against it.
    Ready,
    /// A gated KPI is not met.
    NotReady,
    /// Neither.
    NotEnoughEvidence,
}

impl ReadinessResult {
    /// The words that are shown.
    pub fn title(self) -> &'static str {
        match self {
            Self::Ready => "READY",
            Self::NotReady => "NOT READY",
            Self::NotEnoughEvidence => "NOT ENOUGH EVIDENCE",
        }
    }

    /// The exit code of the command: 0, 1 and 2.
    pub fn code(self) -> u8 {
        match self {
            Self::Ready => 0,
            Self::NotReady => 1,
            Self::NotEnoughEvidence => 2,
        }
    }
}

/// What was found of one KPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KpiResult {
    /// On the right side of its threshold.
    Met,
    /// On the wrong side.
    NotMet,
    /// It cannot be told yet.
    NotEnoughEvidence,
    /// Nothing in the data can tell.
    NotEstimable,
}

impl KpiResult {
    /// The words that are shown.
    pub fn title(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotMet => "not met",
            Self::NotEnoughEvidence => "not enough evidence",
            Self::NotEstimable => "not estimable",
        }
    }
}

/// The window, in record time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WindowRow {
    /// Its first instant; `null` where none was started.
    #[schemars(with = "Option<String>")]
    pub from: Option<Timestamp>,
    /// First instant after its last whole day; `null` where there is none.
    #[schemars(with = "Option<String>")]
    pub to: Option<Timestamp>,
    /// Whole days in it.
    pub days: u64,
    /// Days with data on which every KPI counts: where error rates reach back, those from the start on.
    pub days_with_data: u64,
    /// Days that the policy asks for.
    pub days_needed: u64,
    /// Days without data on which some were expected, `YYYY-MM-DD`.
    pub missing_days: Vec<String>,
    /// Days of the unbroken closed run that have data: what the error rates rest on.
    pub closed_days: u64,
    /// First open day, `YYYY-MM-DD`.
    pub first_open_day: Option<String>,
    /// Last day with data of the unbroken closed run, `YYYY-MM-DD`: until when labels tell of the judge;
    /// absent where no day is closed, and in a document of 0.2 or before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_until: Option<String>,
    /// How much of the allowed error it may spend; `null` where none was started, and in a document that
    /// was made before windows shared it.
    #[serde(default)]
    pub share: Option<ShareRow>,
    /// When its entry was written, where it begins with the first record ever of its judge; absent of
    /// others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub entered: Option<Timestamp>,
}

/// How much of the error that is allowed to a judge version a window may spend.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShareRow {
    /// Which window of its judge version it is, from 1.
    pub window: u64,
    /// Its part of the allowed error.
    pub part: f64,
    /// The chance of finding a KPI wrongly met that it has: that part of 1 minus the policy's confidence.
    pub alpha: f64,
    /// The wealth at which a KPI is met; `null` where the method is `fixed`, which keeps none.
    pub bar: Option<f64>,
    /// Judge versions that were tried at this gate, that of this window among them.
    pub judges: u64,
}

impl ShareRow {
    /// Of what a window may spend under a policy.
    pub fn new(allowance: &Allowance, policy: &Policy) -> Self {
        let Allowance { window, part, judges } = *allowance;
        // The last bits of 1 - 0.95 are no part of what a reader is told.
        let rounded = |value: f64| (value * 1e9).round() / 1e9;
        let bar = (policy.method == Method::Anytime).then(|| rounded(allowance.bar(policy)));
        Self { window, part, alpha: rounded(allowance.alpha(policy)), bar, judges }
    }
}

/// One KPI with all that is needed to read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KpiRow {
    /// Which.
    pub id: Measure,
    /// Short name of its definition.
    pub definition: String,
    /// Whether it decides.
    pub gated: bool,
    /// Who answers for its not deciding, where it is waived.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub waived_by: Option<String>,
    /// What was found.
    pub result: KpiResult,
    /// Day at whose end it was found, `YYYY-MM-DD`.
    pub decided_on: Option<String>,
    /// Day from whose end on READY is withdrawn, since the rate seems to be on the wrong side by now,
    /// `YYYY-MM-DD`. The result is then *not met*.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub withdrawn: Option<String>,
    /// No record before the window's entry can carry it, and nothing since decided it: it decides only
    /// where it is not met.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub not_recorded: bool,
    /// A share, or seconds for the median latency; `null` with a `reason`.
    pub estimate: Option<f64>,
    /// Lower bound for one look, one-sided with the policy's confidence: of sampling error alone,
    /// labels of doubt left out.
    pub lower: Option<f64>,
    /// Upper bound for one look, as the lower one.
    pub upper: Option<f64>,
    /// The threshold: a share, or seconds.
    pub threshold: f64,
    /// The upper threshold of the GO rate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub threshold_upper: Option<f64>,
    /// Items that count: of the error rates the errors among the labels, those of doubt left out.
    pub numerator: u64,
    /// Items it is taken over. FPR and FNR are no quotient of the two: they weigh each stratum by
    /// its size, `strata`.
    pub denominator: u64,
    /// The wealth on *met*.
    pub e_value: f64,
    /// The wealth on *not met*.
    pub e_value_not_met: f64,
    /// The wealth on *met* by whole clusters, where the policy names any: both must be at the bar.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub e_value_cluster: Option<f64>,
    /// The same on *not met*.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub e_value_not_met_cluster: Option<f64>,
    /// Sizes and labels of each stratum; empty where no labels are needed.
    pub strata: Vec<StratumRow>,
    /// What the estimate would be if all UNDETERMINED had been right, and if all had been wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub undetermined: Option<Range>,
    /// What the estimate would be if all labels of doubt were read for the judge, and if all were
    /// read against it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unsure: Option<Range>,
    /// Sentences that belong beside the number: what its threshold asks for, on which side it looks.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Labels still needed at the present rate; `null` where no number can be given.
    pub labels_needed: Option<u64>,
    /// Why there is no estimate, or what it rests on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

impl KpiRow {
    /// Its threshold.
    pub fn threshold(&self) -> Threshold {
        Threshold { measure: self.id, value: self.threshold, upper: self.threshold_upper }
    }

    /// What an estimate that weighs strata by their sizes is made of: `poor are 36 of 40 NO-GO,
    /// 1 of 64 GO`. `None` where the estimate is a plain share.
    pub fn weighted(&self) -> Option<String> {
        let (word, acceptable) = match self.id {
            Measure::FalsePositiveRate => ("acceptable", true),
            Measure::FalseNegativeRate => ("poor", false),
            Measure::FalseOmissionRate if self.strata.len() > 1 => ("poor", false),
            _ => return None,
        };
        let one = |s: &StratumRow| {
            let sure = s.labelled.saturating_sub(s.unsure);
            let part = if acceptable { sure.saturating_sub(s.poor) } else { s.poor };
            format!("{} of {} {}", separated(part), separated(sure), s.title())
        };
        let parts: Vec<String> = self.strata.iter().map(one).collect();
        Some(format!("{word} are {}", parts.join(", ")))
    }
}

impl StratumRow {
    /// The name for people: `NO-GO`, `GO`, `GO (weak)`.
    pub fn title(&self) -> String {
        match self.name.as_str() {
            "no_go" => "NO-GO".to_owned(),
            "go" => "GO".to_owned(),
            "undetermined" => "UNDETERMINED".to_owned(),
            other => format!("GO ({})", other.trim_start_matches("go:")),
        }
    }

    /// Those labelled acceptable.
    pub fn acceptable(&self) -> u64 {
        self.labelled.saturating_sub(self.poor + self.unsure)
    }
}

/// Sizes and labels of one stratum in the closed days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StratumRow {
    /// `no_go`, `go`, `undetermined` where the policy counts it, or `go:` and the stratum's name; `go:retried`
    /// is what passed after it was stopped.
    pub name: String,
    /// Contents in it.
    pub population: u64,
    /// Labelled ones, those of doubt among them.
    pub labelled: u64,
    /// Those labelled poor.
    pub poor: u64,
    /// Those of doubt.
    pub unsure: u64,
}

/// Contents that passed after their author was stopped on the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Retried {
    /// How many passed.
    pub passed: u64,
    /// Those with a label, those of doubt among them.
    pub labelled: u64,
    /// Those labelled poor.
    pub poor: u64,
}

/// A rule that keeps the answer from READY.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Block {
    /// Stable name, `snake_case`.
    pub id: String,
    /// What is the matter, in one sentence.
    pub text: String,
    /// Who waived it, and why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub waived: Option<String>,
}

/// What point estimates against the thresholds say, without regard to chance or selection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Literal {
    /// Whether every estimate is on the right side; `null` where one is missing.
    pub passes: Option<bool>,
    /// Each estimate.
    pub kpis: Vec<LiteralRow>,
}

/// One point estimate against its threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiteralRow {
    /// Which.
    pub id: Measure,
    /// The estimate over all labels pooled, picked ones among them.
    pub estimate: Option<f64>,
    /// Whether it is on the right side.
    pub passes: Option<bool>,
}
