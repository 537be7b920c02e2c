//! How much is read.

/// Longest file, in bytes.
pub const MAX_FILE: usize = 256 * 1024;

/// Longest term, in characters.
pub const MAX_TERM: usize = 100;

/// Most terms of a thesaurus.
pub const MAX_TERMS: usize = 10_000;
