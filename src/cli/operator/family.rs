//! Which family of verdicts a command is about.

use crate::domain::JudgementKind;

/// Which family of verdicts
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub(super) struct OfFamily {
    /// Family of verdicts
    #[arg(long, value_enum, default_value_t = Word::Push)]
    family: Word,
}

/// A family, as a word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Word {
    /// Verdicts on pushes
    Push,
    /// Verdicts on tasks
    Task,
}

impl OfFamily {
    /// The kind of judgement that is meant.
    pub(super) fn kind(self) -> JudgementKind {
        match self.family {
            Word::Push => JudgementKind::Push,
            Word::Task => JudgementKind::Task,
        }
    }
}
