//! The end of a task: judges asked one after the other or together, and a record of each round. The log is
//! that of `crate::task`.

mod drive;
mod families;
mod line;

pub use drive::{judge_controlled, judge_task};
pub use families::{are_distinct, distinct};

use super::{Evaluation, Item, Judge};
use crate::domain::Timestamp;
use crate::engine::cost::Spend;
use crate::engine::panel::{Decision, Depth, Reason, Tier};
use crate::engine::prompt::{Section, SectionKind};
use crate::engine::record::{Caveat, TaskRecord};
use crate::engine::risk::RiskNote;
use crate::engine::task_question::{TaskQuestion, sha_of, sha_of_texts};
use crate::engine::verdict::{TaskVerdict, Vocabulary};
use crate::provider::Provider;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What is judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// Its name, as the caller gives it. Hostile, like all texts of it.
    pub id: String,
    /// What was to be done.
    pub description: String,
    /// Whether the description is the message of a commit. It can be written anew without any change to the
    /// files, so it makes no other run.
    pub is_commit_message: bool,
    /// What the result must meet.
    pub acceptance: Option<String>,
    /// The result, with who made it.
    pub item: Item,
    /// How deep rules of risk have it judged, and why.
    pub risk: Option<RiskNote>,
}

/// The three judges, in the order of [`Tier::ALL`].
#[derive(Debug, Clone)]
pub struct Judges(pub [Arc<Judge<TaskVerdict>>; 3]);

/// What a run may use, and by which rules it decides.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The words of the run.
    pub vocabulary: Vocabulary,
    /// How many judges look at it.
    pub depth: Depth,
    /// Why a person decides whatever the judges accept, where one does.
    pub person_for_accept: Option<Reason>,
    /// Whether all judges must be of known families, none of which two share.
    pub require_families: bool,
    /// When all of it ends.
    pub until: Instant,
    /// Time for one round of each tier.
    pub each: [Duration; 3],
    /// Most requests in all.
    pub calls: u32,
    /// Most that it may cost.
    pub cap: Option<f64>,
}

/// What is known of the same content from before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Before {
    /// What an earlier run came to.
    pub verdict: Option<TaskVerdict>,
    /// The how many-th run this is that was asked for by name; 0 of one that was not.
    pub fresh: u32,
}

/// A run that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct TaskAsk<'a> {
    /// Who is asked.
    pub judges: &'a Judges,
    /// About what.
    pub task: &'a Task,
    /// By which rules.
    pub rules: Rules,
    /// Hash of all that makes a run the same: [`Judges::run_sha`].
    pub run_sha: &'a str,
    /// What is known of the same content from before.
    pub before: Before,
}

/// What happens in a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A tier is asked.
    Asking {
        /// Which.
        tier: Tier,
        /// Whether it is asked once more, since its answer was empty or invalid.
        again: bool,
    },
    /// A tier's answer is there. Its round is over once those that are asked at the same time have
    /// answered.
    Answered {
        /// Which.
        tier: Tier,
        /// The record as far as it is known: its number and what is before it may still change.
        record: Box<TaskRecord>,
    },
    /// A round is over: its record, to be logged before anybody else is asked.
    Round(Box<Round>),
}

/// One round.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// Who was asked; `None` on the last line of a run that a person decides.
    pub tier: Option<Tier>,
    /// Its record.
    pub record: TaskRecord,
    /// What it cost, where that is known.
    pub cost: Option<f64>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// What it came to.
    pub decision: Decision,
    /// Its rounds, in the order of their records.
    pub rounds: Vec<Round>,
    /// Requests that were made.
    pub calls: u32,
    /// What it cost.
    pub spend: Spend,
    /// Whether somebody stopped it: nothing is decided then, whatever `decision` is.
    pub stopped: bool,
}

impl Task {
    /// The item with the texts of the task, of which each tier is shown its own.
    pub fn item(&self) -> Item {
        let description = Section::new(SectionKind::Description, self.description.as_str());
        let acceptance =
            self.acceptance.as_deref().map(|text| Section::new(SectionKind::Acceptance, text));
        Item {
            sections: [description].into_iter().chain(acceptance).collect(),
            ..self.item.clone()
        }
    }

    /// BLAKE3 of its name, in hexadecimal digits: a file name, whatever the name has in it.
    pub fn id_sha(&self) -> String {
        sha_of_texts([&self.id])
    }

    /// What is asked about it.
    pub fn question(&self) -> TaskQuestion {
        let (description, acceptance) = (self.description.clone(), self.acceptance.clone());
        TaskQuestion { description, acceptance }
    }

    /// The hash of that: [`TaskQuestion::sha`].
    pub fn sha(&self) -> String {
        sha_of(&self.description, self.acceptance.as_deref())
    }
}

impl Judges {
    /// The judge of a tier.
    pub fn get(&self, tier: Tier) -> &Arc<Judge<TaskVerdict>> {
        let [quick, deep, tiebreaker] = &self.0;
        match tier {
            Tier::Quick => quick,
            Tier::Deep => deep,
            Tier::Tiebreaker => tiebreaker,
        }
    }

    /// Hash of all that makes a run the same: content, task, and the question and judge of each tier.
    pub fn run_sha(&self, task: &Task) -> String {
        let judges =
            self.0.iter().flat_map(|judge| [judge.prompt_sha(), judge.sha_of_any_version()]);
        let description = match task.is_commit_message {
            true => "",
            false => task.description.as_str(),
        };
        let own = [task.item.material().sha(), sha_of(description, task.acceptance.as_deref())];
        sha_of_texts(own.into_iter().chain(judges))
    }
}

impl Rules {
    /// A decision that is made before anybody is asked, as a run of one line. Where a file of answers stands
    /// in for a judge, it is no more an evaluation than a run that asks it.
    pub fn unasked(
        &self,
        judges: &Judges,
        task: &Task,
        run_sha: &str,
        decision: Decision,
        why: &str,
        at: Timestamp,
    ) -> Run {
        let id = new_id();
        let line = line::Common { task, rules: *self, run: &id, run_sha, fresh: 0 };
        let mut record = line.escalation(&[], &decision, why, at);
        record.error = task.item.legible().unasked().map(|(error, _)| error);
        if judges.0.iter().any(|judge| matches!(judge.provider, Provider::Scripted(_))) {
            record.caveats.push(Caveat::Scripted);
        }
        let rounds = vec![Round { tier: None, record, cost: None }];
        Run { id, decision, rounds, calls: 0, spend: Spend::default(), stopped: false }
    }
}

/// The id of a new run: 128 bits. Without random numbers it is that of the clock, which parts runs as well.
fn new_id() -> String {
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_err() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        bytes = now.map_or(0, |now| now.as_nanos()).to_be_bytes();
    }
    crate::text::hex::encode(&bytes)
}

/// What a round's evaluation is to the protocol.
fn answer(evaluation: &Evaluation<TaskVerdict>) -> crate::engine::panel::Answer {
    use crate::engine::four_eyes::Decision as Eyes;
    use crate::engine::panel::Answer;
    use crate::engine::record::RecordError::{
        Bypassed, CallLimit, ContradictedAnswer, Empty, FamilyRefused, FamilyUnknown, History,
        InvalidAnswer, NoKey, PromptMissing, RateLimited, ServerError, SpendCap, Timeout,
        Unauthorized, Unavailable,
    };
    let same_family = matches!(evaluation.four_eyes, Some(Eyes::Same { .. }));
    match evaluation.error {
        None => Answer::Verdict(evaluation.verdict),
        // Whoever is of the author's family is so the next time as well.
        Some(_) if same_family => Answer::Failed(Reason::NotAsked),
        Some(InvalidAnswer) if evaluation.again.is_some() => Answer::Invalid,
        Some(InvalidAnswer) => Answer::Failed(Reason::ParseError),
        Some(ContradictedAnswer) => Answer::Failed(Reason::Disagreement),
        Some(Timeout) => Answer::Failed(Reason::Timeout),
        Some(Unavailable | Unauthorized | RateLimited | ServerError) => {
            Answer::Failed(Reason::Unreachable)
        }
        Some(SpendCap | CallLimit) => Answer::Failed(Reason::Limit),
        Some(
            PromptMissing | FamilyRefused | FamilyUnknown | NoKey | Bypassed | History | Empty,
        ) => Answer::Failed(Reason::NotAsked),
    }
}
