//! All that the outside must do. Each becomes one task that ends in one message.

use super::model::{
    BoxTask, Change, ListId, QueueSelection, ShownRecord, Tab, TrendsKey, UndoStep,
};
pub use super::model::{Export, ExportForm};
use super::session::{Draft, OverrideDraft};
use crate::assess::{OpenDays, Report};
use crate::calibration::{Candidate, Replay};
use crate::domain::review::{Act, EntryId, OverrideWord};
use crate::domain::{JudgementKind, RecordId, Sort, Window};
use crate::frame::query::Query;
use crate::store::cache::Row;
use crate::store::disposition::Disposition;
use std::path::PathBuf;
use std::sync::Arc;

/// Something to be done outside `update`.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Read the rubric and the guideline of the team.
    Guide,
    /// Open the logs as they are now, beside the archive that is open.
    Open,
    /// Let go of archives before this one: nothing on the screen is of them any more.
    Close {
        /// The first to keep.
        before: u64,
    },
    /// Count a window; ends in two messages, the second with the breakdowns.
    Summarise {
        /// Number of the open archive, from 1.
        edition: u64,
        /// Span of record time that is counted, and the days in it whose verdicts no count may tell; `None` where all
        /// may be told.
        span: (Window, Option<OpenDays>),
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
    },
    /// Assess the judge by its labels; a newer asking of the same family ends it.
    Assess {
        /// Number of the open archive, from 1.
        edition: u64,
        /// Whose evaluations.
        family: JudgementKind,
        /// Whether all that is shown of it is wanted, not only the answer.
        details: bool,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
    },
    /// Find the picks of memories, and what their labels come to; a newer asking ends it.
    Picks {
        /// Number of the open archive, from 1.
        edition: u64,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
    },
    /// Write a readiness report.
    WriteReport(Arc<Report>),
    /// Write a list or a page to a file of its own.
    Export(Box<Export>),
    /// Replay other score rules over labelled records; a newer asking ends it.
    Replay {
        /// Labelled records with their scores.
        records: Arc<Vec<Replay>>,
        /// Rules to replay, in the order of the answer.
        rules: Vec<Candidate>,
        /// Confidence that their bounds share.
        confidence: f64,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
    },
    /// Make a list; a newer asking for the same list ends it.
    List {
        /// Number of the open archive, from 1.
        edition: u64,
        /// The queue or all records.
        list: ListId,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// What it is to hold.
        ask: ListAsk,
    },
    /// Read which records some rows of a list have, to mark them.
    Range {
        /// Number of the open archive, from 1.
        edition: u64,
        /// The queue or all records.
        list: ListId,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// Row numbers in that archive.
        rows: Vec<Row>,
    },
    /// Read the records of some rows.
    Rows {
        /// Number of the open archive, from 1.
        edition: u64,
        /// Row numbers in that archive.
        rows: Vec<Row>,
    },
    /// Read all that is known of one record: its bytes, its history.
    Record {
        /// Number of the open archive, from 1.
        edition: u64,
        /// Row number in that archive.
        row: Row,
        /// Content hash of the record.
        id: RecordId,
        /// Whether secrets are shown.
        reveal: bool,
        /// Whether other records of its file and its task are looked for: that looks through all records.
        history: bool,
    },
    /// Get what was judged from git; a newer asking ends it.
    Content {
        /// Content hash of the record.
        id: RecordId,
        /// Its commit, as written.
        commit: String,
        /// Its files, as written.
        files: Vec<String>,
        /// Name of the box in the configuration.
        box_name: String,
    },
    /// Read how the last pulls of a box went.
    PullLog {
        /// Name of the box in the configuration.
        box_name: String,
    },
    /// Count what came from each box lately.
    Activity {
        /// Number of the open archive, from 1.
        edition: u64,
    },
    /// Count the days; a newer asking ends it.
    Trends {
        /// What is counted.
        key: TrendsKey,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
    },
    /// Pull all boxes.
    Pull,
    /// Begin a task on the hook of a box.
    BoxTask {
        /// Which one of this session.
        number: u64,
        /// What is to be done.
        task: BoxTask,
        /// Whose readiness it rests on.
        family: JudgementKind,
        /// On which box.
        box_name: String,
        /// Why, where a reason was given.
        reason: Option<String>,
    },
    /// Cancel the task on a box; it undoes what it has to, and then ends.
    CancelBoxTask,
    /// Stop the pull, or whatever else runs.
    Stop(Running),
    /// Write down what was done with items.
    Disposition {
        /// Which items, and what.
        changes: Vec<(RecordId, Disposition)>,
        /// Whether the queue must be made again after it.
        relist: bool,
    },
    /// Append an entry to the reviewer's ledger.
    Review {
        /// Its name: the same one is saved once.
        entry: EntryId,
        /// What it does. Labels that correct one's earlier ones come to point at those.
        act: Act,
        /// Records whose earlier label stays beside the new one, and is not corrected: repeats, and
        /// what settles a conflict.
        further: Vec<RecordId>,
    },
    /// Write down that verdicts were shown to the reviewer that were not to be known yet.
    Expose {
        /// Which records.
        records: Vec<RecordId>,
    },
    /// Look whether a newer verdict on the content of a record came.
    Newer {
        /// Number of the open archive, from 1.
        edition: u64,
        /// The record whose content is looked up.
        record: Arc<ShownRecord>,
    },
    /// Keep overrides: in the ledger, noted for their boxes. Nothing is sent by it. None is kept of a
    /// record whose content got a newer verdict.
    Decide(Decision),
    /// Claim an escalation, or end the claims of its task.
    Claim {
        /// The record that is claimed.
        record: RecordId,
        /// Its task, as written.
        task: String,
        /// Name of its box.
        box_name: String,
        /// Which of the two.
        change: ClaimChange,
    },
    /// Take overrides back, or bring them back.
    TakeBack {
        /// The names of the ids of the entries.
        entries: Vec<EntryId>,
        /// The step that holds the overrides.
        step: UndoStep,
        /// Undone or redone.
        change: Change,
    },
    /// Bring what is kept to its box.
    Send {
        /// Ids of the entries.
        entries: Vec<EntryId>,
    },
    /// Keep an override that is typed, or no longer keep it.
    SaveOverrideDraft {
        /// The record that it is of.
        record: RecordId,
        /// What is typed; `None` where there is nothing any more.
        typed: Option<OverrideDraft>,
    },
    /// Keep a note that is typed, or no longer keep it.
    SaveDraft {
        /// The record that it is of.
        record: RecordId,
        /// The note; `None` where there is none any more.
        draft: Option<Draft>,
    },
    /// Keep at hand how far the logs reach in an archive, as its overview is on the screen.
    Looked {
        /// Number of the open archive, from 1.
        edition: u64,
    },
    /// Judge again, or get ready for it.
    Judging(super::judging::JudgingEffect),
    /// Write down that all in the archive was seen.
    MarkSeen {
        /// The archive, the last one that was [`Effect::Looked`] at.
        edition: u64,
    },
    /// Write down how the console is left.
    SaveSession(Box<super::session::Session>),
    /// Put a text on the clipboard.
    Copy {
        /// What it is, for the message.
        what: &'static str,
        /// Plain text, nothing escaped.
        text: Arc<str>,
    },
    /// Open a text in the editor, as a copy that may be changed without harm.
    Edit {
        /// What the copy's name ends with: `.md`, `.json`.
        suffix: &'static str,
        /// Plain text, nothing escaped.
        text: Arc<str>,
    },
    /// Open the page of a commit.
    OpenCommit {
        /// The commit, as written.
        commit: String,
    },
    /// Open a file of this machine as an address is opened.
    OpenFile {
        /// Its absolute path.
        path: PathBuf,
    },
    /// Load a theme by its name.
    Theme(String),
    /// Draw everything again.
    Redraw,
    /// Stop until `fg`.
    Suspend,
    /// Have the terminal report the mouse, or no longer.
    Mouse(bool),
    /// End the console.
    Quit,
}

/// What is done with a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimChange {
    /// The record is claimed.
    Claim,
    /// All claims of its task end.
    Release,
}

/// Overrides that are to be kept, all with one word and one reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The name of the first entry, under which they are answered.
    pub name: EntryId,
    /// Which records, each with the name of its entry: the same one is saved once.
    pub entries: Vec<(EntryId, RecordId)>,
    /// What is to be done.
    pub word: OverrideWord,
    /// Free text; empty where nothing was typed.
    pub reason: String,
    /// A newer verdict that the person saw, and that hinders nothing.
    pub seen: Option<RecordId>,
}

/// What a list is to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct ListAsk {
    /// Only these records.
    pub query: Query,
    /// The span of record time.
    pub window: Window,
    /// The order; a queue that is labelled or settled has its own.
    pub sort: Sort,
    /// Whether records without a label of the reviewer come last: their place would tell their verdicts.
    pub hides: bool,
    /// Which queue; of no matter for the list of records.
    pub selection: QueueSelection,
    /// Whether each round of a task's run is a line of the list of records, not the run.
    pub rounds: bool,
    /// Days whose verdicts it must not tell; `None` where it may tell all.
    pub open_days: Option<OpenDays>,
    /// The record to find again in it.
    pub anchor: Option<RecordId>,
    /// Lines of a screen: so many records around the anchor come with the list.
    pub near: usize,
    /// Marked records, to be looked for in it.
    pub marks: Vec<RecordId>,
}

/// Something that runs and can be stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    /// The pull.
    Pull,
    /// Making a list.
    List(ListId),
    /// Getting content for a tab.
    Content(Tab),
}
