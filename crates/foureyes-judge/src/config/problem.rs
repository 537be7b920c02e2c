//! What is wrong with a configuration file, and where.

use super::Position;
use crate::text::mask::mask;
use std::fmt;

/// One thing that is wrong, at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub position: Position,
    /// What.
    pub fault: Fault,
}

/// What can be wrong in a configuration file. Quoted texts are escaped and shortened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The text is no TOML; a key given twice is among these.
    #[error("{0}")]
    Syntax(String),
    /// A key that means nothing.
    #[error("unknown key `{key}`{}", nearest(near.as_deref()))]
    UnknownKey {
        /// The key with the tables it stands in.
        key: String,
        /// The known key that is spelt most like it.
        near: Option<String>,
    },
    /// A key that must be there is not.
    #[error("`{table}` has no `{key}`")]
    MissingKey {
        /// The table.
        table: String,
        /// The key.
        key: String,
    },
    /// A value of the wrong type.
    #[error("`{key}` must be {expected}, and is {found}")]
    WrongType {
        /// The key.
        key: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A number outside its bounds.
    #[error("`{key}` must be {low} to {high}, and is {found}")]
    OutOfRange {
        /// The key.
        key: String,
        /// Smallest value.
        low: String,
        /// Largest value.
        high: String,
        /// What it is.
        found: String,
    },
    /// A text that a rule refuses.
    #[error("`{key}` is {value}: {reason}")]
    Refused {
        /// The key.
        key: String,
        /// The text, quoted.
        value: String,
        /// The rule, as one clause.
        reason: String,
    },
    /// A name that another box has already.
    #[error("two boxes are named {name}, the other in line {line}")]
    SameName {
        /// The name, quoted.
        name: String,
        /// Line of the first.
        line: usize,
    },
    /// A key that makes no sense beside another.
    #[error("`{key}` is only for boxes over SSH, and this one is `local`")]
    OnlySsh {
        /// The key.
        key: String,
    },
}

fn nearest(near: Option<&str>) -> String {
    near.map(|n| format!("; the nearest known key is `{n}`")).unwrap_or_default()
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.fault)
    }
}

/// Quotes a text of the file: control and hidden characters visible, at most 60 characters, and no
/// secret that can be told to be one.
pub fn quoted(text: &str) -> String {
    const MAX: usize = 60;
    let text = &*mask(text).0;
    let length = text.chars().count();
    if length <= MAX {
        return format!("{text:?}");
    }
    let head: String = text.chars().take(MAX).collect();
    format!("{head:?}… ({length} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_visible_and_short() {
        assert_eq!(quoted("a\u{1b}[2J\u{202e}"), r#""a\u{1b}[2J\u{202e}""#);
        assert!(quoted(&"x".repeat(300)).contains("300 characters"));
        assert!(quoted(&"x".repeat(300)).len() < 100);
        assert_eq!(quoted("https://u:p@h/v1"), r#""https://u:[masked password]@h/v1""#);
    }
}
