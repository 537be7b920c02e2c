//! Choosing a reason: a numbered list, by its number or by typing to search.

use super::note;
use crate::config::reasons::Reason;
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{Menu, Model, NoteTarget, Overlay, Prompt};
use crate::tui::update::line;

/// What is written about, where a note is open.
fn note_target(model: &mut Model) -> Option<&mut NoteTarget> {
    match &mut model.overlay {
        Some(Overlay::Prompt(Prompt { note_target: Some(note_target), .. })) => Some(note_target),
        _ => None,
    }
}

/// The list of reasons, while it has the keys.
pub(in crate::tui) fn menu(model: &Model) -> Option<&Menu> {
    match &model.overlay {
        Some(Overlay::Prompt(prompt)) => prompt.reasons(),
        _ => None,
    }
}

pub(super) fn is_open(model: &Model) -> bool {
    menu(model).is_some()
}

/// The reasons whose code or meaning has every word that is searched for, in their order.
pub(in crate::tui) fn found(model: &Model) -> Vec<&Reason> {
    let searched = menu(model).map(|menu| menu.input.value().to_lowercase()).unwrap_or_default();
    let fits = |reason: &&Reason| {
        let text = format!("{} {}", reason.code, reason.meaning).to_lowercase();
        searched.split_whitespace().all(|word| text.contains(word))
    };
    model.facts.labelling.reasons.iter().filter(fits).collect()
}

/// Opens the list, on the reason that is chosen.
pub(super) fn open(model: &mut Model) {
    let codes: Vec<String> = found(model).into_iter().map(|reason| reason.code.clone()).collect();
    let Some(note_target) = note_target(model) else { return };
    let at = codes.iter().position(|code| Some(code) == note_target.reason.as_ref());
    note_target.reasons = Some(Menu { cursor: at.unwrap_or(0), ..Menu::default() });
}

/// A key while the list is open: a digit takes the reason of that number, 0 takes none.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let codes: Vec<String> = found(model).into_iter().map(|reason| reason.code.clone()).collect();
    let Some(note_target) = note_target(model) else { return Vec::new() };
    let Some(menu) = &mut note_target.reasons else { return Vec::new() };
    let last = codes.len().saturating_sub(1);
    menu.cursor = menu.cursor.min(last);
    match (key.code, key.ctrl) {
        (Code::Esc, _) | (Code::Char('c'), true) => note_target.reasons = None,
        (Code::Char('0'), false) => return take(model, None),
        (Code::Char(digit @ '1'..='9'), false) => {
            let at = digit.to_digit(10).map_or(0, |digit| digit as usize);
            if let Some(code) = codes.get(at - 1) {
                return take(model, Some(code.clone()));
            }
        }
        (Code::Enter, _) => {
            if let Some(code) = codes.get(menu.cursor) {
                return take(model, Some(code.clone()));
            }
        }
        (Code::Down | Code::Tab, _) => menu.cursor = (menu.cursor + 1).min(last),
        (Code::Up | Code::BackTab, _) => menu.cursor = menu.cursor.saturating_sub(1),
        _ if line::press(&mut menu.input, key) => menu.cursor = 0,
        _ => {}
    }
    Vec::new()
}

/// Takes a reason, or none, and goes back to the note.
fn take(model: &mut Model, code: Option<String>) -> Vec<Effect> {
    if let Some(note_target) = note_target(model) {
        (note_target.reason, note_target.reasons) = (code, None);
    }
    note::typed(model)
}
