//! What a reviewer had before them when they typed a word.

use super::ContentHash;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// How it is written that nothing was there.
const NOTHING: &str = "none";

/// What this program had on its screen, or had read out, when a word was typed. An import, a command
/// line and earlier versions state none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shown {
    /// No content: the word is no evidence.
    Nothing,
    /// The content of this hash.
    Content(ContentHash),
}

impl Shown {
    /// Whether a content was there.
    pub fn is_content(self) -> bool {
        matches!(self, Self::Content(_))
    }
}

impl Display for Shown {
    /// 64 hexadecimal digits, or `none`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str(NOTHING),
            Self::Content(hash) => write!(f, "{hash}"),
        }
    }
}

impl FromStr for Shown {
    type Err = super::ParseHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            NOTHING => Ok(Self::Nothing),
            hash => hash.parse().map(Self::Content),
        }
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_is_a_hash_or_none() {
        let content = Shown::Content(ContentHash([0xab; 32]));
        for shown in [Shown::Nothing, content] {
            let text = serde_json::to_string(&shown).unwrap();
            assert_eq!(serde_json::from_str::<Shown>(&text).unwrap(), shown);
        }
        assert_eq!(content.to_string(), "ab".repeat(32));
        for bad in ["", "None", "ab", &"AB".repeat(32)] {
            assert!(bad.parse::<Shown>().is_err(), "{bad}");
        }
    }
}
