//! In the text of a record: its search, and the way from change to change or from finding to finding.

use super::movement;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Overlay, Pane, Prompt, PromptKind, Tab, TextSearch};

/// Opens the line for what is searched for.
pub(super) fn open(model: &mut Model) {
    if model.list().is_none() || model.record.id.is_none() {
        return model.notices.note(super::NO_RECORD, model.now);
    }
    model.pane = Pane::Record;
    let before = model.record.search.as_ref().map_or("", |search| search.text.as_str());
    model.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Search, before)));
}

/// Searches for what is typed so far.
pub(super) fn typed(model: &mut Model, text: &str) -> Vec<Effect> {
    let scroll = model.record.scroll;
    let from = model.record.search.as_ref().map_or(scroll, |search| search.from);
    let text = text.trim();
    match (&mut model.record.search, text) {
        (search, "") => {
            if search.take().is_some() {
                model.record.scroll = from;
            }
        }
        (Some(search), _) => text.clone_into(&mut search.text),
        (search, _) => *search = Some(TextSearch::new(text, from)),
    }
    Vec::new()
}

/// Goes on to another match; tells whether a search has the keys.
pub(super) fn step(model: &mut Model, by: isize) -> bool {
    if model.pane != Pane::Record || model.list().is_none() {
        return false;
    }
    let Some(search) = &mut model.record.search else { return false };
    search.step(by);
    show_match(model);
    true
}

/// Scrolls the match that is gone to onto the screen.
pub(super) fn show_match(model: &mut Model) {
    if let Some(line) = model.record.search.as_ref().and_then(TextSearch::line) {
        show_line(model, line);
    }
}

/// Ends the search; tells whether there was one.
pub(super) fn end(model: &mut Model) -> bool {
    model.pane == Pane::Record && model.list().is_some() && model.record.search.take().is_some()
}

/// Goes to the next change of the diff, elsewhere to the next finding, or to those before.
pub(super) fn part(model: &mut Model, by: isize) {
    let name = match model.record.tab {
        Tab::Diff => "change",
        Tab::Content => "file",
        _ => "finding",
    };
    let (stops, height) = (model.record.sheet.stops.clone(), layout::record_height(model));
    let scroll = model.record.scroll;
    let is_drawn =
        |at: &usize| stops.get(*at).is_some_and(|line| (scroll..scroll + height).contains(line));
    let to = match (model.record.part.filter(is_drawn), by > 0) {
        (Some(at), true) => Some(at + 1),
        (Some(at), false) => at.checked_sub(1),
        (None, true) => stops.iter().position(|line| *line >= scroll),
        (None, false) => stops.iter().rposition(|line| *line < scroll),
    };
    let Some((at, line)) = to.and_then(|at| Some((at, *stops.get(at)?))) else {
        let text = match (stops.is_empty(), by > 0) {
            (true, _) => format!("no {name} here"),
            (false, true) => format!("that was the last {name}"),
            (false, false) => format!("this is the first {name}"),
        };
        return model.notices.note(text, model.now);
    };
    model.record.part = Some(at);
    movement::scroll_to(model, line);
    model.notices.note(format!("{name} {} of {}", at + 1, stops.len()), model.now);
}

/// Scrolls as far as it takes for a line to be on the screen, with some above it.
fn show_line(model: &mut Model, line: usize) {
    let (scroll, height) = (model.record.scroll, layout::record_height(model));
    if !(scroll..scroll + height).contains(&line) {
        movement::scroll_to(model, line.saturating_sub(height / 3));
    }
}
