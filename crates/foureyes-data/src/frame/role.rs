//! What a record is to the runs of a task.

use crate::domain::Cause;
use crate::domain::review::OverrideWord;

/// What a record is to the runs of its task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    #[default]
    None,
    /// A round of one.
    Round(Round),
    /// A person's override of the run before it.
    Override(OverrideWord),
}

/// A round of a task run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number from 1. Beyond 255 it is 255.
    pub number: u8,
    /// It lists rounds before it.
    pub continues: bool,
    /// The judge answered; without an answer the same round is asked once more.
    pub answered: bool,
    /// The run that it names, [`super::schema::RUN`]; 0 where it names none.
    pub run: u64,
}

impl Round {
    /// Whether this round goes on with the run whose last round was that one, where neither names its
    /// run.
    pub fn follows(self, last: Self) -> bool {
        let unnamed = self.run == 0 && last.run == 0;
        let further = self.number > last.number || self.number == last.number && !last.answered;
        unnamed && further
    }
}

impl Role {
    /// That of a verdict: a round where it has a number.
    pub(super) fn round(number: u32, continues: bool, cause: Option<Cause>, run: u64) -> Self {
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        let answered = !cause.is_some_and(Cause::is_no_answer);
        match number {
            0 => Self::None,
            _ => Self::Round(Round { number, continues, answered, run }),
        }
    }

    /// The number in columns, from which `from_code` makes it again.
    pub fn code(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Round(round) => 1 + u32::from(round.continues),
            Self::Override(OverrideWord::Accept) => 3,
            Self::Override(OverrideWord::Reject) => 4,
        }
    }

    /// What a row is by its columns: role, round, cause, run.
    pub(super) fn from_code(code: u32, number: u32, cause: Option<Cause>, run: u64) -> Self {
        match code {
            1 | 2 => Self::round(number, code == 2, cause, run),
            3 => Self::Override(OverrideWord::Accept),
            4 => Self::Override(OverrideWord::Reject),
            _ => Self::None,
        }
    }
}
