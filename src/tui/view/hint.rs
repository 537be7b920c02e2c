//! One hint a screen on the first run, until it is dismissed.

use crate::text::escape;
use crate::tui::action::{Action, Danger};
use crate::tui::model::{Model, QueueKind, Screen};
use crate::tui::update::key_context;

/// A hint in pieces: words, or an action whose key is there.
enum Part {
    Words(&'static str),
    Key(Action, &'static str),
}
use Part::{Key, Words};

/// What the screen's hint says in one line, where there is one to show. Actions without a key and
/// those that are refused are left out, as is what does not fit.
pub(super) fn text(model: &Model, width: u16) -> Option<String> {
    if !model.facts.first_run || model.overlay.is_some() || model.hinted.contains(&model.screen) {
        return None;
    }
    let refused = |a: Action| model.facts.read_only && a.danger() == Danger::Writes;
    let phrases = parts(model).iter().filter_map(|part| match part {
        Words(words) => Some((*words).to_owned()),
        Key(action, _) if refused(*action) => None,
        Key(action, words) => {
            let key = model.keymap.hint(key_context(model), *action)?;
            Some(format!("{key} {words}"))
        }
    });
    let end = model.keymap.hint(key_context(model), Action::Dismiss);
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

fn parts(model: &Model) -> &'static [Part] {
    match model.screen {
        Screen::Overview => &[
            Key(Action::GoQueue, "shows what needs you"),
            Key(Action::Open, "on a figure lists its records"),
        ],
        Screen::Queue if model.calibrate.selection.kind == QueueKind::Calibration => &[
            Words("blind mix of flagged, sampled and repeated items"),
            Key(Action::Acceptable, "acceptable"),
            Key(Action::Poor, "poor"),
            Key(Action::Unsure, "unsure"),
            Key(Action::OtherQueue, "triage queue"),
        ],
        Screen::Queue if model.calibrate.selection.kind == QueueKind::Conflicts => &[
            Words("reviewers disagree on these: one more label resolves each"),
            Key(Action::OtherQueue, "is the calibration queue"),
        ],
        Screen::Queue if model.calibrate.selection.kind == QueueKind::SecondLook => &[
            Words("other reviewers are unsure of these: your label resolves each"),
            Key(Action::OtherQueue, "is the calibration queue"),
        ],
        Screen::Queue => &[
            Key(Action::Seen, "done, no label"),
            Key(Action::Later, "later"),
            Key(Action::Undo, "undo"),
            Key(Action::Acceptable, "acceptable"),
            Key(Action::Poor, "poor"),
            Words("nothing here changes a verdict"),
        ],
        Screen::Records => &[
            Key(Action::Filter, "filters, with completion"),
            Key(Action::SaveView, "saves a filter as a view"),
        ],
        Screen::Calibration => &[
            Words("the judge's error rates, from labels"),
            Key(Action::Open, "on a figure lists its records"),
        ],
        Screen::Readiness => &[
            Words("whether the judge may block, and what is missing"),
            Key(Action::NextPane, "moves to the next pane"),
        ],
        Screen::Runs => &[
            Words("re-judged content next to the original verdict"),
            Key(Action::Open, "opens it"),
        ],
        Screen::Boxes => {
            &[Key(Action::Open, "shows a box's records"), Key(Action::Pull, "pulls from the boxes")]
        }
    }
}
