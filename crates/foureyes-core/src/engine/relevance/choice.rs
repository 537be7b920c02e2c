//! What is kept: of an answer, of two, or where there is none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// For whom memories are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Put into an agent's context unasked: at most 3.
    Strict,
    /// An explicit search: at most 10.
    Lenient,
}

impl Mode {
    /// Most memories that a judge keeps.
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
    /// How many of the best are kept: nothing is dropped of an explicit search.
    pub const fn kept(self, mode: Mode) -> usize {
        match (mode, self) {
            (Mode::Lenient, _) => usize::MAX,
            (Mode::Strict, Self::Timeout | Self::Error | Self::Invalid) => 2,
            (Mode::Strict, Self::NoKey | Self::Off | Self::NoIndex | Self::Cap) => 3,
        }
    }

    /// Whether a judge was asked, or should have been.
    pub const fn is_failure(self) -> bool {
        !matches!(self, Self::Off | Self::NoIndex)
    }
}

/// What is kept of one answer, or of two: strict what both keep, lenient what either keeps. In the order of
/// the first, and no more than the mode allows.
pub fn combined(mode: Mode, relevant: &[usize], useful: Option<&[usize]>) -> Vec<usize> {
    let mut kept = relevant.to_vec();
    match (mode, useful) {
        (_, None) => {}
        (Mode::Strict, Some(useful)) => kept.retain(|n| useful.contains(n)),
        (Mode::Lenient, Some(useful)) => {
            kept.extend(useful.iter().filter(|n| !relevant.contains(n)));
        }
    }
    kept.truncate(mode.most());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_keeps_at_most_3_and_lenient_at_most_10() {
        let all: Vec<usize> = (0..15).rev().collect();
        assert_eq!(combined(Mode::Strict, &all, None), [14, 13, 12]);
        assert_eq!(combined(Mode::Lenient, &all, None).len(), 10);
    }

    #[test]
    fn dual_strict_keeps_what_both_keep_and_lenient_what_either_keeps() {
        assert_eq!(combined(Mode::Strict, &[4, 1, 2], Some(&[2, 4, 7])), [4, 2]);
        assert_eq!(combined(Mode::Strict, &[1, 2, 3, 4, 5], Some(&[5, 4, 3])), [3, 4, 5]);
        assert_eq!(combined(Mode::Lenient, &[4, 1], Some(&[7, 4])), [4, 1, 7]);
        assert_eq!(combined(Mode::Strict, &[4], Some(&[])), [0; 0]);
    }

    #[test]
    fn fallback_keeps_2_after_a_failure_3_without_a_judge_and_all_of_a_search() {
        for (fallback, kept) in [
            (Fallback::Timeout, 2),
            (Fallback::Error, 2),
            (Fallback::Invalid, 2),
            (Fallback::NoKey, 3),
            (Fallback::Off, 3),
            (Fallback::NoIndex, 3),
            (Fallback::Cap, 3),
        ] {
            assert_eq!(fallback.kept(Mode::Strict), kept, "{fallback:?}");
            assert_eq!(fallback.kept(Mode::Lenient), usize::MAX);
        }
    }
}
