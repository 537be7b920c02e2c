//! What a record is to the runs of a task.

use super::hashes::hash;
use crate::domain::review::OverrideWord;
use crate::domain::{Cause, Family, Record, RecordId};
use crate::jsonl::Draft;

/// What a record is to the runs of its task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    #[default]
    None,
    /// A round of one.
    Round(Round),
    /// A person's line about one.
    Override(Answer),
}

/// The roles of rows. Those before the first that has one take no room, since most logs have none.
#[derive(Debug, Clone, Default)]
pub struct Roles {
    none: usize,
    rest: Vec<Role>,
}

impl Roles {
    /// Adds a row.
    pub fn push(&mut self, role: Role) {
        if self.rest.is_empty() && role == Role::None {
            self.none += 1;
        } else {
            self.rest.push(role);
        }
    }

    /// That of a row.
    pub fn get(&self, row: usize) -> Role {
        let at = row.checked_sub(self.none);
        at.and_then(|at| self.rest.get(at)).copied().unwrap_or_default()
    }

    /// Those of all rows.
    pub fn iter(&self) -> impl Iterator<Item = Role> + Clone + '_ {
        std::iter::repeat_n(Role::None, self.none).chain(self.rest.iter().copied())
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        let mut all = Self::default();
        roles.into_iter().for_each(|role| all.push(role));
        all
    }
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
    /// What a run that ends with it came to is known: no round that leaves its run open, and no script's.
    pub closes: bool,
    /// Milliseconds that it took, where it says so. Beyond 49 days it is 49 days.
    pub latency_ms: Option<u32>,
}

impl Round {
    /// Whether this round goes on with the run whose last round was that one, where neither names its
    /// run: its number is higher, or the same after a round without an answer. Where their order is not
    /// that of their times, it must also list rounds before it.
    pub fn follows(self, last: Self, by_time: bool) -> bool {
        let unnamed = self.run == 0 && last.run == 0;
        let further = self.number > last.number || self.number == last.number && !last.answered;
        unnamed && further && (by_time || self.continues)
    }

    /// That of a record; `None` where it is no round. Which run it names is not told apart.
    pub fn of_record(record: &Record) -> Option<Self> {
        if !record.family.has_rounds() {
            return None;
        }
        let number = u32::try_from(record.round.unwrap_or_default()).unwrap_or(u32::MAX);
        let is_escalation = record.mode.as_deref() == Some("escalation");
        let cause = record.cause.filter(|_| !is_escalation);
        let run = u64::from(record.run.is_some());
        Self::new(number, !record.previous_rounds.is_empty(), cause, run)
    }

    /// That of a verdict; `None` where it has no number.
    pub(super) fn new(
        number: u32,
        continues: bool,
        cause: Option<Cause>,
        run: u64,
    ) -> Option<Self> {
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        let answered = !cause.is_some_and(Cause::is_no_answer);
        let closes = !cause.is_some_and(Cause::has_no_judge);
        let latency_ms = None;
        (number > 0).then_some(Self { number, continues, answered, run, closes, latency_ms })
    }
}

/// A person's line about a run: an override, or one that changes an override.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// What it does.
    pub step: Step,
    /// Names the override that it is, takes back or restores; 0 where that has no name.
    pub entry: u64,
    /// Head of the id of the record that it answers; 0 where it names only the task.
    pub record: u64,
}

/// What a person's line about a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It decides.
    Decides(OverrideWord),
    /// It takes a decision back.
    TakesBack,
    /// A decision that was taken back holds again.
    Restores,
}

/// Added to the code of a round that leaves its run open.
const OPEN: u32 = 8;

impl Role {
    /// The number in columns, from which `from_code` makes it again.
    pub fn code(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Round(round) => {
                1 + u32::from(round.continues) + if round.closes { 0 } else { OPEN }
            }
            Self::Override(Answer { step, .. }) => match step {
                Step::Decides(OverrideWord::Accept) => 3,
                Step::Decides(OverrideWord::Reject) => 4,
                Step::TakesBack => 5,
                Step::Restores => 6,
            },
        }
    }

    /// Whether a code is that of a round that leaves its run open.
    pub(super) fn is_code_of_open(code: u32) -> bool {
        code > OPEN
    }

    /// What a row is by its code, its other columns as a round, and as an answer entry and record.
    pub fn from_code(
        code: u32,
        (number, cause, run, latency): (u32, Option<Cause>, u64, Option<i64>),
        (entry, record): (u64, u64),
    ) -> Self {
        let round = |code: u32, closes: bool| {
            let round = Round::new(number, code == 2, cause, run);
            let latency_ms = latency.and_then(|ms| u64::try_from(ms).ok()).map(bounded);
            round.map_or(Self::None, |round| Self::Round(Round { closes, latency_ms, ..round }))
        };
        let answer = |step| Self::Override(Answer { step, entry, record });
        match code {
            1 | 2 => round(code, true),
            3 => answer(Step::Decides(OverrideWord::Accept)),
            4 => answer(Step::Decides(OverrideWord::Reject)),
            5 => answer(Step::TakesBack),
            6 => answer(Step::Restores),
            _ if code == 1 + OPEN || code == 2 + OPEN => round(code - OPEN, false),
            _ => Self::None,
        }
    }
}

impl Role {
    /// What a record is to the runs of its task: nothing where it names neither task nor run, or no round.
    /// `run` is [`super::schema::RUN`].
    pub(super) fn of_draft(draft: &Draft<'_>, task: Option<&str>, run: u64) -> Self {
        let names_task = task.is_some_and(is_name);
        if !names_task && (run == 0 || draft.family == Family::Override) {
            return Self::None;
        }
        if draft.family == Family::Override {
            return answer(draft).map_or(Self::None, Self::Override);
        }
        // The line that hands a task to a person is its run's last, whatever failed before.
        let cause = draft.cause.filter(|_| !draft.is_escalation());
        let round = Round::new(round_as_written(draft), draft.lists_earlier_rounds(), cause, run);
        round.map_or(Self::None, |round| {
            let closes = round.closes && !draft.leaves_run_open();
            Self::Round(Round { closes, latency_ms: draft.latency_ms().map(bounded), ..round })
        })
    }
}

fn bounded(ms: u64) -> u32 {
    u32::try_from(ms).unwrap_or(u32::MAX)
}

/// The round that a verdict on a task states; 0 where it states none.
pub(super) fn round_as_written(draft: &Draft<'_>) -> u32 {
    let round = draft.round().filter(|_| draft.family.has_rounds()).unwrap_or_default();
    u32::try_from(round).unwrap_or(u32::MAX)
}

/// Whether a text names a task; some writers put a word there where they know of none.
pub(super) fn is_name(task: &str) -> bool {
    !matches!(task.trim(), "" | "unknown")
}

/// What a person's line says of the runs of its task; `None` where that is no word.
fn answer(draft: &Draft<'_>) -> Option<Answer> {
    let word = OverrideWord::ALL.into_iter().find(|w| Some(w.as_str()) == draft.verdict.as_deref());
    let (step, entry) = match draft.changes() {
        [Some(of), _] => (Step::TakesBack, Some(of)),
        [None, Some(of)] => (Step::Restores, Some(of)),
        [None, None] => (Step::Decides(word?), draft.entry()),
    };
    let entry = entry.map_or(0, |id| hash(&[b"entry\0", id.as_bytes()]).max(1));
    // What is no id of a record answers none.
    let head = |id: &str| id.parse().map_or(u64::MAX, |id: RecordId| id.head().max(1));
    let record = draft.answers().map_or(0, |id| head(&id));
    Some(Answer { step, entry, record })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn roles_are_those_of_the_rows(rows in proptest::collection::vec(any::<bool>(), 0..9)) {
            let answer = Answer { step: Step::TakesBack, entry: 1, record: 2 };
            let role = |has: &bool| if *has { Role::Override(answer) } else { Role::None };
            let list: Vec<Role> = rows.iter().map(role).collect();
            let roles: Roles = list.iter().copied().collect();
            prop_assert!(roles.iter().eq(list.iter().copied()));
            for (row, role) in list.iter().enumerate() {
                prop_assert_eq!(roles.get(row), *role);
            }
            prop_assert_eq!(roles.get(list.len()), Role::None);
        }
    }
}
