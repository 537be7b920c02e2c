//! What the first run says of each screen.

use crate::tui::action::Action;
use crate::tui::model::{Model, QueueKind, Screen};
use Part::{Key, Words};

/// A hint in pieces: words, or an action whose key is there.
pub(super) enum Part {
    Words(&'static str),
    Key(Action, &'static str),
}

/// What the first run says of a screen.
pub(super) fn first_run(model: &Model) -> &'static [Part] {
    match model.screen {
        Screen::Overview => &[
            Key(Action::GoQueue, "shows what needs you"),
            Key(Action::Open, "on a figure lists its records"),
        ],
        Screen::Queue => queue(model.calibrate.selection.kind),
        Screen::Records => &[
            Key(Action::Filter, "filters, with completion"),
            Key(Action::SaveView, "saves a filter as a view"),
        ],
        Screen::Calibration if model.picks.mode.is_some() => &[
            Words("which candidates help with the prompt?"),
            Key(Action::Mark, "it helps"),
            Key(Action::SavePick, "saves; what is not marked does not help"),
        ],
        Screen::Readiness if model.picks.mode.is_some() => &[
            Words("whether the judge of memories is worth being on"),
            Key(Action::GoCalibration, "labels its picks"),
        ],
        Screen::Calibration => &[
            Words("the judge's error rates, from labels"),
            Key(Action::Open, "on a figure lists its records"),
        ],
        Screen::Readiness => &[
            Words("whether the judge may block, and what is missing"),
            Key(Action::StartWindow, "starts the window in which labels count"),
            Key(Action::NextPane, "moves to the next pane"),
        ],
        Screen::Runs => &[
            Words("re-judged content next to the original verdict"),
            Key(Action::Open, "opens it"),
        ],
        Screen::Boxes => {
            &[Key(Action::Open, "shows a box's records"), Key(Action::Pull, "pulls from the boxes")]
        }
        Screen::Trends => &[
            Key(Action::Down, "shows another figure"),
            Key(Action::NextPane, "goes to two weeks and two parts"),
        ],
    }
}

/// The same of a queue.
fn queue(kind: QueueKind) -> &'static [Part] {
    match kind {
        QueueKind::Calibration => &[
            Words("blind mix of flagged, sampled and repeated items"),
            Key(Action::Acceptable, "acceptable"),
            Key(Action::Poor, "poor"),
            Key(Action::Unsure, "unsure"),
            Key(Action::OtherQueue, "triage queue"),
        ],
        QueueKind::Conflicts => &[
            Words("reviewers disagree on these: one more label resolves each"),
            Key(Action::OtherQueue, "is the calibration queue"),
        ],
        QueueKind::SecondLook => &[
            Words("other reviewers are unsure of these: your label resolves each"),
            Key(Action::OtherQueue, "is the calibration queue"),
        ],
        _ => &[
            Key(Action::Seen, "done, no label"),
            Key(Action::Later, "later"),
            Key(Action::Undo, "undo"),
            Key(Action::Acceptable, "acceptable"),
            Key(Action::Poor, "poor"),
            Words("nothing here changes a verdict"),
        ],
    }
}
