//! The line that is typed for the ledger, and what it will say.

use super::prompt::typed;
use crate::tui::model::{Form, FormKind, WindowBegins};
use crate::tui::theme::Role;
use crate::tui::update::form_problem;
use crate::tui::widget::{Pen, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use tui_input::Input;

/// Draws the line at the bottom, and below it what is wrong or what `ctrl-s` does.
pub(in crate::tui::view) fn line(
    form: &Form,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    area: Rect,
) -> Option<Position> {
    let label = label(form, area.width);
    let input = if form.has_line() { form.input.clone() } else { Input::default() };
    let (place, _) = typed(pen, buffer, area, (Role::Key, &label), &input);
    let (role, words) = hint(form);
    pen.put(buffer, area, 1, &pen.line([(role, fit(&words, usize::from(area.width)).as_str())]));
    Some(place)
}

/// The words in front of the line. All of them are ours.
fn label(form: &Form, width: u16) -> String {
    match form.kind {
        FormKind::Step { step, .. } if width < 60 => format!("note on {step}: "),
        FormKind::Step { runbook, step } => format!("{runbook}: {step} is done; note: "),
        FormKind::Rate { .. } => format!("rate of the audit sample{}: ", form.whose()),
        FormKind::Window { begins: WindowBegins::Day } => {
            format!("first day of the window{}: ", form.whose())
        }
        FormKind::Window { .. } => {
            format!("start the window{} with the first record of the judge in use ", form.whose())
        }
        FormKind::Waiver { .. } if width < 60 => "reason: ".to_owned(),
        FormKind::Waiver { rule, .. } => format!("waive {rule}{}; reason: ", form.whose()),
    }
}

/// What is wrong, else what `ctrl-s` and the other keys do.
fn hint(form: &Form) -> (Role, String) {
    if let Some(wrong) = form_problem(form) {
        return (Role::Error, wrong.to_owned());
    }
    let text = match form.kind {
        FormKind::Step { .. } => "ctrl-s: save to your ledger · esc: cancel".to_owned(),
        FormKind::Rate { .. } => {
            let of = form.stratum().unwrap_or("all that passes");
            format!("of {of}, from now on · ctrl-s: set · tab: other stratum · esc: cancel")
        }
        FormKind::Window { begins } => window_hint(begins).to_owned(),
        FormKind::Waiver { .. } => {
            format!("for {} days · ctrl-s: save · tab: other time · esc: cancel", form.days())
        }
    };
    (Role::Dim, text)
}

fn window_hint(begins: WindowBegins) -> &'static str {
    match begins {
        WindowBegins::Thin => {
            "thin draw, may be raised · ctrl-s: start · tab: all, or a day · esc: cancel"
        }
        WindowBegins::All => {
            "all is drawn · ctrl-s: start · tab: a day, or thin draw · esc: cancel"
        }
        WindowBegins::Day => "ctrl-s: start, which ends the current one · tab: other · esc: cancel",
    }
}
