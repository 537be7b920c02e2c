//! The identity of a record: a hash of its content.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::str::FromStr;

/// BLAKE3 of a record's content in canonical form (keys sorted, numbers normalised).
///
/// The same record has the same id from whichever box, path or pull it came.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub [u8; 32]);

/// A text is no record id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a record id has 64 hexadecimal digits")]
pub struct ParseIdError;

impl RecordId {
    /// The first 8 bytes, big-endian: the sort key and the short form's value.
    pub fn head(&self) -> u64 {
        self.word(0)
    }

    /// Big-endian word `i` of four.
    pub fn word(&self, i: usize) -> u64 {
        self.0[i * 8..i * 8 + 8].iter().fold(0, |n, b| n << 8 | u64::from(*b))
    }

    /// Builds an id from its four big-endian words.
    pub fn from_words(words: [u64; 4]) -> Self {
        let mut id = [0; 32];
        for (chunk, word) in id.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_be_bytes());
        }
        Self(id)
    }

    /// The first 12 hexadecimal digits, for people.
    pub fn short(&self) -> String {
        format!("{:016x}", self.head())[..12].to_owned()
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecordId({self})")
    }
}

impl FromStr for RecordId {
    type Err = ParseIdError;

    fn from_str(s: &str) -> Result<Self, ParseIdError> {
        if s.len() != 64 || !s.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(ParseIdError);
        }
        let mut id = [0; 32];
        for (i, byte) in id.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&s[i * 2..i * 2 + 2], 16).map_err(|_| ParseIdError)?;
        }
        Ok(Self(id))
    }
}

impl Serialize for RecordId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RecordId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A map by ids. An id is a hash already, so its first bytes serve as one.
pub type IdMap<V> = std::collections::HashMap<RecordId, V, BuildHasherDefault<IdHasher>>;

/// Takes the first eight bytes of an id for its hash.
#[derive(Debug, Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        // The length is written before the bytes; what comes last counts.
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_words_round_trip() {
        let id = RecordId(*blake3::hash(b"x").as_bytes());
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(RecordId::from_words([0, 1, 2, 3].map(|i| id.word(i))), id);
        assert!(id.to_string().starts_with(&id.short()));
        assert_eq!("zz".parse::<RecordId>(), Err(ParseIdError));
    }
}
