//! The name of a commit.

use std::fmt;
use std::str::FromStr;

/// A full commit id: 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits.
///
/// Only a text of that form can be one, so it may stand in an argument list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommitId(String);

/// A text is no full commit id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a commit id has 40 or 64 hexadecimal digits")]
pub struct ParseCommitIdError;

impl CommitId {
    /// Shortest abbreviation that is taken for a commit: git's own default.
    pub const SHORTEST: usize = 7;

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads an id as git writes it.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        std::str::from_utf8(bytes).ok()?.parse().ok()
    }
}

impl FromStr for CommitId {
    type Err = ParseCommitIdError;

    fn from_str(s: &str) -> Result<Self, ParseCommitIdError> {
        let full = matches!(s.len(), 40 | 64) && s.bytes().all(|b| b.is_ascii_hexdigit());
        full.then(|| Self(s.to_ascii_lowercase())).ok_or(ParseCommitIdError)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of any object: it has the form of a commit's.
pub type ObjectId = CommitId;

/// The beginning of an object's name, or all of it: 7 to 64 lower-case hexadecimal digits.
///
/// Only a text of that form can be one, so it may stand in an argument list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// Reads what a log has for a commit: in full, or abbreviated, also with dots behind it.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().trim_end_matches(['.', '…']);
        let good = (CommitId::SHORTEST..=64).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_hexdigit());
        good.then(|| Self(digits.to_ascii_lowercase()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id, where this is all of one.
    pub fn full(&self) -> Option<ObjectId> {
        self.0.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviation_is_plain_digits() {
        assert_eq!(Prefix::parse(" ABC1234... ").unwrap().as_str(), "abc1234");
        for bad in ["abc123", "HEAD~1234", "-abcdef0", "abcdef0^{tree}", "", &"a".repeat(65)] {
            assert_eq!(Prefix::parse(bad), None, "{bad}");
        }
        assert!(Prefix::parse(&"a".repeat(41)).unwrap().full().is_none());
        assert!(Prefix::parse(&"a".repeat(64)).unwrap().full().is_some());
    }

    #[test]
    fn only_full_hexadecimal_is_an_id() {
        for (text, good) in [
            ("0123456789abcdef0123456789abcdef01234567".to_owned(), true),
            ("A".repeat(64), true),
            ("a".repeat(39), false),
            (format!("-{}", "a".repeat(39)), false),
            (format!("{}\n", "a".repeat(39)), false),
            ("HEAD".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(text.parse::<CommitId>().is_ok(), good, "{text}");
        }
        assert_eq!("A".repeat(40).parse::<CommitId>().unwrap().as_str(), "a".repeat(40));
    }
}
