//! A task that is to be judged again: its texts, its judges, and what it may cost.

use crate::config::DepthRule;
use crate::domain::review::{EntryId, RunBegun, RunItem, RunTask};
use crate::engine::four_eyes::Decision;
use crate::engine::panel::Depth;
use crate::engine::prompt::Section;
use crate::engine::task_question::KnownQuestion;
use crate::judging::task::Task;
use crate::judging::{Item, UNBOUNDED};
use crate::tui::judging::{PreparedTask, TaskJudge, TaskPlan, TaskSource, TaskText};
use crate::tui::model::{Load, Loadable, Model, Overlay, Problem, TypedText};
use std::sync::Arc;
use tui_input::Input;

/// Bytes of template, rubric and the words around a content.
const AROUND: usize = 16 << 10;
/// Tokens of an answer that is not bounded.
const ANSWER: u32 = 4096;
/// Bytes of a token, on the low side, so that an estimate is on the high side.
const BYTES_A_TOKEN: usize = 3;

/// A line of the form that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskField {
    /// How many judges look at it.
    Depth,
    /// One of its texts.
    Text(TaskText),
}

/// The lines, in their order.
const FIELDS: [TaskField; 3] = [
    TaskField::Text(TaskText::Description),
    TaskField::Text(TaskText::Acceptance),
    TaskField::Depth,
];

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

/// A form: nothing in it changes or sends anything, `ctrl-s` does.
#[derive(Debug, Clone)]
pub struct TaskForm {
    /// Which task.
    pub source: TaskSource,
    /// The line that has the keys.
    pub field: TaskField,
    /// How many judges look at it; what is configured, until it is chosen.
    pub depth: DepthRule,
    /// What was to be done.
    pub description: TypedText,
    /// What the result must meet.
    pub acceptance: TypedText,
    /// Which of both stood in an earlier form as they were kept; `None` where there was no earlier form.
    pub was_kept: Option<[bool; 2]>,
    /// Its content, and who can be asked.
    pub ready: Loadable<Arc<PreparedTask>>,
    /// Which form it is, and which content it waits for.
    pub number: u64,
}

/// What a run would come to at most.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskEstimate {
    /// Rounds, where all judges of the depth are asked.
    pub rounds: usize,
    /// Tokens, answers included, on the high side.
    pub tokens: usize,
    /// What it may cost; `None` where a model has no price.
    pub cost: Option<f64>,
}

impl TaskForm {
    /// One that waits to be made ready, with the texts that were typed before, where there are any.
    pub fn new(source: TaskSource, number: u64, texts: Option<&[Option<String>; 2]>) -> Self {
        let is_blank = |text: &Option<String>| text.as_ref().is_some_and(String::is_empty);
        let texts = texts.filter(|texts| !texts.iter().all(is_blank));
        let typed = |at: usize| {
            let text = texts.and_then(|texts| texts[at].clone()).unwrap_or_default();
            TypedText { input: Input::new(text), ..TypedText::default() }
        };
        Self {
            source,
            field: TaskField::Text(TaskText::Description),
            depth: DepthRule::default(),
            description: typed(0),
            acceptance: typed(1),
            was_kept: texts.map(|texts| texts.each_ref().map(Option::is_none)),
            ready: Loadable::busy(),
            number,
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

    /// The line that is typed, where one has the keys.
    pub fn line(&mut self) -> Option<&mut Input> {
        match self.field {
            TaskField::Text(of) => Some(&mut self.text_mut(of).input),
            TaskField::Depth => None,
        }
    }

    /// Goes so many lines on; the ends hold.
    pub fn step(&mut self, by: isize) {
        let at = FIELDS.iter().position(|field| *field == self.field).unwrap_or(0);
        let to = at.saturating_add_signed(by).min(FIELDS.len() - 1);
        self.field = FIELDS.get(to).copied().unwrap_or(self.field);
    }

    /// Chooses the depth of what is judged again, where that is known; else what is configured.
    pub fn preset(&mut self, ready: &PreparedTask) {
        let earlier = match &self.source {
            TaskSource::Run(earlier) => earlier.begun.task.as_ref().map(|task| &task.depth),
            TaskSource::Record(_) => ready.record.row.depth.as_ref(),
        };
        self.depth = match earlier.map(String::as_str) {
            Some("quick") => DepthRule::Quick,
            Some("sequential") => DepthRule::Sequential,
            Some("panel") => DepthRule::Panel,
            _ => ready.config.depth,
        };
    }

    /// Takes the texts that were kept of the task: both where nothing was typed, else none. In a further form on the
    /// task, those that were not changed in the one before.
    pub fn prefill(&mut self, ready: &PreparedTask) {
        let Some(KnownQuestion::Kept(held)) = &ready.question else { return };
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

    /// Chooses another depth.
    pub fn choose(&mut self, by: isize) {
        let all: [DepthRule; 4] = crate::domain::variants();
        let at = all.iter().position(|depth| *depth == self.depth).unwrap_or(0);
        let to = (at + all.len()).saturating_add_signed(by) % all.len();
        self.depth = all.get(to).copied().unwrap_or_default();
    }

    /// What makes the task sensitive, as it is configured.
    pub fn sensitive(&self) -> Option<&str> {
        let ready = self.ready.value.as_ref()?;
        let text = |of| self.text(of).text().unwrap_or_default();
        let texts = [text(TaskText::Description), text(TaskText::Acceptance)];
        let paths = ready.item.as_ref().map(|item| item.material().paths()).unwrap_or_default();
        ready.config.sensitive(&texts, &paths)
    }

    /// How many judges look at the task.
    pub fn resolved_depth(&self) -> Depth {
        self.depth.depth(self.sensitive().is_some())
    }

    /// The judges that may be asked, in their order.
    pub fn judges(&self) -> &[TaskJudge] {
        let all = self.ready.value.as_ref().and_then(|ready| ready.judges.as_ref().ok());
        let all = all.map_or(&[][..], Vec::as_slice);
        let most = match self.resolved_depth() {
            Depth::Quick => 1,
            Depth::Sequential => 2,
            Depth::Panel => 3,
        };
        all.get(..most.min(all.len())).unwrap_or_default()
    }

    /// The judges that are asked first, whatever they answer.
    fn first(&self) -> &[TaskJudge] {
        let most = match self.resolved_depth() {
            Depth::Quick | Depth::Sequential => 1,
            Depth::Panel => 2,
        };
        let all = self.judges();
        all.get(..most.min(all.len())).unwrap_or_default()
    }

    /// The task, and whether its texts are those of the run that is judged again; why there is none.
    ///
    /// A file mostly ends in a line end that is lost where its text is typed or pasted: where the hash
    /// says so, it is put back.
    pub fn task(&self) -> Result<(Task, SameTask), String> {
        let description = self.description.text()?;
        let acceptance = self.acceptance.text()?;
        let ready = self.ready.value.as_ref();
        let record = ready.map(|ready| &ready.record.row);
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

    /// What the present choice may come to.
    pub fn estimate(&self) -> Option<TaskEstimate> {
        let item = self.ready.value.as_ref()?.item.as_ref().ok()?;
        let judges = self.judges();
        let length = |of| self.text(of).text().map_or(0, str::len);
        let texts = length(TaskText::Description) + length(TaskText::Acceptance);
        let bytes = bytes_of(item);
        let size = |judge: &TaskJudge| bytes.min(judge.most_bytes) + texts + AROUND;
        let answer = |judge: &TaskJudge| judge.max_tokens.unwrap_or(ANSWER);
        let tokens =
            |judge: &TaskJudge| size(judge).div_ceil(BYTES_A_TOKEN) + answer(judge) as usize;
        let cost =
            |judge: &TaskJudge| Some(judge.price.as_ref()?.estimate(size(judge), answer(judge)));
        Some(TaskEstimate {
            rounds: judges.len(),
            tokens: judges.iter().map(tokens).sum(),
            cost: judges.iter().map(cost).sum(),
        })
    }

    /// Why nothing can be asked as it is.
    pub fn refusal(&self) -> Option<String> {
        let Some(ready) = &self.ready.value else {
            return Some(match &self.ready.load {
                Load::Failed(Problem { text, .. }) => text.clone(),
                _ => "the content is being read".to_owned(),
            });
        };
        let item = match &ready.item {
            Ok(item) => item,
            Err(why) => return Some(format!("there is nothing to judge: {why}")),
        };
        if let Err(why) = &ready.judges {
            return Some(why.clone());
        }
        match self.task() {
            Err(why) => return Some(why),
            Ok((_, SameTask::Untyped)) => return Some("type what the task was".to_owned()),
            Ok(_) => {}
        }
        if let Some(judge) = self.first().iter().find(|judge| judge.is_refused) {
            let tier = judge.tier.name();
            return Some(match judge.four_eyes {
                Decision::Same { .. } => {
                    format!("four eyes: author and {tier} judge are of the same family")
                }
                _ => format!("four eyes: the families of author and {tier} judge must be known"),
            });
        }
        self.money(ready.cap?, item)
    }

    /// Why a spend cap lets the first judges not be asked, where that is certain beforehand.
    fn money(&self, cap: f64, item: &Item) -> Option<String> {
        let first = self.first();
        if let Some(judge) = first.iter().find(|judge| judge.price.is_none()) {
            return Some(format!(
                "the model {} has no price, and under a spend cap it is not asked: give it one in [prices]",
                judge.model
            ));
        }
        let bytes = bytes_of(item);
        let most = |judge: &TaskJudge| {
            let answer = judge.max_tokens.unwrap_or(UNBOUNDED);
            judge.price.as_ref().map(|price| price.most(bytes.min(judge.most_bytes), answer))
        };
        let least: f64 = first.iter().filter_map(most).sum();
        (least > cap).then(|| {
            format!("the first round may cost {least:.4} or more, and `spend_cap` is {cap}: raise it, or lower `max_tokens`")
        })
    }

    /// What is to be judged, and what is to be in the ledger.
    pub fn plan(&self, run: EntryId) -> Option<TaskPlan> {
        let ready = self.ready.value.as_ref()?;
        let item = ready.item.as_ref().ok()?;
        let (task, _) = self.task().ok()?;
        let (depth, judges) = (self.resolved_depth(), ready.judges.as_ref().ok()?.clone());
        let models = self.judges().iter().map(|judge| judge.model.as_str());
        let begun = RunBegun {
            model: models.collect::<Vec<_>>().join(", "),
            prompt: judges.first()?.prompt.clone(),
            cap: ready.cap,
            repeats: match &self.source {
                TaskSource::Run(earlier) => Some(earlier.run),
                TaskSource::Record(_) => None,
            },
            task: Some(RunTask { id: task.id.clone(), depth: depth.name().to_owned() }),
            peer: None,
            items: vec![RunItem {
                record: Some(ready.record.row.id),
                was: ready.was,
                commit: item.commit.clone(),
                files: item.material().paths(),
            }],
        };
        let task = Task { item: item.clone(), ..task };
        let is_sensitive = self.sensitive().is_some();
        Some(TaskPlan { run, begun, task, depth, is_sensitive, judges })
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

/// Bytes of the files of a content.
pub fn bytes_of(item: &Item) -> usize {
    item.files.iter().map(|file| file.bytes.len()).sum()
}

impl Model {
    /// The form on a task, where it is open.
    pub fn task_form(&self) -> Option<&TaskForm> {
        match &self.overlay {
            Some(Overlay::JudgeTask(form)) => Some(form),
            _ => None,
        }
    }

    /// The form on a task, to be changed.
    pub fn task_form_mut(&mut self) -> Option<&mut TaskForm> {
        match &mut self.overlay {
            Some(Overlay::JudgeTask(form)) => Some(form),
            _ => None,
        }
    }
}
