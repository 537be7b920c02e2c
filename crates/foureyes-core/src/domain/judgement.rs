//! The kinds of judgement that are measured apart from each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of judgement with KPIs, a policy, a window and an audit sample of its own. People know it
/// as the *family* of a verdict.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum JudgementKind {
    /// Verdicts on commits that are pushed.
    #[default]
    Push = 1,
    /// Verdicts on tasks, in either of their two vocabularies.
    Task = 2,
}

impl JudgementKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; <Self as strum::VariantArray>::VARIANTS.len()] =
        crate::domain::variants();

    /// The one that is meant where none is named: on the command line, in documents, and by `[judge]`.
    pub const DEFAULT: Self = Self::Push;

    /// The code in the columnar cache, from 1; 0 there means none.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Reads a code of the columnar cache.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| u32::from(kind.code()) == code)
    }

    /// Its place in [`Self::ALL`], from 0.
    pub const fn place(self) -> usize {
        self as usize - 1
    }

    /// Whether it is the one that is meant where none is named: documents name no family then.
    pub fn is_default(&self) -> bool {
        *self == Self::DEFAULT
    }

    /// The kind after it; after the last one the first.
    pub fn next(self) -> Self {
        Self::ALL.get(self.place() + 1).copied().unwrap_or_default()
    }
}

/// One value of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByKind<T>([T; JudgementKind::ALL.len()]);

impl<T> ByKind<T> {
    /// A value made for each kind.
    pub fn new(make: impl FnMut(JudgementKind) -> T) -> Self {
        Self(JudgementKind::ALL.map(make))
    }

    /// That of a kind.
    pub const fn get(&self, kind: JudgementKind) -> &T {
        &self.0[kind.place()]
    }

    /// The same, to be changed.
    pub const fn get_mut(&mut self, kind: JudgementKind) -> &mut T {
        &mut self.0[kind.place()]
    }

    /// Each with its kind, in the order of [`JudgementKind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (JudgementKind, &T)> {
        JudgementKind::ALL.into_iter().zip(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        for kind in JudgementKind::ALL {
            assert_eq!(JudgementKind::from_code(kind.code().into()), Some(kind));
            assert_eq!(*ByKind::new(|of| of).get(kind), kind);
        }
        assert_eq!(JudgementKind::from_code(0), None);
        assert_eq!(JudgementKind::ALL.map(JudgementKind::code), [1, 2]);
    }
}
