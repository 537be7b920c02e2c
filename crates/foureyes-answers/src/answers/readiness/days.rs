//! Days as pictures: outcomes, rates over time, and a calendar of what is labelled.

use super::rules::cells;
use foureyes_app::assess::{Report, suppressed};
use foureyes_calibration::calibration::{Day, DayHistory, DayState, KpiRow};
use foureyes_core::domain::Timestamp;
use foureyes_page::page::chart::{Chart, Outcomes, RateDay, RateOverTime, RatePoint, Span};
use foureyes_page::page::{
    Block, Column, Focus, Forms, Item, Part, Role, Table, Untrusted, day, day_of, number,
};
use foureyes_page::text;

/// Outcomes of each day, and each rate over time.
pub(super) fn pictures(report: &Report) -> Vec<Block> {
    let r = &report.readiness;
    let mut blocks = Vec::new();
    if r.history.iter().any(|day| day.go + day.no_go + day.undetermined > 0) {
        let spans: Vec<Span> =
            r.history.iter().filter(|day| !tells(&r.days, day)).map(outcomes).collect();
        let chart = Chart::Outcomes(Outcomes { newest: spans.len(), spans });
        let mut block = Block::new("outcomes", "Outcomes by day").only(Forms::Html);
        block.items.push(Item::Chart(chart));
        blocks.push(block);
    }
    let rates = r.kpis.iter().chain(&r.beside).filter_map(|kpi| rate(kpi, &r.history));
    let items: Vec<Item> = rates.map(|rate| Item::Chart(Chart::Rate(rate))).collect();
    if !items.is_empty() {
        let note = text!(
            "line: estimate so far; band: {} confidence on all days at once; dashed: threshold",
            number::percent(report.policy.confidence)
        );
        let block = Block::new("rates", "Rates over time").note(note).only(Forms::Html);
        blocks.push(Block { items, ..block });
    }
    blocks
}

/// Whether the outcomes of a day would tell the verdicts of the few pushes of it that wait for a label.
fn tells(days: &[Day], outcomes: &DayHistory) -> bool {
    let open = days.iter().find(|day| day.day == outcomes.day && day.state == DayState::Open);
    let waits = |day: &Day| day.evaluations.saturating_sub(day.no_go_labelled + day.audit_labelled);
    open.is_some_and(|day| suppressed(&[waits(day)]) == [true])
}

fn outcomes(day: &DayHistory) -> Span {
    let counts = [day.go, day.no_go, day.undetermined, 0].map(|count| (count, None));
    let is_silent = counts.iter().all(|(count, _)| *count == 0);
    let focus = Focus::new(day.day.as_str());
    let (label, role) = (day_of(&day.day), Role::Text);
    Span { focus, label, role, is_bar: true, counts, is_silent }
}

/// A KPI over time; `None` where it has no point.
fn rate(kpi: &KpiRow, days: &[DayHistory]) -> Option<RateOverTime> {
    let point = |day: &DayHistory| {
        let rate = day.rates.iter().find(|rate| rate.id == kpi.id);
        let point = rate.map(|rate| RatePoint {
            estimate: rate.estimate,
            lower: rate.lower,
            upper: rate.upper,
        });
        RateDay { label: day_of(&day.day), point, ..RateDay::default() }
    };
    let days: Vec<RateDay> = days.iter().map(point).collect();
    let thresholds = kpi.threshold().values().collect();
    let (name, unit) = (kpi.id.title().into(), kpi.id.definition().unit);
    let is_known = days.iter().any(|day| day.point.is_some());
    is_known.then_some(RateOverTime { name, focus: None, days, thresholds, unit })
}

/// The days of the window by weeks: closed, open with what waits, or without data.
pub(super) fn calendar(days: &[Day]) -> Option<Block> {
    let dated = |day: &Day| Some(Timestamp::parse_day(&day.day)?.day());
    let numbered = days.iter().filter_map(|day| Some((dated(day)?, day)));
    let numbered: Vec<(i32, &Day)> = numbered.collect();
    let (first, last) = (numbered.first()?.0, numbered.last()?.0);
    let monday = Timestamp::of_day(first).monday();
    let mut rest = numbered.iter().peekable();
    let mut rows = Vec::new();
    for week in (monday..=last).step_by(7) {
        let mut row = cells([(Role::Text, day(Timestamp::of_day(week)).into())]);
        let found = (week..week + 7).map(|day| rest.next_if(|(number, _)| *number == day));
        row.cells.extend(found.map(|found| found.map_or_else(Vec::new, |(_, day)| cell(day))));
        rows.push(row);
    }
    let columns = ["week of", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map(Column::text);
    let table = Table { columns: columns.into(), rows, ..Table::default() };
    let note = "✔ fully labelled; error rates use such days before the first that is not";
    let mut block = Block::new("days", "Days").note(note).only(Forms::Html);
    block.items.push(Item::Table(table));
    Some(block)
}

fn cell(day: &Day) -> Vec<Part> {
    let number = Untrusted(day.day.get(8..).unwrap_or_default());
    let missing = (day.no_go + day.audit).saturating_sub(day.no_go_labelled + day.audit_labelled);
    let (role, text) = match day.state {
        DayState::Closed => (Role::Go, "✔".into()),
        DayState::Open => (Role::Warning, text!("{} to label", missing)),
        DayState::Empty => (Role::Dim, "no data".into()),
    };
    let below = Part { role: Role::Dim, text, link: None };
    vec![Part { role, text: number.into(), link: None }, below]
}
