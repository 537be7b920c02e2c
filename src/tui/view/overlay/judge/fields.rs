//! The lines of a form that can be changed, and what is to be known of each.

use super::FormLines;
use crate::config::DepthRule;
use crate::domain::review::PromptSource;
use crate::engine::panel::Depth;
use crate::text::separated;
use crate::tui::judging::{PromptOption, QuestionOrigin, TaskText};
use crate::tui::model::{Field, JudgeForm, Load};
use crate::tui::theme::Role;
use crate::tui::widget::fit;

/// Names of models that are offered.
const MODELS: usize = 4;

/// The keys of the line that has them.
pub(in crate::tui::view::overlay) fn keys(
    form: &JudgeForm,
) -> &'static [(&'static str, &'static str)] {
    macro_rules! keys {
        ($key:literal, $does:literal) => {
            &[("ctrl-s", "send"), ("esc", "cancel"), ($key, $does), ("up/down", "move")]
        };
    }
    match form.field {
        Field::Path => keys!("enter", "read the file"),
        Field::Prompt => keys!("left/right", "another prompt"),
        Field::Model => keys!("tab", "list models"),
        Field::Text(_) => keys!("enter", "next, read @FILE"),
        Field::Depth => keys!("left/right", "another depth"),
    }
}

impl FormLines<'_> {
    /// One of the lines, with those that explain it.
    pub(super) fn field(&mut self, form: &JudgeForm, field: Field) {
        let here = form.field == field;
        match field {
            Field::Path => self.typed("file", &form.path, here),
            Field::Prompt => self.prompt(form, here),
            Field::Model => {
                self.typed("model", &form.model, here);
                if here {
                    self.models(form);
                }
            }
            Field::Text(of) => self.text_of_task(form, of, here),
            Field::Depth => self.depth(form, here),
        }
    }

    /// A line on which one of several is chosen.
    fn choice(&mut self, label: &str, (role, name): (Role, &str), how: &str, here: bool) {
        let cursor = if here { self.pen.glyphs.cursor } else { " " };
        let label = format!(" {label:<0$}", self.label);
        let parts = [(Role::Mark, cursor), (Role::Dim, &label), (role, name), (Role::Dim, how)];
        self.lines.push(self.pen.line(parts));
    }

    fn prompt(&mut self, form: &JudgeForm, here: bool) {
        let Some(chosen) = form.chosen() else {
            return self.choice("prompt", (Role::Dim, "…"), "", here);
        };
        let how = match form.judge_options().map_or(0, |options| options.prompts.len()) {
            0 | 1 => String::new(),
            n => format!("  ({} of {n}, left/right)", form.prompt + 1),
        };
        let room = self.width.saturating_sub(self.label + 4 + how.len());
        self.choice("prompt", (Role::Text, &fit(&prompt_name(&chosen), room)), &how, here);
        match &chosen.origin {
            Some(QuestionOrigin::Program) => {
                let text = "the box's own prompt and rubric, as reported by its program";
                self.text(Role::Dim, "", text);
            }
            Some(QuestionOrigin::File { path, why }) => {
                let text = format!(
                    "the file {path} there, with this machine's rubric; the box's question is unknown: \
                     {why}"
                );
                self.text(Role::Warning, "", &text);
            }
            None => {}
        }
    }

    fn models(&mut self, form: &JudgeForm) {
        match (&form.models.value, &form.models.load) {
            (Some(names), _) if names.is_empty() => self.text(Role::Dim, "", "it lists no models"),
            (Some(names), _) => {
                let typed = form.model();
                let fits = |name: &&String| name.contains(typed) && *name != typed;
                let found: Vec<&str> =
                    names.iter().filter(fits).take(MODELS).map(String::as_str).collect();
                let is_named = names.iter().any(|name| name == typed);
                let (role, text) = match (found.is_empty(), is_named) {
                    (false, _) => (Role::Dim, format!("tab: {}", found.join("  "))),
                    (true, true) => (Role::Dim, "tab: next model of the endpoint".to_owned()),
                    (true, false) => (
                        Role::Warning,
                        "the endpoint does not list this model; tab: its first one".to_owned(),
                    ),
                };
                self.text(role, "", &fit(&text, self.width.saturating_sub(self.label + 3)));
            }
            (None, Load::Busy) => self.text(Role::Dim, "", "fetching the list…"),
            (None, Load::Failed(problem)) => self.text(Role::Error, "", &problem.text),
            (None, Load::Idle) => self.text(Role::Dim, "", "tab: fetch the list"),
        }
    }

    fn text_of_task(&mut self, form: &JudgeForm, of: TaskText, here: bool) {
        let label = match of {
            TaskText::Description => "description",
            TaskText::Acceptance => "acceptance",
        };
        let text = form.text(of);
        self.typed(label, &text.input, here);
        if text.typed_path().is_none() {
            return;
        }
        match text.text() {
            Ok(read) => {
                let bytes = separated(read.len());
                self.text(Role::Dim, "", &format!("{bytes} bytes were read from the file"));
            }
            Err(why) => self.text(Role::Warning, "", &why),
        }
    }

    fn depth(&mut self, form: &JudgeForm, here: bool) {
        let how = if here { "  (left/right)" } else { "" };
        self.choice("depth", (Role::Text, form.depth.name()), how, here);
        let how = match (form.depth, form.resolved_depth(), form.sensitive()) {
            (DepthRule::Auto, Depth::Panel, Some(word)) => {
                format!("a panel here, because of {word:?}")
            }
            (DepthRule::Auto, ..) => "sequential here: nothing sensitive was found".to_owned(),
            (_, Depth::Quick, _) => "quick alone, a person if quick does not decide".to_owned(),
            (_, Depth::Sequential, _) => "quick first, deep if quick does not decide".to_owned(),
            (_, Depth::Panel, _) => "quick and deep, the tiebreaker if they differ".to_owned(),
        };
        self.text(Role::Dim, "", &how);
    }
}

/// What a prompt is called, and its version.
fn prompt_name(offer: &PromptOption) -> String {
    let used = &offer.used;
    let name = used.name.as_deref().unwrap_or_default();
    let what = match used.source {
        PromptSource::Ours => "ours".to_owned(),
        PromptSource::Own => format!("file {name}"),
        PromptSource::Box => format!("box {name}"),
    };
    let sha = crate::text::short_hash(&used.sha);
    match (&offer.problem, sha.is_empty()) {
        (Some(_), _) => format!("{what}, unusable"),
        (None, true) => format!("{what}, fetching…"),
        (None, false) => format!("{what}, {sha}"),
    }
}
