//! What is shown in place of the lines of a list without any: why, and what to do next.

use crate::calibration::no_window;
use crate::report::words;
use crate::text::escape;
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::model::{Days, List, ListId, Load, Model, QueueKind, QueueState};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, counted};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What is shown in place of the lines where there are none: why, and what to do next.
pub(super) fn draw(model: &Model, list: &List, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let mut row = 1;
    for (role, text) in lines(model, list) {
        let block = escape::block(&text, "  ", usize::from(area.width));
        let lines = block.lines().take(area.height.into());
        for (i, line) in lines.enumerate() {
            // An error holds words from outside, and those never begin a line.
            let start = if i > 0 && role == Role::Error { pen.glyphs.gutter } else { " " };
            let rest = line.get(1..).unwrap_or_default();
            pen.put(buffer, area, row, &pen.line([(Role::Gutter, start), (role, rest)]));
            row += 1;
        }
    }
}

/// Why there are no lines, and what to do: a sentence each, harmless, its commands as they are typed here.
pub(in crate::tui) fn lines(model: &Model, list: &List) -> Vec<(Role, String)> {
    let complete = |text: &str| model.facts.command_line.complete(&escape::line(text)).into_owned();
    let lines = empty_lines(model, list).into_iter();
    lines.map(|(role, text)| (role, complete(&text))).collect()
}

fn empty_lines(model: &Model, list: &List) -> Vec<(Role, String)> {
    if let Load::Failed(problem) = &model.opening.load
        && model.loaded.is_none()
    {
        return failed(problem);
    }
    match &list.rows.load {
        Load::Failed(problem) => return failed(problem),
        Load::Busy => return vec![(Role::Dim, "looking…".to_owned())],
        Load::Idle => {}
    }
    if model.loaded.is_none() {
        let bytes = model.opening.value.unwrap_or(0);
        let read = if bytes > 0 { format!(" ({} MB)", bytes >> 20) } else { String::new() };
        return vec![(Role::Dim, format!("reading the logs{read}…"))];
    }
    if !list.filter.is_all() {
        return unmatched(model, list);
    }
    if let Some(lines) = super::overview::unread(model) {
        return lines;
    }
    match (list.id, model.calibrate.selection.kind) {
        (ListId::Records, _) => no_records(model),
        (ListId::Queue, QueueKind::Calibration) => calibrated(model),
        (ListId::Queue, QueueKind::Conflicts) => agreed(model, "Reviewers disagree on no records."),
        (ListId::Queue, QueueKind::SecondLook) => {
            agreed(model, "No records need your second look.")
        }
        (ListId::Queue, QueueKind::Triage) => queue_done(model),
    }
}

/// That a filter finds nothing, and where there may be more to find.
fn unmatched(model: &Model, list: &List) -> Vec<(Role, String)> {
    if list.id != ListId::Records || model.days == Days::All {
        let title = "Nothing matches the filter.".to_owned();
        return vec![(Role::Title, title), (Role::Dim, "esc clears it".to_owned())];
    }
    let title = format!("No match in {}.", model.days.title());
    let next = named(model, Action::WidenWindow);
    vec![
        (Role::Title, title),
        (Role::Dim, format!("{next} looks further back, esc clears the filter")),
    ]
}

fn no_records(model: &Model) -> Vec<(Role, String)> {
    let title = "There are no records in this window.".to_owned();
    if model.days == Days::All {
        return vec![(Role::Title, "There are no records.".to_owned())];
    }
    let next = named(model, Action::WidenWindow);
    let text = format!("The window is: {}. {next} looks further back.", model.days.title());
    vec![(Role::Title, title), (Role::Dim, text)]
}

/// The end of the queue, and what it does not speak of.
fn queue_done(model: &Model) -> Vec<(Role, String)> {
    let title = "The queue is empty: no flagged items are left.".to_owned();
    let mut lines = vec![(Role::Title, title)];
    done(model, &mut lines);
    let boxes = model.overview.summary.value.as_ref().map_or(&[][..], |t| t.boxes.as_slice());
    let failed = boxes.iter().filter(|b| b.error.is_some()).count();
    if failed > 0 {
        let of = counted(boxes.len(), "box", "boxes");
        let text = format!("Of {of}, {failed} failed: new items there are missing here.");
        lines.push((Role::Warning, text));
    }
    if let Some(since) = model.facts.queue_since {
        let since = since.day_text();
        let text =
            format!("It shows items flagged since {since}; older ones are on the records screen.");
        lines.push((Role::Dim, text));
    }
    lines
}

fn failed(problem: &crate::tui::model::Problem) -> Vec<(Role, String)> {
    vec![(Role::Error, problem.text.clone()), (Role::Text, problem.next.clone())]
}

/// So many steps are shown.
const NEXT: usize = 3;

/// The end of the calibration queue: what is to be done that it goes on, or that it was enough.
fn calibrated(model: &Model) -> Vec<(Role, String)> {
    let Some(state) = &model.calibrate.state else { return Vec::new() };
    if model.facts.labelling.reviewer.is_none() {
        let text =
            "Your name is unknown, so labels cannot be saved: set `name` under `[reviewer]`.";
        return vec![(Role::Warning, text.to_owned())];
    }
    let title = match unseen(model, state) {
        0 => (Role::Title, "No records need your label.".to_owned()),
        labels => {
            let labels = counted(labels, "label of yours does", "labels of yours do");
            (
                Role::Warning,
                format!("{labels} not count, since no content was shown: days stay open."),
            )
        }
    };
    let mut lines = vec![title];
    done(model, &mut lines);
    lines.extend(missing(model, state));
    let key = |action| named(model, action);
    let text = format!(
        "{} shows all next steps; {} shows the triage queue.",
        key(Action::GoReadiness),
        key(Action::OtherQueue)
    );
    lines.push((Role::Dim, text));
    if !state.needs_labels && state.window.is_some() {
        let text = "No KPI needs labels.".to_owned();
        lines.push((Role::Text, text));
    }
    for (number, text) in (1..).zip(&state.next).take(NEXT) {
        lines.push((Role::Text, format!("{number}. {}", escape::line(text))));
    }
    lines
}

/// Own labels on open days that were given while no content was shown.
fn unseen(model: &Model, state: &QueueState) -> usize {
    let reviewer = model.facts.labelling.reviewer.as_deref();
    let records = state.open.iter().flat_map(|day| &day.records);
    let own = records.map(|record| model.labels.own(*record, reviewer));
    own.filter(|own| own.label().is_some_and(|label| label.is_unseen())).count()
}

/// What must be there so that anything waits at all, and how far the days are.
fn missing(model: &Model, state: &QueueState) -> Vec<(Role, String)> {
    let mut lines = Vec::new();
    let Some(start) = state.window else {
        let text = words::capitalized(&no_window(model.family));
        return vec![(Role::Warning, text)];
    };
    let days = counted(state.days[0] as usize, "whole day is", "whole days are");
    let text =
        format!("{days} closed since {}. A day's items appear when it is over.", start.day_text());
    lines.push((Role::Text, text));
    if state.later_seconds > 0 {
        let labels = counted(state.later_seconds, "second label waits", "second labels wait");
        let text = format!("{labels} for another reviewer or a later day.");
        lines.push((Role::Text, text));
    }
    if !state.audited {
        let text = format!(
            "No audit sample of passed content is drawn, so misses stay invisible: {} sets a rate.",
            named(model, Action::AuditRate)
        );
        lines.push((Role::Warning, text));
    }
    lines
}

/// The end of the conflicts.
fn agreed(model: &Model, title: &str) -> Vec<(Role, String)> {
    let others = match model.facts.fleet {
        true => "Labels of others are here once they published them",
        false => "`foureyes ledger pull` downloads the labels of others",
    };
    let text =
        format!("{others}; {} shows the calibration queue.", named(model, Action::OtherQueue));
    vec![(Role::Title, title.to_owned()), (Role::Dim, text)]
}

/// How much was done in this run.
fn done(model: &Model, lines: &mut Vec<(Role, String)>) {
    let done = model.history.count();
    if done > 0 {
        let items = counted(done, "item", "items");
        lines.push((Role::Text, format!("{items} handled this session.")));
    }
}

/// The key of an action, or its name where it has none.
fn named(model: &Model, action: Action) -> String {
    let key = model.keymap.hint(Context::List, action);
    key.map_or(format!("`{}`", action.name()), |key| key.to_string())
}
