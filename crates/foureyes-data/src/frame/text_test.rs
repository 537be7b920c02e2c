//! What texts are tested for.

use super::packed::Texts;
use std::ops::Range;

/// A test of a text.
pub(super) trait TextTest: Sync {
    /// Whether it holds.
    fn holds(&self, text: &str) -> bool;

    /// What it asks of a text of hexadecimal digits in lower case.
    fn of_digits(&self) -> OfDigits<'_> {
        OfDigits::Any
    }

    /// Where it holds of some rows of a list.
    fn mark(&self, texts: &Texts, rows: Range<usize>, found: &mut [bool]) {
        texts.mark_each(rows, found, |text| self.holds(text));
    }
}

/// When a test holds of a text of hexadecimal digits in lower case.
pub(super) enum OfDigits<'a> {
    /// Never.
    Never,
    /// Where the text contains these digits, at least one.
    Containing(&'a [u8]),
    /// Each text has to be tested.
    Any,
}

impl<F: Fn(&str) -> bool + Sync> TextTest for F {
    fn holds(&self, text: &str) -> bool {
        self(text)
    }
}
