//! Documents for people and programs.
//!
//! Every text in them may come from a log, a model or a repository: it is made harmless by [`crate::text::escape`] for
//! reading and by the escapes of JSON, and secrets in it are masked before that.

pub mod assignments;
pub mod audit;
pub mod claims;
#[cfg(test)]
mod clock_tests;
pub mod content;
pub mod csv;
pub mod exchanges;
pub mod fleet;
pub mod json;
pub mod label;
pub mod label_row;
pub mod ledgers;
mod markdown;
pub mod mask;
pub mod run_comparison;
pub use crate::text::counted;
pub mod overrides;
mod page;
pub mod peer;
pub mod picks;
pub mod picks_comparison;
mod plain_or_json;
pub mod policy_file;
pub mod pulls;
pub mod record;
pub mod record_columns;
pub mod records;
pub mod rejects;
pub mod risk;
pub mod runbooks;
pub mod runs;
pub mod saved;
pub mod simulation;
pub mod tables;
pub mod trend;
pub mod usage;
pub(crate) mod words;

use crate::page::write;
use crate::text::CommandLine;
pub use plain_or_json::PlainOrJson;

/// Whether secrets in texts are masked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Masking {
    /// What looks like a secret is replaced, and counted.
    #[default]
    On,
    /// Texts are shown as they are.
    Off,
}

impl Masking {
    /// Whether they are.
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether secrets are masked.
    pub masking: Masking,
    /// Columns of plain text, at least 40; other forms ignore it.
    pub width: usize,
    /// Whether JSON is indented.
    pub pretty: bool,
    /// What commands in texts are completed with; JSON has them as they are in the document.
    pub command_line: CommandLine,
}

impl Options {
    /// What the writers of pages need of them.
    pub fn page(&self) -> write::Options {
        let Self { masking, width, command_line, .. } = *self;
        write::Options { is_masked: masking.is_on(), width, command_line }
    }
}

impl Default for Options {
    fn default() -> Self {
        let command_line = CommandLine::default();
        Self { masking: Masking::On, width: 80, pretty: false, command_line }
    }
}
