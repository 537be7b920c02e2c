//! The document that `triage` prints: one shape for JSON, plain text and Markdown.

use super::{JudgementKind, Measure, Record, Threshold, Timestamp, Window};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of `schema` in the triage document.
pub const TRIAGE_SCHEMA: &str = "foureyes/triage/1";

/// What happened, as one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Triage {
    /// [`TRIAGE_SCHEMA`].
    pub schema: String,
    /// When the document was made.
    pub generated: Timestamp,
    /// The span of record time it speaks of; open ends are `null`.
    pub window: Window,
    /// Where every line went, and the outcomes inside the window.
    pub counts: Counts,
    /// The six KPIs of pushes, in the order of [`Measure::kpis`].
    pub kpis: Vec<Kpi>,
    /// Those of other families, of each that has evaluations in the window.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub families: Vec<FamilyKpis>,
    /// How often a judge of another family comes to another verdict on pushes; absent without peer reviews
    /// in the window. It has no threshold.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peer: Option<PeerKpi>,
    /// Verdicts to look at, newest first: NO-GO or UNDETERMINED, no bypass, and of a task run the
    /// last round.
    pub flagged: Vec<Record>,
    /// Flagged verdicts in the window, whether listed or cut by a limit.
    pub flagged_total: u64,
    /// Pushes in the window whose verdicts are hidden from the reader and that are in no count, since so few would
    /// tell them. Only the console leaves any out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: u64,
    /// Boxes or local sources, in configured order.
    pub boxes: Vec<BoxReport>,
    /// Pieces of logs that are no record: the first ones, in the order of the logs.
    pub rejects: Vec<RejectRow>,
    /// Rejects in all, whether listed, cut by a limit, or counted without being kept.
    pub rejects_total: u64,
    /// Rejects that are not listed.
    #[serde(default)]
    pub rejects_left_out: u64,
    /// Logs that hold objects of other programs, those with most of them first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign_logs: Vec<ForeignLog>,
    /// How many such logs there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub foreign_logs_total: u64,
    /// What came since the operator last looked; `null` where nothing was ever marked as seen.
    pub new_since: Option<NewSince>,
    /// Agent commits pushed against judged, per box and day; empty where no repository is configured.
    pub coverage: Vec<CoverageRow>,
    /// Doubts a reader of these numbers must know of.
    pub caveats: Vec<Caveat>,
}

/// The accounting of all lines read, and the outcomes in the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The accounting equation, over everything read whatever the window.
    #[serde(flatten)]
    pub accounting: super::Accounting,
    /// Distinct records without a usable time, over everything read.
    pub undated: u64,
    /// Distinct records in the window: `go + no_go + undetermined + overrides + picks + prompts`.
    pub in_window: u64,
    /// Verdicts in the window that are GO, all families.
    pub go: u64,
    /// Verdicts in the window that are NO-GO, all families.
    pub no_go: u64,
    /// Verdicts in the window that are UNDETERMINED, all families, bypasses among them.
    pub undetermined: u64,
    /// Overrides in the window. Never evaluations.
    pub overrides: u64,
    /// Picks of memories in the window. Never evaluations, in no KPI of pushes or tasks.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub picks: u64,
    /// Kept texts of their prompts in the window.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub prompts: u64,
    /// Bypasses in the window (counted in `undetermined`, in no KPI).
    pub bypassed: u64,
    /// Records in the window of history that was pushed for the first time (counted in `undetermined`, in
    /// no KPI).
    #[serde(default)]
    pub history: u64,
    /// Records in the window of a file of answers, not of a judge: counted by their verdict, in no KPI.
    #[serde(default)]
    pub scripted: u64,
    /// Records in the window of contents that are empty (counted in `undetermined`, in no KPI).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub empty: u64,
    /// Push evaluations in the window that a later one of the same unit replaces in the KPIs, and
    /// verdicts on a part of another commit's NO-GO, which are no evaluations.
    pub repeats: u64,
    /// Task and ladder verdicts in the window that a later round of the same run follows: never
    /// flagged.
    pub earlier_rounds: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Counts {
    /// Adds what another one counts in the window.
    pub fn add_window(&mut self, other: &Self) {
        self.in_window += other.in_window;
        self.go += other.go;
        self.no_go += other.no_go;
        self.undetermined += other.undetermined;
        self.overrides += other.overrides;
        self.picks += other.picks;
        self.prompts += other.prompts;
        self.bypassed += other.bypassed;
        self.history += other.history;
        self.scripted += other.scripted;
        self.empty += other.empty;
        self.repeats += other.repeats;
        self.earlier_rounds += other.earlier_rounds;
    }
}

/// A KPI with all that is needed to read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kpi {
    /// Which one.
    pub id: Measure,
    /// Evaluations (the latest push verdict of each unit) that count for it; for the median latency those below the threshold.
    pub numerator: u64,
    /// Evaluations it is taken over.
    pub denominator: u64,
    /// A share in [0, 1], or seconds for the median latency; `null` with a `reason`.
    pub estimate: Option<f64>,
    /// Lower end of the exact two-sided interval; `null` for an open end of a median.
    pub lower: Option<f64>,
    /// Upper end of the exact two-sided interval; `null` for an open end of a median.
    pub upper: Option<f64>,
    /// Coverage of the interval, 0.95.
    pub confidence: f64,
    /// `share` or `seconds`.
    pub unit: String,
    /// Its threshold in the policy in force, in its unit; of a range the lower end.
    pub threshold: f64,
    /// The upper end of a range.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub threshold_upper: Option<f64>,
    /// Why there is no estimate; beside one, what it is made of where it is no plain share.
    pub reason: Option<String>,
}

impl Kpi {
    /// Its threshold.
    pub fn threshold(&self) -> Threshold {
        Threshold { measure: self.id, value: self.threshold, upper: self.threshold_upper }
    }
}

/// What peer reviews say of the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PeerKpi {
    /// Reviews that came to another verdict.
    pub differ: u64,
    /// Reviews with a verdict.
    pub reviewed: u64,
    /// Share of all verdicts on which the two would differ; `null` where a stratum has no review.
    pub estimate: Option<f64>,
    /// Lower end of its interval, never above the estimate.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Coverage of the interval at the least, 0.95.
    pub confidence: f64,
    /// Records on which the two differ and that nobody labelled.
    pub unlabelled: u64,
}

/// The six KPIs of a family of verdicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FamilyKpis {
    /// Which family.
    pub family: JudgementKind,
    /// Its KPIs, in the order of [`Measure::kpis`].
    pub kpis: Vec<Kpi>,
}

/// How a box is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoxState {
    /// The last pull worked, or the source is local.
    Ok,
    /// The last pull failed; the data shown are older.
    Stale,
    /// Never pulled, or nothing was ever got from it.
    Empty,
}

/// A box or a local source, and how fresh its data are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxReport {
    /// Its configured name.
    pub name: String,
    /// How it is.
    pub state: BoxState,
    /// Seconds since its data were last known to be complete; `null` when never.
    pub data_age_s: Option<i64>,
    /// When its data were last known to be complete; absent when never.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub complete: Option<Timestamp>,
    /// The last failure in full, where the last pull failed.
    pub error: Option<String>,
    /// Distinct records seen on this box, over everything read.
    pub records: u64,
    /// Files read.
    pub files: u64,
    /// Objects of other programs in them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub foreign: u64,
    /// What a pull noticed: truncation, rotation, replacement, in-place change, gaps; and files that look
    /// like logs and are not read.
    pub notices: Vec<String>,
    /// Where the files that look like logs went; absent where none were listed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub listed: Option<FileCounts>,
}

/// Where the files that look like logs went, as of the last listing of their directories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCounts {
    /// Those that were listed.
    pub offered: u64,
    /// Those that are read.
    pub read: u64,
    /// Those that are not, each with a notice or an error.
    pub unread: u64,
}

impl FileCounts {
    /// Whether each file that was listed is read or has its reason.
    pub fn balances(&self) -> bool {
        self.offered == self.read + self.unread
    }
}

impl BoxReport {
    /// Seconds since its data were last known to be complete, for a report that is looked at for
    /// long. A clock that is behind the report does not make its data any younger.
    pub fn age_at(&self, now: Timestamp) -> Option<i64> {
        let since = self.complete.map(|at| now.seconds_since(at));
        since.max(self.data_age_s)
    }
}

/// A piece of a log that is no record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectRow {
    /// The box it came from.
    #[serde(rename = "box")]
    pub box_name: String,
    /// Its file.
    pub file: String,
    /// Line, from 1.
    pub line: u64,
    /// Byte offset, from 0.
    pub byte: u64,
    /// Length in bytes.
    pub len: u64,
    /// Why.
    pub reason: String,
}

/// A log with objects that are no record, but lines of other programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignLog {
    /// The box it came from.
    #[serde(rename = "box")]
    pub box_name: String,
    /// The log.
    pub file: String,
    /// How many there are in it.
    pub foreign: u64,
}

/// What came since the operator last marked the night as seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSince {
    /// When it was marked.
    pub seen: Timestamp,
    /// Records first read after that, in the window.
    pub records: u64,
    /// Flagged ones among them.
    pub flagged: u64,
}

/// Agent commits pushed against agent commits judged, one box and day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageRow {
    /// The box whose log was compared.
    #[serde(rename = "box")]
    pub box_name: String,
    /// UTC day, `YYYY-MM-DD`.
    pub day: String,
    /// Agent commits with files to judge.
    pub commits: u64,
    /// Those with an evaluation in the log.
    pub judged: u64,
    /// Those that a person skipped on purpose: not judged, not missing.
    pub bypassed: u64,
    /// Those that were pushed for the first time as history, beyond what one push may judge: not
    /// judged, not missing.
    #[serde(default)]
    pub history: u64,
    /// Those that a file of answers was asked about, not a judge.
    #[serde(default)]
    pub scripted: u64,
    /// Those whose files are empty: nothing to judge, not missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub empty: u64,
    /// The ones without any of these, at most ten.
    pub missing: Vec<String>,
}

impl CoverageRow {
    /// Commits without any record.
    pub fn gap(&self) -> u64 {
        let known = self.judged + self.bypassed + self.history + self.scripted + self.empty;
        self.commits.saturating_sub(known)
    }

    /// What was not judged and is no gap: what it is, and how many.
    pub fn others(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = [
            ("bypassed", self.bypassed),
            ("history", self.history),
            ("scripted", self.scripted),
            ("empty", self.empty),
        ];
        all.into_iter().filter(|(_, count)| *count > 0)
    }
}

/// A doubt, with a stable name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Caveat {
    /// Stable name, `snake_case`.
    pub id: String,
    /// What a reader must know, in one sentence.
    pub text: String,
}
