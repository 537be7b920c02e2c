//! A task that is to be judged again: its texts, and how many judges look at it.

use super::JudgeForm;
use crate::config::DepthRule;
use crate::engine::panel::Depth;
use crate::engine::prompt::Section;
use crate::engine::task_question::KnownQuestion;
use crate::judging::task::Task;
use crate::tui::judging::{RunJudge, RunOptions, TaskOptions, TaskPlan, TaskText};
use crate::tui::model::TypedText;

/// What is known of whether the texts are those of the run that is judged again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameTask {
    /// Nothing is typed yet.
    Untyped,
    /// They are, by their hash.
    Same,
    /// They are not.
    Other,
    /// The record has no hash of them.
    Unknown,
}

impl JudgeForm {
    /// What is known of the task, where one is judged and all is ready.
    pub fn task_options(&self) -> Option<&TaskOptions> {
        match &self.ready.value.as_ref()?.options {
            RunOptions::Task(options) => Some(options),
            RunOptions::Judge(_) => None,
        }
    }

    /// A text.
    pub fn text(&self, of: TaskText) -> &TypedText {
        match of {
            TaskText::Description => &self.description,
            TaskText::Acceptance => &self.acceptance,
        }
    }

    /// A text, to be changed.
    pub fn text_mut(&mut self, of: TaskText) -> &mut TypedText {
        match of {
            TaskText::Description => &mut self.description,
            TaskText::Acceptance => &mut self.acceptance,
        }
    }

    /// Bytes of both texts, as far as they can be read.
    pub(super) fn bytes_of_texts(&self) -> usize {
        TaskText::ALL.map(|of| self.text(of).text().map_or(0, str::len)).iter().sum()
    }

    /// Chooses the depth of what is judged again, where that is known; else what is configured.
    pub(super) fn preset_depth(&mut self, options: &TaskOptions) {
        let earlier = match self.repeat() {
            Some(earlier) => earlier.begun.task.as_ref().map(|task| &task.depth),
            None => options.record.row.depth.as_ref(),
        };
        self.depth = match earlier.map(String::as_str) {
            Some("quick") => DepthRule::Quick,
            Some("sequential") => DepthRule::Sequential,
            Some("panel") => DepthRule::Panel,
            _ => options.config.depth,
        };
    }

    /// Takes the texts that were kept of the task: both where nothing was typed, else none. In a further form on the
    /// task, those that were not changed in the one before.
    pub(super) fn prefill(&mut self, options: &TaskOptions) {
        let Some(KnownQuestion::Kept(held)) = &options.question else { return };
        let is_empty =
            [&self.description, &self.acceptance].map(|text| text.input.value().is_empty());
        let [description, acceptance] = self.was_kept.unwrap_or([is_empty == [true; 2]; 2]);
        if description {
            self.description.prefill(&held.question.description);
        }
        if acceptance {
            self.acceptance.prefill(held.question.acceptance.as_deref().unwrap_or_default());
        }
    }

    /// What makes the task sensitive, as it is configured.
    pub fn sensitive(&self) -> Option<&str> {
        let options = self.task_options()?;
        let texts = TaskText::ALL.map(|of| self.text(of).text().unwrap_or_default());
        let paths: Vec<String> =
            self.items().iter().flat_map(|(_, item)| item.material().paths()).collect();
        options.config.sensitive(&texts, &paths)
    }

    /// How many judges look at the task.
    pub fn resolved_depth(&self) -> Depth {
        self.depth.depth(self.sensitive().is_some())
    }

    /// The judges that may be asked.
    pub(super) fn judges_of_task(&self, options: &TaskOptions) -> Vec<RunJudge> {
        let most = match self.resolved_depth() {
            Depth::Quick => 1,
            Depth::Sequential => 2,
            Depth::Panel => 3,
        };
        let all = options.judges.as_ref().map_or(&[][..], Vec::as_slice);
        all.iter().take(most).cloned().collect()
    }

    /// The task, and whether its texts are those of the run that is judged again; why there is none.
    ///
    /// A file mostly ends in a line end that is lost where its text is typed or pasted: where the hash
    /// says so, it is put back.
    pub fn task(&self) -> Result<(Task, SameTask), String> {
        let description = self.description.text()?;
        let acceptance = self.acceptance.text()?;
        let record = self.task_options().map(|options| &options.record.row);
        let task = Task {
            id: record.and_then(|row| row.task_id.clone()).unwrap_or_default(),
            description: description.to_owned(),
            // The hook names a task by its commit.
            is_commit_message: record
                .is_some_and(|row| row.commit.is_some() && row.commit == row.task_id),
            acceptance: Some(acceptance.to_owned()).filter(|text| !text.trim().is_empty()),
            ..Task::default()
        };
        if description.trim().is_empty() {
            return Ok((task, SameTask::Untyped));
        }
        let Some(then) = record.and_then(|row| row.task_sha.as_deref()) else {
            return Ok((task, SameTask::Unknown));
        };
        let variants = with_line_ends(&task);
        let same = variants.into_iter().find(|variant| variant.sha() == then);
        Ok(same.map_or((task, SameTask::Other), |same| (same, SameTask::Same)))
    }

    /// Why the judges of tasks cannot be asked as it is.
    pub(super) fn refusal_of_task(&self, options: &TaskOptions) -> Option<String> {
        if let Err(why) = &options.judges {
            return Some(why.clone());
        }
        match self.task() {
            Err(why) => Some(why),
            Ok((_, SameTask::Untyped)) => Some("type what the task was".to_owned()),
            Ok(_) => None,
        }
    }

    /// The task that is to be judged.
    pub(super) fn task_plan(&self, options: &TaskOptions) -> Option<TaskPlan> {
        let (_, item) = self.items().pop()?;
        let task = Task { item: item.clone(), ..self.task().ok()?.0 };
        let judges = options.judges.as_ref().ok()?.clone();
        let (depth, is_sensitive) = (self.resolved_depth(), self.sensitive().is_some());
        Some(TaskPlan { task, depth, is_sensitive, judges })
    }
}

/// A task with each of its texts as it is, and with a line end behind it.
fn with_line_ends(task: &Task) -> Vec<Task> {
    let ended = |text: &str| [text.to_owned(), format!("{text}\n")];
    let descriptions = ended(&task.description);
    let acceptances: Vec<Option<String>> = match &task.acceptance {
        Some(text) => ended(text).map(Some).to_vec(),
        None => vec![None],
    };
    let all = descriptions.iter().flat_map(|description| {
        acceptances.iter().map(|acceptance| Task {
            description: description.clone(),
            acceptance: acceptance.clone(),
            ..task.clone()
        })
    });
    all.filter(|task| task.description.len() <= Section::MOST_BYTES).collect()
}
