//! What is kept: of an answer, of two, or where there is none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// For whom memories are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Put into an agent's context unasked.
    Strict,
    /// An explicit search.
    Lenient,
}

impl Mode {
    /// Most memories that a judge keeps where nothing else is configured.
    pub const fn most(self) -> usize {
        match self {
            Self::Strict => 3,
            Self::Lenient => 10,
        }
    }
}

/// Why a judge's choice is not what counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// No answer within the time.
    Timeout,
    /// The judge could not be asked, or failed.
    Error,
    /// There was an answer, and it keeps and drops nothing.
    Invalid,
    /// There is no key.
    NoKey,
    /// The judge is off.
    Off,
    /// There is no full-text index: memories were matched by keywords.
    NoIndex,
    /// The cap of the day.
    Cap,
}

impl Fallback {
    /// Whether a judge was asked, or should have been.
    pub const fn is_failure(self) -> bool {
        !matches!(self, Self::Off | Self::NoIndex)
    }
}

/// What is kept of one answer, or of two: strict what both keep, lenient what either keeps. In the order of
/// the first, and at most `keep`.
pub fn combined(
    mode: Mode,
    keep: usize,
    relevant: &[usize],
    useful: Option<&[usize]>,
) -> Vec<usize> {
    let mut kept = relevant.to_vec();
    match (mode, useful) {
        (_, None) => {}
        (Mode::Strict, Some(useful)) => kept.retain(|n| useful.contains(n)),
        (Mode::Lenient, Some(useful)) => {
            kept.extend(useful.iter().filter(|n| !relevant.contains(n)));
        }
    }
    kept.truncate(keep);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_kept_than_is_configured() {
        let all: Vec<usize> = (0..15).rev().collect();
        assert_eq!(combined(Mode::Strict, 3, &all, None), [14, 13, 12]);
        assert_eq!(combined(Mode::Lenient, 10, &all, None).len(), 10);
    }

    #[test]
    fn dual_strict_keeps_what_both_keep_and_lenient_what_either_keeps() {
        assert_eq!(combined(Mode::Strict, 3, &[4, 1, 2], Some(&[2, 4, 7])), [4, 2]);
        assert_eq!(combined(Mode::Strict, 3, &[1, 2, 3, 4, 5], Some(&[5, 4, 3])), [3, 4, 5]);
        assert_eq!(combined(Mode::Lenient, 10, &[4, 1], Some(&[7, 4])), [4, 1, 7]);
        assert_eq!(combined(Mode::Strict, 3, &[4], Some(&[])), [0; 0]);
    }
}
