//! Counts of days, and the KPIs of some of them.

use super::{Counting, Figure, MEASURES, Span};
use crate::assess::{Divided, FEWEST_HIDDEN};
use crate::calibration::kpi::kpis;
use crate::calibration::{Content, Evaluation, PartRate, Policy};
use crate::domain::{EvaluationTally, Kpi, Measure, Outcome, Unit, Window};
use crate::stats::{CONFIDENCE, Interval, binomial, order, wilson};
use std::collections::BTreeMap;

/// What ends are for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bounds {
    /// The band of a chart, exact, 90 %.
    Band,
    /// Figures that are compared, 95 %: of shares the score bounds, which differences are published of.
    Compared,
}

impl Bounds {
    fn confidence(self) -> f64 {
        match self {
            Self::Band => 0.90,
            Self::Compared => CONFIDENCE,
        }
    }

    /// The confidence of each of two bounds.
    pub(super) fn one_sided(self) -> f64 {
        (1.0 + self.confidence()) / 2.0
    }

    fn share(self, cases: u64, of: u64) -> Option<Interval> {
        match self {
            Self::Band => binomial::two_sided(cases, of, self.confidence()),
            Self::Compared => wilson::two_sided(cases, of, self.confidence()),
        }
    }

    fn median(self, latencies_ms: &[u64]) -> Option<Interval> {
        let median = order::median(&mut latencies_ms.to_vec(), self.confidence())?;
        let (lower, upper) = median.interval?;
        Some(Interval { lower: lower as f64 / 1_000.0, upper: upper as f64 / 1_000.0 })
    }
}

/// The evaluations of a day, or of a part of one.
#[derive(Debug, Clone, Default)]
pub(super) struct Day {
    tally: EvaluationTally,
    /// Those of them whose verdict is hidden.
    pub(super) hidden: u64,
    /// Whether the others that are not UNDETERMINED would tell which are: UNDETERMINED ones are hidden, too.
    is_telling: bool,
}

impl Day {
    pub(super) fn add(&mut self, e: &Evaluation) {
        let times = u64::from(e.times);
        self.tally.add(Some(e.outcome), e.cause, e.reports_outages, times);
        self.tally.add_latency(e.latency_ms.get(), times);
    }

    /// Whether a measure tells nothing of a hidden verdict. That of a few would; and what is GO or NO-GO, or how many
    /// poor ones passed, tells of each.
    fn tells(&self, measure: Measure) -> bool {
        match self.hidden {
            0 => true,
            1..FEWEST_HIDDEN => false,
            _ => measure != Measure::GoRate && !self.is_telling,
        }
    }
}

impl<'a> Counting<'a> {
    /// The evaluations of the span, with the place of each.
    pub(super) fn units(&self) -> impl Iterator<Item = (usize, &'a Evaluation)> {
        let ahead = Window::ALL.ahead_of(self.now);
        let (first, last) = (self.first, self.now.day());
        let is_counted = move |e: &Evaluation| {
            let is_latest = e.repeated.get().is_none();
            is_latest && (first..=last).contains(&e.at.day()) && !ahead.holds(Some(e.at))
        };
        self.all.all().iter().enumerate().filter(move |(_, e)| is_counted(e))
    }

    /// Whether the verdict of one may not be known yet.
    fn hides(&self, e: &Evaluation) -> bool {
        self.hidden.is_some_and(|hidden| {
            let is_told = e.outcome == Outcome::Undetermined && !hidden.days.hides_undetermined();
            let may_know = || hidden.days.may_know(self.present, hidden.reviewer, e.id);
            !is_told && hidden.days.holds(e.at) && !may_know()
        })
    }

    /// Its days.
    pub(super) fn days(&self) -> BTreeMap<i32, Day> {
        let is_telling = self.hidden.is_some_and(|hidden| hidden.days.hides_undetermined());
        let mut days: BTreeMap<i32, Day> = BTreeMap::new();
        for (_, e) in self.units() {
            let day =
                days.entry(e.at.day()).or_insert_with(|| Day { is_telling, ..Day::default() });
            day.add(e);
            day.hidden += if self.hides(e) { u64::from(e.times) } else { 0 };
        }
        days
    }

    /// The contents of the span with their days; of open days none, since what is not labelled weighs there as well.
    pub(super) fn judged<'c>(&self, divided: &'c Divided) -> Vec<(i32, &'c Content)> {
        self.contents(divided).map(|(e, _, content)| (e.at.day(), content)).collect()
    }

    /// The same, each with its evaluation and the place of that.
    pub(super) fn contents<'c>(
        &self,
        divided: &'c Divided,
    ) -> impl Iterator<Item = (&'a Evaluation, usize, &'c Content)> {
        let (all, first, hidden) = (self.all.all(), self.first, self.hidden);
        let contents = &divided.contents;
        contents.places.iter().zip(contents.each()).filter_map(move |(place, content)| {
            let e = all.get(*place as usize)?;
            let is_open = hidden.is_some_and(|hidden| hidden.days.holds(e.at));
            (e.at.day() >= first && !is_open).then_some((e, *place as usize, content))
        })
    }
}

/// The KPIs of some days together, each over the days that may tell it.
pub(super) fn figures(days: &[&Day], rates: &[PartRate], policy: &Policy, bounds: Bounds) -> Span {
    let mut figures = [None; MEASURES];
    for (at, measure) in Measure::kpis().enumerate().take(MEASURES) {
        figures[at] = match measure.needs_labels() {
            true => rates.iter().find(|rate| rate.id == measure).map(error_rate),
            false => {
                let mut tally = EvaluationTally::default();
                let telling = days.iter().filter(|day| day.tells(measure));
                telling.for_each(|day| tally.merge(&day.tally));
                let all = kpis(&tally, policy);
                all.iter().find(|kpi| kpi.id == measure).and_then(|kpi| figure(kpi, &tally, bounds))
            }
        };
    }
    Span {
        evaluations: days.iter().map(|day| day.tally.evaluations).sum(),
        hidden: days.iter().map(|day| day.hidden).sum(),
        figures,
    }
}

fn figure(kpi: &Kpi, tally: &EvaluationTally, bounds: Bounds) -> Option<Figure> {
    let interval = match kpi.id.definition().unit {
        Unit::Share => bounds.share(kpi.numerator, kpi.denominator),
        Unit::Seconds => bounds.median(&tally.latencies_ms),
    };
    Some(Figure { estimate: kpi.estimate?, interval, of: kpi.denominator })
}

fn error_rate(rate: &PartRate) -> Figure {
    let interval = Interval { lower: rate.lower, upper: rate.upper };
    Figure { estimate: rate.estimate, interval: Some(interval), of: rate.labels }
}
