//! The form on a task: its texts, who would be asked, for how much.

use super::form_lines::FormLines;
use crate::config::DepthRule;
use crate::engine::panel::Depth;
use crate::engine::task_question::KnownQuestion;
use crate::tui::judging::{PreparedTask, TaskText};
use crate::tui::model::{Load, SameTask, TaskField, TaskForm, bytes_of};
use crate::tui::screen::runs::{money, thousands};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, counted, window};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// Columns of the labels.
const LABEL: usize = 12;

/// The keys of the line that has them.
pub(super) fn keys(form: &TaskForm) -> &'static [(&'static str, &'static str)] {
    match form.field {
        TaskField::Depth => &[
            ("ctrl-s", "asks"),
            ("esc", "does not"),
            ("left/right", "another depth"),
            ("up/down", "moves"),
        ],
        TaskField::Text(_) => &[
            ("ctrl-s", "asks"),
            ("esc", "does not"),
            ("enter", "moves, reads @FILE"),
            ("up/down", "moves"),
        ],
    }
}

/// Draws the form; gives where a text is typed in it.
pub(super) fn draw(
    form: &TaskForm,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Option<Position> {
    let inside = window(pen, buffer, body, "Judge a task again");
    let mut page = FormLines::new(pen, inside, LABEL);
    for text in [TaskText::Description, TaskText::Acceptance] {
        typed(&mut page, form, text);
    }
    depth(&mut page, form);
    same(&mut page, form);
    match form.refusal() {
        Some(why) => page.text(Role::Warning, "", &format!("cannot ask: {why}")),
        None => page.text(Role::Key, "", "nothing is sent until ctrl-s"),
    }
    if let (Load::Failed(problem), None) = (&form.ready.load, &form.ready.value) {
        page.text(Role::Text, "", &problem.next);
    }
    page.lines.push(Line::default());
    if let Some(ready) = &form.ready.value {
        task(&mut page, ready);
        judges(&mut page, form);
        cost(&mut page, form, ready);
    }
    page.draw(buffer, inside)
}

fn typed(page: &mut FormLines<'_>, form: &TaskForm, of: TaskText) {
    let label = match of {
        TaskText::Description => "description",
        TaskText::Acceptance => "acceptance",
    };
    let text = form.text(of);
    page.typed(label, &text.input, form.field == TaskField::Text(of));
    if text.typed_path().is_none() {
        return;
    }
    match text.text() {
        Ok(read) => {
            let bytes = thousands(read.len() as u64);
            page.text(Role::Dim, "", &format!("{bytes} bytes were read from the file"));
        }
        Err(why) => page.text(Role::Warning, "", &why),
    }
}

fn depth(page: &mut FormLines<'_>, form: &TaskForm) {
    let here = form.field == TaskField::Depth;
    let cursor = if here { page.pen.glyphs.cursor } else { " " };
    let label = format!(" {:<LABEL$}", "depth");
    let name = form.depth.name();
    let how = match (form.depth, form.resolved_depth(), form.sensitive()) {
        (DepthRule::Auto, Depth::Panel, Some(word)) => format!("a panel here, because of {word:?}"),
        (DepthRule::Auto, ..) => "sequential here: nothing sensitive was found".to_owned(),
        (_, Depth::Quick, _) => "quick alone, a person if quick does not decide".to_owned(),
        (_, Depth::Sequential, _) => "quick first, deep if quick does not decide".to_owned(),
        (_, Depth::Panel, _) => "quick and deep, the tiebreaker if they differ".to_owned(),
    };
    let choice = if here { "  (left/right)" } else { "" };
    let parts = [
        (Role::Mark, cursor),
        (Role::Dim, label.as_str()),
        (Role::Text, name),
        (Role::Dim, choice),
    ];
    page.lines.push(page.pen.line(parts));
    page.text(Role::Dim, "", &how);
}

/// Whether the texts are those of the run that is judged again.
fn same(page: &mut FormLines<'_>, form: &TaskForm) {
    let Some(ready) = &form.ready.value else { return };
    let Ok((_, same)) = form.task() else { return };
    let (role, text) = match same {
        SameTask::Untyped => {
            let why = ready.question.as_ref().and_then(KnownQuestion::absence);
            let why = why.map(|why| format!("The question is {why}. ")).unwrap_or_default();
            let how = "The log does not have the texts: type or paste description and acceptance \
                criteria, or give @FILE.";
            let text = format!("{why}{how}");
            return page.text(Role::Text, "", &text);
        }
        SameTask::Other if is_masked(form, ready) => {
            (Role::Warning, "Secrets are masked in the kept texts: another task would be judged.")
        }
        SameTask::Same => (Role::Text, "Description and acceptance criteria: same as then."),
        SameTask::Other => {
            (Role::Warning, "NOT the same as then, by their hash: another task would be judged.")
        }
        SameTask::Unknown => (
            Role::Warning,
            "The record has no hash of them, so whether they are the same is not known.",
        ),
    };
    page.text(role, "", text);
}

/// Whether the texts are those that were kept, with secrets masked in them.
fn is_masked(form: &TaskForm, ready: &PreparedTask) -> bool {
    let held = ready.question.as_ref().and_then(KnownQuestion::kept);
    held.is_some_and(|held| held.masked > 0)
        && form.description.is_kept()
        && form.acceptance.is_kept()
}

fn task(page: &mut FormLines<'_>, ready: &PreparedTask) {
    let row = &ready.record.row;
    page.text(Role::Text, "task", row.task_id.as_deref().unwrap_or("not named"));
    let item = match &ready.item {
        Ok(item) => item,
        Err(why) => return page.text(Role::Warning, "content", &format!("NOT found: {why}")),
    };
    let (files, bytes) = (item.material().paths(), thousands(bytes_of(item) as u64));
    let count = counted(files.len(), "file", "files");
    page.text(Role::Text, "content", &format!("{count}, {bytes} bytes: {}", files.join(", ")));
    match row.content_sha.as_deref() {
        Some(then) if then == item.material().sha() => {
            page.text(Role::Dim, "", "the same as then, by its hash");
        }
        Some(_) => {
            let text = "another hash than then: other files or another commit were judged";
            page.text(Role::Warning, "", text);
        }
        None => page.text(Role::Dim, "", "the record has no hash of it"),
    }
}

/// Who may be asked, with what four eyes decide.
fn judges(page: &mut FormLines<'_>, form: &TaskForm) {
    let all = form.judges();
    let endpoint = all.first().map_or("", |judge| judge.endpoint.as_str());
    let is_one = all.iter().all(|judge| judge.endpoint == endpoint);
    if is_one && !all.is_empty() {
        page.text(Role::Text, "asks", endpoint);
    }
    for judge in all {
        let endpoint = if is_one { String::new() } else { format!(", {}", judge.endpoint) };
        let end = if judge.is_refused { ": NOT asked" } else { "" };
        let role = if judge.is_refused { Role::Warning } else { Role::Text };
        let text = format!("{}{endpoint}; four eyes: {}{end}", judge.model, judge.four_eyes);
        page.text(role, judge.tier.name(), &text);
    }
}

fn cost(page: &mut FormLines<'_>, form: &TaskForm, ready: &PreparedTask) {
    let Some(estimate) = form.estimate() else { return };
    let rounds = counted(estimate.rounds, "round", "rounds");
    let cost = match estimate.cost {
        Some(cost) => format!("about {} with long answers", money(cost)),
        None => "not every model has a price".to_owned(),
    };
    let tokens = thousands(estimate.tokens as u64);
    page.text(Role::Text, "cost", &format!("at most {rounds}, about {tokens} tokens; {cost}"));
    if let Some(cap) = ready.cap {
        let text =
            format!("never more than {}; a round that could exceed it is not asked", money(cap));
        page.text(Role::Text, "", &text);
    }
    let calls = ready.config.max_calls;
    let seconds = ready.config.budget.as_secs();
    page.text(Role::Dim, "", &format!("at most {calls} requests and {seconds} s in all"));
}
