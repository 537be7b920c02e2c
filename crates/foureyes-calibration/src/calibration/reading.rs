//! How unsure labels are read.

use super::Word;

/// How unsure labels are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Each against the judge.
    Worst,
    /// Each for the judge.
    Best,
}

/// Whether a labelled content counts as poor.
pub(super) fn is_poor(flagged: bool, word: Word, reading: Reading) -> bool {
    match word {
        Word::Poor => true,
        Word::Acceptable => false,
        // The judge is wrong where what passed is poor and what it flagged is not.
        Word::Unsure => flagged != (reading == Reading::Worst),
    }
}
