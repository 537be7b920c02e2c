//! The table of the boxes: its columns at a width, and what is known of each box.

use crate::answers::boxes::{BoxFacts, HEADS, Pulling};
use crate::assess::{Begun, BlockingBox, Modes, natural_window};
use crate::domain::{BoxReport, JudgementKind, Timestamp};
use crate::overview::{ACTIVE_DAYS, BoxActivity};
use crate::tui::model::{BoxRunState, Model, PullState};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, cell, fit};
use ratatui::text::Line;

/// Columns of each column with the blanks behind it, in the order of [`HEADS`]; the last is at the right.
const WIDTHS: [usize; 8] = [13, 26, 15, 22, 10, 10, 16, 6];

/// Where there is no room, these go, in this order: window, judge, days, hook, last record.
const DROPPED: [usize; 5] = [4, 3, 6, 2, 5];

/// Columns of the cursor and the blank behind it.
const CURSOR: usize = 2;

/// Which columns there are, and how wide they are.
pub(super) struct Table {
    widths: [usize; 8],
}

impl Table {
    /// What fits into so many columns.
    pub(super) fn new(width: usize) -> Self {
        let mut widths = WIDTHS;
        for at in DROPPED {
            if CURSOR + widths.iter().sum::<usize>() > width {
                widths[at] = 0;
            }
        }
        let all: usize = CURSOR + widths.iter().sum::<usize>();
        match width.checked_sub(all) {
            Some(more) => {
                let name = more.min(12);
                (widths[0], widths[7]) = (widths[0] + name, widths[7] + more - name);
            }
            // The mode gives what lacks.
            None => widths[1] = widths[1].saturating_sub(all - width).max(1),
        }
        Self { widths }
    }

    /// The heads.
    pub(super) fn heads(&self, pen: &Pen<'_>) -> Line<'static> {
        let cells = HEADS.map(|head| (Role::Dim, head.to_owned()));
        self.line(pen, "  ", cells)
    }

    /// The row of a box.
    pub(super) fn row(&self, pen: &Pen<'_>, here: bool, facts: &BoxFacts<'_>) -> Line<'static> {
        let cursor = format!("{} ", if here { pen.glyphs.cursor } else { " " });
        let cells = facts.cells(pen.glyphs).map(|piece| (piece.role, piece.text));
        self.line(pen, &cursor, cells)
    }

    fn line(&self, pen: &Pen<'_>, cursor: &str, cells: [(Role, String); 8]) -> Line<'static> {
        let last = cells.len() - 1;
        let columns = cells.into_iter().zip(self.widths).enumerate();
        let shown =
            columns.filter(|(_, (_, width))| *width > 0).map(|(at, ((role, text), width))| {
                let text = match at == last {
                    true => format!("{:>width$}", fit(&text, width)),
                    false => cell(&fit(&text, width.saturating_sub(1)), width),
                };
                (role, text)
            });
        let parts: Vec<(Role, String)> = shown.collect();
        let parts = parts.iter().map(|(role, text)| (*role, text.as_str()));
        pen.line(std::iter::once((Role::Mark, cursor)).chain(parts))
    }
}

/// What is looked up for all boxes at once.
pub(super) struct Known<'a> {
    model: &'a Model,
    modes: Modes,
    begun: Option<Begun>,
    busiest: u64,
}

impl<'a> Known<'a> {
    /// What a model knows.
    pub(super) fn new(model: &'a Model) -> Self {
        let ledger = model.labels.ledger.as_ref();
        let family = JudgementKind::DEFAULT;
        let all = model.boxes.activity.value.iter().flat_map(|all| all.values());
        Self {
            model,
            modes: model.modes(),
            begun: ledger.and_then(|of| natural_window(&of.present, family, model.now)),
            busiest: all.flat_map(|of| of.days).max().unwrap_or(0),
        }
    }

    /// What is known of a box.
    pub(super) fn facts(&self, report: &'a BoxReport) -> BoxFacts<'a> {
        let model = self.model;
        let activity = model.boxes.activity.value.as_deref();
        BoxFacts {
            report,
            blocking: blocking(model, report),
            checked: self.checked(&report.name),
            activity: activity.map(|all| all.get(&report.name).unwrap_or(&NOTHING)),
            busiest: self.busiest,
            window_day: self.window_day(&report.name),
            pulling: pulling(model, &report.name),
            now: model.now,
        }
    }

    /// When the hook of a box was last looked at: when it was switched, or checked in this session.
    fn checked(&self, name: &str) -> Option<Timestamp> {
        let switched = self.modes.of_box(name).filter(|of| of.set.is_some());
        // A waiver ends by the clock: nobody looked at the hook then.
        let switched = switched.map(|of| match of.waiver() {
            Some(_) => of.switched_at,
            None => of.since.max(of.switched_at),
        });
        let run = self.model.boxes.run.as_ref().filter(|run| run.box_name == name);
        let ended = run.and_then(|run| match &run.state {
            BoxRunState::Ended(end) if end.succeeded => run.steps.last().map(|(at, _)| *at),
            _ => None,
        });
        ended.max(switched)
    }

    /// Whole days of the window, where the box is in it: one with the natural start names its boxes.
    fn window_day(&self, name: &str) -> Option<u64> {
        let window = self.model.operation.as_ref()?.window.filter(|window| window.day > 0)?;
        let is_in = self.begun.as_ref().is_none_or(|begun| {
            let mut all = begun.start.boxes.iter().chain(begun.added.iter().map(|(of, _)| of));
            all.any(|of| of == name)
        });
        is_in.then_some(window.day)
    }
}

/// Nothing came from a box of which nothing is counted.
static NOTHING: BoxActivity = BoxActivity { last: None, judge: None, days: [0; ACTIVE_DAYS] };

/// Why a box blocks, where it does.
pub(super) fn blocking<'a>(model: &'a Model, report: &BoxReport) -> Option<&'a BlockingBox> {
    let all = &model.operation.as_ref()?.blocking;
    all.iter().find(|of| of.name.as_deref() == Some(report.name.as_str()))
}

/// How far the pull of a box is, where it has not ended.
fn pulling(model: &Model, name: &str) -> Option<Pulling> {
    match model.pulls.boxes.get(name).filter(|_| model.pulls.running)? {
        PullState::Connecting | PullState::Listing => Some(Pulling::Waiting),
        PullState::Fetching { of: 0, .. } => Some(Pulling::Waiting),
        PullState::Fetching { got, of } => Some(Pulling::Fetched(got.min(of) * 100 / of)),
        PullState::Ended(_) => None,
    }
}
