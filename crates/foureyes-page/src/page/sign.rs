//! Signs of outcomes: a mark and a word, so that neither colour nor glyph is needed to read them.

use super::Role;
use foureyes_core::domain::{Family, Outcome, Record};

/// What a record says, or what was done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum Sign {
    /// An evaluation with the verdict GO.
    Go,
    /// An evaluation with the verdict NO-GO.
    NoGo,
    /// An evaluation without a clear verdict.
    Undetermined,
    /// A record that is an override.
    Override,
    /// An evaluation that was overridden.
    Overridden,
    /// Memories that were picked for a prompt, or its text.
    Memories,
}

impl Sign {
    /// All signs.
    pub const ALL: [Self; 6] = foureyes_core::domain::variants();

    /// Columns that the widest sign takes.
    pub const WIDTH: u16 = 12;

    /// The sign of a record.
    pub fn of(row: &Record) -> Self {
        match row.family {
            Family::Pick | Family::Prompt => Self::Memories,
            _ => Self::from_outcome(row.outcome),
        }
    }

    /// The sign of a verdict; without an outcome it is an override.
    pub fn from_outcome(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Go) => Self::Go,
            Some(Outcome::NoGo) => Self::NoGo,
            Some(Outcome::Undetermined) => Self::Undetermined,
            None => Self::Override,
        }
    }

    /// The role whose style it has.
    pub fn role(self) -> Role {
        match self {
            Self::Go => Role::Go,
            Self::NoGo => Role::NoGo,
            Self::Undetermined => Role::Undetermined,
            Self::Override | Self::Overridden => Role::Override,
            Self::Memories => Role::Dim,
        }
    }

    /// What several of them are called, where there is room for the whole word.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Undetermined => "UNDETERMINED",
            Self::Override => "overrides",
            sign => sign.word(),
        }
    }

    /// The word alone, where there is little room.
    pub fn word(self) -> &'static str {
        match self {
            Self::Go => "GO",
            Self::NoGo => "NO-GO",
            Self::Undetermined => "UNDET",
            Self::Override => "override",
            Self::Overridden => "overridden",
            Self::Memories => "memories",
        }
    }
}
