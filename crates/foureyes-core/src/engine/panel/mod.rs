//! The protocol at the end of a task: who is asked, and what the answers come to.
//!
//! A value without a clock: what happened goes in, what to do next comes out. It asks at most three
//! tiers, each at most twice, and every path ends in a [`Decision`].

mod decision;

pub use decision::{Consensus, Decision, Reason};

use super::prompt::SectionKind;
use super::verdict::{TaskVerdict, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Times that one tier is asked at most: once more after an answer that is empty or invalid.
const MOST_TRIES: u8 = 2;

/// A judge by its part in the protocol.
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
    JsonSchema,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Fast and cheap: description, and the beginning and end of the content.
    Quick,
    /// Description, acceptance criteria and all of the content.
    Deep,
    /// The same and the earlier verdicts: asked where the two before differ.
    Tiebreaker,
}

impl Tier {
    /// All of them, in the order of their rounds.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// Its name in the configuration and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Deep => "deep",
            Self::Tiebreaker => "tiebreaker",
        }
    }

    /// The texts that it is shown beside the files.
    pub const fn sections(self) -> &'static [SectionKind] {
        use SectionKind::{Acceptance, Description, Earlier};
        match self {
            Self::Quick => &[Description],
            Self::Deep => &[Description, Acceptance],
            Self::Tiebreaker => &[Description, Acceptance, Earlier],
        }
    }
}

/// How many judges look at a task.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Quick alone; what it neither accepts nor rejects is a person's.
    Quick,
    /// Quick decides where it can, else deep.
    #[default]
    Sequential,
    /// Quick and deep both judge, at the same time, and the tiebreaker where they differ.
    Panel,
}

impl Depth {
    /// Its name in the configuration and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Sequential => "sequential",
            Self::Panel => "panel",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Quick, Self::Sequential, Self::Panel].into_iter().find(|depth| depth.name() == name)
    }
}

/// What asking one tier came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A verdict. One on content that the tier did not see whole is never an accept.
    Verdict(TaskVerdict),
    /// Nothing, or no answer that counts.
    Invalid,
    /// Nobody could be asked, or nobody answered.
    Failed(Reason),
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Ask these tiers, at the same time.
    Ask(Vec<Tier>),
    /// Wait for the answers that are still to come.
    Wait,
    /// It is decided.
    End(Decision),
}

/// What a tier's round has come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Round {
    /// Not asked, or not answered yet.
    #[default]
    Open,
    Verdict(TaskVerdict),
    Failed(Reason),
}

/// One run of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panel {
    depth: Depth,
    person_for_accept: Option<Reason>,
    /// Per tier, in the order of [`Tier::ALL`].
    rounds: [Round; 3],
    tries: [u8; 3],
    /// Tiers whose answer is to come.
    asked: [bool; 3],
}

impl Panel {
    /// A run that has not begun. Where a person decides whatever the judges accept, for a reason such as
    /// sensitive content, they are asked all the same: a rejection needs nobody.
    pub fn new(depth: Depth, person_for_accept: Option<Reason>) -> Self {
        Self {
            depth,
            person_for_accept,
            rounds: [Round::Open; 3],
            tries: [0; 3],
            asked: [false; 3],
        }
    }

    /// The first step.
    pub fn begin(&mut self) -> Step {
        match self.depth {
            Depth::Quick | Depth::Sequential => self.ask(&[Tier::Quick]),
            Depth::Panel => self.ask(&[Tier::Quick, Tier::Deep]),
        }
    }

    /// Takes the answer of a tier that was asked. One that was not asked, or has answered, changes
    /// nothing.
    pub fn take(&mut self, tier: Tier, answer: Answer) -> Step {
        let at = tier as usize;
        if !std::mem::take(&mut self.asked[at]) {
            return self.next();
        }
        self.rounds[at] = match answer {
            Answer::Verdict(verdict) => Round::Verdict(verdict),
            Answer::Invalid if self.tries[at] < MOST_TRIES => return self.ask(&[tier]),
            Answer::Invalid => Round::Failed(Reason::ParseError),
            Answer::Failed(reason) => Round::Failed(reason),
        };
        self.next()
    }

    /// The verdicts so far, in the order of the tiers.
    pub fn verdicts(&self) -> impl Iterator<Item = (Tier, TaskVerdict)> + '_ {
        Tier::ALL.into_iter().zip(self.rounds).filter_map(|(tier, round)| match round {
            Round::Verdict(verdict) => Some((tier, verdict)),
            Round::Open | Round::Failed(_) => None,
        })
    }

    fn ask(&mut self, tiers: &[Tier]) -> Step {
        for tier in tiers {
            self.asked[*tier as usize] = true;
            self.tries[*tier as usize] += 1;
        }
        Step::Ask(tiers.to_vec())
    }

    fn next(&mut self) -> Step {
        if self.asked.contains(&true) {
            return Step::Wait;
        }
        // Of several failures the first tier's is named.
        let failed = self.rounds.iter().find_map(|round| match round {
            Round::Failed(reason) => Some(*reason),
            _ => None,
        });
        if let Some(reason) = failed {
            return self.end(TaskVerdict::Escalate, Some(reason));
        }
        match (self.rounds, self.depth) {
            ([_, _, Round::Verdict(last)], _) => self.last(last),
            ([Round::Verdict(quick), Round::Verdict(deep), _], Depth::Panel) => {
                self.both(quick, deep)
            }
            ([_, Round::Verdict(deep), _], Depth::Sequential) => self.last(deep),
            ([Round::Verdict(quick), ..], Depth::Quick) => self.last(quick),
            ([Round::Verdict(quick), ..], Depth::Sequential) => match quick {
                TaskVerdict::Improve | TaskVerdict::Escalate => self.ask(&[Tier::Deep]),
                decided => self.end(decided, None),
            },
            _ => self.end(TaskVerdict::Escalate, Some(Reason::NotAsked)),
        }
    }

    /// A verdict that no other judge follows.
    fn last(&self, verdict: TaskVerdict) -> Step {
        match verdict {
            TaskVerdict::Improve | TaskVerdict::Escalate => {
                self.end(TaskVerdict::Escalate, Some(Reason::Disagreement))
            }
            decided => self.end(decided, None),
        }
    }

    /// What two judges who did not know of each other come to. An accept needs two: where quick could
    /// not tell, or has not seen the whole, deep's accept goes to the tiebreaker.
    fn both(&mut self, quick: TaskVerdict, deep: TaskVerdict) -> Step {
        use TaskVerdict::{Escalate, Improve, Reject};
        match (quick, deep) {
            (a, b) if a.passes() && b.passes() => {
                let stricter = if a.strictness() > b.strictness() { a } else { b };
                self.end(stricter, None)
            }
            (_, Escalate) | (Improve | Escalate, Improve) => {
                self.end(Escalate, Some(Reason::Disagreement))
            }
            (Improve | Reject | Escalate, Reject) | (Reject, Improve) => self.end(Reject, None),
            _ => self.ask(&[Tier::Tiebreaker]),
        }
    }

    fn end(&self, verdict: TaskVerdict, reason: Option<Reason>) -> Step {
        let verdicts: Vec<_> = self.verdicts().map(|(_, verdict)| verdict).collect();
        // One judge after the other is no vote.
        let consensus = Consensus::of(&verdicts).filter(|_| self.depth == Depth::Panel);
        let decision = Decision { verdict, reason, consensus };
        Step::End(match self.person_for_accept.filter(|_| verdict.passes()) {
            Some(reason) => {
                Decision { verdict: TaskVerdict::Escalate, reason: Some(reason), ..decision }
            }
            None => decision,
        })
    }
}

#[cfg(test)]
mod tests;
