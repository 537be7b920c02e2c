//! What the two screens say while nothing is assessed, and while there is no label.

use crate::calibration::{KpiRow, Measure, Readiness, StratumRow, no_window};
use crate::report::words;
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

/// What to do where nobody has labelled anything that counts yet.
pub(super) fn unlabelled(model: &Model, readiness: &Readiness) -> Vec<(Role, String)> {
    let labelled: u64 = strata(readiness).iter().map(|s| s.labelled).sum();
    let mut texts = Vec::new();
    if labelled == 0 {
        let some = readiness.agreement.judge.as_ref().map_or(0, |p| p.items);
        texts.push((
            Role::Title,
            match some {
                0 => "No labels yet.".to_owned(),
                _ => "No closed day of the window has labels yet.".to_owned(),
            },
        ));
        let queue = model.keymap.hint(key_context(model), Action::GoQueue);
        let words = [Action::Acceptable, Action::Poor, Action::Unsure];
        let keys = words.map(|a| model.keymap.hint(Context::List, a).map(|k| k.to_string()));
        if let (Some(queue), [Some(a), Some(p), Some(s)]) = (queue, keys) {
            let text = format!(
                "{queue} opens the records to label: {a} acceptable, {p} poor, {s} unsure."
            );
            texts.push((Role::Text, text));
        }
        let text = "`foureyes label ID acceptable|poor|unsure` labels a record.";
        texts.push((Role::Text, text.to_owned()));
    }
    if readiness.window.from.is_none() {
        texts.push((Role::Warning, words::capitalized(&no_window(readiness.family))));
    }
    let whole = |text: String| model.facts.command_line.complete(&text).into_owned();
    texts.into_iter().map(|(role, text)| (role, whole(text))).collect()
}

/// The strata of both outcomes.
fn strata(readiness: &Readiness) -> &[StratumRow] {
    let is = |k: &&KpiRow| k.id == Measure::FalsePositiveRate;
    let row = readiness.kpis.iter().chain(&readiness.beside).find(is);
    row.map_or(&[], |k| k.strata.as_slice())
}
