//! What the console knows and where the person is in it.
//!
//! A plain value: `update` is the only place that changes it, `view` only reads it.

mod assess;
mod blind;
mod blocking;
mod box_task;
mod boxes;
mod calibrate;
mod decide;
mod export;
mod form;
mod gate;
mod guide;
mod key_context;
mod labels;
mod ledger_snapshot;
mod list;
mod list_key;
mod load;
mod notice;
mod operation;
mod overlay;
mod overview;
mod pane;
mod picks;
mod pulls;
mod record;
mod rows;
mod runs;
mod sealed_row;
mod search;
mod shown_record;
mod sitting;
mod start;
mod trends;
mod undo;

pub use crate::report::label::agrees;
pub use crate::tui::page::picks_report::{PickAssessment, PickMode, PicksReport};
pub use crate::tui::session::{Arrangement, BlindMode, Days, QueueKind, Screen, Tab};
pub use assess::{AssessModel, AssessmentDetails, PageKey, PageModel, RULES_SHOWN, Rules};
pub use box_task::{BoxEnd, BoxEvent, BoxForm, BoxRun, BoxRunState, BoxTask};
pub use boxes::BoxesModel;
pub use calibrate::{CalibrateModel, OpenDay, QueueSelection, QueueState};
pub use decide::{Marked, Newer, OverrideForm, PendingOverrides, name_of};
pub use export::{
    Export, ExportForm, ExportHides, ExportSource, ExportedDocument, ExportedRecords, WrittenFile,
};
pub use form::{Form, FormKind, WAIVER_DAYS, WindowBegins};
pub use gate::Gate;
pub use guide::{Guide, GuideModel, GuidePage, Guideline};
pub use key_context::key_context;
pub use labels::{Labelling, Labels, OwnLabel, Pending};
pub use ledger_snapshot::LedgerSnapshot;
pub use list::List;
pub use list_key::{Filter, ListId, ListKey};
pub use load::{Load, Loadable, Loaded};
pub use notice::{Level, Notice, Notices, Problem};
pub use operation::OperationKey;
pub use overlay::{Menu, NoteLine, NoteTarget, Overlay, Prompt, PromptKind, Question};
pub use overview::{OverviewKey, OverviewModel};
pub use pane::Pane;
pub use picks::{CandidateCard, PickCard, PicksKey, PicksModel, PicksPage, Subject};
pub use pulls::{PullState, Pulls};
pub use record::{HighlightedContent, RecordDetails, RecordModel};
pub use rows::RowCache;
pub use runs::{
    Field, ItemSheet, ItemState, JudgeForm, LiveRun, RunPhase, RunsModel, RunsPlace, SameTask,
    TierState, TypedText,
};
pub(in crate::tui) use sealed_row::sealed_row;
pub use search::TextSearch;
pub use shown_record::ShownRecord;
pub use sitting::{LabelSet, Sitting, SittingLabel};
pub use start::{Preferences, Start};
pub use trends::{TrendsKey, TrendsModel, TrendsPageKey};
pub use undo::{Change, DispositionChanges, UndoHistory, UndoStep, UndoSteps};

use super::key::Key;
use super::keymap::Keymap;
use super::session::{ListPosition, Session, View};
use super::theme::{Glyphs, Theme};
use crate::assess::Operation;
use crate::domain::{ByKind, JudgementKind, Timestamp, Window};
use crate::text::CommandLine;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// All state of the console; only `update` changes it.
#[derive(Debug, Clone)]
pub struct Model {
    /// What does not change while the console runs.
    pub facts: Facts,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The time, as of the last key or the last full minute.
    pub now: Timestamp,
    /// Styles by role.
    pub theme: Arc<Theme>,
    /// Characters for signs, bars and borders.
    pub glyphs: &'static Glyphs,
    /// Which key does what.
    pub keymap: Arc<Keymap>,
    /// Where the person is.
    pub screen: Screen,
    /// Which part of a screen with a list has the keys.
    pub pane: Pane,
    /// What lies above the screen.
    pub overlay: Option<Overlay>,
    /// The open logs; `None` until they are opened once.
    pub loaded: Option<Loaded>,
    /// Archives before this one were let go of.
    pub closed: u64,
    /// Bytes of logs read so far on the way to opening them; and whether that failed.
    pub opening: Loadable<u64>,
    /// How far the overview and the list of records look back.
    pub days: Days,
    /// The overview.
    pub overview: OverviewModel,
    /// The queue.
    pub queue: List,
    /// Which kind of queue it is, and what is known of the one for calibration.
    pub calibrate: CalibrateModel,
    /// The list of all records of the window.
    pub records: List,
    /// Whose calibration, readiness and calibration queue are shown.
    pub family: JudgementKind,
    /// Calibration and readiness of each family.
    pub assessments: ByKind<AssessModel>,
    /// Picks of memories.
    pub picks: PicksModel,
    /// Judging again.
    pub runs: RunsModel,
    /// The boxes.
    pub boxes: BoxesModel,
    /// How the judge did from day to day.
    pub trends: TrendsModel,
    /// The record that is shown.
    pub record: RecordModel,
    /// What is labelled by.
    pub guide: GuideModel,
    /// How the operation is doing; `None` before the ledgers are read.
    pub operation: Option<Operation>,
    /// What that was taken from.
    pub operation_of: Option<OperationKey>,
    /// Records of rows that are, or were just, on the screen.
    pub rows: RowCache,
    /// Which verdicts may be seen.
    pub gate: Gate,
    /// The pull that runs, or the last one.
    pub pulls: Pulls,
    /// Notices, the latest last.
    pub notices: Notices,
    /// What can be undone.
    pub history: UndoHistory,
    /// Labels and overrides of records.
    pub labels: Labels,
    /// Saved filters, each with a name.
    pub views: Vec<View>,
    /// Views that were deleted in this run, the last one at the end.
    pub deleted_views: Vec<View>,
    /// The views as they were when this console began.
    pub views_before: Vec<View>,
    /// Filters that held, the last one first.
    pub filters: Vec<String>,
    /// Screens whose hint was dismissed.
    pub hinted: BTreeSet<Screen>,
    /// What was chosen in the console and holds in the next run too.
    pub preferences: Preferences,
    /// Whether the terminal reports the mouse.
    pub mouse: bool,
    /// The last archive whose overview was on the screen.
    pub looked: Option<u64>,
    /// The first key of two, while the second is waited for.
    pub first_key: Option<Key>,
    /// The report that was written last in this run.
    pub report: Option<PathBuf>,
    /// The file that was written last in this run.
    pub written: Option<WrittenFile>,
    /// Number of the last thing asked for; an answer to an older one is dropped.
    pub generation: u64,
    /// Whether the console is to end.
    pub ended: bool,
}

/// What does not change while the console runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Nothing may be written.
    pub read_only: bool,
    /// The data are made up.
    pub demo: bool,
    /// What commands on the screen are completed with.
    pub command_line: CommandLine,
    /// Pull again and again, with so many seconds between.
    pub watch: Option<u32>,
    /// The window by itself.
    pub days: Days,
    /// Whether there is anything to pull from.
    pub boxes: bool,
    /// The logs are given by path: no box takes overrides of them.
    pub given: bool,
    /// The logs are those of the store that operators share.
    pub fleet: bool,
    /// Whether the mouse is used from the beginning.
    pub mouse: bool,
    /// Names of the boxes that are offered first where one is to block.
    pub may_block: Vec<String>,
    /// Names of the themes, in the order of [`super::action::Action::NextTheme`].
    pub themes: Vec<String>,
    /// Items flagged before this stay out of the queue; `None` where all of given logs are in it.
    pub queue_since: Option<Timestamp>,
    /// The address of a commit, with `{commit}` in it.
    pub commit_url: Option<String>,
    /// Whether the terminal makes links of what leads elsewhere.
    pub hyperlinks: bool,
    /// Whether this is the first time: hints are shown.
    pub first_run: bool,
    /// Reviewer, reasons and the size of sets.
    pub labelling: Labelling,
}

impl Model {
    /// What to do about a problem, with the options of the run in its commands.
    pub fn next_step<'p>(&self, problem: &'p Problem) -> Cow<'p, str> {
        self.facts.command_line.complete(&problem.next)
    }

    /// The console before anything is loaded.
    pub fn new(start: Start) -> Self {
        let Start { facts, now, size, theme, glyphs, keymap, session, preferences, problems } =
            start;
        let Session { screen, days, queue, records, order, tab, views, filters, before, .. } =
            session;
        let labels = Labels::restore(session.sight, session.drafts, session.typed, &facts);
        let mut model = Self {
            size,
            now,
            theme,
            glyphs,
            keymap,
            screen,
            pane: Pane::List,
            overlay: None,
            loaded: None,
            closed: 0,
            opening: Loadable::busy(),
            days: days.unwrap_or(facts.days),
            overview: OverviewModel::default(),
            queue: List::new(ListId::Queue),
            calibrate: CalibrateModel::restore(session.queue_kind, facts.read_only),
            records: List::new(ListId::Records),
            family: JudgementKind::default(),
            assessments: ByKind::default(),
            picks: PicksModel::default(),
            runs: RunsModel::default(),
            boxes: BoxesModel::default(),
            trends: TrendsModel::default(),
            record: RecordModel { tab, ..RecordModel::default() },
            guide: GuideModel::default(),
            operation: None,
            operation_of: None,
            rows: RowCache::default(),
            gate: Gate::new(facts.labelling.reviewer.clone()),
            pulls: Pulls::default(),
            notices: Notices::new(facts.command_line),
            history: UndoHistory::default(),
            labels,
            views,
            deleted_views: Vec::new(),
            views_before: before,
            preferences,
            mouse: facts.mouse,
            filters,
            hinted: BTreeSet::new(),
            looked: None,
            first_key: None,
            report: None,
            written: None,
            generation: 0,
            ended: false,
            facts,
        };
        model.restore(order, queue, records);
        for problem in problems {
            model.notices.push(Level::Warning, problem.text, problem.next, now);
        }
        model
    }

    /// Takes the lists up as they were left. Until version 0.3 the queue alone had an order, with a name of its own.
    fn restore(&mut self, order: String, queue: ListPosition, records: ListPosition) {
        let sort = if queue.sort.is_empty() { order } else { queue.sort };
        self.queue.restore(ListPosition { sort, ..queue });
        self.records.restore(records);
    }

    /// The span of record time that the overview and the list of records look at.
    pub fn window(&self) -> Window {
        self.days.window(self.now)
    }

    /// Whether the screen is a page of figures with a cursor.
    pub fn is_page(&self) -> bool {
        use Screen::{Calibration, Overview, Readiness, Trends};
        matches!(self.screen, Overview | Calibration | Readiness | Trends)
    }

    /// The list on the screen, where there is one.
    pub fn list(&self) -> Option<&List> {
        match self.screen {
            Screen::Queue => Some(&self.queue),
            Screen::Records => Some(&self.records),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn list_mut(&mut self) -> Option<&mut List> {
        match self.screen {
            Screen::Queue => Some(&mut self.queue),
            Screen::Records => Some(&mut self.records),
            _ => None,
        }
    }

    /// How the list on the screen shares it with its record.
    pub fn arrangement(&self) -> Arrangement {
        let of = |list: &List| if self.in_calibration() { list.beside } else { list.arrangement };
        self.list().map_or_else(Arrangement::default, of)
    }

    /// The same, to be changed; `None` where there is no list.
    pub fn arrangement_mut(&mut self) -> Option<&mut Arrangement> {
        let is_beside = self.in_calibration();
        let list = self.list_mut()?;
        Some(if is_beside { &mut list.beside } else { &mut list.arrangement })
    }

    /// A list by its name.
    pub fn list_of(&mut self, id: ListId) -> &mut List {
        match id {
            ListId::Queue => &mut self.queue,
            ListId::Records => &mut self.records,
        }
    }

    /// The record that is selected in the list on the screen, where it is read already.
    pub fn selected(&self) -> Option<&Arc<ShownRecord>> {
        let list = self.list()?;
        self.rows.get(list.edition, list.row(list.cursor)?)
    }

    /// Looks further back, or less far.
    pub fn choose_days(&mut self, days: Days) {
        self.days = days;
        if !self.preferences.days_once {
            self.preferences.days = Some(days);
        }
    }

    /// Gives the next number for something asked for.
    pub fn next_generation(&mut self) -> u64 {
        self.generation += 1;
        self.generation
    }

    /// How the console is to be left.
    pub fn session(&self) -> Session {
        Session {
            screen: self.screen,
            days: self.preferences.days,
            queue: self.queue.position(),
            records: self.records.position(),
            tab: self.record.open_tab(),
            theme: self.preferences.theme.clone(),
            views: self.views.clone(),
            filters: self.filters.clone(),
            sight: self.labels.sight,
            queue_kind: self.calibrate.chosen,
            before: self.views_before.clone(),
            ..Session::default()
        }
    }
}
