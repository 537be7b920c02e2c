//! The families of record that the judge system writes.

use serde::{Deserialize, Serialize};

/// Which writer's format a record has.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Family {
    /// A push verdict: GO, NO-GO, UNDETERMINED.
    Push = 0,
    /// A task verdict: accept, improve, reject, escalate.
    Task = 1,
    /// A task verdict of newer runners: the five-step ladder.
    Ladder = 2,
    /// A person's decision. Never an evaluation, in no rate.
    Override = 3,
    /// Which memories were put into an agent's context for a prompt. In no rate of pushes or tasks: what
    /// people say of each memory is measured by itself.
    Pick = 4,
    /// The text of a pick's prompt, where it is kept: what reviewers see of it.
    Prompt = 5,
}

impl Family {
    /// All families, in the order of their codes.
    pub const ALL: [Self; 6] = crate::domain::variants();

    /// The name in JSON and in filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Task => "task",
            Self::Ladder => "ladder",
            Self::Override => "override",
            Self::Pick => "pick",
            Self::Prompt => "prompt",
        }
    }

    /// The code in the columnar cache.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Reads a code of the columnar cache.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}
