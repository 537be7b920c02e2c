//! The form of judging again: what would be sent, to whom, in which words, for how much.

use super::form_lines::FormLines;
use crate::domain::review::PromptSource;
use crate::tui::judging::{PromptOption, QuestionOrigin, RunInput};
use crate::tui::model::{Field, JudgeForm, Load, Model};
use crate::tui::screen::runs::{money, prompt, thousands};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, counted, fit, window};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// Columns of the labels.
pub(super) const LABEL: usize = 8;
/// Names of models that are offered.
const MODELS: usize = 4;
/// Contents that are named.
const NAMED: usize = 5;

/// Draws the form; gives where a text is typed in it.
pub(super) fn draw(
    _model: &Model,
    form: &JudgeForm,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Option<Position> {
    let title = match form.input {
        RunInput::Records(_) => "Judge again",
        RunInput::File(_) => "Judge a file",
        RunInput::Run(_) => "Repeat a run",
    };
    let inside = window(pen, buffer, body, title);
    let mut page = FormLines::new(pen, inside, LABEL);
    page.form(form);
    page.draw(buffer, inside)
}

impl FormLines<'_> {
    fn form(&mut self, form: &JudgeForm) {
        // What can be changed is first, so that a low terminal shows it.
        if matches!(form.input, RunInput::File(_)) {
            self.typed("file", &form.path, form.field == Field::Path);
        }
        self.prompt(form);
        self.typed("model", &form.model, form.field == Field::Model);
        if form.field == Field::Model {
            self.models(form);
        }
        self.repeat(form);
        match form.refusal() {
            Some(why) => self.text(Role::Warning, "", &format!("cannot ask: {why}")),
            None => self.text(Role::Key, "", "nothing is sent until ctrl-s"),
        }
        if let (Load::Failed(problem), None) = (&form.ready.load, &form.ready.value) {
            self.text(Role::Text, "", &problem.next);
        }
        self.lines.push(Line::default());
        self.cost(form);
        self.four_eyes(form);
        self.what(form);
    }

    /// Which run is repeated, and whether its judge is asked.
    fn repeat(&mut self, form: &JudgeForm) {
        let Some(repeat) = form.repeat() else { return };
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

    fn prompt(&mut self, form: &JudgeForm) {
        let here = form.field == Field::Prompt;
        let cursor = if here { self.pen.glyphs.cursor } else { " " };
        let offers = form.ready.value.as_ref().map_or(&[][..], |r| r.offer.prompts.as_slice());
        let Some(chosen) = form.chosen() else {
            let parts = [(Role::Mark, cursor), (Role::Dim, " prompt  "), (Role::Dim, "…")];
            return self.lines.push(self.pen.line(parts));
        };
        let of = match offers.len() {
            0 | 1 => String::new(),
            n => format!("  ({} of {n}, left/right)", form.prompt + 1),
        };
        let name = fit(&prompt_name(&chosen), self.width.saturating_sub(LABEL + 4 + of.len()));
        self.lines.push(self.pen.line([
            (Role::Mark, cursor),
            (Role::Dim, " prompt  "),
            (Role::Text, name.as_str()),
            (Role::Dim, of.as_str()),
        ]));
        match &chosen.origin {
            Some(QuestionOrigin::Program) => {
                let text = "the box's own prompt and rubric, as reported by its program";
                self.text(Role::Dim, "", text);
            }
            Some(QuestionOrigin::File { path, why }) => {
                let text = format!(
                    "the file {path} there, with the rubric of this machine; what the box asks is not \
                     known: {why}"
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
                self.text(role, "", &fit(&text, self.width.saturating_sub(LABEL + 3)));
            }
            (None, Load::Busy) => self.text(Role::Dim, "", "fetching the list…"),
            (None, Load::Failed(problem)) => self.text(Role::Error, "", &problem.text),
            (None, Load::Idle) => self.text(Role::Dim, "", "tab: fetch the list"),
        }
    }

    fn cost(&mut self, form: &JudgeForm) {
        let (Some(ready), Some(estimate)) = (&form.ready.value, form.estimate()) else { return };
        self.text(Role::Text, "asks", &ready.offer.endpoint);
        let questions = counted(estimate.questions, "question", "questions");
        let (files, bytes) = (counted(estimate.files, "file", "files"), estimate.bytes as u64);
        let at_once = ready.offer.parallel.min(estimate.questions.max(1));
        let text =
            format!("{questions}, {files}, {} bytes; {at_once} at the same time", thousands(bytes));
        self.text(Role::Text, "sends", &text);
        let cost = match estimate.cost {
            Some(cost) => format!("about {} with long answers", money(cost)),
            None => "no price is configured for this model".to_owned(),
        };
        let tokens = thousands(estimate.tokens as u64);
        self.text(Role::Text, "cost", &format!("about {tokens} tokens; {cost}"));
        if let Some(cap) = ready.offer.cap {
            // The bound reckons each question at its worst, which is more than the estimate above.
            let cap = money(cap);
            let text = format!("never more than {cap}; requests that could exceed it are not sent");
            self.text(Role::Text, "", &text);
        }
        if estimate.cut > 0 {
            let cut = counted(estimate.cut, "content is", "contents are");
            let most = thousands(ready.offer.most_bytes as u64);
            let text = format!("{cut} cut to {most} bytes; cut content never gets GO");
            self.text(Role::Warning, "", &text);
        }
    }

    fn four_eyes(&mut self, form: &JudgeForm) {
        for (author, decision, refused) in form.four_eyes().into_iter().take(3) {
            let author = author.unwrap_or("nobody named");
            let end = if refused { ": NOT asked" } else { "" };
            let text = format!("author {author}: {decision}{end}");
            self.text(if refused { Role::Warning } else { Role::Text }, "4 eyes", &text);
        }
    }

    fn what(&mut self, form: &JudgeForm) {
        let Some(ready) = &form.ready.value else {
            let text = match (&form.ready.load, &form.input) {
                (Load::Busy, RunInput::Records(records)) => {
                    format!("{}: reading…", counted(records.len(), "record", "records"))
                }
                (Load::Busy, RunInput::Run(repeat)) => {
                    format!("{}: reading…", counted(repeat.begun.items.len(), "item", "items"))
                }
                (Load::Busy, RunInput::File(_)) => "reading…".to_owned(),
                _ => return,
            };
            return self.text(Role::Dim, "what", &text);
        };
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
            self.text(role, "", &fit(&text, self.width.saturating_sub(LABEL + 3)));
        }
        if ready.contents.len() > NAMED {
            self.text(Role::Dim, "", &format!("and {} more", ready.contents.len() - NAMED));
        }
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
