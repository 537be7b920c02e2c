//! One hint a screen on the first run, until it is dismissed.

use crate::tui::action::{Action, Danger};
use crate::tui::model::{Model, Screen};
use crate::tui::update::place;

/// A hint in pieces: words, or an action whose key stands there.
enum Part {
    Say(&'static str),
    Key(Action, &'static str),
}
use Part::{Key, Say};

/// What the screen's hint says, where there is one to show. Actions without a key and those that
/// are refused are left out.
pub(super) fn text(model: &Model) -> Option<String> {
    if !model.facts.first_run || model.overlay.is_some() || model.hinted.contains(&model.screen) {
        return None;
    }
    let refused = |a: Action| model.facts.read_only && a.danger() == Danger::Writes;
    let said = parts(model.screen).iter().filter_map(|part| match part {
        Say(words) => Some((*words).to_owned()),
        Key(action, _) if refused(*action) => None,
        Key(action, words) => {
            let key = model.keymap.hint(place(model), *action)?;
            Some(format!("{key} {words}"))
        }
    });
    let mut text = said.collect::<Vec<_>>().join("; ");
    if let Some(key) = model.keymap.hint(place(model), Action::Dismiss) {
        text.push_str(&format!("  [{key} hides this]"));
    }
    Some(text)
}

fn parts(screen: Screen) -> &'static [Part] {
    match screen {
        Screen::Overview => &[
            Say("what happened, at a glance"),
            Key(Action::GoQueue, "is what to look at"),
            Key(Action::Open, "shows the records behind a figure"),
        ],
        Screen::Queue => &[
            Key(Action::Seen, "is done with it"),
            Key(Action::Later, "puts it behind the others"),
            Key(Action::Undo, "takes that back"),
            Say("no verdict is changed by any of it"),
        ],
        Screen::Records => &[
            Key(Action::Filter, "filters, and offers what can be asked for"),
            Key(Action::SaveView, "keeps a filter under a name"),
        ],
        Screen::Boxes => &[
            Key(Action::Open, "shows a box's records"),
            Key(Action::Pull, "asks the boxes for what is new"),
        ],
    }
}
