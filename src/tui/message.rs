//! All that can happen.

use super::command::Command;
use super::input::Input;
use super::model::{
    AssessmentDetails, BoxEvent, Change, Guide, HighlightedContent, LedgerSnapshot, ListId, Loaded,
    PicksReport, Problem, QueueState, ShownRecord, UndoStep,
};
use crate::assess::{Report, Trends};
use crate::calibration::Replayed;
use crate::domain::review::EntryId;
use crate::domain::{RecordId, Timestamp, Triage};
use crate::overview::{BoxActivity, Breakdowns};
use crate::pull::Event;
use crate::store::cache::Row;
use crate::store::state::PullEntry;
use crate::tui::theme::Theme;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Message {
    /// The rubric and the guideline were read, as far as they can be.
    Guide(Arc<Guide>),
    /// The person, the terminal or a signal.
    Input(Input),
    /// The person, by a line of text.
    Command(Command),
    /// The next pull of `--watch` is due.
    Due,
    /// The clock shows another minute.
    Clock(Timestamp),
    /// So many more bytes of logs were read on the way to opening them.
    Reading(u64),
    /// The logs are open.
    Opened(Loaded),
    /// An archive no longer says what the logs say.
    Outdated(u64),
    /// The logs could not be opened.
    OpenFailed(Problem),
    /// A window was counted.
    Summary {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// The counts, or why there are none.
        result: Result<Arc<Triage>, Problem>,
    },
    /// A window was broken down.
    Breakdowns {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// The breakdowns, or why there are none.
        result: Result<Arc<Breakdowns>, Problem>,
    },
    /// The judge was assessed by its labels.
    Assessed {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// The assessment, or why there is none.
        result: Result<Arc<Report>, Problem>,
    },
    /// What else is shown of an assessment was counted.
    Parts {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// The parts, or why there are none.
        result: Result<Arc<AssessmentDetails>, Problem>,
    },
    /// Picks of memories were found and measured.
    Picks {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// What they come to, or why that is not known.
        result: Result<Arc<PicksReport>, Problem>,
    },
    /// Other score rules were replayed.
    Replayed {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// What each would have done.
        result: Arc<Vec<Replayed>>,
    },
    /// A list was made.
    Listed {
        /// The queue or all records.
        list: ListId,
        /// Number of the open archive, from 1.
        edition: u64,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// The list, or why there is none.
        result: Result<Listing, Problem>,
    },
    /// It was read which records a range of lines has.
    Ranged {
        /// The queue or all records.
        list: ListId,
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// The records, or why they are not known.
        result: Result<Vec<RecordId>, Problem>,
    },
    /// Records of rows were read.
    Rows {
        /// Number of the open archive, from 1.
        edition: u64,
        /// Each row with its record, or why they could not be read.
        result: Result<Vec<(Row, Arc<ShownRecord>)>, Problem>,
        /// Which rows were asked for.
        asked: Vec<Row>,
    },
    /// All that is known of one record was read.
    Record {
        /// Content hash of the record.
        id: RecordId,
        /// Its bytes, its history and, where asked for, its secrets; or why not.
        result: Result<Arc<super::model::RecordDetails>, Problem>,
    },
    /// What was judged was got from git.
    Content {
        /// Content hash of the record.
        id: RecordId,
        /// Content with the kinds of its parts, or why there is none.
        highlighted: Arc<HighlightedContent>,
    },
    /// A box's pull went on.
    Pulling {
        /// Name of the box in the configuration.
        box_name: String,
        /// State or progress of the pull.
        event: Event,
    },
    /// A task on a box went on.
    BoxTask {
        /// Which one of this session.
        number: u64,
        /// What happened.
        event: BoxEvent,
    },
    /// What came from each box was counted.
    Activity {
        /// Number of the archive.
        edition: u64,
        /// By the names of boxes, or why it is not known.
        result: Result<Arc<BTreeMap<String, BoxActivity>>, Problem>,
    },
    /// The days were counted.
    Trends {
        /// Number of the request; answers to older requests are dropped.
        generation: u64,
        /// The trends, or why there are none.
        result: Result<Arc<Trends>, Problem>,
    },
    /// It was read how the last pulls of a box went.
    PullLog {
        /// Name of the box in the configuration.
        box_name: String,
        /// The pulls, the newest first; or why they are not known.
        result: Result<Arc<Vec<PullEntry>>, Problem>,
    },
    /// The pull of all boxes ended.
    Pulled {
        /// Whether anything new came.
        news: bool,
        /// What went wrong, a box each.
        problems: Vec<Problem>,
    },
    /// What was done with items is written down.
    Dispositions {
        /// Whether the queue must be made again.
        relist: bool,
        /// Or why it is not.
        result: Result<(), Problem>,
    },
    /// The ledgers were read.
    Ledger(Result<Arc<LedgerSnapshot>, Problem>),
    /// An entry is on the disk.
    Saved {
        /// Id of the ledger entry.
        entry: EntryId,
        /// Or why it is not.
        result: Result<(), Problem>,
        /// The ledgers as they are now; `None` where they cannot be read.
        ledger: Option<Arc<LedgerSnapshot>>,
    },
    /// It was looked whether a newer verdict came.
    Newer {
        /// Content hash of the record.
        record: RecordId,
        /// Number of the open archive, from 1.
        edition: u64,
        /// Whether the record is still there, and the newest verdict after it; or why that is not
        /// known.
        result: Result<(bool, Option<Arc<ShownRecord>>), Problem>,
    },
    /// Overrides are on the disk.
    Decided {
        /// The name of the first entry that was asked for.
        name: EntryId,
        /// How each fared, or why none is kept.
        result: Result<Vec<OverrideResult>, Problem>,
        /// The ledgers as they are now; `None` where they cannot be read.
        ledger: Option<Arc<LedgerSnapshot>>,
    },
    /// An escalation was claimed, or claims ended.
    Claimed {
        /// What happened, in a sentence; or why nothing did.
        result: Result<String, Problem>,
        /// The ledgers as they are now; `None` where they cannot be read.
        ledger: Option<Arc<LedgerSnapshot>>,
    },
    /// Overrides were taken back, or brought back.
    TakenBack {
        /// The step that holds the overrides.
        step: UndoStep,
        /// Undone or redone.
        change: Change,
        /// Ids of the entries, or why there are none.
        result: Result<Vec<EntryId>, Problem>,
        /// The ledgers as they are now; `None` where they cannot be read.
        ledger: Option<Arc<LedgerSnapshot>>,
    },
    /// Boxes answered about overrides.
    Sent(DeliveryReport),
    /// Judging again went on.
    Judging(super::judging::JudgingEvent),
    /// A report was written.
    ReportWritten {
        /// Its HTML; Markdown and JSON are beside it.
        path: PathBuf,
        /// The same with `~` for the home directory. It may be hostile.
        name: String,
    },
    /// A list or a page was exported.
    Exported {
        /// The file.
        path: PathBuf,
        /// The same with `~` for the home directory. It may be hostile.
        name: String,
    },
    /// Something ended well, and a sentence says what.
    Note(String),
    /// A task failed; the problem is shown.
    Failed(Problem),
    /// A theme was loaded.
    Themed(Arc<Theme>),
}

/// How an override fared: the entry that holds it, and whether it stood there before; or why there is
/// none.
pub type OverrideResult = (RecordId, Result<(EntryId, bool), OverrideRefusal>);

/// Why an override was not kept.
#[derive(Debug, Clone)]
pub struct OverrideRefusal {
    /// The reason, for a reader who knows which record it is. It may be hostile.
    pub why: String,
    /// A newer verdict on the content that the person did not see, where that is the reason.
    pub newest: Option<Arc<ShownRecord>>,
}

/// Answers of boxes that overrides were sent to.
#[derive(Debug, Clone, Default)]
pub struct DeliveryReport {
    /// Entries that were to be sent; none where it was a pull that tried.
    pub asked: Vec<EntryId>,
    /// Those of them that no box confirmed.
    pub left: Vec<EntryId>,
    /// Those that are confirmed now, each with its record and its box. The name of a box is hostile.
    pub confirmed: Vec<(EntryId, RecordId, String)>,
    /// Why others are not.
    pub problems: Vec<Problem>,
    /// The ledgers as they are now; `None` where they cannot be read.
    pub ledger: Option<Arc<LedgerSnapshot>>,
}

/// A list that was made.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Row numbers in the order of the list.
    pub rows: Arc<Vec<Row>>,
    /// Lines it would have without its filter; for the list of records, the same as its rows.
    pub whole: usize,
    /// So many more a store elsewhere has.
    pub beyond: usize,
    /// Records of its span whose verdicts are kept back; where being in the list would tell one, they are not in it.
    pub hidden: usize,
    /// Where the anchor is among them.
    pub at: Option<usize>,
    /// Records around it, read already.
    pub near: Vec<(Row, Arc<ShownRecord>)>,
    /// So many rows at the end were put off.
    pub later: usize,
    /// For each record that was marked, whether it is among the rows.
    pub marks: BTreeMap<RecordId, bool>,
    /// State of the calibration, where it is its queue.
    pub state: Option<Arc<QueueState>>,
}
