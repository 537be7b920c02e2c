//! What the overview says while there is nothing to show.

use crate::report::{counted, words};
use crate::text::escape;
use crate::tui::action::Action;
use crate::tui::model::key_context;
use crate::tui::model::{Load, Model, Problem};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws that there are no figures, and why; returns whether that is so.
pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) -> bool {
    let Some(texts) = texts(model) else { return false };
    let mut row = 0;
    for (role, text) in texts {
        let text = model.facts.command_line.complete(&text);
        let block = escape::block(&text, "  ", usize::from(area.width));
        for line in block.lines() {
            pen.put(buffer, area, row, &pen.line([(role, line)]));
            row += 1;
        }
    }
    true
}

fn texts(model: &Model) -> Option<Vec<(Role, String)>> {
    let summary = &model.overview.summary;
    match (&summary.value, &summary.load, &model.opening.load) {
        (Some(triage), _, _) if triage.counts.accounting.lines == 0 => Some(empty(model)),
        (Some(_), _, _) => None,
        (None, Load::Failed(problem), _) => Some(failed("the window was not counted", problem)),
        (None, _, Load::Failed(problem)) => Some(failed("the logs are not open", problem)),
        (None, _, Load::Busy) => Some(reading(model)),
        _ => Some(vec![(Role::Text, "counting the window…".to_owned())]),
    }
}

/// What a list says in place of "nothing waits" where nothing was read that could wait.
pub(in crate::tui::screen) fn unread(model: &Model) -> Option<Vec<(Role, String)>> {
    let triage = model.overview.summary.value.as_ref()?;
    let read = triage.counts.accounting;
    match (read.lines, read.records) {
        (0, _) => Some(empty(model)),
        (lines, 0) => {
            let lines = counted(lines, "line was read, and it is", "lines were read, and none is");
            let reason = match read.rejected {
                0 if read.foreign > 0 => words::ALL_FOREIGN,
                _ => "`foureyes records --rejects` lists each with the reason.",
            };
            let what = if lines.starts_with("1 ") { "no record" } else { "a record" };
            Some(vec![
                (Role::Title, format!("No record yet: {lines} {what}.")),
                (Role::Text, reason.to_owned()),
            ])
        }
        _ => None,
    }
}

fn failed(what: &str, problem: &Problem) -> Vec<(Role, String)> {
    vec![
        (Role::Error, format!("{what}: {}", escape::line(&problem.text))),
        (Role::Text, escape::line(&problem.next).into_owned()),
    ]
}

fn reading(model: &Model) -> Vec<(Role, String)> {
    let bytes = model.opening.value.unwrap_or(0);
    let more = if bytes > 0 { format!(" {} MB", bytes >> 20) } else { String::new() };
    vec![(Role::Text, format!("reading the logs…{more}"))]
}

/// No line was ever read: what to do about it.
fn empty(model: &Model) -> Vec<(Role, String)> {
    let boxes = model.overview.summary.value.as_ref().map_or(0, |t| t.boxes.len());
    let mut texts = vec![(Role::Title, "No record yet.".to_owned())];
    if model.facts.fleet {
        let text = "The store is empty. `foureyes fleet publish` sends what a machine knows.";
        texts.push((Role::Text, text.to_owned()));
        return texts;
    }
    if model.facts.given {
        let text = "The logs that were named are empty: name others with `--from`.";
        texts.push((Role::Text, text.to_owned()));
        return texts;
    }
    if boxes == 0 {
        texts.extend(
            [
                "No logs are configured. Choose one:",
                "`foureyes config init --box HOST` writes a configuration: a box to pull from",
                "`foureyes --from FILE` reads local logs",
                "`foureyes --demo` opens demo data",
            ]
            .map(|text| (Role::Text, text.to_owned())),
        );
        return texts;
    }
    let key = |action| model.keymap.hint(key_context(model), action).map(|k| k.to_string());
    if model.pulls.running {
        texts.push((
            Role::Notice,
            "Pulling from the boxes; this screen fills by itself.".to_owned(),
        ));
    } else if let (true, Some(key)) = (model.facts.boxes, key(Action::Pull)) {
        texts.push((Role::Text, format!("{key} pulls the logs from the boxes.")));
    }
    if let Some(key) = key(Action::GoBoxes) {
        texts.push((Role::Text, format!("{key} shows the boxes and their problems.")));
    }
    texts.push((Role::Text, "`foureyes doctor` checks every step of the connection.".to_owned()));
    texts
}
