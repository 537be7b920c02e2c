//! What is worth a hint in each place: the actions in the footer, and the sentence of the first run.

use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, QueueKind, RunsPlace, Screen};
use Part::{Key, Words};

/// Actions with their words, those first that matter most.
type Hints = &'static [(Action, &'static str)];

/// Actions for the footer where the person is now. The words of [`Action::OtherQueue`] are the name of that
/// queue, those of [`Action::OtherFamily`] what that family is of.
pub(super) fn footer(model: &Model) -> Hints {
    let labelling = model.calibrate.selection.kind != QueueKind::Triage;
    match (model.screen, model.pane) {
        (Screen::Overview, _) => OVERVIEW,
        (Screen::Calibration, _) if model.picks.mode.is_some() => PICKS,
        (Screen::Readiness, _) if model.picks.mode.is_some() => PICKS_READINESS,
        (Screen::Calibration, _) => CALIBRATION,
        (Screen::Readiness, _) => READINESS,
        (Screen::Runs, _) => match model.runs.place {
            RunsPlace::Item(run, _) if model.is_task_run(run) => TASK,
            RunsPlace::Item(..) => ITEM,
            RunsPlace::List | RunsPlace::Run(_) => RUNS,
        },
        (Screen::Boxes, _) => BOXES,
        (Screen::Queue, Pane::List) if labelling => LABELLING,
        (Screen::Queue, Pane::Record) if labelling => LABELLING_RECORD,
        (Screen::Queue, Pane::List) => QUEUE,
        (Screen::Queue, Pane::Record) => QUEUE_RECORD,
        (Screen::Records, Pane::List) => RECORDS,
        (Screen::Records, Pane::Record) => RECORD,
    }
}

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

const OVERVIEW: Hints = &[
    (Action::GoQueue, "queue"),
    (Action::Open, "show records"),
    (Action::Right, "next cell"),
    (Action::NextPane, "next block"),
    (Action::WidenWindow, "look further back"),
    (Action::Pull, "pull"),
    (Action::Quit, "quit"),
];

const CALIBRATION: Hints = &[
    (Action::Down, "next figure"),
    (Action::Open, "show records"),
    (Action::Right, "cell or slider"),
    (Action::NextPane, "next block"),
    (Action::OtherFamily, ""),
    (Action::GoReadiness, "readiness"),
    (Action::Back, "back"),
];

const READINESS: Hints = &[
    (Action::Down, "next"),
    (Action::Open, "show records"),
    (Action::Waive, "waive"),
    (Action::OtherFamily, ""),
    (Action::NextPane, "next block"),
    (Action::StepDone, "step is done"),
    (Action::AuditRate, "audit rate"),
    (Action::WriteReport, "write the report"),
    (Action::StartWindow, "start a window"),
    (Action::EnableBox, "let a box block"),
    (Action::GoCalibration, "calibration"),
    (Action::Back, "back"),
];

const PICKS: Hints = &[
    (Action::Mark, "helps"),
    (Action::SavePick, "save"),
    (Action::Later, "later"),
    (Action::Undo, "undo"),
    (Action::Down, "next candidate"),
    (Action::OtherFamily, ""),
    (Action::GoReadiness, "readiness"),
    (Action::NextItem, "next pick"),
    (Action::Back, "back"),
];

const PICKS_READINESS: Hints = &[
    (Action::Down, "next"),
    (Action::OtherFamily, ""),
    (Action::GoCalibration, "label"),
    (Action::Back, "back"),
];

const ITEM: Hints = &[
    (Action::Down, "scroll"),
    (Action::Right, "next item"),
    (Action::StopRun, "stop"),
    (Action::Cancel, "end at once"),
    (Action::Back, "back"),
];

const TASK: Hints = &[
    (Action::Down, "scroll"),
    (Action::StopRun, "stop"),
    (Action::Cancel, "end at once"),
    (Action::RepeatRun, "judge again"),
    (Action::Back, "back"),
];

const RUNS: Hints = &[
    (Action::Open, "open"),
    (Action::Down, "next"),
    (Action::StopRun, "stop"),
    (Action::Cancel, "end at once"),
    (Action::RepeatRun, "judge again"),
    (Action::JudgeFile, "judge a file"),
    (Action::Back, "back"),
];

const BOXES: Hints = &[
    (Action::Open, "its records"),
    (Action::Pull, "pull"),
    (Action::CheckBox, "check"),
    (Action::EnableBox, "let it block"),
    (Action::RollBackBox, "roll back"),
    (Action::HalfPageDown, "scroll"),
    (Action::Messages, "messages"),
    (Action::Back, "back"),
];

const LABELLING: Hints = &[
    (Action::Open, "read"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::Note, "note"),
    (Action::Guide, "rubric"),
    (Action::Undo, "undo"),
    (Action::OtherQueue, ""),
    (Action::Right, "tab"),
    (Action::Later, "later"),
    (Action::Order, "order"),
    (Action::Blind, "blind"),
];

const LABELLING_RECORD: Hints = &[
    (Action::Right, "next tab"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::Note, "note"),
    (Action::Guide, "rubric"),
    (Action::NextItem, "next"),
    (Action::Edit, "editor"),
    (Action::Back, "list"),
];

const QUEUE: Hints = &[
    (Action::Open, "read"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::Seen, "seen"),
    (Action::Later, "later"),
    (Action::Right, "tab"),
    (Action::OtherQueue, ""),
    (Action::Filter, "filter"),
    (Action::Order, "order"),
    (Action::Mark, "mark"),
    (Action::Undo, "undo"),
    (Action::JudgeAgain, "judge again"),
];

const QUEUE_RECORD: Hints = &[
    (Action::Right, "next tab"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::NextItem, "next"),
    (Action::Seen, "seen"),
    (Action::Later, "later"),
    (Action::JudgeAgain, "judge again"),
    (Action::Edit, "editor"),
    (Action::Back, "list"),
];

const RECORDS: Hints = &[
    (Action::Filter, "filter"),
    (Action::Open, "read"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::Right, "tab"),
    (Action::WidenWindow, "look further back"),
    (Action::CopyId, "copy id"),
    (Action::Back, "back"),
];

const RECORD: Hints = &[
    (Action::Right, "next tab"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::NextItem, "next"),
    (Action::JudgeAgain, "judge again"),
    (Action::CopyRecord, "copy"),
    (Action::Edit, "editor"),
    (Action::OpenCommit, "commit"),
    (Action::Back, "list"),
];
