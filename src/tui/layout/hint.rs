//! One hint a screen on the first run, until it is dismissed.

use super::first_run::Part::{Key, Words};
use super::first_run::first_run;
use crate::text::escape;
use crate::tui::action::{Action, Danger};
use crate::tui::model::Model;
use crate::tui::model::key_context;

/// What the screen's hint says in one line, where there is one to show. Actions without a key and
/// those that are refused are left out, as is what does not fit.
pub(super) fn text(model: &Model, width: u16) -> Option<String> {
    if !model.facts.first_run || model.overlay.is_some() || model.hinted.contains(&model.screen) {
        return None;
    }
    let refused = |a: Action| model.facts.read_only && a.danger() == Danger::Writes;
    let phrases = first_run(model).iter().filter_map(|part| match part {
        Words(words) => Some((*words).to_owned()),
        Key(action, _) if refused(*action) => None,
        Key(action, words) => {
            let key = model.keymap.hint(key_context(model), *action)?;
            Some(format!("{key} {words}"))
        }
    });
    let end = model.keymap.hint(key_context(model), Action::Back);
    let end = end.map_or(String::new(), |key| format!("  [{key} hides this]"));
    // The sign and a blank are before it.
    let room = usize::from(width).saturating_sub(2 + escape::width(&end));
    let mut text = String::new();
    for words in phrases {
        let more = if text.is_empty() { words } else { format!("; {words}") };
        if escape::width(&text) + escape::width(&more) > room {
            break;
        }
        text.push_str(&more);
    }
    (!text.is_empty()).then(|| text + &end)
}
