//! The mark of one question's delimiters.

use std::fmt;

/// 128 random bits that no content can know: they are drawn for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nonce([u8; 16]);

impl Nonce {
    /// Takes bytes that the caller drew at random.
    pub fn of(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}
