//! What the two screens say while nothing is assessed, and the keys that label.

use crate::answers::readiness::LabelKeys;
use crate::text::escape;
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::model::key_context;
use crate::tui::model::{Load, Model, Problem};
use crate::tui::page::sanitize;
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws that there is no assessment, and why; returns whether that is so.
pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) -> bool {
    if model.assess().result.value.is_some() {
        return false;
    }
    let mut row = 0;
    for (role, text) in texts(model) {
        let text = model.facts.command_line.complete(&text);
        let block = escape::block(&text, "  ", usize::from(area.width));
        for line in block.lines() {
            pen.put(buffer, area, row, &pen.line([(role, line)]));
            row += 1;
        }
    }
    true
}

fn texts(model: &Model) -> Vec<(Role, String)> {
    match (&model.assess().result.load, &model.opening.load) {
        (Load::Failed(problem), _) => failed("the labels could not be assessed", problem),
        (_, Load::Failed(problem)) => failed("the logs are not open", problem),
        (_, Load::Busy) => vec![(Role::Text, "reading the logs…".to_owned())],
        _ => vec![(Role::Text, "reading labels and verdicts…".to_owned())],
    }
}

fn failed(what: &str, problem: &Problem) -> Vec<(Role, String)> {
    vec![
        (Role::Error, format!("{what}: {}", sanitize(&problem.text))),
        (Role::Text, sanitize(&problem.next)),
    ]
}

/// The keys that label a record, where all of them are bound.
pub(super) fn keys(model: &Model) -> Option<LabelKeys> {
    let label = |action| model.keymap.hint(Context::List, action).map(|key| key.to_string());
    Some(LabelKeys {
        queue: model.keymap.hint(key_context(model), Action::GoQueue)?.to_string(),
        acceptable: label(Action::Acceptable)?,
        poor: label(Action::Poor)?,
        unsure: label(Action::Unsure)?,
    })
}
