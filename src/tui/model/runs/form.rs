//! What is asked, of whom and in which words, before anything is sent.
//!
//! A form is a list of lines. What is judged says which of them it has: a judge of pushes is chosen with
//! its prompt and model, the judges of tasks are configured and get the texts of the task.

mod choice;
mod cost;
mod task;

pub use task::SameTask;

use super::TypedText;
use crate::config::DepthRule;
use crate::domain::review::{EntryId, RunBegun, RunItem, RunTask};
use crate::engine::four_eyes::Decision;
use crate::engine::panel::Depth;
use crate::engine::prompt::Section;
use crate::judging::Item;
use crate::tui::judging::{
    BoxQuestion, EarlierRun, PreparedRun, RunContent, RunInput, RunJudge, RunOptions, RunPlan,
    RunWork, TaskText,
};
use crate::tui::model::{Load, Loadable, Model, Overlay};
use std::collections::BTreeMap;
use std::sync::Arc;
use tui_input::Input;

/// A line of the form that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The path of the file that is judged.
    Path,
    /// Which prompt.
    Prompt,
    /// Which model.
    Model,
    /// A text of the task.
    Text(TaskText),
    /// How many judges look at the task.
    Depth,
}

impl Field {
    /// Most bytes of a text whose lines stay lines; `None` of any other line.
    pub fn most_bytes(self) -> Option<usize> {
        matches!(self, Self::Text(_)).then_some(Section::MOST_BYTES)
    }
}

/// A form: nothing in it changes or sends anything, `ctrl-s` does.
#[derive(Debug, Clone)]
pub struct JudgeForm {
    /// What is to be judged.
    pub input: RunInput,
    /// The line that has the keys.
    pub field: Field,
    /// The path that is typed, where a file is judged.
    pub path: Input,
    /// The prompt that is chosen, by its place.
    pub prompt: usize,
    /// The model that is typed.
    pub model: Input,
    /// How many judges look at a task; what is configured, until it is chosen.
    pub depth: DepthRule,
    /// What was to be done.
    pub description: TypedText,
    /// What the result must meet.
    pub acceptance: TypedText,
    /// Which of both stood in an earlier form as they were kept; `None` where there was no earlier form.
    pub was_kept: Option<[bool; 2]>,
    /// Contents, and whom one can ask.
    pub ready: Loadable<Arc<PreparedRun>>,
    /// Names of models, once they were asked for.
    pub models: Loadable<Arc<Vec<String>>>,
    /// What boxes say that they ask, each from when it was first chosen in this form.
    pub of_boxes: BTreeMap<String, Loadable<BoxQuestion>>,
    /// Which form it is: what another one asked for is not for it.
    pub number: u64,
    /// Which content it waits for.
    pub generation: u64,
}

impl JudgeForm {
    /// One that waits to be made ready, with the texts that were typed before, where there are any.
    pub fn new(input: RunInput, number: u64, texts: Option<&[Option<String>; 2]>) -> Self {
        let is_blank = |text: &Option<String>| text.as_ref().is_some_and(String::is_empty);
        let texts = texts.filter(|texts| !texts.iter().all(is_blank));
        let typed = |at: usize| {
            let text = texts.and_then(|texts| texts[at].clone()).unwrap_or_default();
            TypedText { input: Input::new(text), ..TypedText::default() }
        };
        let (path, model) = match &input {
            RunInput::File(path) => (Some(path.clone()), None),
            RunInput::Run(earlier) => (None, Some(earlier.begun.model.clone())),
            RunInput::Records(_) => (None, None),
        };
        Self {
            field: fields(&input).first().copied().unwrap_or(Field::Prompt),
            // A path is read once it is typed.
            ready: if path.is_some() { Loadable::default() } else { Loadable::busy() },
            path: Input::new(path.unwrap_or_default()),
            prompt: 0,
            model: Input::new(model.unwrap_or_default()),
            depth: DepthRule::default(),
            description: typed(0),
            acceptance: typed(1),
            was_kept: texts.map(|texts| texts.each_ref().map(Option::is_none)),
            models: Loadable::default(),
            of_boxes: BTreeMap::new(),
            number,
            generation: number,
            input,
        }
    }

    /// The lines that can have the keys, in their order.
    pub fn fields(&self) -> &'static [Field] {
        fields(&self.input)
    }

    /// The line that is typed, where one has the keys.
    pub fn line(&mut self) -> Option<&mut Input> {
        match self.field {
            Field::Path => Some(&mut self.path),
            Field::Model => Some(&mut self.model),
            Field::Text(of) => Some(&mut self.text_mut(of).input),
            Field::Prompt | Field::Depth => None,
        }
    }

    /// Goes so many lines on; the ends hold.
    pub fn step(&mut self, by: isize) {
        let fields = self.fields();
        let at = fields.iter().position(|f| *f == self.field).unwrap_or(0);
        let to = at.saturating_add_signed(by).min(fields.len() - 1);
        self.field = fields.get(to).copied().unwrap_or(self.field);
    }

    /// Chooses another prompt or depth, round and round.
    pub fn choose(&mut self, by: isize) {
        let next = |at: usize, count: usize| (at + count).saturating_add_signed(by) % count.max(1);
        let depths: [DepthRule; 4] = crate::domain::variants();
        match self.field {
            Field::Prompt => {
                let count = self.judge_options().map_or(0, |options| options.prompts.len());
                self.prompt = next(self.prompt, count);
            }
            Field::Depth => {
                let at = depths.iter().position(|depth| *depth == self.depth).unwrap_or(0);
                let depth = depths.get(next(at, depths.len())).copied();
                self.depth = depth.unwrap_or_default();
            }
            Field::Path | Field::Model | Field::Text(_) => {}
        }
    }

    /// The run that is repeated, where one is.
    pub fn repeat(&self) -> Option<&EarlierRun> {
        match &self.input {
            RunInput::Run(repeat) => Some(repeat),
            RunInput::Records(_) | RunInput::File(_) => None,
        }
    }

    /// Takes what is known before anything is typed: what was asked then, else what is configured.
    pub fn preset(&mut self, ready: &PreparedRun) {
        match &ready.options {
            RunOptions::Judge(options) => self.preset_judge(options),
            RunOptions::Task(options) => {
                self.preset_depth(options);
                self.prefill(options);
            }
        }
    }

    /// Contents that can be judged.
    pub fn items(&self) -> Vec<(&RunContent, &Item)> {
        let ready = self.ready.value.as_ref();
        let contents = ready.map_or(&[][..], |ready| ready.contents.as_slice());
        contents.iter().filter_map(|c| Some((c, c.item.as_ref().ok()?))).collect()
    }

    /// The judges that may be asked, in their order.
    pub fn judges(&self) -> Vec<RunJudge> {
        match self.ready.value.as_ref().map(|ready| &ready.options) {
            Some(RunOptions::Judge(options)) => vec![self.chosen_judge(options)],
            Some(RunOptions::Task(options)) => self.judges_of_task(options),
            None => Vec::new(),
        }
    }

    /// Why nothing can be asked as it is.
    pub fn refusal(&self) -> Option<String> {
        let Some(ready) = &self.ready.value else {
            return Some(match &self.ready.load {
                Load::Failed(problem) => problem.text.clone(),
                Load::Busy => "the content is being read".to_owned(),
                Load::Idle => "type the path of a file; Enter reads it".to_owned(),
            });
        };
        if self.is_other_path() {
            return Some("the path was changed: Enter reads the file".to_owned());
        }
        if self.items().is_empty() {
            let why = ready.contents.iter().find_map(|c| c.item.as_ref().err());
            let why = why.map_or(String::new(), |why| format!(": {why}"));
            return Some(format!("there is nothing to judge{why}"));
        }
        let own = match &ready.options {
            RunOptions::Judge(_) => self.refusal_of_judge(),
            RunOptions::Task(options) => self.refusal_of_task(options),
        };
        let first = self.first();
        own.or_else(|| first.iter().find_map(|judge| self.refused_by_eyes(judge)))
            .or_else(|| self.money(ready.cap?, &first))
    }

    /// The judges that are asked first, whatever they answer.
    fn first(&self) -> Vec<RunJudge> {
        let mut judges = self.judges();
        judges.truncate(if self.resolved_depth() == Depth::Panel { 2 } else { 1 });
        judges
    }

    /// What four eyes decide on a judge and each author, and whether it may not be asked for that.
    pub fn four_eyes(&self, judge: &RunJudge) -> Vec<(Option<&str>, Decision, bool)> {
        match (&judge.four_eyes, self.judge_options()) {
            (Some((decision, refused)), _) => vec![(None, decision.clone(), *refused)],
            (None, Some(options)) => self.four_eyes_of_authors(options),
            (None, None) => Vec::new(),
        }
    }

    /// Why a judge may be asked about nothing.
    fn refused_by_eyes(&self, judge: &RunJudge) -> Option<String> {
        let decisions = self.four_eyes(judge);
        if decisions.is_empty() || decisions.iter().any(|(.., refused)| !refused) {
            return None;
        }
        let tier = judge.tier.map_or(String::new(), |tier| format!("{} ", tier.name()));
        let is_same = |decision: &Decision| matches!(decision, Decision::Same { .. });
        Some(match decisions.iter().all(|(_, decision, _)| is_same(decision)) {
            true => format!(
                "four eyes: author and {tier}judge are of the same family: use another model"
            ),
            false => format!(
                "four eyes: the families of author and {tier}judge must be known: name both in a [[family]]"
            ),
        })
    }

    /// Whether another path is typed than the one that was read.
    pub fn is_other_path(&self) -> bool {
        matches!(&self.input, RunInput::File(read) if read != self.path.value().trim())
    }

    /// What is to be judged, and what is to be in the ledger.
    pub fn plan(&self, run: EntryId) -> Option<RunPlan> {
        let ready = self.ready.value.as_ref()?;
        let judges = self.judges();
        let models: Vec<&str> = judges.iter().map(|judge| judge.model.as_str()).collect();
        let (items, work, task) = match &ready.options {
            RunOptions::Judge(_) => {
                let (items, contents) = self.contents(ready);
                (items, RunWork::Contents(contents), None)
            }
            RunOptions::Task(options) => {
                let plan = self.task_plan(options)?;
                let (id, depth) = (plan.task.id.clone(), plan.depth.name().to_owned());
                let items = self.items().into_iter().map(run_item).collect();
                (items, RunWork::Task(Box::new(plan)), Some(RunTask { id, depth }))
            }
        };
        let begun = RunBegun {
            model: models.join(", "),
            prompt: judges.first()?.prompt.clone(),
            cap: ready.cap,
            repeats: self.repeat().map(|earlier| earlier.run),
            task,
            peer: None,
            items,
        };
        Some(RunPlan { run, begun, work })
    }

    /// The items of a run and their contents. A run that is repeated keeps all of its items in their
    /// places, also those that cannot be had.
    fn contents(&self, ready: &PreparedRun) -> (Vec<RunItem>, Vec<Result<Item, String>>) {
        if let Some(repeat) = self.repeat() {
            let contents = ready.contents.iter().map(|c| c.item.clone()).collect();
            return (repeat.begun.items.clone(), contents);
        }
        let items = self.items().into_iter();
        items.map(|(of, item)| (run_item((of, item)), Ok(item.clone()))).unzip()
    }
}

/// The lines of a form, in their order.
fn fields(input: &RunInput) -> &'static [Field] {
    const TASK: [Field; 3] =
        [Field::Text(TaskText::Description), Field::Text(TaskText::Acceptance), Field::Depth];
    match input {
        RunInput::File(_) => &[Field::Path, Field::Prompt, Field::Model],
        _ if input.is_task() => &TASK,
        RunInput::Records(_) | RunInput::Run(_) => &[Field::Prompt, Field::Model],
    }
}

fn run_item((content, item): (&RunContent, &Item)) -> RunItem {
    let (record, was, files) = (content.record, content.was, content.paths.clone());
    RunItem { record, was, commit: item.commit.clone(), files }
}

impl Model {
    /// The form, where it is open.
    pub fn judge_form(&self) -> Option<&JudgeForm> {
        match &self.overlay {
            Some(Overlay::Judge(form)) => Some(form),
            _ => None,
        }
    }

    /// The form, to be changed.
    pub fn judge_form_mut(&mut self) -> Option<&mut JudgeForm> {
        match &mut self.overlay {
            Some(Overlay::Judge(form)) => Some(form),
            _ => None,
        }
    }
}
