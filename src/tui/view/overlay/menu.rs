//! A list to search and choose from: actions with their keys, saved views.

use super::prompt::typed;
use crate::text::escape;
use crate::tui::model::{Menu, Model, Overlay};
use crate::tui::theme::Role;
use crate::tui::update::{Choice, choices, fits, found_by, keys};
use crate::tui::widget::{Pen, cell, fit, window};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// Keys of a typed text, which are no actions and cannot be bound.
const TYPING: [(&str, &str); 7] = [
    ("enter", "accept the selected completion, or else the text"),
    ("tab shift-tab", "next, previous completion"),
    ("up down", "earlier filters, or other completions"),
    ("esc", "cancel"),
    ("ctrl-c", "clear the text; if empty, close"),
    ("ctrl-a ctrl-e", "beginning, end of the text"),
    ("ctrl-u ctrl-k ctrl-w", "delete all, to the end, the word before"),
];

/// A line of the list.
struct MenuRow {
    line: Line<'static>,
    /// It can be chosen, or is more of one that can.
    choice: bool,
    selected: bool,
}

impl MenuRow {
    fn fixed(line: Line<'static>) -> Self {
        Self { line, choice: false, selected: false }
    }
}

/// Draws the search and what it finds; gives where the search is typed.
pub(super) fn draw(
    model: &Model,
    menu: &Menu,
    title: &str,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Option<Position> {
    let inside = window(pen, buffer, body, title);
    let (place, _) = typed(pen, buffer, inside, (Role::Key, "> "), &menu.input);
    let rows = rows(model, menu, pen, usize::from(inside.width));
    let room = usize::from(inside.height.saturating_sub(1));
    for (at, row) in rows.iter().skip(top(&rows, room)).take(room).enumerate() {
        let y = at as u16 + 1;
        pen.put(buffer, inside, y, &row.line);
        if row.selected {
            let area = Rect { y: inside.y + y, height: 1, ..inside };
            buffer.set_style(area, pen.style(Role::Selection));
        }
    }
    Some(place)
}

/// The first line to show, so that what is selected is on the screen, with a heading right before
/// it; behind the last choice also what is there.
fn top(rows: &[MenuRow], room: usize) -> usize {
    let first = rows.iter().position(|r| r.selected).unwrap_or(0);
    let last = rows.iter().rposition(|r| r.selected).unwrap_or(0);
    let is_last = !rows.iter().skip(last + 1).any(|r| r.choice);
    let end = if is_last { rows.len() } else { last + 1 };
    let before = first.checked_sub(1).filter(|at| rows.get(*at).is_some_and(|r| !r.choice));
    end.saturating_sub(room).min(before.unwrap_or(first))
}

fn rows(model: &Model, menu: &Menu, pen: &Pen<'_>, width: usize) -> Vec<MenuRow> {
    let choices = choices(model);
    let cursor = menu.cursor.min(choices.len().saturating_sub(1));
    let grouped = matches!(model.overlay, Some(Overlay::Help(_))) && menu.input.value().is_empty();
    let mut rows = Vec::new();
    let mut before = None;
    for (at, choice) in choices.iter().enumerate() {
        if let (true, Choice::Action(action)) = (grouped, choice) {
            let group = action.group();
            if before != Some(group) {
                rows.push(heading(pen, group.title()));
            }
            before = Some(group);
        }
        rows.extend(choice_rows(model, choice, pen, width, at == cursor));
    }
    if choices.is_empty() {
        let line = pen.line([(Role::Dim, "  no command matches")]);
        rows.push(MenuRow::fixed(line));
    }
    if grouped {
        rows.push(heading(pen, "while typing"));
        let fixed = TYPING.iter().flat_map(|(k, w)| row(pen, k, w, width, false, Role::Dim));
        rows.extend(fixed.map(|row| MenuRow::fixed(row.line)));
    }
    rows
}

fn heading(pen: &Pen<'_>, title: &str) -> MenuRow {
    MenuRow::fixed(pen.line([(Role::Title, title)]))
}

/// The lines of a choice, with all of its words.
fn choice_rows(
    model: &Model,
    choice: &Choice,
    pen: &Pen<'_>,
    width: usize,
    selected: bool,
) -> Vec<MenuRow> {
    match choice {
        Choice::Action(action) => {
            let by = found_by(model, *action).map(|word| format!(" ({word})"));
            let by = by.unwrap_or_default();
            let words = format!("{}{by}: {}", action.name(), action.description());
            let role = if fits(model, *action) { Role::Text } else { Role::Dim };
            let keys = keys(model, *action);
            // What is two keys has a blank inside.
            let between = if keys.iter().any(|key| key.contains(' ')) { ", " } else { " " };
            row(pen, &keys.join(between), &words, width, selected, role)
        }
        Choice::View(at) => model
            .views
            .get(*at)
            .map_or(Vec::new(), |view| viewed(pen, &view.name, &view.filter, width, selected)),
    }
}

/// The lines of a view. Its texts may be anything: none of them begins a line or a column.
fn viewed(pen: &Pen<'_>, name: &str, filter: &str, width: usize, selected: bool) -> Vec<MenuRow> {
    let column = (width / 4).clamp(8, 24);
    let room = width.saturating_sub(column + 6).max(8);
    let block = escape::block(filter, "", room);
    let some = if selected { usize::MAX } else { 1 };
    let cut = fit(filter, room);
    let lines = block.lines().take(some).enumerate().map(|(at, words)| {
        let sign = if selected && at == 0 { "> | " } else { "  | " };
        let name = cell(if at == 0 { name } else { "" }, column);
        let words = if selected { words } else { cut.as_str() };
        pen.line([(Role::Key, sign), (Role::Key, &name), (Role::Dim, "| "), (Role::Text, words)])
    });
    lines.map(|line| MenuRow { line, choice: true, selected }).collect()
}

fn row(
    pen: &Pen<'_>,
    keys: &str,
    words: &str,
    width: usize,
    selected: bool,
    role: Role,
) -> Vec<MenuRow> {
    let sign = if selected { "> " } else { "  " };
    let column = (width / 4).clamp(8, 20);
    let room = width.saturating_sub(column + 2);
    let first = |words: &str| {
        let keys = format!("{} ", cell(keys, column - 1));
        pen.line([(Role::Key, sign), (Role::Key, keys.as_str()), (role, words)])
    };
    let block = escape::block(words, "", room.max(8));
    let lines = block.lines().enumerate().map(|(at, words)| match at {
        0 => first(words),
        _ => pen.line([(Role::Text, " ".repeat(column + 2).as_str()), (role, words)]),
    });
    lines.map(|line| MenuRow { line, choice: true, selected }).collect()
}
