//! Judging again: the run that is on, and where the person is among those that were.

mod form;
mod live;
mod typed_text;

pub use form::{Field, JudgeForm, SameTask};
pub use live::{ItemState, LiveRun, RunPhase, TierState};
pub use typed_text::TypedText;

use super::{Loadable, Model, ShownRecord};
use crate::domain::RecordId;
use crate::domain::review::{EntryId, Run};
use crate::tui::page::sheet::SheetLine;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the person is on the screen of runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunsPlace {
    /// Among the runs.
    #[default]
    List,
    /// Among the items of one.
    Run(EntryId),
    /// At one item.
    Item(EntryId, usize),
}

/// The screen of runs.
#[derive(Debug, Clone, Default)]
pub struct RunsModel {
    /// The run that is on, or the last one of this console.
    pub live: Option<LiveRun>,
    /// Where the person is.
    pub place: RunsPlace,
    /// The selected run; the first one where there is none.
    pub selected: Option<EntryId>,
    /// The selected item of the run that is open.
    pub item: usize,
    /// Lines of the open item scrolled past.
    pub scroll: usize,
    /// The record that the open item answers, and itself.
    pub original: Loadable<Option<Arc<ShownRecord>>>,
    /// The lines of the run of a task that this record is of.
    pub rounds: Arc<Vec<ShownRecord>>,
    /// Which record that is of.
    pub original_of: Option<(RecordId, u64)>,
    /// The lines of the open item, and what they were made of.
    pub sheet: ItemSheet,
    /// Goes up with everything that those lines are made of.
    pub revision: u64,
    /// Description and acceptance criteria as they were typed, by task; as long as the console runs.
    pub task_texts: BTreeMap<String, [Option<String>; 2]>,
    /// What is awaited by a form.
    pub generation: u64,
}

/// Lines of an item, made once.
#[derive(Debug, Clone, Default)]
pub struct ItemSheet {
    /// Run, item, columns and revision.
    pub key: Option<(EntryId, usize, usize, u64)>,
    /// Lines as drawn, made for that key.
    pub lines: Arc<Vec<SheetLine>>,
}

impl RunsModel {
    /// Whether a run is on.
    pub fn is_on(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.phase != RunPhase::Ended)
    }
}

impl Model {
    /// All runs that are known, the newest first.
    pub fn all_runs(&self) -> Vec<Cow<'_, Run>> {
        let live = self.runs.live.as_ref();
        let known =
            self.labels.ledger.as_ref().map_or(&[][..], |ledger| ledger.present.runs.as_slice());
        let shown = |run: &&Run| live.is_none_or(|live| live.run.id() != run.id());
        let past = known.iter().rev().filter(shown).map(Cow::Borrowed);
        let mut runs: Vec<_> = past.collect();
        if let Some(live) = live {
            // By its time, as another reviewer's may be newer.
            let at = runs.partition_point(|run| run.begun.time > live.run.begun.time);
            runs.insert(at, Cow::Borrowed(&live.run));
        }
        runs
    }

    /// Whether a run is about a task.
    pub fn is_task_run(&self, id: EntryId) -> bool {
        self.run(id).is_some_and(|run| run.begun.what.task.is_some())
    }

    /// A run by its name.
    pub fn run(&self, id: EntryId) -> Option<&Run> {
        let live = self.runs.live.as_ref().map(|live| &live.run).filter(|run| run.id() == id);
        let known =
            || self.labels.ledger.as_ref()?.present.runs.iter().rev().find(|r| r.id() == id);
        live.or_else(known)
    }
}
