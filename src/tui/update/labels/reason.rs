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
    let text = menu(model).map(|menu| menu.input.value()).unwrap_or_default();
    searched(&model.facts.labelling.reasons, text).collect()
}

/// The code of the one reason that a number, a code or words name; `None` for `0`.
///
/// # Errors
/// Why there is none, or not one.
pub(in crate::tui::update) fn named(
    reasons: &[Reason],
    text: &str,
) -> Result<Option<String>, String> {
    let number = text.parse::<usize>().ok();
    if number == Some(0) {
        return Ok(None);
    }
    let numbered = number.and_then(|number| reasons.get(number - 1));
    let exact = || reasons.iter().find(|reason| reason.code == text.to_lowercase());
    if let Some(one) = numbered.or_else(exact) {
        return Ok(Some(one.code.clone()));
    }
    let found: Vec<&str> = searched(reasons, text).map(|reason| reason.code.as_str()).collect();
    match found[..] {
        [one] => Ok(Some(one.to_owned())),
        [] => Err("no reason has this number or these words".to_owned()),
        _ => Err(format!("several reasons: {}", found.join(", "))),
    }
}

/// The reasons whose code or meaning has every word of a text.
fn searched<'a>(reasons: &'a [Reason], text: &str) -> impl Iterator<Item = &'a Reason> + use<'a> {
    let text = text.to_lowercase();
    reasons.iter().filter(move |reason| {
        let all = format!("{} {}", reason.code, reason.meaning).to_lowercase();
        text.split_whitespace().all(|word| all.contains(word))
    })
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
