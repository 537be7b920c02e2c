//! The two lines around data, and data that can end neither.

use super::clean::clean;
use super::{BEGIN, END};
use crate::text::mask::mask;

/// A text without secrets, and without anything that could end the data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::engine) struct Harmless {
    pub(in crate::engine) text: String,
    /// Secrets that were masked.
    pub(in crate::engine) masked: usize,
    /// Places that could have passed for a delimiter.
    pub(in crate::engine) neutralised: usize,
}

/// The line that begins data.
pub(in crate::engine) fn begin(mark: &str) -> String {
    format!("=== {BEGIN} {mark} ===")
}

/// The line that ends it.
pub(in crate::engine) fn end(mark: &str) -> String {
    format!("=== {END} {mark} ===")
}

/// Makes a text harmless between the lines with a mark.
pub(in crate::engine) fn harmless(text: &str, mark: &str) -> Harmless {
    let (text, masked) = mask(text);
    let (text, neutralised) = clean(&text, mark);
    Harmless { text: text.into_owned(), masked, neutralised }
}
