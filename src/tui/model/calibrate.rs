//! Which queue is shown, and what is known of the one for calibration.

use super::{BlindMode, QueueKind, Sitting};
use crate::assess::Turn;
use crate::domain::review::Requested;
use crate::domain::{JudgementKind, RecordId, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which queue: its kind and, of the one for calibration, its order and its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueSelection {
    /// What the queue is for.
    pub kind: QueueKind,
    /// The order of the calibration queue.
    pub turn: Turn,
    /// Whose verdicts the calibration queue is about.
    pub family: JudgementKind,
}

/// A day of the window that is not closed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDay {
    /// The UTC day: `2026-11-19`.
    pub day: String,
    /// Its records that wait for a label, as of the making of the queue.
    pub records: Vec<RecordId>,
}

/// State of the calibration, as of the last making of its queue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueState {
    /// Records that the reviewer labelled before and is to label again.
    pub repeats: BTreeSet<RecordId>,
    /// Those of them that the reviewer labelled twice.
    pub thirds: BTreeSet<RecordId>,
    /// Why labels of records are asked for that have one.
    pub requested: BTreeMap<RecordId, Requested>,
    /// Second and third labels that are for others, or for a later day.
    pub later_seconds: usize,
    /// First instant of the window; `None` where none was started.
    pub window: Option<Timestamp>,
    /// Whether anything of what passes is drawn.
    pub audited: bool,
    /// Whole days of the window that are closed, and those that are open.
    pub days: [u64; 2],
    /// Days that labels of the queue close, the earliest first.
    pub open: Vec<OpenDay>,
    /// What to do next, as the report says it: a step each, in that order.
    pub next: Vec<String>,
    /// Whether a KPI is undecided that labels can decide.
    pub needs_labels: bool,
    /// Whether labels of NO-GOs decide soonest, or of what passed; `None` where neither does.
    pub decides: Option<bool>,
}

/// Which kind of queue is shown, and what is known of the one for calibration.
#[derive(Debug, Clone)]
pub struct CalibrateModel {
    /// Which one is shown.
    pub selection: QueueSelection,
    /// The kind that the person chose; `None` where it is still the one by itself.
    pub chosen: Option<QueueKind>,
    /// Whether verdicts are hidden in the calibration queue; each run begins blind.
    pub sight: BlindMode,
    /// State of the calibration.
    pub state: Option<Arc<QueueState>>,
    /// Records that came back in this run, to be labelled again.
    pub repeats: BTreeSet<RecordId>,
    /// Those of them that the reviewer had labelled twice by then.
    pub thirds: BTreeSet<RecordId>,
    /// Why labels of records were asked for in this run.
    pub requested: BTreeMap<RecordId, Requested>,
    /// What was labelled there in this run.
    pub sitting: Sitting,
}

impl CalibrateModel {
    /// As it was left. Who only reads labels nothing, so the calibration is no queue to begin with.
    pub fn restore(chosen: Option<QueueKind>, read_only: bool) -> Self {
        let usable = chosen.filter(|kind| !read_only || *kind != QueueKind::Calibration);
        let kind = usable.unwrap_or_default();
        let selection = QueueSelection { kind, ..QueueSelection::default() };
        let (repeats, thirds, requested) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let sitting = Sitting::default();
        Self {
            selection,
            chosen,
            sight: BlindMode::Blind,
            state: None,
            repeats,
            thirds,
            requested,
            sitting,
        }
    }
}
