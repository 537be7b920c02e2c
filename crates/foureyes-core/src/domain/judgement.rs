//! The kinds of judgement that are measured apart from each other.

use super::Family;
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
    pub const ALL: [Self; 2] = crate::domain::variants();

    /// The word in documents, in filters and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Task => "task",
        }
    }

    /// Finds a kind by its word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The code in the columnar cache, from 1; 0 there means none.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Reads a code of the columnar cache.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| u32::from(kind.code()) == code)
    }

    /// Whether it is the kind that blocks pushes, of which documents name no family.
    pub fn is_push(&self) -> bool {
        *self == Self::Push
    }

    /// The option that names it on the command line, with a blank before it; empty for pushes, which are
    /// meant where nothing is named.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Push => "",
            Self::Task => " --family task",
        }
    }

    /// What is judged, in the plural: `pushes`.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Push => "pushes",
            Self::Task => "tasks",
        }
    }

    /// The filter for its records.
    pub const fn filter(self) -> &'static str {
        match self {
            Self::Push => "family:push",
            Self::Task => "(family:task | family:ladder)",
        }
    }

    /// The kind after it; after the last one the first.
    pub fn next(self) -> Self {
        let at = Self::ALL.into_iter().position(|kind| kind == self).map_or(0, |at| at + 1);
        Self::ALL.get(at).copied().unwrap_or_default()
    }

    /// What its evaluations are called: `push evaluations`.
    pub const fn evaluations(self) -> &'static str {
        match self {
            Self::Push => "push evaluations",
            Self::Task => "evaluations of tasks",
        }
    }

    /// The families of record that hold its verdicts.
    pub fn families(self) -> impl Iterator<Item = Family> {
        Family::ALL.into_iter().filter(move |family| family.kind() == Some(self))
    }
}

/// One value of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByKind<T> {
    push: T,
    task: T,
}

impl<T> ByKind<T> {
    /// A value made for each kind.
    pub fn new(mut make: impl FnMut(JudgementKind) -> T) -> Self {
        Self { push: make(JudgementKind::Push), task: make(JudgementKind::Task) }
    }

    /// That of a kind.
    pub const fn get(&self, kind: JudgementKind) -> &T {
        match kind {
            JudgementKind::Push => &self.push,
            JudgementKind::Task => &self.task,
        }
    }

    /// The same, to be changed.
    pub const fn get_mut(&mut self, kind: JudgementKind) -> &mut T {
        match kind {
            JudgementKind::Push => &mut self.push,
            JudgementKind::Task => &mut self.task,
        }
    }

    /// Each with its kind, in the order of [`JudgementKind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (JudgementKind, &T)> {
        JudgementKind::ALL.into_iter().map(|kind| (kind, self.get(kind)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_round_trip_and_families_are_of_one_kind() {
        for kind in JudgementKind::ALL {
            assert_eq!(JudgementKind::from_code(kind.code().into()), Some(kind));
            assert_eq!(JudgementKind::from_name(kind.as_str()), Some(kind));
            assert_eq!(*ByKind::new(|of| of).get(kind), kind);
        }
        assert_eq!(JudgementKind::from_code(0), None);
        let tasks: Vec<_> = JudgementKind::Task.families().collect();
        assert_eq!(tasks, [Family::Task, Family::Ladder]);
        assert_eq!(Family::Override.kind(), None);
    }
}
