//! The line that is typed, what is wrong with it, and the ways to go on.

use crate::frame::query::{Query, QueryError};
use crate::text::escape;
use crate::tui::layout::COMPLETIONS;
use crate::tui::model::{Model, NoteLine, Overlay, Prompt, PromptKind};
use crate::tui::theme::Role;
use crate::tui::update::{REVEALING, chosen_reason, completions, reason_menu, wrong_scores};
use crate::tui::widget::{Pen, cell, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};
use std::ops::Range;
use tui_input::Input;

/// The line that is typed, at the bottom: its text and, of a filter, what is wrong with it.
pub(in crate::tui::view) fn line(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    area: Rect,
) -> Option<Position> {
    let Some(Overlay::Prompt(prompt)) = &model.overlay else { return None };
    if let Some(menu) = reason_menu(model) {
        return Some(super::reason::line(menu, pen, buffer, area));
    }
    let label = label(prompt);
    let (place, start) = typed(pen, buffer, area, (Role::Key, label), &prompt.input);
    if prompt.kind == PromptKind::Filter {
        let typed = prompt.input.value();
        let wrong = Query::parse(typed).err();
        if let Some(error) = &wrong {
            let from = columns(typed, start..error.range.start.max(start));
            let width = columns(typed, error.range.start.max(start)..error.range.end).max(1);
            let place = Rect { height: 1, ..area };
            underline(pen, buffer, place, label.len() + from, width);
        }
        let (role, words) = match Query::parse(typed) {
            Ok(query) if model.in_calibration() && model.reveals(&query) => {
                (Role::Warning, REVEALING.to_owned())
            }
            _ => hint(prompt, wrong.as_ref()),
        };
        let line = pen.line([(role, fit(&words, usize::from(area.width)).as_str())]);
        pen.put(buffer, area, 1, &line);
    }
    if let (PromptKind::Search, Some(search)) = (prompt.kind, &model.record.search) {
        let role = if search.matches.is_empty() { Role::Warning } else { Role::Dim };
        let words = format!("{}; enter: keep, esc: cancel", search.place());
        let words = fit(&words, usize::from(area.width));
        pen.put(buffer, area, 1, &pen.line([(role, words.as_str())]));
    }
    match scores_typed(prompt) {
        Some(typed) => scores(typed, pen, buffer, area),
        None if prompt.kind == PromptKind::Note => reason(model, pen, buffer, area),
        None => {}
    }
    Some(place)
}

/// Draws a line that is typed behind a label of ours, the part with the cursor; gives the place of the
/// cursor and the first byte that is shown.
pub(super) fn typed(
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    area: Rect,
    (role, label): (Role, &str),
    input: &Input,
) -> (Position, usize) {
    let text = input.value();
    let at = text.char_indices().nth(input.cursor()).map_or(text.len(), |(at, _)| at);
    let room = usize::from(area.width).saturating_sub(label.len() + 1).max(1);
    let start = start(text, at, room);
    let shown = fit(text.get(start..).unwrap_or_default(), room);
    pen.put(buffer, area, 0, &pen.line([(role, label), (Role::Text, shown.as_str())]));
    let before = columns(text, start..at);
    (Position { x: area.x + (label.len() + before) as u16, y: area.y }, start)
}

/// The reason that goes with a note, and how to choose another.
fn reason(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let line = match chosen_reason(model) {
        Some(reason) => pen.line([
            (Role::Dim, "reason: "),
            (Role::Key, reason.code.as_str()),
            (Role::Text, format!("  {}", reason.meaning).as_str()),
        ]),
        None => {
            let keys = ["tab: reason", "down: scores", "enter: keep", "esc: close, draft is kept"];
            let words = keys.join(&format!(" {} ", pen.glyphs.separator));
            pen.line([(Role::Dim, fit(&words, usize::from(area.width)).as_str())])
        }
    };
    pen.put(buffer, area, 1, &line);
}

/// The scores that are in the line, where it has those.
fn scores_typed(prompt: &Prompt) -> Option<&str> {
    let note_target = prompt.note_target.as_ref()?;
    (note_target.line == NoteLine::Scores).then(|| prompt.input.value())
}

/// What may be in the line of scores, and what is wrong with what does.
fn scores(typed: &str, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let (role, words) = match wrong_scores(typed) {
        Some(why) => (Role::Error, why),
        None => {
            let words =
                "semantic,pragmatic,syntactic: 1 to 5 each, - for none; up: note, enter: keep";
            (Role::Dim, words.to_owned())
        }
    };
    let line = pen.line([(role, fit(&words, usize::from(area.width)).as_str())]);
    pen.put(buffer, area, 1, &line);
}

/// The words in front of a typed line.
fn label(prompt: &Prompt) -> &'static str {
    match prompt.kind {
        _ if scores_typed(prompt).is_some() => "scores S,P,X: ",
        PromptKind::Filter => "filter: ",
        PromptKind::ViewName => "name of the view: ",
        PromptKind::Note => "note: ",
        PromptKind::Search => "search: ",
    }
}

/// What is wrong with a filter, with the name that was meant; where nothing is, the next step.
fn hint(prompt: &Prompt, wrong: Option<&QueryError>) -> (Role, String) {
    match wrong {
        Some(error) => {
            let near = error.fault.nearest().map(|name| format!(". Did you mean `{name}`?"));
            (Role::Error, format!("{error}{}", near.unwrap_or_default()))
        }
        None if prompt.choice.is_some() => (Role::Dim, "enter: insert this completion".to_owned()),
        None => {
            let keys = "enter: apply, esc: cancel, tab: complete, up: history";
            (Role::Dim, keys.to_owned())
        }
    }
}

/// The first byte to show, so that the cursor is on the line.
fn start(text: &str, cursor: usize, room: usize) -> usize {
    let mut places = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= cursor);
    places.find(|at| columns(text, *at..cursor) <= room).unwrap_or(cursor)
}

/// Columns that a part of a text takes.
fn columns(text: &str, part: Range<usize>) -> usize {
    let from = text.floor_char_boundary(part.start.min(text.len()));
    let to = text.ceil_char_boundary(part.end.min(text.len())).max(from);
    escape::width(&escape::line(&text[from..to]))
}

/// Shows where a filter is wrong.
fn underline(pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, x: usize, width: usize) {
    let last = area.width.saturating_sub(1);
    let from = u16::try_from(x).unwrap_or(last).min(last);
    let width = u16::try_from(width).unwrap_or(area.width).min(area.width - from);
    let place = Rect { x: area.x + from, width, ..area };
    buffer.set_style(place, pen.style(Role::Error).add_modifier(Modifier::UNDERLINED));
}

/// The ways to go on with a filter, above its line.
pub(super) fn offer(
    model: &Model,
    prompt: &Prompt,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) {
    if reason_menu(model).is_some() {
        super::reason::draw(model, pen, buffer, body);
        return;
    }
    let completions = completions(model);
    let height = (completions.len() as u16).min(COMPLETIONS).min(body.height / 2);
    if height == 0 {
        return;
    }
    let area = Rect { y: body.y + body.height - height, height, ..body };
    Clear.render(area, buffer);
    buffer.set_style(area, pen.style(Role::Text));
    let longest =
        completions.iter().map(|w| escape::width(&escape::line(&w.text))).max().unwrap_or(0);
    let column = longest.clamp(16, (usize::from(area.width) * 3 / 5).max(16)) + 2;
    let top = prompt.choice.map_or(0, |c| (c + 1).saturating_sub(usize::from(height)));
    for (row, (at, completion)) in
        completions.iter().enumerate().skip(top).take(height.into()).enumerate()
    {
        let chosen = prompt.choice == Some(at);
        let note = fit(&completion.note, usize::from(area.width).saturating_sub(column + 2));
        let line: Line<'_> = pen.line([
            (Role::Key, if chosen { "> " } else { "  " }),
            (Role::Text, cell(&completion.text, column).as_str()),
            (Role::Dim, note.as_str()),
        ]);
        pen.put(buffer, area, row as u16, &line);
        if chosen {
            let place = Rect { y: area.y + row as u16, height: 1, ..area };
            buffer.set_style(place, pen.style(Role::Selection));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_shows_the_part_with_the_cursor() {
        let text = "abcdefghij";
        assert_eq!(start(text, 3, 5), 0);
        assert_eq!(start(text, 9, 5), 4);
        assert_eq!(start("äöü日本", "äöü日本".len(), 4), "äöü".len());
        assert_eq!(start("", 0, 5), 0);
    }
}
