//! How the judge did from day to day: each KPI by day, this week against the week before, and parts side by side.
//!
//! Evaluations are the units of the KPIs, as in `foureyes trend`, and a KPI of them is what [`crate::calibration::kpi::kpis`]
//! says; error rates are those of the labels of the sample. What may not be known yet is left out, and counted.

mod counted;
mod events;
mod parts;

pub use events::{EventKind, TrendEvent};
pub use parts::{PartKind, TrendPart};

use super::{Ask, AssessError, Divided, Evaluations, OpenDays};
use crate::calibration::error_rates;
use crate::domain::review::Present;
use crate::domain::{JudgementKind, Measure, Side, Threshold, Timestamp};
use crate::stats::Interval;
use crate::stats::difference::difference;
use crate::store::cache::Archive;
use counted::{Bounds, Day, figures};

/// The KPIs.
pub const MEASURES: usize = 6;

/// Days of a week.
const WEEK: i32 = 7;

/// Whose labels tell which verdicts may be known, and the days that hide the others.
#[derive(Debug, Clone, Copy)]
pub struct Unlabelled<'a> {
    /// The open days of the window that runs.
    pub days: &'a OpenDays,
    /// The reviewer's name.
    pub reviewer: &'a str,
}

/// How the judge did, from day to day.
#[derive(Debug, Clone, PartialEq)]
pub struct Trends {
    /// Whose evaluations these are.
    pub family: JudgementKind,
    /// When it was counted.
    pub generated: Timestamp,
    /// The limits of the policy in force, in the order of [`Measure::kpis`].
    pub thresholds: Vec<Threshold>,
    /// Every day of the span in order, the last is today; those without an evaluation are among them.
    pub days: Vec<TrendDay>,
    /// The seven days up to today, and the seven before them.
    pub weeks: [Span; 2],
    /// Parts of the span by what they differ in, those with most evaluations first.
    pub parts: Vec<(PartKind, Vec<TrendPart>)>,
    /// What happened in the span, in order of time.
    pub events: Vec<TrendEvent>,
}

/// A day.
#[derive(Debug, Clone, PartialEq)]
pub struct TrendDay {
    /// Days since 1970, UTC.
    pub day: i32,
    /// What is known of it; ends are those of a 90 % band.
    pub known: Span,
}

/// Some evaluations, and their KPIs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Span {
    /// Evaluations, hidden ones among them.
    pub evaluations: u64,
    /// Those whose verdict is hidden until it is labelled.
    pub hidden: u64,
    /// The KPIs in the order of [`Measure::kpis`]; `None` where nothing tells one, or it would tell hidden verdicts.
    pub figures: [Option<Figure>; MEASURES],
}

/// A KPI of some evaluations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// A share from 0 to 1, or seconds.
    pub estimate: f64,
    /// Its ends; `None` where there is too little for any.
    pub interval: Option<Interval>,
    /// Evaluations or labels that it is taken over.
    pub of: u64,
}

/// How a figure differs from an earlier or another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The first less the second, in their unit.
    pub estimate: f64,
    /// Its 95 % interval; `None` where there is too little for one.
    pub interval: Option<Interval>,
    /// Whether chance hardly explains it: the interval is all on one side of 0.
    pub is_clear: bool,
    /// Whether the first is the worse one, where either is.
    pub is_worse: Option<bool>,
}

/// How the first figure of a measure differs from the second.
pub fn change(measure: Measure, first: &Figure, second: &Figure) -> Change {
    let ends = |figure: &Figure| Some((figure.estimate, figure.interval?));
    let both = ends(first).zip(ends(second)).map(|(one, other)| difference(one, other).1);
    let estimate = first.estimate - second.estimate;
    let is_worse = match measure.definition().side {
        Side::Below => Some(estimate > 0.0),
        Side::Above => Some(estimate < 0.0),
        Side::Between => None,
    };
    let is_clear = both.is_some_and(|ends| ends.lower > 0.0 || ends.upper < 0.0);
    Change { estimate, interval: both, is_clear, is_worse: is_worse.filter(|_| estimate != 0.0) }
}

/// Counts the last days, at most so many, today among them; `None` where it was cancelled. With `hidden`, verdicts
/// that the reviewer may not know are left out.
///
/// # Errors
/// A cache that cannot be read.
pub fn trends(
    archive: &Archive,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
    (most, hidden): (i32, Option<Unlabelled<'_>>),
) -> Result<Option<Trends>, AssessError> {
    let divided = Divided::new(all, present, ask);
    if (ask.cancel)() {
        return Ok(None);
    }
    let today = ask.now.day();
    let first = today.saturating_sub(most.max(2 * WEEK) - 1);
    // Only pushes are labelled blind on this program's screens.
    let hidden = hidden.filter(|_| ask.family.is_default());
    let counting = Counting { all, present, now: ask.now, first, hidden };
    let days = counting.days();
    let span: Vec<i32> = (first..=today).collect();
    let policy = &divided.policy;
    let known = counting.judged(&divided);
    let rates = error_rates(known.iter().copied(), Bounds::Band.one_sided());
    let none = Day::default();
    let of_day = |day: &i32| {
        let counted = days.get(day).unwrap_or(&none);
        let rates = rates.get(day).map_or(&[][..], Vec::as_slice);
        TrendDay { day: *day, known: figures(&[counted], rates, policy, Bounds::Band) }
    };
    let weeks = [today - WEEK + 1..=today, today - 2 * WEEK + 1..=today - WEEK];
    let weeks = weeks.map(|week| {
        let counted: Vec<&Day> = days.range(week.clone()).map(|(_, day)| day).collect();
        let labelled = known.iter().filter(|(day, _)| week.contains(day));
        let rates = error_rates(labelled.map(|(_, c)| ((), *c)), Bounds::Compared.one_sided());
        let rates = rates.get(&()).map_or(&[][..], Vec::as_slice);
        figures(&counted, rates, policy, Bounds::Compared)
    });
    let parts = parts::all(archive, &counting, &divided, &days)?;
    Ok((!(ask.cancel)()).then(|| Trends {
        family: ask.family,
        generated: ask.now,
        thresholds: Measure::kpis().map(|measure| policy.threshold(measure)).collect(),
        days: span.iter().map(of_day).collect(),
        weeks,
        parts,
        events: events::events(&counting, archive.boxes()),
    }))
}

/// What is counted, and from which day on.
struct Counting<'a> {
    all: &'a Evaluations,
    present: &'a Present,
    now: Timestamp,
    first: i32,
    hidden: Option<Unlabelled<'a>>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
