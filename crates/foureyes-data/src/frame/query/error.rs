//! What is wrong with a query, and where.

use std::ops::Range;

/// A text is no query: which part of it, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct QueryError {
    /// Bytes of the text that it is about, on character borders; empty at a place between.
    pub range: Range<usize>,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a part of a query.
///
/// Texts of the query in it have control and hidden characters made visible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The text has too many bytes.
    #[error("the filter is longer than {0} bytes")]
    TooLong(usize),
    /// There are too many conditions.
    #[error("the filter has more than {0} conditions")]
    TooMany(usize),
    /// Groups or negations are nested too deeply.
    #[error("groups and negations are nested deeper than {0}")]
    TooDeep(usize),
    /// A quote is opened and never closed.
    #[error("this quote is never closed")]
    UnclosedQuote,
    /// A quote begins inside a word.
    #[error("a quote begins inside a word")]
    QuoteInWord,
    /// A word begins right after a quote.
    #[error("no space after the quote")]
    AfterQuote,
    /// A backslash before something that has no such form.
    #[error("unknown escape; known are \\\" \\\\ \\n \\r \\t and \\u{{1f}}")]
    BadEscape,
    /// A NUL character.
    #[error("a NUL stands as \\u{{0}} in quotes behind `:=` only, and in no path")]
    Nul,
    /// A parenthesis is opened and never closed.
    #[error("this group is never closed")]
    UnclosedGroup,
    /// A parenthesis is closed that was never opened.
    #[error("no group is open here")]
    UnopenedGroup,
    /// A group without a condition.
    #[error("this group is empty")]
    EmptyGroup,
    /// A bar with nothing beside it.
    #[error("a condition is missing next to `|`")]
    EmptySide,
    /// A minus with nothing after it.
    #[error("nothing to negate after `-`")]
    EmptyNegation,
    /// A pair of quotes with nothing between them.
    #[error("this text is empty")]
    EmptyText,
    /// A word before a colon that is no field.
    #[error("unknown field `{name}`")]
    UnknownField {
        /// The word.
        name: String,
        /// The known field that is most like it.
        nearest: Option<&'static str>,
    },
    /// Nothing after the colon.
    #[error("`{0}:` has no value")]
    MissingValue(&'static str),
    /// A value that the field does not know.
    #[error("`{value}` is not a value of `{field}:`")]
    UnknownValue {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// The known value that is most like it.
        nearest: Option<&'static str>,
    },
    /// A value that is no number.
    #[error("`{0}` is not a number")]
    BadNumber(String),
    /// A range whose first end is the greater one.
    #[error("the range ends below its beginning")]
    BackwardRange,
    /// A duration without a unit, or with an unknown one.
    #[error("`{0}` has no unit of `ms`, `s` or `m`")]
    BadUnit(String),
    /// A duration that is no whole number of milliseconds.
    #[error("`{0}` is not a whole number of milliseconds")]
    TooFine(String),
    /// A value that is no time.
    #[error("`{0}` is not a time such as 7d, 12h, 2026-02-15 or 2026-02-15T10:30:00Z")]
    BadTime(String),
    /// A value that is no day.
    #[error("`{0}` is not a day such as 2026-02-15, today or yesterday")]
    BadDay(String),
    /// A value that is no beginning of a record id.
    #[error("`{0}` is not the beginning of an id, which has 64 hexadecimal digits")]
    BadId(String),
}

impl Fault {
    /// The known name that is most like the unknown one.
    pub fn nearest(&self) -> Option<&'static str> {
        match self {
            Self::UnknownField { nearest, .. } | Self::UnknownValue { nearest, .. } => *nearest,
            _ => None,
        }
    }

    /// This fault of that part of the text.
    pub(super) fn at(self, range: Range<usize>) -> QueryError {
        QueryError { range, fault: self }
    }
}

/// Finds the name that a mistyped word was meant to be, if one is near enough.
pub fn nearest(word: &str, names: &[&'static str]) -> Option<&'static str> {
    let word = word.to_lowercase();
    // Letters in the wrong order are the likeliest mistake: of two names as near, the one that
    // is as long.
    let near = |name: &&'static str| {
        let distance = strsim::damerau_levenshtein(&word, &name.to_lowercase());
        (distance, name.len().abs_diff(word.len()), *name)
    };
    // What begins as a name does is that name, not yet typed to its end.
    if word.len() > 1
        && let Some(name) = names.iter().find(|name| name.to_lowercase().starts_with(&word))
    {
        return Some(name);
    }
    let (distance, _, name) = names.iter().map(near).min()?;
    (distance <= 1 + word.chars().count() / 4 && distance < name.len()).then_some(name)
}
