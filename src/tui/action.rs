//! All that a person can ask for. Only what stands here can be bound to a key or chosen by name.

use serde::Serialize;

/// What an action may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Danger {
    /// Nothing outside the screen.
    None,
    /// Something outside: a program, the clipboard. Nothing of ours is written.
    External,
    /// Files of ours: refused in `--read-only`.
    Writes,
}

/// What an action is for: its heading in help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Labels and what belongs to them.
    Label,
    /// The queue.
    Triage,
    /// Which records are listed.
    Filter,
    /// The record that is open.
    Record,
    /// Screens and panes.
    Screens,
    /// The cursor.
    Move,
    /// Judging again.
    Judge,
    /// The decision whether the judge may block.
    Gate,
    /// The program itself.
    Program,
}

impl Group {
    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Triage => "triage and override",
            Self::Filter => "filter",
            Self::Record => "record",
            Self::Screens => "screens",
            Self::Move => "move",
            Self::Judge => "re-judge",
            Self::Gate => "readiness",
            Self::Program => "program",
        }
    }
}

macro_rules! actions {
    ($($group:ident {
        $($(#[doc = $doc:literal])+ $name:ident = $text:literal, $danger:ident $(, $synonym:literal)*;)+
    })+) => {
        /// Something a person can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $($($(#[doc = $doc])+ $name,)+)+
        }

        impl Action {
            /// All of them, in the order in which help shows them.
            pub const ALL: &'static [Self] = &[$($(Self::$name,)+)+];

            /// The name in keymaps and in the palette: `half-page-down`.
            pub fn name(self) -> &'static str {
                match self { $($(Self::$name => $text,)+)+ }
            }

            /// What it does, in one sentence.
            pub fn description(self) -> &'static str {
                match self { $($(Self::$name => concat!($($doc),+).trim_ascii(),)+)+ }
            }

            /// Other words for it, by which the palette finds it too.
            pub fn synonyms(self) -> &'static [&'static str] {
                match self { $($(Self::$name => &[$($synonym),*],)+)+ }
            }

            /// What it is for.
            pub fn group(self) -> Group {
                match self { $($(Self::$name => Group::$group,)+)+ }
            }

            /// What it may touch.
            pub fn danger(self) -> Danger {
                match self { $($(Self::$name => Danger::$danger,)+)+ }
            }
        }
    };
}

actions! {
    Label {
        /// Label the marked records, or the selected one, acceptable; go on.
        Acceptable = "acceptable", Writes, "good", "label";
        /// Label the marked records, or the selected one, poor; go on.
        Poor = "poor", Writes, "bad", "label";
        /// Label the marked records, or the selected one, unsure; go on.
        Unsure = "unsure", Writes, "label";
        /// The verdict is wrong: label a NO-GO acceptable, a GO poor.
        Wrong = "wrong-verdict", Writes;
        /// Add a note, a reason and your own scores to your label.
        Note = "note", Writes, "comment", "reason", "scores";
        /// Show the rubric and your team's guideline.
        Guide = "rubric", None, "guideline";
        /// Hide verdicts until you have saved your label, or show them again.
        Blind = "blind", Writes, "hide", "verdicts";
        /// Undo your last label, override, `seen` or `later`, also from earlier sessions.
        Undo = "undo", Writes;
        /// Redo what you undid.
        Redo = "redo", Writes;
        /// Mark or unmark the selected item.
        Mark = "mark", None;
        /// Start a range: move, then label it, or press the key again to mark everything between.
        MarkRange = "mark-range", None;
        /// Save the labels of the pick: marked candidates help, all others do not; go on.
        SavePick = "save-pick", Writes;
    }
    Triage {
        /// Finish the marked items, or the selected one, without a label; go on.
        Seen = "seen", Writes, "done";
        /// Move the marked items, or the selected one, to the end of the queue; go on.
        Later = "later", Writes, "snooze", "postpone";
        /// Override the marked records, or the selected one: accept or reject, with a reason.
        Override = "override", Writes, "accept", "reject", "unblock";
        /// Claim the selected escalation, so that others see who decides it.
        Claim = "claim", Writes;
        /// End the claims of the selected record's task, whoever made them.
        ReleaseClaim = "release-claim", Writes;
        /// Switch between the calibration and the triage queue.
        OtherQueue = "other-queue", None;
        /// Show the records on which reviewers disagree.
        GoConflicts = "conflicts", None;
        /// Show the records that other reviewers are unsure of: the second look.
        GoSecondLook = "second-look", None;
        /// Show what of the calibration queue is assigned to you.
        GoMine = "mine", None;
        /// Show the tasks that wait for a person's decision.
        GoEscalations = "escalations", None;
        /// Sort the list and choose its columns; in the calibration queue: mixed, most informative.
        Order = "order", None, "sort", "columns";
        /// Open the next item of the list, also from a record; there first the next match of a search.
        NextItem = "next-item", None;
        /// Open the previous item, or the previous match.
        PreviousItem = "previous-item", None;
    }
    Filter {
        /// Filter the list.
        Filter = "filter", None, "search", "find";
        /// List each round of a task's run, or each run as one item.
        Rounds = "rounds", None;
        /// Save the filter as a view.
        SaveView = "save-view", Writes;
        /// Open a saved view.
        Views = "views", None;
        /// Look further back.
        WidenWindow = "widen-window", None, "days", "older";
        /// Look less far back.
        NarrowWindow = "narrow-window", None, "days", "newer";
    }
    Record {
        /// Open the selection. Changes nothing.
        Open = "open", None;
        /// Search the text of the record; in a list the same key filters.
        Search = "search", None, "find", "grep";
        /// Go to the next change of the diff, elsewhere to the next finding.
        NextPart = "next-part", None, "hunk", "change", "finding";
        /// Go to the previous change of the diff, elsewhere to the previous finding.
        PreviousPart = "previous-part", None, "hunk", "change", "finding";
        /// Scroll the record down.
        ScrollDown = "scroll-down", None;
        /// Scroll the record up.
        ScrollUp = "scroll-up", None;
        /// Go left: previous tab or cell.
        Left = "left", None;
        /// Go right: next tab or cell.
        Right = "right", None;
        /// Show masked secrets in this record (noted in the message list).
        Reveal = "reveal", None, "secrets", "mask";
        /// Open the judged file, or the record, in your editor.
        Edit = "edit", External;
        /// Open the commit in the browser.
        OpenCommit = "open-commit", External, "browser", "web";
        /// Copy the record's id.
        CopyId = "copy-id", External, "clipboard", "yank";
        /// Copy the record's raw log line.
        CopyRecord = "copy-record", External, "clipboard", "yank", "raw";
        /// Copy the record's commit.
        CopyCommit = "copy-commit", External, "clipboard", "yank", "hash";
        /// Copy the path of the record's first file.
        CopyPath = "copy-path", External, "clipboard", "yank", "file";
        /// Copy the record's finding.
        CopyFinding = "copy-finding", External, "clipboard", "yank";
        /// Copy the address of the record's commit.
        CopyLink = "copy-link", External, "clipboard", "yank", "url";
        /// Copy the command that shows this, or does it.
        CopyCommand = "copy-command", External, "clipboard", "yank", "shell";
        /// Export the list as it is filtered, or the tables of the page, as CSV.
        ExportCsv = "export-csv", Writes, "save", "spreadsheet", "download";
        /// Export the list as it is filtered, or the page, as JSON.
        ExportJson = "export-json", Writes, "save", "download";
        /// Export the list as it is filtered, or the page, as Markdown.
        ExportMarkdown = "export-markdown", Writes, "save", "download";
    }
    Screens {
        /// Show what happened: the overview.
        GoOverview = "overview", None, "home", "dashboard", "new";
        /// Show the queue.
        GoQueue = "queue", None, "triage", "label";
        /// Show all records.
        GoRecords = "records", None;
        /// Show the calibration: the judge's error rates.
        GoCalibration = "calibration", None, "rates", "trend", "errors";
        /// Show the readiness: whether the judge may block.
        GoReadiness = "readiness", None, "ready", "blocking";
        /// Unfold the details under the cursor, or fold them again.
        Unfold = "unfold", None;
        /// Show the runs: what was or is being re-judged.
        GoRuns = "runs", None, "re-judged";
        /// Show the boxes.
        GoBoxes = "boxes", None, "hosts", "blocking";
        /// Show the trends: each rate by day, this week against last, two parts side by side.
        GoTrends = "trends", None, "chart", "compare", "changed";
        /// Go to the next pane.
        NextPane = "next-pane", None;
        /// Go to the previous pane.
        PreviousPane = "previous-pane", None;
        /// Make the list smaller, its record larger.
        ShrinkList = "shrink-list", None;
        /// Make the list larger, its record smaller.
        GrowList = "grow-list", None;
        /// Give the list or its record all of the screen, or share it again.
        Zoom = "zoom", None, "full screen", "maximize";
        /// Go back: close the message, end the search, close the overlay, clear marks, or clear the filter.
        Back = "back", None, "dismiss", "close";
    }
    Move {
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
    }
    Judge {
        /// Re-judge the marked records, or the selected one; a form first shows what would be sent.
        JudgeAgain = "judge-again", Writes, "rejudge", "retry";
        /// Judge a local file; a form first shows what would be sent.
        JudgeFile = "judge-file", Writes;
        /// Repeat the selected run and compare; a form first shows what would be sent.
        RepeatRun = "repeat-run", Writes, "rerun", "compare";
        /// Stop the run after the open requests. `cancel` stops it at once.
        StopRun = "stop-run", None;
    }
    Gate {
        /// Mark the selected runbook step as done.
        StepDone = "step-done", Writes;
        /// Waive the selected rule that blocks READY, with a reason and an end date.
        Waive = "waive", Writes, "waiver", "exception";
        /// Start a calibration window; a running one ends.
        StartWindow = "start-window", Writes;
        /// Set the rate of the audit sample.
        AuditRate = "audit-rate", Writes, "sample";
        /// Let a box block pushes, after a rehearsal on it; a form first shows the steps.
        EnableBox = "enable-box", Writes, "blocking", "switch on";
        /// Return a box to advisory, so that it stops no pushes; a form first asks for a reason.
        RollBackBox = "roll-back-box", Writes, "blocking", "advisory", "switch off";
        /// Check the setup of a box's hook.
        CheckBox = "check-box", External, "hook", "doctor";
        /// Switch calibration, readiness and the calibration queue between pushes, tasks and picks of memories.
        OtherFamily = "other-family", None, "tasks", "memories", "pushes";
        /// Write the readiness report: HTML, Markdown and JSON in the data directory.
        WriteReport = "write-report", Writes, "manager", "print", "share";
        /// Open the report that was written last, in the browser.
        OpenReport = "open-report", External, "manager", "browser";
    }
    Program {
        /// Show all keys; Enter runs the selected one.
        Help = "help", None, "keys";
        /// Run a command by name.
        Palette = "palette", None;
        /// Show all messages of this session.
        Messages = "messages", None, "errors", "log";
        /// Pull from the boxes.
        Pull = "pull", Writes, "refresh", "fetch", "update";
        /// Use the next theme.
        NextTheme = "next-theme", None, "colours", "colors", "dark", "light";
        /// Turn the mouse off or on. While it is on, Shift (Option in iTerm2) selects text as usual.
        Mouse = "mouse", None;
        /// Redraw the screen.
        Redraw = "redraw", None;
        /// Cancel the running task, or clear the text, or quit.
        Cancel = "cancel", None;
        /// Suspend the program; `fg` resumes it.
        Suspend = "suspend", External;
        /// Leave this screen; on the first screen, quit.
        Quit = "quit", None, "exit", "leave";
    }
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
