//! What is exported: the records of a list, or what a page says.

use crate::assess::{OpenDays, Report};
use crate::domain::Triage;
use crate::page::Page as Answer;
use crate::store::cache::Row;
use std::path::PathBuf;
use std::sync::Arc;

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// Comma-separated values.
    Csv,
    /// JSON; of a list a document a line.
    Json,
    /// A table in Markdown.
    Markdown,
}

/// Something to be exported.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// What the name of the file begins with.
    pub name: &'static str,
    /// Its form.
    pub form: ExportForm,
    /// What it holds.
    pub source: ExportSource,
}

/// What an export holds.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportSource {
    /// The records of a list.
    Records(ExportedRecords),
    /// What a page says, and the document that it says it of.
    Page(Answer, ExportedDocument),
}

/// The document of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportedDocument {
    /// The counts of the overview.
    Triage(Arc<Triage>),
    /// An assessment.
    Report(Arc<Report>),
}

/// The records of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedRecords {
    /// Number of the archive, from 1.
    pub edition: u64,
    /// Their rows in that archive, in the order of the list.
    pub rows: Arc<Vec<Row>>,
    /// Whose verdicts the person hides.
    pub hides: ExportHides,
    /// The days of the window whose verdicts are not to be known yet; `None` where no window runs.
    pub open_days: Option<OpenDays>,
    /// Whether the person wanted to see those in this sitting: then they are exported, and count as seen.
    pub is_lifted: bool,
}

/// Whose verdicts the person hides, beside those of open days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportHides {
    /// None.
    None,
    /// Those of records that the reviewer has not labelled.
    Unlabelled,
    /// All: of what is to be labelled once more there is a label already.
    All,
}

/// A file that was written, as it is named on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Where it is.
    pub path: PathBuf,
    /// The same, shortened, as a notice names it.
    pub name: String,
}
