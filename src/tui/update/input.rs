//! Keys, pasted text and what happens to the terminal.

use super::{act, line, menu, navigate, prompt};
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::key::{Code, Key};
use crate::tui::keymap::{Bound, KeySequence};
use crate::tui::model::{Model, Overlay, key_context};

pub(super) fn input(model: &mut Model, input: Input) -> Vec<Effect> {
    match input {
        Input::Key(key) => press(model, key),
        Input::Mouse(mouse) => {
            model.first_key = None;
            super::mouse::take(model, mouse)
        }
        Input::Paste(pasted) => {
            model.first_key = None;
            paste(model, &pasted.text)
        }
        Input::Resize { width, height } => {
            model.size = (width, height);
            Vec::new()
        }
        Input::Resumed => vec![Effect::Redraw],
        Input::Gone | Input::Signal(_) | Input::Panicked => navigate::leave(model),
    }
}

fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    model.notices.drop_note();
    let first = model.first_key.take();
    match model.overlay {
        Some(Overlay::Prompt(_)) => return prompt::press(model, key),
        Some(Overlay::Confirm(_)) => return super::labels::press(model, key),
        Some(Overlay::Override(_)) => return super::decide::press(model, key),
        Some(Overlay::Form(_)) => return super::form::press(model, key),
        Some(Overlay::BoxForm(_)) => return super::box_task::press_form(model, key),
        Some(Overlay::BoxRun { .. }) => return super::box_task::press_run(model, key),
        Some(Overlay::Judge(_)) => return super::runs::press(model, key),
        Some(Overlay::Guide { .. }) => return super::guide::press(model, key),
        Some(Overlay::Sort { .. }) => {
            super::queues::press_sort(model, key);
            return Vec::new();
        }
        Some(_) => return menu::press(model, key),
        None => {}
    }
    // Alt is what a terminal makes of a quick Esc before a key: it must never do anything.
    if key.alt {
        return Vec::new();
    }
    let place = key_context(model);
    if let Some(first) = first {
        let keys = KeySequence { first, second: Some(key) };
        return match model.keymap.sequence(place, keys) {
            Some(action) => act::act(model, action),
            None if key == Key::plain(Code::Esc) || key == Key::ctrl('c') => Vec::new(),
            None => no_action(model, keys),
        };
    }
    match model.keymap.find(place, key) {
        Some(Bound::Action(action)) => act::act(model, action),
        Some(Bound::First(_)) => {
            model.first_key = Some(key);
            Vec::new()
        }
        None => no_action(model, KeySequence::from(key)),
    }
}

fn no_action(model: &mut Model, keys: KeySequence) -> Vec<Effect> {
    let help = model.keymap.hint(key_context(model), Action::Help);
    let help = help.map(|k| format!("; {k} shows the keys")).unwrap_or_default();
    model.notices.note(format!("{keys} has no action here{help}"), model.now);
    Vec::new()
}

/// Pasted text goes where text is typed, and never does anything elsewhere.
fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    // Lines of a long text stay lines.
    let mut most = None;
    let input = match &mut model.overlay {
        // While the reasons are listed, it is their search that has the keys.
        Some(Overlay::Prompt(prompt)) if prompt.reasons().is_none() => Some(&mut prompt.input),
        Some(Overlay::Override(form)) => Some(&mut form.reason),
        Some(Overlay::Form(form)) if form.has_line() => Some(&mut form.input),
        Some(Overlay::BoxForm(form)) => Some(&mut form.input),
        Some(Overlay::Judge(form)) => {
            most = form.field.most_bytes();
            form.line()
        }
        Some(Overlay::Palette(menu) | Overlay::Help(menu) | Overlay::Views(menu)) => {
            menu.cursor = 0;
            Some(&mut menu.input)
        }
        _ => None,
    };
    let Some(input) = input else {
        model.notices.note("nothing to paste into here", model.now);
        return Vec::new();
    };
    let refusal = match most {
        Some(most) => line::paste_lines(input, text, most),
        None => line::paste(input, text),
    };
    if let Some(refusal) = refusal {
        model.notices.note(refusal, model.now);
    }
    match model.overlay {
        Some(Overlay::Prompt(_)) => prompt::typed(model),
        Some(Overlay::Override(_)) => super::decide::typed(model),
        _ => Vec::new(),
    }
}
