//! Why a box is set back.

use super::evidence::{result_name, text};
use crate::assess::Report;
use crate::failure::Failure;
use crate::files::atomic;
use crate::files::paths::DataDir;
use crate::hook::switch::digits;

/// Why a box was set back, for ledger and box.
const WRONG: &str = "the rehearsal failed";

/// Why a box is set back, for its ledger entry and for the box.
#[derive(Debug, Clone, Default)]
pub(super) struct ModeReason {
    /// As people read it.
    pub(super) reason: Option<String>,
    /// The report that says so.
    pub(super) report: Option<ReasonReport>,
}

/// A report for which a box is set back.
#[derive(Debug, Clone)]
pub(super) struct ReasonReport {
    /// As `readiness --json` prints it.
    pub(super) text: String,
    /// BLAKE3 of the text.
    pub(super) blake3: String,
    /// What it answers, as its word in documents.
    pub(super) result: String,
}

impl ModeReason {
    /// That a rehearsal failed.
    pub(super) fn wrong() -> Self {
        Self { reason: Some(WRONG.to_owned()), report: None }
    }

    /// A reason with the report that it is from.
    pub(super) fn on_report(reason: String, report: &Report) -> Result<Self, Failure> {
        let (text, result) = (text(report)?, result_name(report.readiness.result));
        let blake3 = blake3::hash(text.as_bytes()).to_hex().to_string();
        Ok(Self { reason: Some(reason), report: Some(ReasonReport { text, blake3, result }) })
    }

    /// Keeps the report here, as the one on which a box blocks is kept.
    pub(super) fn keep(&self, data: &DataDir) -> Result<(), Failure> {
        let Some(ReasonReport { text, blake3, .. }) = &self.report else { return Ok(()) };
        let name = format!("withdrawn-{}.json", digits(blake3));
        atomic::private_dir(&data.reports())?;
        Ok(atomic::write(&data.reports().join(name), text.as_bytes())?)
    }
}
