//! Documents for people and programs.
//!
//! Every text in them may come from a log, a model or a repository: it is made harmless by [`escape`] for
//! reading and by the escapes of JSON, and secrets in it are masked before that.

pub mod escape;

#[cfg(feature = "console")]
pub mod again;
#[cfg(feature = "console")]
pub mod calibration;
#[cfg(feature = "console")]
pub mod content;
#[cfg(feature = "console")]
pub mod csv;
#[cfg(feature = "console")]
pub mod hint;
#[cfg(feature = "console")]
pub mod json;
#[cfg(feature = "console")]
pub mod label;
#[cfg(feature = "console")]
pub mod markdown;
#[cfg(feature = "console")]
pub mod mask;
#[cfg(feature = "console")]
pub(crate) mod number;
#[cfg(feature = "console")]
pub use number::counted;
#[cfg(feature = "console")]
mod page;
#[cfg(feature = "console")]
pub mod plain;
#[cfg(feature = "console")]
pub mod readiness;
#[cfg(feature = "console")]
pub mod record;
#[cfg(feature = "console")]
pub mod records;
#[cfg(feature = "console")]
pub mod rejects;
#[cfg(feature = "console")]
pub mod runs;
#[cfg(feature = "console")]
mod texts;
#[cfg(feature = "console")]
pub(crate) mod words;

#[cfg(feature = "console")]
pub use texts::{Ready, Texts, ready};
#[cfg(feature = "console")]
pub use words::{freshness, other_verdict};

/// Whether secrets in texts are masked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Masking {
    /// What looks like a secret is replaced, and counted.
    #[default]
    On,
    /// Texts are shown as they are.
    Off,
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
}

impl Default for Options {
    fn default() -> Self {
        Self { masking: Masking::On, width: 80, pretty: false }
    }
}
