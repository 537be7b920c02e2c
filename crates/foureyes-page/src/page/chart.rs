//! Pictures of numbers. Each form draws those it can, and plain text says what they hold.

use super::row::{Focus, Link, Part};
use super::{Ours, Role, Sign, Text};
use crate::text;
use foureyes_core::domain::Unit;

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Chart {
    /// Counts by outcome, in one line.
    Totals(Totals),
    /// Outcomes over time, stacked.
    Outcomes(Outcomes),
    /// A count for each place by each span of time.
    Heat(Heat),
    /// One sign a place in time.
    Strip(Strip),
    /// How often each score was given.
    Histogram(Histogram),
    /// A rate over time with its band.
    Rate(RateOverTime),
    /// A value that a console can move.
    Slider(Slider),
}

/// Counts by outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Totals {
    /// Where the cursor can be on it.
    pub focus: Focus,
    /// The counts in order, each leading to its records.
    pub counts: Vec<(Sign, u64, Option<Link>)>,
    /// What they are counted of: `records 11`.
    pub all: Part,
}

/// Counts of outcomes, one stack a span of time, the oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcomes {
    /// The stacks.
    pub spans: Vec<Span>,
    /// Stacks that get a row of their own on a console, counted from the newest; older ones share one.
    pub newest: usize,
}

/// One stack.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Where the cursor can be on it.
    pub focus: Focus,
    /// Its name beside it: `11-20`.
    pub label: Text,
    /// What its name means.
    pub role: Role,
    /// Whether it lies in time; what is undated or outside does not, and is no bar.
    pub is_bar: bool,
    /// GO, NO-GO, UNDETERMINED, flagged: each a count that leads to its records.
    pub counts: [(u64, Option<Link>); 4],
    /// Whether nothing at all was recorded then.
    pub is_silent: bool,
}

/// A count for each place by each span of time: the darker the more.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    /// Heads of the spans, the oldest first; all empty where they have none.
    pub heads: Vec<Ours>,
    /// A row a place.
    pub rows: Vec<HeatRow>,
    /// What is said of a span without any data, of one with a count of 0, and of a darker one.
    pub legend: [&'static str; 3],
}

/// A place.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatRow {
    /// Where the cursor can be on it.
    pub focus: Focus,
    /// Its name.
    pub label: Text,
    /// A cell a span.
    pub cells: Vec<HeatCell>,
}

/// A count of a place and a span.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    /// The count; `None` where there are no data at all.
    pub count: Option<u64>,
    /// Where it leads.
    pub link: Option<Link>,
}

/// A row of signs.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// Where the cursor can be on it.
    pub focus: Focus,
    /// What it is of.
    pub label: Vec<Part>,
    /// One sign a place, the oldest first.
    pub points: Vec<Point>,
    /// What stands behind it.
    pub after: Vec<Part>,
}

/// A sign of a strip.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// How high or dark it is, 0 to 1; `None` where there are no data.
    pub share: Option<f64>,
    /// What it means.
    pub role: Role,
    /// Where it leads.
    pub link: Option<Link>,
}

/// How often each score was given.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Where the cursor can be on it.
    pub focus: Focus,
    /// What was scored, for forms that have no strip above it.
    pub name: Text,
    /// The scores with their counts.
    pub bins: Vec<(Ours, u64, Option<Link>)>,
}

/// A rate over time.
#[derive(Debug, Clone, PartialEq)]
pub struct RateOverTime {
    /// What it is of.
    pub name: Text,
    /// Where the cursor can be on it, a cell a day; a console draws it where it has one.
    pub focus: Option<Focus>,
    /// The days, the oldest first.
    pub days: Vec<RateDay>,
    /// What it is compared with.
    pub thresholds: Vec<f64>,
    /// The unit of its values.
    pub unit: Unit,
}

/// A day of a rate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RateDay {
    /// Its name.
    pub label: Text,
    /// The rate, where it is known.
    pub point: Option<RatePoint>,
    /// What forms say that draw nothing; empty where nothing is to be said.
    pub note: Text,
    /// What happened that day, a letter before each: `W window`.
    pub events: Vec<Text>,
    /// Where it leads.
    pub link: Option<Link>,
}

/// A rate with its bounds: shares of 0 to 1, or seconds. The upper bound may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatePoint {
    /// The estimate, where there is one.
    pub estimate: Option<f64>,
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
}

/// A value on a scale of a few places.
#[derive(Debug, Clone, PartialEq)]
pub struct Slider {
    /// Where the cursor can be on it.
    pub focus: Focus,
    /// What it sets.
    pub name: &'static str,
    /// The place that it is at, from 0.
    pub place: usize,
    /// How many there are.
    pub places: usize,
    /// What that means.
    pub text: Text,
}

impl Chart {
    /// What it holds, for forms that draw nothing; none where its numbers stand in the text beside it.
    pub fn sentences(&self) -> Vec<Text> {
        match self {
            Self::Totals(totals) => vec![totals.sentence()],
            Self::Outcomes(outcomes) => outcomes.spans.iter().map(Span::sentence).collect(),
            Self::Heat(heat) => heat.rows.iter().map(|row| row.sentence(heat)).collect(),
            Self::Strip(strip) => vec![strip.sentence()],
            Self::Histogram(histogram) => vec![histogram.sentence()],
            Self::Slider(slider) => vec![text!("{}: {}", slider.name, slider.text.clone())],
            Self::Rate(rate) => rate.days.iter().filter_map(RateDay::sentence).collect(),
        }
    }
}

impl RateDay {
    fn sentence(&self) -> Option<Text> {
        (!self.note.is_empty()).then(|| text!("day {}: {}", self.label.clone(), self.note.clone()))
    }
}

impl RateOverTime {
    /// The ends of its axis, with a little room; `None` where it has no point. A band may leave the picture: that
    /// of a few evaluations is wide.
    pub fn ends(&self) -> Option<(f64, f64)> {
        let estimates: Vec<f64> = self.days.iter().filter_map(|day| day.point?.estimate).collect();
        if estimates.is_empty() {
            return None;
        }
        let all = || estimates.iter().chain(&self.thresholds).copied();
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let room = (most - least).max(most * 0.1).max(0.01) * 0.25;
        let highest = if self.unit == Unit::Share { 1.0 } else { f64::INFINITY };
        let from = if least > most * 0.5 { (least - room).max(0.0) } else { 0.0 };
        Some((from, (most + room).min(highest)))
    }
}

impl Totals {
    /// `records 11: GO 1, NO-GO 6, UNDETERMINED 3, overrides 1`.
    fn sentence(&self) -> Text {
        let counts =
            self.counts.iter().map(|(sign, count, _)| text!("{} {}", sign.plural(), *count));
        self.all.text.clone().and(": ").and(Text::joined(counts, ", "))
    }
}

impl HeatRow {
    fn sentence(&self, heat: &Heat) -> Text {
        let [silent, ..] = heat.legend;
        let cells = self.cells.iter().map(|cell| cell.count.map_or(silent.into(), Text::from));
        self.label.clone().and(": ").and(Text::joined(cells, ", "))
    }
}

impl Strip {
    fn sentence(&self) -> Text {
        let joined = |parts: &[Part]| Text::joined(parts.iter().map(|part| part.text.clone()), "");
        joined(&self.label).and(": ").and(joined(&self.after))
    }
}

impl Histogram {
    fn sentence(&self) -> Text {
        let bins = self.bins.iter().map(|(score, n, _)| text!("{}: {}", score.clone(), *n));
        self.name.clone().and("; ").and(Text::joined(bins, ", "))
    }
}

/// What the four counts of a stack are.
pub const OUTCOME_NAMES: [&str; 4] = ["GO", "NO-GO", "UNDET", "flagged"];

impl Span {
    fn sentence(&self) -> Text {
        let counts = OUTCOME_NAMES.into_iter().zip(&self.counts);
        let counts = counts.map(|(name, (count, _))| text!("{} {}", name, *count));
        self.label.clone().and(": ").and(Text::joined(counts, ", "))
    }
}
