//! The second step: where, when and by whom.

use super::axis::{Axis, Place, Span, Step};
use super::groups::{Groups, Kind};
use super::heat::Heat;
use super::hidden::{Hidden, LeftOut};
use super::part::{self, Part};
use super::scores::{self, ScoreStrip};
use super::what::{EVALUATION, What, query, with_outcome};
use crate::collect::Collected;
use crate::domain::review::Reviews;
use crate::domain::{Cause, JudgementKind, Outcome, Timestamp, Window};
use crate::frame::grid::{Grid, Sums};
use crate::frame::query::{CauseTest, Node, Query, Scope, Term};
use crate::frame::trend::Rate;
use crate::store::cache::{Archive, CacheError};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Where, when and by whom, over a window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Breakdowns {
    /// When it was counted.
    pub generated: Timestamp,
    /// The span of record time it speaks of, and over which every filter is to be run.
    pub window: Window,
    /// The filter for each count of a part, by its name in JSON; of scores, by the dimension.
    pub filters: BTreeMap<&'static str, String>,
    /// The whole window.
    pub whole: Part,
    /// Runs of tasks that wait for a person.
    pub escalations: u64,
    /// Pushes whose verdicts are hidden and that counts leave out, since so few would tell them.
    #[serde(skip)]
    pub left_out: LeftOut,
    /// A bar a day, week or month.
    pub days: Days,
    /// Scores over time and their distribution, in the order of [`crate::domain::Dimension::ALL`].
    pub scores: [ScoreStrip; 3],
    /// Boxes by the bars' spans.
    pub heat: Heat,
    /// Why units are UNDETERMINED, the most frequent cause first.
    pub causes: Vec<CauseRow>,
    /// By judge: the one that answered where that is known, else the one asked for.
    pub models: Groups,
    /// By who wrote the content.
    pub agents: Groups,
    /// By the first directory of the judged files. A record with files in several is in the row
    /// of each, so rows do not add up.
    pub paths: Groups,
    /// By the headings and dimensions of the terms of quality that the judge's words have. A record with
    /// terms of several is in the row of each, so rows do not add up.
    pub terms: Groups,
}

/// Bars in the order of time, each next to the one before it, and what is outside of them all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Days {
    /// What a bar is.
    pub step: Step,
    /// At least one, at most 62. One of a week or month may reach beyond the window.
    pub bars: Vec<Bar>,
    /// Records of the window before the first bar, where there are any.
    pub earlier: Option<Part>,
    /// Records after the last bar, where there are any: dated ahead of the clock.
    pub later: Option<Part>,
    /// Records without a usable time, where the window holds them.
    pub undated: Option<Part>,
}

/// A bar: zeros where nothing came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    /// Its days.
    #[serde(flatten)]
    pub span: Span,
    /// What is in it.
    #[serde(flatten)]
    pub part: Part,
    /// GO among its units.
    pub go_rate: Rate,
}

/// A cause of UNDETERMINED units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CauseRow {
    /// Which; `None` where none is known.
    pub cause: Option<Cause>,
    /// Its share in the UNDETERMINED units: `numerator` is how many it caused.
    pub share: Rate,
    /// The filter for them.
    #[serde(serialize_with = "part::text")]
    pub query: Query,
}

/// Counts the window in one pass; `None` where `cancel` said so, which is asked now and then.
/// `reviews` has the overrides in ledgers: a task that one settles waits for nobody. Of `hidden` pushes nothing is told.
///
/// # Errors
/// A cache that cannot be read.
pub fn breakdowns(
    archive: &Archive,
    collected: &Collected,
    window: Window,
    (reviews, hidden, now): (&Reviews, &Hidden, Timestamp),
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Breakdowns>, CacheError> {
    let names = collected.boxes.iter().map(|b| b.name.clone()).collect();
    let scope = Scope { boxes: archive.boxes(), now, reviews };
    let waiting = archive.list(&super::what::escalations(), &scope, window, cancel)?;
    let grid = archive.grid(JudgementKind::DEFAULT, window, cancel)?;
    let counted = grid.zip(waiting);
    Ok(counted.map(|(mut grid, waiting)| {
        let left_out = hidden.leave_out(&mut grid);
        Breakdowns {
            escalations: waiting.len() as u64,
            left_out,
            ..Breakdowns::new(&grid, names, archive.boxes(), window, now)
        }
    }))
}

impl Breakdowns {
    fn new(
        grid: &Grid,
        names: Vec<String>,
        boxes: &[String],
        window: Window,
        now: Timestamp,
    ) -> Self {
        let found: BTreeSet<i32> = grid.cells.keys().filter_map(|(day, _)| *day).collect();
        let axis = Axis::new(window, now, &found);
        let days = Days::new(grid, &axis);
        let mut whole = Sums::default();
        grid.cells.values().for_each(|sums| whole.merge(sums));
        Self {
            generated: now,
            window,
            filters: What::ALL.map(|w| (w.as_str(), w.filter().to_string())).into(),
            scores: scores::strips(grid, &whole, &days.bars),
            heat: Heat::new(grid, &axis, names, boxes),
            causes: causes(grid),
            models: Groups::new(Kind::Judge, &grid.judges),
            agents: Groups::new(Kind::Author, &grid.authors),
            paths: Groups::new(Kind::Path, &grid.paths),
            terms: Groups::new(Kind::Term, &grid.terms),
            whole: Part::new(Vec::new(), whole),
            escalations: 0,
            left_out: LeftOut::default(),
            days,
        }
    }
}

impl Days {
    fn new(grid: &Grid, axis: &Axis) -> Self {
        let mut bars = vec![Sums::default(); axis.spans.len()];
        let [mut earlier, mut later, mut undated] = [Sums::default(); 3];
        for ((day, _), sums) in &grid.cells {
            let all = match day.map(|day| axis.place(day)) {
                None => Some(&mut undated),
                Some(Place::Before) => Some(&mut earlier),
                Some(Place::After) => Some(&mut later),
                Some(Place::At(i)) => bars.get_mut(i),
            };
            if let Some(all) = all {
                all.merge(sums);
            }
        }
        let bar = |(sums, span): (Sums, &Span)| {
            let part = Part::new(span.nodes(), sums);
            Bar { span: *span, go_rate: part.go_rate(), part }
        };
        let outside = |place, sums: Sums| {
            let part = Part::new(place, sums);
            (!part.is_silent()).then_some(part)
        };
        Self {
            step: axis.step,
            bars: bars.into_iter().zip(&axis.spans).map(bar).collect(),
            earlier: outside(axis.before(), earlier),
            later: outside(axis.after(), later),
            undated: outside(vec![Node::Term(Term::Undated(true))], undated),
        }
    }
}

fn causes(grid: &Grid) -> Vec<CauseRow> {
    let of = grid.causes.iter().sum();
    let row = |(code, count): (u8, &u64)| {
        let cause = Cause::from_code(code);
        let test = cause.map_or(CauseTest::None, CauseTest::Is);
        let more = [with_outcome(Some(Outcome::Undetermined)), Node::Term(Term::Cause(test))];
        let query = query([EVALUATION].into_iter().chain(more).collect());
        (*count > 0).then(|| CauseRow { cause, share: Rate::new(*count, of), query })
    };
    let mut rows: Vec<_> = (0_u8..).zip(&grid.causes).filter_map(row).collect();
    rows.sort_by_key(|r| std::cmp::Reverse(r.share.numerator));
    rows
}
