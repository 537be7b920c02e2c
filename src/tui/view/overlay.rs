//! What lies above a screen: menus, messages, the line that is typed.

use super::footer;
use crate::report::visible;
use crate::tui::keymap::Context;
use crate::tui::model::{Level, Menu, Model, Overlay, Prompt, PromptKind};
use crate::tui::theme::Role;
use crate::tui::update::{Choice, choices, completions};
use crate::tui::widget::{Pen, cell, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

/// Draws what lies above the screen; gives where a text is typed in it.
pub(super) fn draw(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
    footer: Rect,
) -> Option<Position> {
    match model.overlay.as_ref()? {
        Overlay::Prompt(prompt) => {
            offer(model, prompt, pen, buffer, body);
            let _ = footer;
            None
        }
        Overlay::Palette(menu) => Some(list(model, menu, "do", pen, buffer, body)),
        Overlay::Help(menu) => Some(list(model, menu, "keys: search", pen, buffer, body)),
        Overlay::Views(menu) => Some(list(model, menu, "view", pen, buffer, body)),
        Overlay::Messages { top } => {
            messages(model, *top, pen, buffer, body);
            None
        }
    }
}

/// Clears the place of an overlay and draws its frame; gives the inside.
fn window(pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, title: &str) -> Rect {
    Clear.render(area, buffer);
    buffer.set_style(area, pen.style(Role::Text));
    pen.heading(buffer, area, true, &pen.line([(Role::Title, format!(" {title} ").as_str())]));
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}

fn list(
    model: &Model,
    menu: &Menu,
    label: &str,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Position {
    let inside = window(pen, buffer, body, label);
    let typed = menu.input.value();
    let prefix = "> ";
    let line = pen.line([(Role::Key, prefix), (Role::Text, typed)]);
    pen.put(buffer, inside, 0, &line);
    let choices = choices(model);
    let room = usize::from(inside.height.saturating_sub(1));
    let cursor = menu.cursor.min(choices.len().saturating_sub(1));
    let top = (cursor + 1).saturating_sub(room);
    for (row, (at, choice)) in choices.iter().enumerate().skip(top).take(room).enumerate() {
        let (keys, words) = told(model, choice);
        let line = pen.line([
            (Role::Text, if at == cursor { "> " } else { "  " }),
            (Role::Key, cell(&keys, 18).as_str()),
            (Role::Text, fit(&words, usize::from(inside.width).saturating_sub(21)).as_str()),
        ]);
        pen.put(buffer, inside, row as u16 + 1, &line);
        if at == cursor {
            let area = Rect { y: inside.y + row as u16 + 1, height: 1, ..inside };
            buffer.set_style(area, pen.style(Role::Selection));
        }
    }
    if choices.is_empty() {
        pen.put(buffer, inside, 1, &pen.line([(Role::Dim, "  nothing of that name")]));
    }
    let before = visible::width(&visible::line(&typed[..byte_at(typed, menu.input.cursor())]));
    Position { x: inside.x + (prefix.len() + before) as u16, y: inside.y }
}

/// The byte at which the cursor stands, given in characters.
fn byte_at(text: &str, cursor: usize) -> usize {
    text.char_indices().nth(cursor).map_or(text.len(), |(at, _)| at)
}

/// Keys and words of a choice.
fn told(model: &Model, choice: &Choice) -> (String, String) {
    match choice {
        Choice::Action(action) => {
            let keys = model.keymap.keys(Context::List, *action);
            let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            (keys.join(" "), format!("{}: {}", action.name(), action.description()))
        }
        Choice::View(at) => {
            model.views.get(*at).map(|v| (v.name.clone(), v.filter.clone())).unwrap_or_default()
        }
    }
}

fn messages(model: &Model, top: usize, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let count = model.notices.all().len();
    let inside = window(pen, buffer, body, &format!("messages: {count}, the newest first"));
    let mut row = 0;
    for notice in model.notices.all().skip(top) {
        let role = match notice.level {
            Level::Note => Role::Text,
            Level::Warning => Role::Warning,
            Level::Error => Role::Error,
        };
        let time = notice.at.to_string();
        let times = if notice.times > 1 { format!(" (x{})", notice.times) } else { String::new() };
        let text = format!("{}{times}", notice.text);
        let mut text = text.trim_end().to_owned();
        if !notice.next.is_empty() {
            text.push_str(&format!("\n→ {}", notice.next));
        }
        let head = format!("{}Z ", time.get(11..16).unwrap_or_default());
        let gutter = format!("{:1$}| ", "", head.len());
        let block = visible::block(&text, &gutter, usize::from(inside.width));
        for (i, line) in block.lines().enumerate() {
            if row >= inside.height {
                return;
            }
            let mut line = line.to_owned();
            if i == 0 {
                line.replace_range(0..head.len(), &head);
            }
            pen.put(buffer, inside, row, &pen.line([(role, line.as_str())]));
            row += 1;
        }
    }
    if count == 0 {
        pen.put(buffer, inside, 0, &pen.line([(Role::Dim, "no message yet")]));
    }
}

/// The line that is typed, at the bottom: its text and, of a filter, what is wrong with it.
pub(super) fn prompt(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    area: Rect,
) -> Option<Position> {
    let Some(Overlay::Prompt(prompt)) = &model.overlay else { return None };
    let label = footer::label(prompt.kind);
    let typed = prompt.input.value();
    let room = usize::from(area.width).saturating_sub(label.len() + 1).max(1);
    let scrolled = prompt.input.visual_scroll(room);
    let start = byte_at_column(typed, scrolled);
    let at = byte_at(typed, prompt.input.cursor()).max(start);
    let before = visible::width(&visible::line(&typed[start..at]));
    let line = pen.line([
        (Role::Key, label),
        (Role::Text, &footer::rest(&typed[start..], area.width, label.len())),
    ]);
    pen.put(buffer, area, 0, &line);
    if prompt.kind == PromptKind::Filter {
        let wrong = crate::frame::query::Query::parse(typed).err();
        let told = match &wrong {
            Some(error) => {
                let place = label.len() + before_error(typed, start, error);
                mark_error(pen, buffer, area, place, error_width(typed, error));
                (Role::Error, first_line(&error.to_string()))
            }
            None => {
                (Role::Dim, "enter keeps it, esc leaves it as it was, tab completes".to_owned())
            }
        };
        let line = pen.line([(told.0, fit(&told.1, usize::from(area.width)).as_str())]);
        pen.put(buffer, area, 1, &line);
    }
    Some(Position { x: area.x + (label.len() + before) as u16, y: area.y })
}

/// The byte at which a column begins.
fn byte_at_column(text: &str, column: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        if used >= column {
            return at;
        }
        used += visible::width(&visible::line(c.encode_utf8(&mut [0; 4])));
    }
    text.len()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn before_error(text: &str, start: usize, error: &crate::frame::query::QueryError) -> usize {
    let at = text.floor_char_boundary(error.range.clone().start.min(text.len())).max(start);
    visible::width(&visible::line(&text[start..at]))
}

fn error_width(text: &str, error: &crate::frame::query::QueryError) -> usize {
    let span = error.range.clone();
    let from = text.floor_char_boundary(span.start.min(text.len()));
    let to = text.ceil_char_boundary(span.end.min(text.len())).max(from);
    visible::width(&visible::line(&text[from..to])).max(1)
}

/// Shows where a filter is wrong.
fn mark_error(pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, x: usize, width: usize) {
    let from = (x as u16).min(area.width.saturating_sub(1));
    let width = (width as u16).min(area.width - from);
    let place = Rect { x: area.x + from, y: area.y, width, height: 1 };
    buffer.set_style(place, pen.style(Role::Error));
}

/// The ways to go on with a filter, above its line.
fn offer(model: &Model, prompt: &Prompt, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let ways = completions(model);
    let height = (ways.len() as u16).min(super::layout::COMPLETIONS).min(body.height);
    if height == 0 {
        return;
    }
    let area = Rect { y: body.y + body.height - height, height, ..body };
    Clear.render(area, buffer);
    let top = prompt.choice.map_or(0, |c| (c + 1).saturating_sub(usize::from(height)));
    for (row, (at, way)) in ways.iter().enumerate().skip(top).take(height.into()).enumerate() {
        let chosen = prompt.choice == Some(at);
        let sign = if chosen { "> " } else { "  " };
        let wide = usize::from(area.width) / 2;
        let line: Line<'_> = pen.line([
            (Role::Key, sign),
            (Role::Text, cell(&way.text, wide.saturating_sub(2)).as_str()),
            (Role::Dim, fit(&way.note, wide).as_str()),
        ]);
        pen.put(buffer, area, row as u16, &line);
        if chosen {
            let place = Rect { y: area.y + row as u16, height: 1, ..area };
            buffer.set_style(place, pen.style(Role::Selection));
        }
    }
}
