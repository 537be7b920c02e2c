//! The line at the top: where one is, what the data are, whether something runs.

use crate::domain::{BoxReport, BoxState};
use crate::tui::keymap::Context;
use crate::tui::model::{ItemState, Load, Model, Screen};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    buffer.set_style(area, pen.style(Role::Header));
    let facts = facts(model, pen);
    let left = pen.put_right(buffer, area, 0, &facts);
    let tabs = tabs(model, pen, left.saturating_sub(1)).into_iter().flatten();
    pen.put(buffer, Rect { width: left.saturating_sub(1), ..area }, 0, &Line::from_iter(tabs));
}

/// The screen whose tab is at a column of the line at the top.
pub(in crate::tui) fn tab_at(model: &Model, x: u16) -> Option<Screen> {
    let pen = Pen::new(model);
    let facts = u16::try_from(facts(model, &pen).width()).unwrap_or(u16::MAX);
    let room = model.size.0.saturating_sub(facts).saturating_sub(1);
    let mut end = 0;
    let is_here = |tab: &Vec<Span<'_>>| {
        end += tab.iter().map(Span::width).sum::<usize>();
        usize::from(x) < end
    };
    let at = tabs(model, &pen, room).iter().position(is_here);
    at.filter(|_| x < room).and_then(|at| Screen::ALL.get(at).copied())
}

/// The tabs, a screen each, as much of their names as there is room for.
fn tabs(model: &Model, pen: &Pen<'_>, room: u16) -> Vec<Vec<Span<'static>>> {
    let all = [Titles::Whole, Titles::Short, Titles::Here]
        .map(|titles| Screen::ALL.map(|screen| tab(model, pen, screen, titles)).to_vec());
    let width = |tabs: &[Vec<Span<'_>>]| tabs.iter().flatten().map(Span::width).sum::<usize>();
    let fits = all.iter().find(|tabs| width(tabs) <= usize::from(room));
    fits.or(all.last()).cloned().unwrap_or_default()
}

/// How much of the screens' names there is room for.
#[derive(Clone, Copy, PartialEq)]
enum Titles {
    /// All of them, whole.
    Whole,
    /// All of them, the long ones cut.
    Short,
    /// Only the name of the screen that is shown.
    Here,
}

fn tab(model: &Model, pen: &Pen<'_>, screen: Screen, titles: Titles) -> Vec<Span<'static>> {
    let here = model.screen == screen;
    let role = if here { Role::Selection } else { Role::Header };
    let key = model.keymap.hint(Context::Everywhere, screen.action());
    // Brackets, since in some themes only text shows it.
    let mut parts = vec![pen.span(Role::Header, if here { " [" } else { " " })];
    if let Some(key) = key {
        parts.push(pen.span(Role::Key, &key.to_string()));
        parts.push(pen.span(Role::Header, " "));
    }
    if titles != Titles::Here || here {
        let short = titles == Titles::Short;
        let title = if short { screen.short_title() } else { screen.title() };
        parts.push(pen.span(role, title));
    }
    if screen == Screen::Queue && model.queue.rows.value.is_some() {
        let (shown, whole) = (model.queue.len(), model.queue.whole);
        // While another list is made, the lines are still those of the last filter.
        let made = model.queue.made.as_ref().map(|(filter, _)| filter);
        let count = match made.unwrap_or(&model.queue.filter).is_all() {
            true if model.queue.beyond > 0 => format!(" {shown}+"),
            true => format!(" {shown}"),
            // What a filter lets through is not what waits.
            false => format!(" {shown}/{whole}"),
        };
        parts.push(pen.span(Role::Header, &count));
    }
    if here {
        parts.push(pen.span(Role::Header, "]"));
    }
    parts
}

/// How many boxes block, and that READY is withdrawn from one of them.
fn blocking(model: &Model) -> Option<(Role, String)> {
    let modes = model.modes();
    let count = modes.blocking().count();
    match modes.blocking().any(|of| model.is_withdrawn_from(&modes, of)) {
        true => Some((Role::Error, format!("{count} BLOCKING, READY withdrawn"))),
        false => (count > 0).then(|| (Role::Warning, format!("{count} BLOCKING"))),
    }
}

/// What is always shown: the data's state, the window, the time.
fn facts(model: &Model, pen: &Pen<'_>) -> Line<'static> {
    let mut parts: Vec<Span<'static>> = Vec::new();
    let mut push = |role, text: String| {
        if !parts.is_empty() {
            parts.push(pen.span(Role::Dim, &format!(" {} ", pen.glyphs.separator)));
        }
        parts.push(pen.span(role, &text));
    };
    if model.facts.demo {
        push(Role::Warning, "demo".to_owned());
    }
    if model.facts.fleet {
        match model.opening.load {
            Load::Failed(_) => push(Role::Error, "fleet DOWN".to_owned()),
            _ => push(Role::Notice, "fleet".to_owned()),
        }
    }
    if model.facts.read_only {
        push(Role::Warning, "read-only".to_owned());
    }
    if let Some((role, text)) = blocking(model) {
        push(role, text);
    }
    if model.pulls.running {
        let (done, of) = model.pulls.done();
        push(Role::Notice, format!("pull {done}/{of}"));
    }
    if let Some(live) = model.runs.live.as_ref().filter(|_| model.runs.is_on()) {
        let over = live.count(|item| !matches!(item, ItemState::Waiting | ItemState::Asked));
        push(Role::Notice, format!("judging {over}/{}", live.items.len()));
    }
    if let Some(run) = model.boxes.run.as_ref().filter(|run| run.is_running()) {
        push(Role::Notice, format!("{} running", run.task.title().to_lowercase()));
    }
    let boxes = model.overview.summary.value.as_ref().map_or(&[][..], |t| t.boxes.as_slice());
    let stale = boxes.iter().filter(|b| b.state == BoxState::Stale).count();
    if stale > 0 {
        push(Role::Stale, format!("{stale} STALE"));
    }
    // One that was never asked is empty too; one that fails is reported.
    let failing = |b: &&BoxReport| b.state == BoxState::Empty && b.error.is_some();
    let empty = boxes.iter().filter(failing).count();
    if empty > 0 {
        push(Role::Stale, format!("{empty} EMPTY"));
    }
    if model.size.0 >= 60 {
        push(Role::Header, model.days.title());
    }
    let clock = model.now.to_string();
    push(Role::Header, format!("{}Z ", clock.get(11..16).unwrap_or_default()));
    Line::from(parts)
}
