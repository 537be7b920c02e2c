//! The three outcomes that verdicts of every family group into.

use serde::{Deserialize, Serialize};

/// What an evaluation said, whichever family's word it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Outcome {
    /// The content passes.
    Go = 0,
    /// The content is flagged: the positive class of every rate here.
    NoGo = 1,
    /// Neither was said, or what was said is no verdict.
    Undetermined = 2,
}

impl Outcome {
    /// The name in JSON and in filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::NoGo => "no_go",
            Self::Undetermined => "undetermined",
        }
    }

    /// The code in the columnar cache.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Reads a code of the columnar cache; 3 and above mean none (an override).
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::Go, Self::NoGo, Self::Undetermined].get(usize::from(code)).copied()
    }

    /// The code in the cache of a record that is no evaluation.
    pub const NONE_CODE: u8 = 3;
}
