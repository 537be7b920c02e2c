//! How the judge did from day to day: one KPI as a chart, this week against last week, and two parts side by side.

mod compared;

use super::links;
use foureyes_app::assess::{EventKind, Figure, PartKind, TrendDay, TrendEvent, Trends};
use foureyes_calibration::calibration::{Readiness, ReadinessResult};
use foureyes_core::domain::{Measure, Timestamp};
use foureyes_page::page::chart::{Chart, RateDay, RateOverTime, RatePoint};
use foureyes_page::page::{
    Block, Focus, Glyphs, Item, Page, Place, Role, Split, Text, Untrusted, counted, date, number,
};
use foureyes_page::text;

/// The block with the chart.
pub const CHART: &str = "chart";
/// The block with the two weeks; the rows are named by their measures.
pub const WEEKS: &str = "weeks";
/// The block with two parts side by side.
pub const PARTS: &str = "parts";
/// Its rows that choose: by what parts differ, and the two.
pub const CHOOSERS: [&str; 3] = ["kind", "first", "second"];

/// What of the trends is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The KPI of the chart.
    pub measure: Measure,
    /// By what parts differ.
    pub kind: PartKind,
    /// The places of the two parts.
    pub parts: [usize; 2],
}

/// The trends, with signs of a console. `readiness` tells since when the judge is READY.
pub fn page(
    trends: &Trends,
    readiness: Option<&Readiness>,
    choice: &Choice,
    glyphs: &Glyphs,
) -> Page {
    let mut page = Page::new(text!("Trends of {}", trends.family.plural()));
    page.split = Split::Figures;
    page.blocks.extend(state(trends));
    page.blocks.push(chart(trends, readiness.and_then(ready_on), choice.measure));
    page.blocks.push(compared::weeks(trends, glyphs));
    page.blocks.push(compared::parts(trends, choice, glyphs));
    page
}

/// What is left out, where anything is.
fn state(trends: &Trends) -> Option<Block> {
    let hidden: u64 = trends.days.iter().map(|day| day.known.hidden).sum();
    if hidden == 0 {
        return None;
    }
    let mut block = Block::untitled("state");
    let count =
        counted(hidden, "verdict is hidden until labelled", "verdicts are hidden until labelled");
    let text = text!("{}. Such days have no GO rate, and few hidden leave no rate at all.", count);
    block.text(Role::Warning, text);
    Some(block)
}

/// The day on which the answer became READY.
fn ready_on(readiness: &Readiness) -> Option<i32> {
    let is_ready = readiness.result == ReadinessResult::Ready;
    let decided = readiness.kpis.iter().filter(|kpi| kpi.gated && is_ready);
    let days = decided.filter_map(|kpi| Timestamp::parse_day(kpi.decided_on.as_deref()?));
    days.map(Timestamp::day).max()
}

fn chart(trends: &Trends, ready: Option<i32>, measure: Measure) -> Block {
    let at = Measure::kpis().position(|kpi| kpi == measure).unwrap_or(0);
    let limits = trends.thresholds.iter().find(|limit| limit.measure == measure);
    let days: Vec<RateDay> =
        trends.days.iter().map(|day| rate_day(trends, day, at, ready)).collect();
    let label = |day: Option<&RateDay>| day.map(|day| day.label.clone()).unwrap_or_default();
    let span = text!("{} to {}", label(days.first()), label(days.last()));
    let limit = limits.map(|limit| text!("; limit {}", number::threshold(*limit)));
    let title = text!("{} by day, {}", measure.title(), span).capitalized();
    let block = Block::new(CHART, title).at(Place::Left);
    let mut block = block.note(text!("band 90 %").and(limit.unwrap_or_default()));
    block.items.push(Item::Chart(Chart::Rate(RateOverTime {
        name: measure.title().into(),
        focus: Some(Focus { first: days.len().saturating_sub(1), ..Focus::new(CHART) }),
        days,
        thresholds: limits.map(|limit| limit.values().collect()).unwrap_or_default(),
        unit: measure.definition().unit,
    })));
    block
}

fn rate_day(trends: &Trends, day: &TrendDay, at: usize, ready: Option<i32>) -> RateDay {
    let label = Text::from(date(Timestamp::of_day(day.day), trends.generated));
    let measure = Measure::kpis().nth(at).unwrap_or(Measure::GoRate);
    let figure = day.known.figures.get(at).copied().flatten();
    let happened = trends.events.iter().filter(|event| event.day == day.day);
    let mut events: Vec<Text> = happened.map(event).collect();
    events.extend((ready == Some(day.day)).then(|| Text::from("R READY")));
    let mut note = match (&figure, day.known.evaluations) {
        (Some(figure), _) => with_band(measure, figure),
        (None, 0) => Text::EMPTY,
        (None, _) if day.known.hidden > 0 => text!("{} hidden until labelled", day.known.hidden),
        (None, _) if measure.needs_labels() => "no labels that tell it".into(),
        (None, _) => "too little recorded".into(),
    };
    if !events.is_empty() {
        let what = Text::joined(events.iter().cloned(), ", ");
        note = if note.is_empty() { what } else { note.and("; ").and(what) };
    }
    let named = match note.is_empty() {
        true => text!("{}: nothing recorded", label.clone()),
        false => text!("{}: {}", label.clone(), note.clone()),
    };
    let link = Some(links::day_of(trends.family, day.day, named));
    RateDay { label, point: figure.map(|figure| point(&figure)), note, events, link }
}

fn point(figure: &Figure) -> RatePoint {
    // Of a few latencies nothing is known but their median.
    let (lower, upper) =
        figure.interval.map_or((0.0, f64::INFINITY), |ends| (ends.lower, ends.upper));
    RatePoint { estimate: Some(figure.estimate), lower, upper }
}

/// `4.2 %, band 1.9 to 8.0 %, of 59`.
fn with_band(measure: Measure, figure: &Figure) -> Text {
    let estimate = number::value(measure, figure.estimate);
    let ends = figure.interval.map(|ends| (Some(ends.lower), Some(ends.upper)));
    let ends = ends.and_then(|(lower, upper)| number::measured(measure, lower, upper));
    match ends {
        Some(ends) => text!("{}, band {}, of {}", estimate, ends, figure.of),
        None => text!("{} of {}", estimate, figure.of),
    }
}

fn event(event: &TrendEvent) -> Text {
    match event.kind {
        EventKind::Window => "W window".into(),
        EventKind::Judge => text!("J another judge"),
        EventKind::Blocks => text!("B {} blocks", Untrusted(&event.name)),
        EventKind::Advises => text!("B {} advises", Untrusted(&event.name)),
    }
}

#[cfg(test)]
mod tests;
