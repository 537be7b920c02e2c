//! What is wrong with a file of terms, and where.

use super::bounds::{MAX_FILE, MAX_TERM, MAX_TERMS};
use crate::text::position::Position;
use std::fmt;

/// One thing that is wrong, at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// Where in it.
    pub position: Position,
    /// What.
    pub fault: Fault,
}

/// What can be wrong with a file of terms.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is longer than [`MAX_FILE`].
    #[error("the file is longer than {MAX_FILE} bytes")]
    TooLong,
    /// It is no text.
    #[error("the file is not UTF-8")]
    NotUtf8,
    /// It has no title.
    #[error("the file has no title: its first heading must be `# TITLE`")]
    NoTitle,
    /// It has a second one.
    #[error("the file has a second title: a group of terms has a heading `## NAME`")]
    SecondTitle,
    /// A heading without a text.
    #[error("the heading is empty")]
    EmptyHeading,
    /// It lists nothing.
    #[error("the file lists no term: it needs a line `synonyms:: TERM, TERM`")]
    NoTerms,
    /// A line that was to list terms.
    #[error("`synonyms` needs two colons: `synonyms:: TERM, TERM`")]
    OneColon,
    /// Nothing between two commas.
    #[error("a term is empty")]
    EmptyTerm,
    /// It is longer than [`MAX_TERM`].
    #[error("a term is longer than {MAX_TERM} characters")]
    LongTerm,
    /// Nothing in it can be found as a word.
    #[error("{0:?} has no letter and no digit")]
    NoWord(String),
    /// Characters that nobody sees.
    #[error("{0:?} has a hidden character")]
    Hidden(String),
    /// The same term, earlier.
    #[error("{term:?} is listed before, in {file:?}, line {line}")]
    ListedBefore {
        /// The term.
        term: String,
        /// The file that lists it first.
        file: String,
        /// The line there.
        line: usize,
    },
    /// More than [`MAX_TERMS`].
    #[error("there are more than {MAX_TERMS} terms")]
    TooManyTerms,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}: {}", self.file, self.position, self.fault)
    }
}
