//! The keys that matter here, or the line that is typed.

use crate::tui::action::{Action, Danger};
use crate::tui::model::{Model, Overlay, Pane, Question, QueueKind, RunsPlace, Screen};
use crate::tui::theme::Role;
use crate::tui::update::{fits, place};
use crate::tui::widget::{Pen, counted};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

pub(super) fn draw(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    area: Rect,
) -> Option<Position> {
    match &model.overlay {
        Some(Overlay::Prompt(_)) => super::overlay::prompt_line(model, pen, buffer, area),
        Some(Overlay::Form(form)) => super::overlay::form_line(form, pen, buffer, area),
        Some(Overlay::Confirm(question)) => {
            let asked = asked(model, question, area.width);
            let mut parts = vec![pen.span(Role::Warning, &format!(" {asked} "))];
            parts.extend(hint(pen, "ctrl-s", "yes"));
            parts.extend(hint(pen, "esc", "no"));
            pen.put(buffer, area, 0, &Line::from(parts));
            None
        }
        Some(_) => {
            let keys = super::overlay::keys(model);
            let parts = keys.iter().flat_map(|(k, w)| hint(pen, k, w)).collect::<Vec<_>>();
            pen.put(buffer, area, 0, &Line::from(parts));
            None
        }
        None => {
            pen.put(buffer, area, 0, &hints(model, pen, area.width));
            None
        }
    }
}

/// What is asked, with its price. A narrow terminal has the keys in any case.
fn asked(model: &Model, question: &Question, width: u16) -> String {
    match question {
        Question::Label { words } => {
            let first = words.first().map(|(_, word)| *word);
            let same = first.filter(|first| words.iter().all(|(_, word)| word == first));
            let word = same.map(|word| format!(" {}", word.as_str())).unwrap_or_default();
            let records = match width {
                ..50 => words.len().to_string(),
                _ => counted(words.len(), "record", "records"),
            };
            format!("{records}{word}?")
        }
        Question::Open => {
            let items = counted(model.blind_left(), "item", "items");
            match width {
                ..50 => format!("{items} not blind?"),
                50..78 => format!("Show verdicts? {items} will not be blind"),
                _ => format!("Show verdicts? {items} will no longer count as blind"),
            }
        }
    }
}

/// Actions worth a hint, with their words; as many as fit, help last and always.
fn hints(model: &Model, pen: &Pen<'_>, width: u16) -> Line<'static> {
    let kind = model.calibrate.which.kind;
    let other = kind.other().title();
    let worth: &[(Action, &str)] = match (model.screen, model.pane) {
        (Screen::Overview, _) => &[
            (Action::GoQueue, "queue"),
            (Action::Open, "show records"),
            (Action::Right, "next cell"),
            (Action::NextPane, "next block"),
            (Action::WidenWindow, "look further back"),
            (Action::Pull, "pull"),
            (Action::Quit, "quit"),
        ],
        (Screen::Calibration, _) => &[
            (Action::Down, "next figure"),
            (Action::Open, "show records"),
            (Action::Right, "cell or slider"),
            (Action::NextPane, "next block"),
            (Action::GoReadiness, "readiness"),
            (Action::Back, "back"),
        ],
        (Screen::Readiness, _) => &[
            (Action::Down, "next"),
            (Action::Open, "show records"),
            (Action::Waive, "waive"),
            (Action::NextPane, "next block"),
            (Action::StepDone, "step is done"),
            (Action::AuditRate, "audit rate"),
            (Action::WriteReport, "write the report"),
            (Action::StartWindow, "start a window"),
            (Action::GoCalibration, "calibration"),
            (Action::Back, "back"),
        ],
        (Screen::Runs, _) if matches!(model.runs.place, RunsPlace::Item(..)) => &[
            (Action::Down, "scroll"),
            (Action::Right, "next item"),
            (Action::StopRun, "stop"),
            (Action::Cancel, "end at once"),
            (Action::Back, "back"),
        ],
        (Screen::Runs, _) => &[
            (Action::Open, "open"),
            (Action::Down, "next"),
            (Action::StopRun, "stop"),
            (Action::Cancel, "end at once"),
            (Action::RepeatRun, "judge again"),
            (Action::JudgeFile, "judge a file"),
            (Action::Back, "back"),
        ],
        (Screen::Boxes, _) => &[
            (Action::Open, "its records"),
            (Action::HalfPageDown, "scroll"),
            (Action::Pull, "pull"),
            (Action::Messages, "messages"),
            (Action::Back, "back"),
        ],
        (Screen::Queue, Pane::List) if kind != QueueKind::Triage => &[
            (Action::Open, "read"),
            (Action::Acceptable, "acceptable"),
            (Action::Poor, "poor"),
            (Action::Unsure, "unsure"),
            (Action::Note, "note"),
            (Action::Guide, "rubric"),
            (Action::Undo, "undo"),
            (Action::OtherQueue, other),
            (Action::Right, "tab"),
            (Action::Later, "later"),
            (Action::Order, "order"),
            (Action::Blind, "blind"),
        ],
        (Screen::Queue, Pane::Record) if kind != QueueKind::Triage => &[
            (Action::Right, "next tab"),
            (Action::Acceptable, "acceptable"),
            (Action::Poor, "poor"),
            (Action::Unsure, "unsure"),
            (Action::Note, "note"),
            (Action::Guide, "rubric"),
            (Action::NextItem, "next"),
            (Action::Edit, "editor"),
            (Action::Back, "list"),
        ],
        (Screen::Queue, Pane::List) => &[
            (Action::Open, "read"),
            (Action::Acceptable, "acceptable"),
            (Action::Poor, "poor"),
            (Action::Unsure, "unsure"),
            (Action::Seen, "seen"),
            (Action::Later, "later"),
            (Action::Right, "tab"),
            (Action::OtherQueue, other),
            (Action::Filter, "filter"),
            (Action::Order, "order"),
            (Action::Mark, "mark"),
            (Action::Undo, "undo"),
            (Action::JudgeAgain, "judge again"),
        ],
        (Screen::Queue, Pane::Record) => &[
            (Action::Right, "next tab"),
            (Action::Acceptable, "acceptable"),
            (Action::Poor, "poor"),
            (Action::Unsure, "unsure"),
            (Action::NextItem, "next"),
            (Action::Seen, "seen"),
            (Action::Later, "later"),
            (Action::JudgeAgain, "judge again"),
            (Action::Edit, "editor"),
            (Action::Back, "list"),
        ],
        (Screen::Records, Pane::List) => &[
            (Action::Filter, "filter"),
            (Action::Open, "read"),
            (Action::Acceptable, "acceptable"),
            (Action::Poor, "poor"),
            (Action::Unsure, "unsure"),
            (Action::Right, "tab"),
            (Action::WidenWindow, "look further back"),
            (Action::CopyId, "copy id"),
            (Action::Back, "back"),
        ],
        (Screen::Records, Pane::Record) => &[
            (Action::Right, "next tab"),
            (Action::Acceptable, "acceptable"),
            (Action::Poor, "poor"),
            (Action::Unsure, "unsure"),
            (Action::NextItem, "next"),
            (Action::JudgeAgain, "judge again"),
            (Action::CopyRecord, "copy"),
            (Action::Edit, "editor"),
            (Action::OpenCommit, "commit"),
            (Action::Back, "list"),
        ],
    };
    let last = one(model, pen, Action::Help, "help");
    let mut room = usize::from(width).saturating_sub(Line::from(last.clone()).width());
    let mut parts = Vec::new();
    for (action, words) in worth {
        if model.facts.read_only && action.danger() == Danger::Writes {
            continue;
        }
        let idle = *action == Action::Open && model.screen == Screen::Overview;
        if idle && crate::tui::screen::overview::target(model).is_none() {
            continue;
        }
        // With no run on, the one does nothing and the other leaves the console.
        let ends = matches!(action, Action::StopRun | Action::Cancel);
        if ends && !model.runs.is_on() {
            continue;
        }
        if *action == Action::RepeatRun && !fits(model, *action) {
            continue;
        }
        if kind.is_settled() && matches!(action, Action::Later | Action::Order) {
            continue;
        }
        let hint = one(model, pen, *action, words);
        let wide = Line::from(hint.clone()).width();
        if wide > room {
            break;
        }
        room -= wide;
        parts.extend(hint);
    }
    parts.extend(last);
    Line::from(parts)
}

fn one(model: &Model, pen: &Pen<'_>, action: Action, words: &str) -> Vec<Span<'static>> {
    match model.keymap.hint(place(model), action) {
        Some(key) => hint(pen, &key.to_string(), words),
        None => Vec::new(),
    }
}

fn hint(pen: &Pen<'_>, key: &str, words: &str) -> Vec<Span<'static>> {
    vec![
        pen.span(Role::Text, " "),
        pen.span(Role::Key, key),
        pen.span(Role::Dim, &format!(" {words} ")),
    ]
}
