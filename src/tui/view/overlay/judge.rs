//! The form of judging again: what would be sent, to whom, in which words, for how much.

mod content;
mod fields;

pub(super) use fields::keys;

use super::form_lines::FormLines;
use crate::engine::panel::Tier;
use crate::text::separated;
use crate::tui::judging::{JudgeOptions, RunInput, RunOptions, TaskOptions};
use crate::tui::model::{JudgeForm, Load};
use crate::tui::screen::runs::money;
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, counted, window};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// Draws the form; gives where a text is typed in it.
pub(super) fn draw(
    form: &JudgeForm,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Option<Position> {
    let (title, label) = match form.input {
        _ if form.input.is_task() => ("Judge a task again", 12),
        RunInput::Records(_) => ("Judge again", 10),
        RunInput::File(_) => ("Judge a file", 10),
        RunInput::Run(_) => ("Repeat a run", 10),
    };
    let inside = window(pen, buffer, body, title);
    let mut page = FormLines::new(pen, inside, label);
    page.form(form);
    page.draw(buffer, inside)
}

impl FormLines<'_> {
    fn form(&mut self, form: &JudgeForm) {
        // What can be changed is first, so that a low terminal shows it.
        form.fields().iter().for_each(|field| self.field(form, *field));
        self.repeat(form);
        self.same(form);
        match form.refusal() {
            Some(why) => self.text(Role::Warning, "", &format!("cannot send: {why}")),
            None => self.text(Role::Key, "", "nothing is sent until ctrl-s"),
        }
        if let (Load::Failed(problem), None) = (&form.ready.load, &form.ready.value) {
            self.text(Role::Text, "", &problem.next);
        }
        self.lines.push(Line::default());
        match form.ready.value.as_ref().map(|ready| &ready.options) {
            Some(RunOptions::Judge(options)) => self.by_judge(form, options),
            Some(RunOptions::Task(options)) => self.by_judges(form, options),
            None => self.reading(form),
        }
    }

    /// What one judge would be sent, and what four eyes decide on each author.
    fn by_judge(&mut self, form: &JudgeForm, options: &JudgeOptions) {
        let Some(estimate) = form.estimate() else { return };
        self.text(Role::Text, "asks", &options.judge.endpoint);
        let requests = counted(estimate.questions, "request", "requests");
        let (files, bytes) = (counted(estimate.files, "file", "files"), estimate.bytes as u64);
        let at_once = options.parallel.min(estimate.questions.max(1));
        let at_once = match at_once {
            0 | 1 => String::new(),
            many => format!(", {many} at a time"),
        };
        let text = format!("{requests}, {files}, {} bytes{at_once}", separated(bytes));
        self.text(Role::Text, "sends", &text);
        self.cost(form, "");
        if estimate.cut > 0 {
            let cut = counted(estimate.cut, "content is", "contents are");
            let most = separated(options.judge.most_bytes);
            let text = format!("{cut} cut to {most} bytes; cut content never gets GO");
            self.text(Role::Warning, "", &text);
        }
        for (author, decision, refused) in form.four_eyes(&options.judge).into_iter().take(3) {
            let author = author.unwrap_or("nobody named");
            let end = if refused { ": NOT asked" } else { "" };
            let text = format!("author {author}: {decision}{end}");
            self.text(if refused { Role::Warning } else { Role::Text }, "four eyes", &text);
        }
        self.contents(form);
    }

    /// The task, and the judges of tasks that may be asked about it.
    fn by_judges(&mut self, form: &JudgeForm, options: &TaskOptions) {
        self.task(form, options);
        let all = form.judges();
        let endpoint = all.first().map_or("", |judge| judge.endpoint.as_str());
        let is_one = all.iter().all(|judge| judge.endpoint == endpoint);
        if is_one && !all.is_empty() {
            self.text(Role::Text, "asks", endpoint);
        }
        for judge in &all {
            let endpoint = if is_one { String::new() } else { format!(", {}", judge.endpoint) };
            for (_, decision, refused) in form.four_eyes(judge) {
                let end = if refused { ": NOT asked" } else { "" };
                let role = if refused { Role::Warning } else { Role::Text };
                let text = format!("{}{endpoint}; four eyes: {decision}{end}", judge.model);
                self.text(role, judge.tier.map_or("", Tier::name), &text);
            }
        }
        if form.items().is_empty() {
            return;
        }
        let rounds = counted(all.len(), "round", "rounds");
        self.cost(form, &format!("at most {rounds}, "));
        let (calls, seconds) = (options.config.max_calls, options.config.budget.as_secs());
        self.text(Role::Dim, "", &format!("at most {calls} requests and {seconds} s in all"));
    }

    fn cost(&mut self, form: &JudgeForm, rounds: &str) {
        let (Some(ready), Some(estimate)) = (&form.ready.value, form.estimate()) else { return };
        let cost = match estimate.cost {
            Ok(cost) => format!("about {} with long answers", money(cost)),
            Err(model) if model.is_empty() => "no price is configured for this model".to_owned(),
            Err(model) => format!("no price is configured for {model}"),
        };
        let tokens = separated(estimate.tokens);
        self.text(Role::Text, "cost", &format!("{rounds}about {tokens} tokens; {cost}"));
        if let Some(cap) = ready.cap {
            // The bound reckons each question at its worst, which is more than the estimate above.
            let cap = money(cap);
            let text = format!("never more than {cap}; requests that could exceed it are not sent");
            self.text(Role::Text, "", &text);
        }
    }
}
