//! What names an entry of a ledger, and its line.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A text is not of so many hexadecimal digits in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not {0} lower-case hexadecimal digits")]
pub struct ParseHexError(usize);

/// Bytes that are written as hexadecimal digits.
macro_rules! hexadecimal {
    ($name:ident, $bytes:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub [u8; $bytes]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = ParseHexError;

            fn from_str(text: &str) -> Result<Self, ParseHexError> {
                let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
                if text.len() != 2 * $bytes || !text.bytes().all(digit) {
                    return Err(ParseHexError(2 * $bytes));
                }
                let mut bytes = [0; $bytes];
                for (i, byte) in bytes.iter_mut().enumerate() {
                    let pair = text.get(2 * i..2 * i + 2).unwrap_or_default();
                    *byte =
                        u8::from_str_radix(pair, 16).map_err(|_| ParseHexError(2 * $bytes))?;
                }
                Ok(Self(bytes))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

hexadecimal!(EntryId, 16, "The name of an entry: 128 bits that no other entry has.");
hexadecimal!(
    Seed,
    32,
    "The secret that an audit sample is drawn with; in a ledger 64 hexadecimal digits."
);
hexadecimal!(ContentHash, 32, "BLAKE3 of a content, as it was shown.");
hexadecimal!(LineHash, 32, "BLAKE3 of a line of a ledger without its own hash.");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_hashes_parse_only_in_canonical_form() {
        let id = EntryId(*b"\x00\x01\xfe\xff0123456789ab");
        assert_eq!(id.to_string().parse(), Ok(id));
        let upper = id.to_string().to_uppercase();
        for bad in ["", "00", upper.as_str(), &id.to_string().replace("00", "+0")] {
            assert_eq!(bad.parse::<EntryId>(), Err(ParseHexError(32)), "{bad}");
        }
    }
}
