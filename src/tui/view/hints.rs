//! What is worth a hint in each place: the actions in the footer.

use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, QueueKind, RunsPlace, Screen};

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
        (Screen::Trends, _) => TRENDS,
        (Screen::Queue, Pane::List) if labelling => LABELLING,
        (Screen::Queue, Pane::Record) if labelling => LABELLING_RECORD,
        (Screen::Queue, Pane::List) => QUEUE,
        (Screen::Queue, Pane::Record) => QUEUE_RECORD,
        (Screen::Records, Pane::List) => RECORDS,
        (Screen::Records, Pane::Record) => RECORD,
    }
}

/// A word for what the second key of two does.
pub(super) fn second(action: Action) -> &'static str {
    match action {
        Action::CopyId => "id",
        Action::CopyCommit => "commit",
        Action::CopyPath => "path",
        Action::CopyFinding => "finding",
        Action::CopyLink => "link",
        Action::CopyCommand => "command",
        Action::ExportCsv => "CSV",
        Action::ExportJson => "JSON",
        Action::ExportMarkdown => "Markdown",
        other => other.name(),
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
    (Action::Open, "open"),
    (Action::Unfold, "details"),
    (Action::Waive, "waive"),
    (Action::OtherFamily, ""),
    (Action::NextPane, "next block"),
    (Action::StepDone, "step is done"),
    (Action::AuditRate, "audit rate"),
    (Action::WriteReport, "write the report"),
    (Action::OpenReport, "open it"),
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

const TRENDS: Hints = &[
    (Action::Open, "that day's records"),
    (Action::Down, "next figure"),
    (Action::Left, "day before"),
    (Action::NextPane, "next table"),
    (Action::OtherFamily, ""),
    (Action::WidenWindow, "look further back"),
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
    (Action::Order, "sort"),
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
    (Action::Order, "sort"),
    (Action::Open, "read"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::Right, "tab"),
    (Action::WidenWindow, "look further back"),
    (Action::ExportCsv, "export"),
    (Action::Quit, "back"),
];

const RECORD: Hints = &[
    (Action::Right, "next tab"),
    (Action::Acceptable, "acceptable"),
    (Action::Poor, "poor"),
    (Action::Unsure, "unsure"),
    (Action::NextItem, "next"),
    (Action::JudgeAgain, "judge again"),
    (Action::Search, "search"),
    (Action::Edit, "editor"),
    (Action::OpenCommit, "commit"),
    (Action::Back, "list"),
];
