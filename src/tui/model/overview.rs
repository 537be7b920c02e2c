//! The overview: its two documents, and the figure that is selected.

use super::Loadable;
use crate::assess::OpenDays;
use crate::domain::{Triage, Window};
use crate::overview::Breakdowns;
use crate::tui::page::Page;
use std::sync::Arc;

/// The overview.
#[derive(Debug, Clone, Default)]
pub struct OverviewModel {
    /// Counts, KPIs, boxes.
    pub summary: Loadable<Arc<Triage>>,
    /// Days, causes, models, agents, paths.
    pub breakdowns: Loadable<Arc<Breakdowns>>,
    /// The selected figure among those that lead to records, from 0.
    pub cursor: usize,
    /// The selected cell, where the figure is a row of cells.
    pub cell: usize,
    /// The first line on the screen.
    pub top: usize,
    /// Its rows, made anew when what they show has changed.
    pub page: Arc<Page>,
    /// Which asking the documents answer, or will.
    pub generation: u64,
    /// The archive that the summary is of, once there is one.
    pub shown: Option<u64>,
    /// What was asked for last.
    pub asked: Option<OverviewKey>,
}

/// What the counts of the overview are of; something else means other counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverviewKey {
    /// Number of the open archive, from 1.
    pub edition: u64,
    /// Span of record time.
    pub window: Window,
    /// Days whose verdicts the counts must not tell.
    pub open_days: Option<OpenDays>,
    /// Counts the changes of the ledger, as long as each may tell more of these days.
    pub labels: u64,
}
