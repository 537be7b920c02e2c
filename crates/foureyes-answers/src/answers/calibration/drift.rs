//! Scores from week to week, and the weeks in which another judge came.

use foureyes_app::assess::{CUSUM, DriftDocument, Point, Week};
use foureyes_core::domain::{Dimension, JudgementKind};
use foureyes_page::page::chart::{self, Chart, Strip};
use foureyes_page::page::{
    Block, Focus, Item, Ours, Page, Part, Role, Row, Text, Untrusted, counted, day_of, number,
};
use foureyes_page::text;

/// The scores of each week.
pub fn page(all: &DriftDocument) -> Page {
    let title = text!("foureyes calibration drift{}", all.family.option());
    let mut page = super::document(title, all.generated);
    let mut block = titled();
    if all.weeks.is_empty() {
        block.text(Role::Dim, no_weeks(all.family));
    } else {
        all.weeks.iter().for_each(|week| one_week(&mut block, week));
        legend().into_iter().for_each(|text| block.text(Role::Dim, text));
    }
    page.blocks.push(block);
    page
}

/// A strip for each dimension, and the events below them.
pub(super) fn block(weeks: &[Week], family: JudgementKind) -> Block {
    let mut block = titled();
    let (Some(first), Some(last)) = (weeks.first(), weeks.last()) else {
        block.add(Row::new(Role::Dim, no_weeks(family)).focus("none"));
        return block;
    };
    let span = counted(weeks.len() as u64, "week", "weeks");
    let (first, last) = (day_of(&first.monday), day_of(&last.monday));
    block.add(
        Row::new(Role::Dim, text!("{}, from {} to that of {}", span, first, last)).focus("span"),
    );
    for (at, dimension) in Dimension::ALL.into_iter().enumerate() {
        strip(&mut block, weeks, at, dimension.as_str());
    }
    events(&mut block, weeks);
    legend().into_iter().for_each(|text| block.text(Role::Dim, text));
    block
}

fn titled() -> Block {
    Block::new("drift", "Drift").note("mean score by week, compared with the first")
}

/// Why there are no scores of weeks.
fn no_weeks(family: JudgementKind) -> Text {
    text!("no evaluation of {} has a timestamp yet", family.plural())
}

fn one_week(block: &mut Block, week: &Week) {
    let evaluations = counted(week.evaluations, "evaluation", "evaluations");
    block.text(Role::Text, text!("week of {}: {}", day_of(&week.monday), evaluations));
    let mut add = |role, text| block.add(Row::new(role, text).level(1));
    for (dimension, point) in Dimension::ALL.into_iter().zip(&week.points) {
        let name = dimension.as_str();
        let Some(point) = point else {
            add(Role::Dim, text!("{}: no scores", name));
            continue;
        };
        let scores = counted(point.scores, "score", "scores");
        let alarm = if point.alarm { "; CUSUM alarm" } else { "" };
        let mean = number::mean(point.mean);
        let text = text!("{}: mean {} of {}; {}{}", name, mean, scores, drifted(point), alarm);
        add(if point.alarm { Role::Warning } else { Role::Text }, text);
    }
    for judge in &week.judges {
        add(Role::Warning, text!("new judge: {}", Untrusted(judge)));
    }
}

fn part(role: Role, text: impl Into<Text>) -> Part {
    Part { role, text: text.into(), link: None }
}

fn strip(block: &mut Block, weeks: &[Week], at: usize, name: &'static str) {
    let point = |week: &Week| week.points.get(at).copied().flatten();
    let Some(last) = weeks.iter().rev().find_map(point) else {
        return block.add(Row::new(Role::Dim, text!("{}: no scores", name)).focus(name));
    };
    // The first week is in the middle, and one score more or less is all of the height: drift is small.
    let first = weeks.iter().find_map(point).map_or(last.mean, |first| first.mean);
    let points = weeks.iter().map(|week| {
        let point = point(week);
        chart::Point {
            share: point.map(|p| (0.5 + (p.mean - first) / 2.0).clamp(0.0, 1.0)),
            role: if point.is_some_and(|p| p.alarm) { Role::Warning } else { Role::Gauge },
            link: None,
        }
    });
    block.items.push(Item::Chart(Chart::Strip(Strip {
        focus: Focus::new(name),
        label: vec![part(Role::Text, name)],
        points: points.collect(),
        after: vec![part(Role::Text, number::mean(last.mean))],
    })));
    let role = if last.stability.is_some_and(|s| s > 0.1) { Role::Warning } else { Role::Dim };
    block.add(Row::new(role, text!("latest: {}", drifted(&last))).level(1));
    if let Some(week) = weeks.iter().find(|week| point(week).is_some_and(|p| p.alarm)) {
        let text = text!("CUSUM alarm from the week of {} on", day_of(&week.monday));
        block.add(Row::new(Role::Warning, text).level(1));
    }
}

/// Another judge is an event by itself.
fn events(block: &mut Block, weeks: &[Week]) {
    if weeks.iter().all(|week| week.judges.is_empty()) {
        return block.add(Row::new(Role::Dim, "the judge stayed the same").focus("events"));
    }
    let points = weeks.iter().map(|week| match week.judges.is_empty() {
        true => chart::Point { share: None, role: Role::Dim, link: None },
        false => chart::Point { share: Some(1.0), role: Role::Warning, link: None },
    });
    block.items.push(Item::Chart(Chart::Strip(Strip {
        focus: Focus::new("events"),
        label: vec![part(Role::Text, "new judge")],
        points: points.collect(),
        after: Vec::new(),
    })));
    for week in weeks.iter().filter(|week| !week.judges.is_empty()) {
        let judges = Text::joined(week.judges.iter().map(|judge| Untrusted(judge)), "; ");
        let text = text!("week of {}: {}", day_of(&week.monday), judges);
        block.add(Row::new(Role::Warning, text).level(1));
    }
}

/// How far the scores of a week are from those of the first: `PSI 0.03, KS p 0.412`.
fn drifted(point: &Point) -> Text {
    let known = |value: Option<f64>, digits| -> Ours {
        value.map_or("not comparable".into(), |value| number::decimal(value, digits))
    };
    text!("PSI {}, KS p {}", known(point.stability, 2), known(point.p, 3))
}

/// What is read off the numbers of a week.
fn legend() -> [Text; 2] {
    let (allowance, limit) = CUSUM;
    let cusum = text!(
        "CUSUM: allowance {} and limit {} standard deviations of the first week.",
        number::decimal(allowance, 2),
        number::decimal(limit, 2)
    );
    ["PSI above 0.1: investigate; above 0.25: act.".into(), cusum]
}
