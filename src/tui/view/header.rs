//! The rows at the top: where one is, and how the operation is doing.

use crate::answers::operation::WIDE;
use crate::tui::keymap::Context;
use crate::tui::layout::state;
use crate::tui::model::{Model, Screen};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let first = Rect { height: area.height.min(1), ..area };
    buffer.set_style(first, pen.style(Role::Header));
    let (tabs, facts) = screens(model, pen, first.width);
    pen.put_right(buffer, first, 0, &facts);
    pen.put(buffer, first, 0, &Line::from_iter(tabs.into_iter().flatten()));
    for (row, pieces) in state::rows(model).iter().enumerate() {
        let line = pen.line(pieces.iter().map(|piece| (piece.role, piece.text.as_str())));
        pen.put(buffer, area, 1 + row as u16, &line);
    }
}

/// The screen whose tab is at a column of the line at the top.
pub(in crate::tui) fn tab_at(model: &Model, x: u16) -> Option<Screen> {
    let (tabs, _) = screens(model, &Pen::new(model), model.size.0);
    let mut end = 0;
    let is_here = |tab: &Vec<Span<'_>>| {
        end += tab.iter().map(Span::width).sum::<usize>();
        usize::from(x) < end
    };
    tabs.iter().position(is_here).and_then(|at| Screen::ALL.get(at).copied())
}

/// The names of the screens, a tab each; at the right, where there is room, what is counted and the time.
fn screens(model: &Model, pen: &Pen<'_>, width: u16) -> (Vec<Vec<Span<'static>>>, Line<'static>) {
    let tabs = |titles| Screen::ALL.map(|screen| tab(model, pen, screen, titles)).to_vec();
    let width = usize::from(width);
    let (all, lead, none) = (facts(model, pen, true), facts(model, pen, false), Line::default());
    // Where it is narrow, what kind of console it is stands in the row below.
    let pairs = match width >= WIDE {
        true => vec![(Titles::Whole, &all), (Titles::Short, &all), (Titles::Short, &lead)],
        false => vec![(Titles::Short, &none)],
    };
    let mut pairs = pairs.into_iter().map(|(titles, facts)| (tabs(titles), facts));
    let fits = |(tabs, facts): &(Vec<Vec<Span<'_>>>, &Line<'_>)| {
        tabs.iter().flatten().map(Span::width).sum::<usize>() + facts.width() <= width
    };
    let (tabs, facts) = pairs.find(fits).unwrap_or_else(|| (tabs(Titles::Here), &none));
    (tabs, facts.clone())
}

/// How much of the screens' names there is room for.
#[derive(Clone, Copy, PartialEq)]
enum Titles {
    /// All of them, whole.
    Whole,
    /// All of them, two of them short.
    Short,
    /// Only the name of the screen that is shown.
    Here,
}

fn tab(model: &Model, pen: &Pen<'_>, screen: Screen, titles: Titles) -> Vec<Span<'static>> {
    let here = model.screen == screen;
    let role = if here { Role::Selection } else { Role::Header };
    let key = model.keymap.hint(Context::Everywhere, screen.action());
    // Brackets, since in some themes only text shows it; where there is room they take the place of blanks.
    let before = match (here, titles == Titles::Whole || screen == Screen::Overview) {
        (false, _) => " ",
        (true, true) => "[",
        (true, false) => " [",
    };
    let mut parts = vec![pen.span(Role::Header, before)];
    if let Some(key) = key {
        parts.push(pen.span(Role::Key, &key.to_string()));
    }
    let title = match titles {
        Titles::Whole => screen.title(),
        Titles::Short => screen.short_title(),
        Titles::Here if here => screen.title(),
        Titles::Here => "",
    };
    if !title.is_empty() {
        parts.push(pen.span(Role::Header, if key.is_some() { " " } else { "" }));
        parts.push(pen.span(role, title));
    }
    parts.extend(queue_count(model, screen).map(|count| pen.span(Role::Header, &count)));
    if here || titles == Titles::Whole {
        parts.push(pen.span(Role::Header, if here { "]" } else { " " }));
    }
    parts
}

/// How many items the queue has, behind its name.
fn queue_count(model: &Model, screen: Screen) -> Option<String> {
    if screen != Screen::Queue || model.queue.rows.value.is_none() {
        return None;
    }
    let (shown, whole) = (model.queue.len(), model.queue.whole);
    // While another list is made, the lines are still those of the last filter.
    let made = model.queue.made.as_ref().map(|(filter, _)| filter);
    Some(match made.unwrap_or(&model.queue.filter).is_all() {
        true if model.queue.beyond > 0 => format!(" {shown}+"),
        true => format!(" {shown}"),
        // What a filter lets through is not what waits.
        false => format!(" {shown}/{whole}"),
    })
}

/// What kind of console it is; in full also how far it looks back, and the time.
fn facts(model: &Model, pen: &Pen<'_>, is_full: bool) -> Line<'static> {
    let clock = model.now.to_string();
    let clock = format!("{}Z", clock.get(11..16).unwrap_or_default());
    let lead = state::lead(model).into_iter().map(|(role, text)| (role, text.to_owned()));
    let rest = [(Role::Header, model.days.title()), (Role::Header, clock)];
    let rest = rest.into_iter().filter(|_| is_full);
    let mut parts: Vec<Span<'static>> = Vec::new();
    for (at, (role, text)) in lead.chain(rest).enumerate() {
        let separator = format!(" {} ", pen.glyphs.separator);
        parts.extend((at > 0).then(|| pen.span(Role::Dim, &separator)));
        parts.push(pen.span(role, &text));
    }
    Line::from(parts)
}
