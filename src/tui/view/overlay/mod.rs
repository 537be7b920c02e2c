//! What lies above a screen: menus, messages, the line that is typed.

mod box_form;
mod decide;
mod form;
mod form_lines;
mod judge;
mod menu;
mod prompt;
mod reason;
mod sort;

pub(super) use form::line as form_line;
pub(super) use prompt::line as prompt_line;

use crate::tui::layout;
use crate::tui::model::{Model, Overlay};
use crate::tui::screen::{box_run, guide, messages};
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Draws what lies above the screen; gives where a text is typed in it.
pub(super) fn draw(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Option<Position> {
    match model.overlay.as_ref()? {
        Overlay::Prompt(prompt) => {
            prompt::offer(model, prompt, pen, buffer, body);
            None
        }
        Overlay::Override(form) => {
            decide::draw(model, form, pen, buffer, layout::form(model, body))
        }
        Overlay::Confirm(_) | Overlay::Form(_) => None,
        Overlay::Judge(form) => judge::draw(form, pen, buffer, layout::form(model, body)),
        Overlay::Palette(menu) => menu::draw(model, menu, "Do what?", pen, buffer, body),
        Overlay::Help(menu) => menu::draw(model, menu, "Keys", pen, buffer, body),
        Overlay::Views(menu) => menu::draw(model, menu, "Views", pen, buffer, body),
        Overlay::Guide { .. } => {
            guide::draw(model, pen, buffer);
            None
        }
        Overlay::BoxForm(form) => box_form::draw(form, pen, buffer, body),
        Overlay::BoxRun { top } => {
            box_run::draw(model, *top, pen, buffer, body);
            None
        }
        Overlay::Sort { cursor } => {
            sort::draw(model, *cursor, pen, buffer, body);
            None
        }
        Overlay::Messages { top } => {
            messages::draw(model, *top, pen, buffer, body);
            None
        }
    }
}

/// Keys that hold in what lies above the screen, with a word each.
pub(super) fn keys(model: &Model) -> &'static [(&'static str, &'static str)] {
    match &model.overlay {
        Some(Overlay::Views(_)) if model.facts.read_only => {
            &[("enter", "open"), ("esc", "close"), ("up/down", "move")]
        }
        Some(Overlay::Views(_)) => {
            &[("enter", "open"), ("esc", "close"), ("ctrl-x", "delete"), ("ctrl-r", "restore")]
        }
        Some(Overlay::Override(form)) if form.single().is_some() => &[
            ("ctrl-s", "save"),
            ("tab", "accept or reject"),
            ("esc", "close, keep the draft"),
            ("pgup/pgdn", "record"),
        ],
        Some(Overlay::Override(_)) => &[
            ("ctrl-s", "save all"),
            ("tab", "accept or reject"),
            // With one word more, 80 columns would cut the last key.
            ("esc", "close, keep draft"),
            ("pgup/pgdn", "record"),
        ],
        Some(Overlay::Judge(form)) => judge::keys(form),
        Some(Overlay::Guide { .. }) if guide::is_beside(model) => &[
            ("esc", "close"),
            ("up/down", "scroll"),
            ("tab", "rubric or guideline"),
            ("", "labels work meanwhile"),
        ],
        Some(Overlay::Guide { .. }) => {
            &[("esc", "close"), ("up/down", "scroll"), ("tab", "rubric or guideline")]
        }
        Some(Overlay::BoxForm(form)) => box_form::keys(form),
        Some(Overlay::BoxRun { .. }) => box_run::keys(model),
        Some(Overlay::Sort { .. }) => &[
            ("enter", "sort, again reverse"),
            ("space", "show or hide"),
            ("0", "as delivered"),
            ("esc", "close"),
        ],
        Some(Overlay::Messages { .. }) => &[("esc", "close"), ("up/down", "move")],
        _ => &[("enter", "do it"), ("esc", "close"), ("up/down", "move"), ("", "type to search")],
    }
}
