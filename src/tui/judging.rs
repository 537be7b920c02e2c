//! Judging again: its effects, and its events.
//!
//! The one variant each of [`super::Effect`] and [`super::Message`] that is about it holds these.

mod input;
mod task;

pub use input::{EarlierRun, RunInput};
pub use task::{TaskOptions, TaskPlan, TaskText};

use super::model::{LedgerSnapshot, Problem, ShownRecord};
use crate::domain::review::{Dated, EntryId, Evaluated, PromptUsed, RunBegun};
use crate::domain::{Outcome, RecordId};
use crate::engine::cost::{Price, Prices};
use crate::engine::four_eyes::{Decision, Families, Rule};
use crate::engine::judgements::JudgementStage;
use crate::engine::panel::Tier;
use crate::judging::Item;
use std::borrow::Cow;
use std::sync::Arc;

/// What the outside must do for a run, or for the form before it.
#[derive(Debug, Clone, PartialEq)]
pub enum JudgingEffect {
    /// Get ready to ask: contents from git or from a file, who can be asked, what is configured.
    Prepare {
        /// What is to be judged.
        input: RunInput,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
    },
    /// Get the question that a box asks, over SSH where it is one of those.
    FetchPrompt {
        /// Name of the box in the configuration.
        box_name: String,
        /// Number of the form; answers to other forms are dropped.
        form: u64,
    },
    /// Ask which models there are.
    Models {
        /// Number of the form; answers to other forms are dropped.
        form: u64,
    },
    /// The form was left: what is being made ready for it is not wanted any more.
    Forget,
    /// Read a text of a task from a file of this machine.
    ReadText {
        /// Its path, as it is typed.
        path: String,
        /// Which text.
        text: TaskText,
        /// Number of the form; answers to other forms are dropped.
        form: u64,
    },
    /// Judge; one run at a time.
    Begin(Arc<RunPlan>),
    /// Finish what is asked already and begin nothing new.
    Stop,
    /// End at once: connections are closed.
    Drop,
    /// Read a record that was judged again.
    ReadOriginal {
        /// Number of the open archive, from 1.
        edition: u64,
        /// Content hash of the record.
        record: RecordId,
    },
}

/// An event of a run, or of the form before it.
#[derive(Debug, Clone)]
pub enum JudgingEvent {
    /// All is ready to ask.
    Prepared {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// What can be asked.
        result: Result<Arc<PreparedRun>, Problem>,
    },
    /// The question of a box came.
    Prompt {
        /// Number of the form; answers to other forms are dropped.
        form: u64,
        /// Name of the box in the configuration.
        box_name: String,
        /// The question, or why it cannot be used.
        result: Result<BoxQuestion, Problem>,
    },
    /// The models are known.
    Models {
        /// Number of the form; answers to other forms are dropped.
        form: u64,
        /// Their names. Hostile texts.
        result: Result<Arc<Vec<String>>, Problem>,
    },
    /// A text of a task was read.
    TextRead {
        /// Number of the form; answers to other forms are dropped.
        form: u64,
        /// Which text.
        text: TaskText,
        /// Its path, as it was typed.
        path: String,
        /// The text.
        result: Result<Arc<str>, Problem>,
    },
    /// A run is written down, and asks.
    Began {
        /// Ledger entry that begins the run.
        run: EntryId,
    },
    /// An item is asked about.
    ItemStarted {
        /// Ledger entry that begins the run.
        run: EntryId,
        /// Index of the item in the run, from 0.
        item: usize,
    },
    /// A judge of a task is asked.
    Asking {
        /// Ledger entry that begins the run.
        run: EntryId,
        /// Which judge.
        tier: Tier,
        /// Whether it is asked once more, since its answer was empty or invalid.
        again: bool,
    },
    /// A judge of a task answered; its round is over once those asked with it have answered.
    Answered {
        /// Ledger entry that begins the run.
        run: EntryId,
        /// Which judge.
        tier: Tier,
        /// Its answer.
        record: Arc<ShownRecord>,
    },
    /// A service reports how far a judgement is.
    Stage {
        /// Ledger entry that begins the run.
        run: EntryId,
        /// Index of the item in the run, or of the judge of a task among its tiers, from 0.
        of: usize,
        /// How far it is.
        stage: JudgementStage,
    },
    /// An item was judged, or a round of a task is over.
    ItemJudged {
        /// Ledger entry that begins the run.
        run: EntryId,
        /// What came of it.
        evaluation: Arc<Dated<Evaluated>>,
        /// What was spent so far.
        spent: f64,
        /// Why it is not kept in the ledger, where it is not.
        unkept: Option<Problem>,
    },
    /// An item was not judged.
    ItemSkipped {
        /// Ledger entry that begins the run.
        run: EntryId,
        /// Index of the item in the run, from 0.
        item: usize,
        /// The reason, in words for people.
        why: Cow<'static, str>,
    },
    /// A run ended, or could not begin.
    Ended {
        /// Ledger entry that begins the run.
        run: EntryId,
        /// Why it could not begin, or its end could not be written down.
        result: Result<(), Problem>,
        /// The ledgers as they are now; `None` where they cannot be read.
        ledger: Option<Arc<LedgerSnapshot>>,
    },
    /// A record that was judged again was read.
    Original {
        /// Content hash of the record.
        record: RecordId,
        /// It; nothing where the logs do not hold it.
        result: Result<Option<Arc<ShownRecord>>, Problem>,
        /// The lines of the run that it is of, where it is of one.
        rounds: Arc<Vec<ShownRecord>>,
    },
}

/// All that is needed to ask, but for what is typed.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedRun {
    /// What can be judged, in the order of what was asked for.
    pub contents: Vec<RunContent>,
    /// Most that the run may cost.
    pub cap: Option<f64>,
    /// Whom one can ask, and how.
    pub options: RunOptions,
}

/// Whom one can ask.
#[derive(Debug, Clone, PartialEq)]
pub enum RunOptions {
    /// One judge, about each content.
    Judge(Box<JudgeOptions>),
    /// The judges of tasks, about one content.
    Task(Box<TaskOptions>),
}

/// One content, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct RunContent {
    /// The record that is judged again.
    pub record: Option<RecordId>,
    /// Its outcome; `None` where it has none.
    pub was: Option<Outcome>,
    /// What it is called: commit or file. Raw text.
    pub name: String,
    /// Its paths. Raw text.
    pub paths: Vec<String>,
    /// Who wrote it. Raw text.
    pub author: Option<String>,
    /// The content; or why it cannot be judged.
    pub item: Result<Item, String>,
}

impl RunContent {
    /// Bytes of its files.
    pub fn bytes(&self) -> usize {
        self.item.as_ref().map_or(0, |item| item.files.iter().map(|f| f.bytes.len()).sum())
    }
}

/// What can be chosen where one judge is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeOptions {
    /// The judge, with the model that is asked where nothing else is typed.
    pub judge: RunJudge,
    /// The prompts that there are.
    pub prompts: Vec<PromptOption>,
    /// Families of models.
    pub families: Families,
    /// What happens to a judge of the author's family.
    pub rule: Rule,
    /// Configured prices by model.
    pub prices: Prices,
    /// Contents judged at the same time.
    pub parallel: usize,
}

/// A judge that can be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct RunJudge {
    /// Its part in the run of a task.
    pub tier: Option<Tier>,
    /// The model that is asked.
    pub model: String,
    /// Where it is asked, for people.
    pub endpoint: String,
    /// The question.
    pub prompt: PromptUsed,
    /// What its model costs.
    pub price: Option<Price>,
    /// Most bytes of content in one request.
    pub most_bytes: usize,
    /// Most parts that longer content is judged in.
    pub max_parts: u32,
    /// Most tokens of an answer, where bounded.
    pub max_tokens: Option<u32>,
    /// What is decided on the author of a task and this judge, and whether it may not be asked for that.
    pub four_eyes: Option<(Decision, bool)>,
}

impl RunJudge {
    /// About how many requests a content of so many bytes takes; 1 where it is cut.
    pub fn parts(&self, bytes: usize) -> usize {
        let each = (self.most_bytes - self.most_bytes / 8).max(1);
        let parts = if bytes > self.most_bytes { bytes.div_ceil(each) } else { 1 };
        if parts > self.max_parts as usize { 1 } else { parts }
    }

    /// Whether not all of so many bytes is shown.
    pub fn cuts(&self, bytes: usize) -> bool {
        bytes > self.most_bytes && self.parts(bytes) == 1
    }
}

/// A prompt that one can choose.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptOption {
    /// What it is; its hash is empty until it is fetched.
    pub used: PromptUsed,
    /// Why it cannot be used.
    pub problem: Option<String>,
    /// Where that of a box is from, once it is fetched.
    pub origin: Option<QuestionOrigin>,
}

/// The question of a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxQuestion {
    /// Source, name and hash of the prompt.
    pub used: PromptUsed,
    /// Where it is from.
    pub origin: QuestionOrigin,
}

/// Where the question of a box is from. Raw texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionOrigin {
    /// The box's own program says that this is what it asks: its template, its rubric.
    Program,
    /// A file there is the template, and the rubric is this machine's.
    File {
        /// Path on the box.
        path: String,
        /// Why the box itself does not say what it asks.
        why: String,
    },
}

/// A run that a person asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan {
    /// Ledger entry that begins the run.
    pub run: EntryId,
    /// What is in the ledger.
    pub begun: RunBegun,
    /// What is judged.
    pub work: RunWork,
}

/// What a run judges.
#[derive(Debug, Clone, PartialEq)]
pub enum RunWork {
    /// Contents in the order of the items of the run; or why an item cannot be judged.
    Contents(Vec<Result<Item, String>>),
    /// A task, the only item of the run.
    Task(Box<TaskPlan>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_content_takes_several_requests_and_a_longer_one_is_cut() {
        let judge = RunJudge {
            tier: None,
            model: String::new(),
            endpoint: String::new(),
            prompt: PromptUsed::default(),
            price: None,
            most_bytes: 8_000,
            max_parts: 3,
            max_tokens: None,
            four_eyes: None,
        };
        let of = |bytes| (judge.parts(bytes), judge.cuts(bytes));
        assert_eq!([0, 8_000].map(of), [(1, false); 2]);
        assert_eq!([8_001, 14_000].map(of), [(2, false); 2]);
        assert_eq!([21_000, 21_001].map(of), [(3, false), (1, true)]);
    }
}
