//! One key, or two that are pressed one after the other.

use crate::tui::key::{Key, KeyError};
use std::fmt;
use std::str::FromStr;

/// One key, or two that are pressed one after the other: `d`, `y i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeySequence {
    /// The key that is pressed first.
    pub first: Key,
    /// The one after it, where there are two.
    pub second: Option<Key>,
}

impl From<Key> for KeySequence {
    fn from(first: Key) -> Self {
        Self { first, second: None }
    }
}

impl FromStr for KeySequence {
    type Err = KeyError;

    /// Two keys have a blank between them.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(' ') {
            Some((first, second)) if !first.is_empty() => {
                Ok(Self { first: first.parse()?, second: Some(second.parse()?) })
            }
            _ => Ok(Self::from(text.parse::<Key>()?)),
        }
    }
}

impl fmt::Display for KeySequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.second {
            Some(second) => write!(f, "{} {second}", self.first),
            None => write!(f, "{}", self.first),
        }
    }
}
