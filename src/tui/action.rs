//! All that a person can ask for. Only what stands here can be bound to a key or chosen by name.

use serde::Serialize;

/// What an action may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Danger {
    /// Nothing outside the screen.
    None,
    /// Something outside: a program, the clipboard. Nothing of ours is written.
    Outward,
    /// Files of ours: refused in `--read-only`.
    Writes,
}

macro_rules! actions {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $danger:ident;)+) => {
        /// Something a person can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Action {
            /// All of them, in the order in which help shows them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The name in keymaps and in the palette: `half-page-down`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What it does, in one sentence.
            pub fn description(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }

            /// What it may touch.
            pub fn danger(self) -> Danger {
                match self { $(Self::$name => Danger::$danger,)+ }
            }
        }
    };
}

actions! {
    /// Go down one line.
    Down = "down", None;
    /// Go up one line.
    Up = "up", None;
    /// Go to the first line.
    First = "first", None;
    /// Go to the last line.
    Last = "last", None;
    /// Go down half a page.
    HalfPageDown = "half-page-down", None;
    /// Go up half a page.
    HalfPageUp = "half-page-up", None;
    /// Go down a page.
    PageDown = "page-down", None;
    /// Go up a page.
    PageUp = "page-up", None;
    /// Go left: the tab before, or the cell before.
    Left = "left", None;
    /// Go right: the next tab, or the next cell.
    Right = "right", None;
    /// Scroll the record down.
    ScrollDown = "scroll-down", None;
    /// Scroll the record up.
    ScrollUp = "scroll-up", None;
    /// Open what is selected. Never changes anything.
    Open = "open", None;
    /// Go back: close what is on top, clear marks, leave a filter.
    Back = "back", None;
    /// Leave this place; on the first screen, quit.
    Quit = "quit", None;
    /// Cancel what runs, else clear what is typed, else quit.
    Cancel = "cancel", None;
    /// Stop the program and give the terminal back to the shell, until `fg`.
    Suspend = "suspend", Outward;
    /// Show what happened: the overview.
    GoOverview = "overview", None;
    /// Show the queue.
    GoQueue = "queue", None;
    /// Switch between the calibration and the triage queue.
    OtherQueue = "other-queue", None;
    /// Show the records on which reviewers differ.
    GoConflicts = "conflicts", None;
    /// Show the records that other reviewers are unsure of: the second look.
    GoSecondLook = "second-look", None;
    /// Show all records.
    GoRecords = "records", None;
    /// Show how often the judge errs: the calibration.
    GoCalibration = "calibration", None;
    /// Show whether the judge may block: the readiness.
    GoReadiness = "readiness", None;
    /// Say that the selected step of a runbook is done.
    StepDone = "step-done", Writes;
    /// Set how much of what passes is drawn for the audit sample.
    AuditRate = "audit-rate", Writes;
    /// Waive the selected rule that blocks READY, with a reason and until a day.
    Waive = "waive", Writes;
    /// Start a calibration window; a running one ends.
    StartWindow = "start-window", Writes;
    /// Write the readiness report: HTML, Markdown and JSON in the data directory.
    WriteReport = "write-report", Writes;
    /// Show what was judged again, and what is: the runs.
    GoRuns = "runs", None;
    /// Show the boxes.
    GoBoxes = "boxes", None;
    /// Go to the next pane.
    NextPane = "next-pane", None;
    /// Go to the pane before.
    PreviousPane = "previous-pane", None;
    /// Filter the list.
    Filter = "filter", None;
    /// Open the next item of the list, from the record as well.
    NextItem = "next-item", None;
    /// Open the item before.
    PreviousItem = "previous-item", None;
    /// Do something by its name.
    Palette = "palette", None;
    /// Show all keys and what they do; Enter does it.
    Help = "help", None;
    /// Show all messages of this run.
    Messages = "messages", None;
    /// Dismiss the message at the bottom.
    Dismiss = "dismiss", None;
    /// Done with the marked items, or the selected one, without a label; go on.
    Seen = "seen", Writes;
    /// Put the marked items, or the selected one, at the end of the queue, and go on.
    Later = "later", Writes;
    /// Label the marked records, or the selected one, acceptable; go on.
    Acceptable = "acceptable", Writes;
    /// Label them poor; go on.
    Poor = "poor", Writes;
    /// Label them unsure; go on.
    Unsure = "unsure", Writes;
    /// The verdict is wrong: label a NO-GO acceptable, a GO poor.
    Wrong = "wrong-verdict", Writes;
    /// Add a note, a reason and your own scores to your label.
    Note = "note", Writes;
    /// Show what to label by: the rubric, and your team's guideline.
    Guide = "rubric", None;
    /// Hide verdicts until you have saved your label, or show them again.
    Blind = "blind", Writes;
    /// Accept or reject marked records, or the selected one, whatever the verdict, with a reason.
    Override = "override", Writes;
    /// Judge the marked records, or the selected one, once more: a form says what would be sent.
    JudgeAgain = "judge-again", Writes;
    /// Judge a file of this machine: a form says what would be sent.
    JudgeFile = "judge-file", Writes;
    /// Judge the contents of the selected run once more, and compare: a form says what would be sent.
    RepeatRun = "repeat-run", Writes;
    /// Stop judging: what is asked is finished, and nothing new begins. `cancel` ends it at once.
    StopRun = "stop-run", None;
    /// Undo what you did last: a label, an override, `seen` or `later`; of earlier runs as well.
    Undo = "undo", Writes;
    /// Redo what was undone.
    Redo = "redo", Writes;
    /// Mark the selected item, or take its mark away.
    Mark = "mark", None;
    /// Start a range: move, then label it, or press the key again to mark everything between.
    MarkRange = "mark-range", None;
    /// Order the queue otherwise: newest, severity, file; for calibration mixed, what decides.
    Order = "order", None;
    /// Look further back.
    WidenWindow = "widen-window", None;
    /// Look less far back.
    NarrowWindow = "narrow-window", None;
    /// Keep the present filter under a name.
    SaveView = "save-view", Writes;
    /// Choose one of the saved views.
    Views = "views", None;
    /// Show what looks like a secret in this record. The message list keeps that you did.
    Reveal = "reveal", None;
    /// Open the judged file, or the record, in your editor.
    Edit = "edit", Outward;
    /// Open the commit in the browser.
    OpenCommit = "open-commit", Outward;
    /// Copy the record's id.
    CopyId = "copy-id", Outward;
    /// Copy the record as it stands in the log.
    CopyRecord = "copy-record", Outward;
    /// Ask the boxes for what is new.
    Pull = "pull", Writes;
    /// Use the next theme.
    NextTheme = "next-theme", None;
    /// Draw the whole screen again.
    Redraw = "redraw", None;
}

impl Action {
    /// Tells whether it acts on the marked records where there are any.
    pub fn takes_marks(self) -> bool {
        use Action::{Acceptable, JudgeAgain, Later, Override, Poor, Seen, Unsure, Wrong};
        matches!(self, Acceptable | Poor | Unsure | Wrong | Seen | Later | Override | JudgeAgain)
    }

    /// Finds an action by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|a| a.name() == name)
    }
}
