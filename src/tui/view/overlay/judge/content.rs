//! What a form would have judged, and whether it is what was judged before.

use super::FormLines;
use crate::engine::task_question::KnownQuestion;
use crate::text::separated;
use crate::tui::judging::{RunInput, TaskOptions};
use crate::tui::model::{JudgeForm, SameTask};
use crate::tui::screen::runs::prompt;
use crate::tui::theme::Role;
use crate::tui::widget::{counted, fit};

/// Contents that are named.
const NAMED: usize = 5;

impl FormLines<'_> {
    /// Which run is repeated, and whether its judge is asked.
    pub(super) fn repeat(&mut self, form: &JudgeForm) {
        let Some(repeat) = form.repeat().filter(|_| !form.input.is_task()) else { return };
        let time = repeat.time.to_string();
        let when = time.get(..16).unwrap_or_default().replace('T', " ");
        let (then, asked) = (&repeat.begun, prompt(&repeat.begun.prompt));
        let text = format!("the run of {when}: {}, {asked}", then.model);
        self.text(Role::Text, "repeats", &text);
        let other = [
            (form.is_other_question() == Some(true)).then_some("another question"),
            (form.model() != then.model).then_some("another model"),
        ];
        let other: Vec<&str> = other.into_iter().flatten().collect();
        let text = match (other.is_empty(), form.is_other_question()) {
            (false, _) => {
                format!(
                    "asked now: {}; noise cannot be distinguished from change",
                    other.join(", ")
                )
            }
            (true, Some(_)) => "same question and model: differences are noise".to_owned(),
            (true, None) => return,
        };
        self.text(Role::Dim, "", &text);
    }

    /// Whether the texts are those of the run that is judged again.
    pub(super) fn same(&mut self, form: &JudgeForm) {
        let Some(options) = form.task_options() else { return };
        let Ok((_, same)) = form.task() else { return };
        let (role, text) = match same {
            SameTask::Untyped => {
                let why = options.question.as_ref().and_then(KnownQuestion::absence);
                let why = why.map(|why| format!("The question is {why}. ")).unwrap_or_default();
                let how = "The log does not have the texts: type or paste description and acceptance \
                    criteria, or give @FILE.";
                let text = format!("{why}{how}");
                return self.text(Role::Text, "", &text);
            }
            SameTask::Other if is_masked(form, options) => (
                Role::Warning,
                "Secrets are masked in the kept texts: another task would be judged.",
            ),
            SameTask::Same => (Role::Text, "Description and acceptance criteria: same as then."),
            SameTask::Other => (
                Role::Warning,
                "NOT the same as then, by their hash: another task would be judged.",
            ),
            SameTask::Unknown => (
                Role::Warning,
                "The record has no hash of them: whether they are the same is unknown.",
            ),
        };
        self.text(role, "", text);
    }

    /// The task, its content, and whether that is what was judged before.
    pub(super) fn task(&mut self, form: &JudgeForm, options: &TaskOptions) {
        let row = &options.record.row;
        self.text(Role::Text, "task", row.task_id.as_deref().unwrap_or("not named"));
        let ready = form.ready.value.as_ref();
        let Some(content) = ready.and_then(|ready| ready.contents.first()) else { return };
        let item = match &content.item {
            Ok(item) => item,
            Err(why) => return self.text(Role::Warning, "content", &format!("NOT found: {why}")),
        };
        let (files, bytes) = (&content.paths, separated(content.bytes()));
        let count = counted(files.len(), "file", "files");
        self.text(Role::Text, "content", &format!("{count}, {bytes} bytes: {}", files.join(", ")));
        match row.content_sha.as_deref() {
            Some(then) if then == item.material().sha() => {
                self.text(Role::Dim, "", "same as then, by hash");
            }
            Some(_) => {
                let text = "different hash: other files or another commit were judged";
                self.text(Role::Warning, "", text);
            }
            None => self.text(Role::Dim, "", "the record has no hash of it"),
        }
    }

    /// What is being read.
    pub(super) fn reading(&mut self, form: &JudgeForm) {
        if !form.ready.is_busy() {
            return;
        }
        let text = match &form.input {
            RunInput::Records(records) => {
                format!("{}: reading…", counted(records.len(), "record", "records"))
            }
            RunInput::Run(repeat) => {
                format!("{}: reading…", counted(repeat.begun.items.len(), "item", "items"))
            }
            RunInput::File(_) => "reading…".to_owned(),
        };
        self.text(Role::Dim, "what", &text);
    }

    /// What can be judged, and what cannot.
    pub(super) fn contents(&mut self, form: &JudgeForm) {
        let Some(ready) = &form.ready.value else { return };
        let not = ready.contents.iter().filter(|c| c.item.is_err()).count();
        let mut text = counted(ready.contents.len() - not, "content", "contents");
        if not > 0 {
            text.push_str(&format!(", {not} cannot be judged"));
        }
        self.text(Role::Text, "what", &text);
        // What cannot be judged goes first: it is what must be known.
        let (wrong, good): (Vec<_>, Vec<_>) =
            ready.contents.iter().partition(|contents| contents.item.is_err());
        for contents in wrong.into_iter().chain(good).take(NAMED) {
            let name: String = contents.name.chars().take(12).collect();
            let (role, text) = match &contents.item {
                Ok(_) => {
                    let paths = contents.paths.join(", ");
                    (Role::Text, format!("{name}  {} bytes  {paths}", contents.bytes()))
                }
                Err(why) => (Role::Warning, format!("{name}  NOT judged: {why}")),
            };
            self.text(role, "", &fit(&text, self.width.saturating_sub(self.label + 3)));
        }
        if ready.contents.len() > NAMED {
            self.text(Role::Dim, "", &format!("and {} more", ready.contents.len() - NAMED));
        }
    }
}

/// Whether the texts are those that were kept, with secrets masked in them.
fn is_masked(form: &JudgeForm, options: &TaskOptions) -> bool {
    let held = options.question.as_ref().and_then(KnownQuestion::kept);
    held.is_some_and(|held| held.masked > 0)
        && form.description.is_kept()
        && form.acceptance.is_kept()
}
