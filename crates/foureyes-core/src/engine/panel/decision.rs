//! What a run comes to.

use crate::engine::verdict::{TASK, TaskVerdict, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Accepted, rejected, or [`TaskVerdict::Escalate`]: a person decides.
    pub verdict: TaskVerdict,
    /// Why a person decides, where one does.
    pub reason: Option<Reason>,
    /// How far the judges agree, where two or more gave a verdict.
    pub consensus: Option<Consensus>,
}

impl Decision {
    /// One that is a person's, for a reason, with no judge asked.
    pub fn person(reason: Reason) -> Self {
        Self { verdict: TaskVerdict::Escalate, reason: Some(reason), consensus: None }
    }

    /// Its word in records: accept, reject or escalate, whatever the words of the run.
    pub fn word(&self) -> &'static str {
        let verdict = match self.verdict {
            TaskVerdict::AcceptAfterCheck => TaskVerdict::Accept,
            TaskVerdict::Improve => TaskVerdict::Escalate,
            other => other,
        };
        TASK.word(verdict)
    }

    /// The exit code of a command: 0 accepted, 1 rejected, 2 a person decides.
    pub fn exit_code(&self) -> u8 {
        match self.verdict {
            TaskVerdict::Accept | TaskVerdict::AcceptAfterCheck => 0,
            TaskVerdict::Reject => 1,
            TaskVerdict::Improve | TaskVerdict::Escalate => 2,
        }
    }

    /// What holds where the same content was decided about before: the stricter of both, and where
    /// they differ a person is asked too. Asking again never accepts what was rejected or left to a
    /// person.
    #[must_use]
    pub fn after(self, earlier: TaskVerdict) -> Self {
        // A rejection is the strictest here: it stands until a person lifts it.
        let code = |verdict| Self { verdict, ..self }.exit_code();
        if code(earlier) == code(self.verdict) {
            return self;
        }
        let stricter = match (earlier, self.verdict) {
            (TaskVerdict::Reject, _) | (_, TaskVerdict::Reject) => TaskVerdict::Reject,
            _ => TaskVerdict::Escalate,
        };
        Self { verdict: stricter, reason: Some(self.reason.unwrap_or(Reason::Differs)), ..self }
    }
}

/// How far judges agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Consensus {
    /// All gave the same verdict.
    Unanimous,
    /// More than half did.
    Majority,
    /// No verdict has more than half.
    Split,
}

impl Consensus {
    /// Its word in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unanimous => "unanimous",
            Self::Majority => "majority",
            Self::Split => "split",
        }
    }

    /// The one with this word in records.
    pub fn named(word: &str) -> Option<Self> {
        [Self::Unanimous, Self::Majority, Self::Split].into_iter().find(|one| one.name() == word)
    }

    /// How far these agree; `None` of fewer than two. Both ways to accept are one verdict.
    pub fn of(verdicts: &[TaskVerdict]) -> Option<Self> {
        let same = |a: TaskVerdict, b: TaskVerdict| a == b || a.passes() && b.passes();
        let votes = |one: &TaskVerdict| verdicts.iter().filter(|v| same(**v, *one)).count();
        let most = verdicts.iter().map(votes).max()?;
        match verdicts.len() {
            0 | 1 => None,
            all if most == all => Some(Self::Unanimous),
            all if 2 * most > all => Some(Self::Majority),
            _ => Some(Self::Split),
        }
    }
}

/// Why a person decides.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The judges asked do not come to accept or reject.
    Disagreement,
    /// A judge gave no valid answer, not even when asked once more.
    ParseError,
    /// A judge did not answer in time.
    Timeout,
    /// A judge could not be reached, or refused to answer.
    Unreachable,
    /// There was no time left to ask.
    Budget,
    /// No further call may be made: the limit of calls or of money is reached.
    Limit,
    /// A judge may not be asked: four eyes, a missing key, a prompt or rubric that cannot be used.
    NotAsked,
    /// The policy wants a person where content is sensitive.
    Sensitive,
    /// A rule of risk wants a person.
    Risk,
    /// A new evaluation differs from an earlier one of the same content.
    Differs,
    /// The task was judged as often as it may be.
    Tries,
    /// An earlier run of the same content was killed, and what its judges found holds.
    Unfinished,
    /// A line of the log that would decide was changed after it was written.
    Damaged,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 13] = crate::domain::variants();

    /// Its word in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disagreement => "disagreement",
            Self::ParseError => "parse_error",
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Budget => "budget",
            Self::Limit => "limit",
            Self::NotAsked => "not_asked",
            Self::Sensitive => "sensitive",
            Self::Risk => "risk",
            Self::Differs => "differs",
            Self::Tries => "tries",
            Self::Unfinished => "unfinished",
            Self::Damaged => "damaged",
        }
    }

    /// It in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Disagreement => "The judges came to neither accept nor reject.",
            Self::ParseError => "A judge gave no valid answer, even when asked again.",
            Self::Timeout => "A judge did not answer in time.",
            Self::Unreachable => "A judge could not be reached.",
            Self::Budget => "There was no time left to ask the next judge.",
            Self::Limit => "The limit of calls or of money was reached.",
            Self::NotAsked => "A judge could not be asked.",
            Self::Sensitive => {
                "The content is sensitive, and the policy wants a person to accept it."
            }
            Self::Risk => "A rule of risk wants a person to accept it.",
            Self::Differs => "A new evaluation differs from an earlier one of the same content.",
            Self::Tries => "The task was judged as often as it may be.",
            Self::Unfinished => {
                "An earlier run on the same content ended early, and what it found holds."
            }
            Self::Damaged => {
                "A line of the log about the same content was changed, or the line after it removed."
            }
        }
    }

    /// Whether nothing about the content was found: asking again is no second draw.
    pub const fn is_failure(self) -> bool {
        matches!(
            self,
            Self::ParseError
                | Self::Timeout
                | Self::Unreachable
                | Self::Budget
                | Self::Limit
                | Self::NotAsked
                | Self::Tries
        )
    }
}
