//! Judging a task again: what only its form has, and the run that it asks for.

use super::RunJudge;
use crate::config::TaskConfig;
use crate::engine::panel::Depth;
use crate::engine::task_question::KnownQuestion;
use crate::judging::task::Task;
use crate::tui::model::ShownRecord;
use std::sync::Arc;

/// A text of a task. A log has only the hash of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskText {
    /// What was to be done.
    Description,
    /// What the result must meet.
    Acceptance,
}

impl TaskText {
    /// Both, in the order of the form.
    pub const ALL: [Self; 2] = [Self::Description, Self::Acceptance];
}

/// What is known of a task that is to be judged again, and who can be asked about it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskOptions {
    /// The last record of the run that is judged again.
    pub record: Arc<ShownRecord>,
    /// What is known of its question.
    pub question: Option<KnownQuestion>,
    /// Who can be asked, in the order of the tiers; or why nobody can.
    pub judges: Result<Vec<RunJudge>, String>,
    /// What is configured for tasks.
    pub config: TaskConfig,
}

/// A task that a person asked to be judged.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskPlan {
    /// What is judged.
    pub task: Task,
    /// How many judges look at it.
    pub depth: Depth,
    /// Whether its content is sensitive.
    pub is_sensitive: bool,
    /// Who was shown to be asked, in the order of the tiers.
    pub judges: Vec<RunJudge>,
}
