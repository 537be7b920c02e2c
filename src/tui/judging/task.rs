//! Judging a task again: what its form is made of, and the run that it asks for.

use super::EarlierRun;
use crate::config::TaskConfig;
use crate::domain::Outcome;
use crate::domain::review::{EntryId, PromptUsed, RunBegun};
use crate::engine::cost::Price;
use crate::engine::four_eyes::Decision;
use crate::engine::panel::{Depth, Tier};
use crate::engine::task_question::KnownQuestion;
use crate::judging::Item;
use crate::judging::task::Task;
use crate::tui::model::ShownRecord;
use std::sync::Arc;

/// What says which task is to be judged again.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskSource {
    /// A record of it.
    Record(Arc<ShownRecord>),
    /// A run in which it was judged again.
    Run(Arc<EarlierRun>),
}

/// A text of a task. A log has only the hash of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskText {
    /// What was to be done.
    Description,
    /// What the result must meet.
    Acceptance,
}

/// All that is needed to ask about a task, but for its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedTask {
    /// The last record of the run that is judged again.
    pub record: Arc<ShownRecord>,
    /// Its outcome.
    pub was: Option<Outcome>,
    /// The result of the task; or why it cannot be judged.
    pub item: Result<Item, String>,
    /// What is known of its question.
    pub question: Option<KnownQuestion>,
    /// Who can be asked, in the order of [`Tier::ALL`]; or why nobody can.
    pub judges: Result<Vec<TaskJudge>, String>,
    /// What is configured for tasks.
    pub config: TaskConfig,
    /// Most that a run may cost.
    pub cap: Option<f64>,
}

/// A judge of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskJudge {
    /// Its part in a run.
    pub tier: Tier,
    /// The model that is asked.
    pub model: String,
    /// Where it is asked, for people.
    pub endpoint: String,
    /// The question.
    pub prompt: PromptUsed,
    /// What is decided on the author and this judge.
    pub four_eyes: Decision,
    /// Whether it may not be asked for that.
    pub is_refused: bool,
    /// What its model costs.
    pub price: Option<Price>,
    /// Most bytes of content that it is shown.
    pub most_bytes: usize,
    /// Most tokens of an answer, where bounded.
    pub max_tokens: Option<u32>,
}

/// A run on a task that a person asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskPlan {
    /// Ledger entry that begins the run.
    pub run: EntryId,
    /// What is in the ledger.
    pub begun: RunBegun,
    /// What is judged.
    pub task: Task,
    /// How many judges look at it.
    pub depth: Depth,
    /// Whether its content is sensitive.
    pub is_sensitive: bool,
    /// Who was shown to be asked.
    pub judges: Vec<TaskJudge>,
}
