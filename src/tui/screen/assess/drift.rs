//! Scores from week to week, and the weeks in which another judge came.

use crate::assess::Week;
use crate::domain::{Dimension, JudgementKind};
use crate::report::calibration::{drifted, legend, new_judges, no_weeks};
use crate::report::{counted, number};
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "drift";

/// A strip for each dimension, and the events below them.
pub(super) fn block(
    weeks: &[Week],
    family: JudgementKind,
    width: usize,
    glyphs: &'static Glyphs,
) -> Block {
    let mut block =
        Block::new(width, glyphs, "Drift", "mean score by week, compared with the first");
    let (Some(first), Some(last)) = (weeks.first(), weeks.last()) else {
        block.text(Row::stop(NAME, "none"), Role::Dim, no_weeks(family));
        return block;
    };
    let span = counted(weeks.len() as u64, "week", "weeks");
    let text = format!("{span}, from {} to that of {}", first.monday, last.monday);
    block.text(Row::stop(NAME, "span"), Role::Dim, &text);
    for (at, dimension) in Dimension::ALL.into_iter().enumerate() {
        strip(&mut block, weeks, at, dimension.as_str());
    }
    events(&mut block, weeks);
    block.text(Row::new(), Role::Dim, &legend());
    block
}

fn strip(block: &mut Block, weeks: &[Week], at: usize, name: &str) {
    let glyphs = block.glyphs;
    let point = |w: &Week| w.points.get(at).copied().flatten();
    let Some(last) = weeks.iter().rev().find_map(point) else {
        let text = format!("{name}: no scores");
        return block.text(Row::stop(NAME, name), Role::Dim, &text);
    };
    let row = Row::stop(NAME, name).span(Role::Text, name).pad_to(11);
    let row = weeks.iter().fold(row, |row, week| {
        let point = point(week);
        let role = if point.is_some_and(|p| p.alarm) { Role::Warning } else { Role::Gauge };
        row.span(role, glyphs.spark(point.map(|p| (p.mean - 1.0) / 4.0)))
    });
    block.add(row.span(Role::Text, format!("  {}", number::mean(last.mean))));
    let text = format!("latest: {}", drifted(&last));
    let moved = last.stability.is_some_and(|s| s > 0.1);
    block.indented(if moved { Role::Warning } else { Role::Dim }, &text);
    let alarm = weeks.iter().find(|w| point(w).is_some_and(|p| p.alarm));
    if let Some(week) = alarm {
        block.indented(Role::Warning, &format!("CUSUM alarm from the week of {} on", week.monday));
    }
}

/// Another judge is an event by itself.
fn events(block: &mut Block, weeks: &[Week]) {
    let glyphs = block.glyphs;
    if weeks.iter().all(|w| w.judges.is_empty()) {
        return block.text(Row::stop(NAME, "events"), Role::Dim, "the judge stayed the same");
    }
    let row = Row::stop(NAME, "events").span(Role::Text, "new judge").pad_to(11);
    block.add(weeks.iter().fold(row, |row, week| match week.judges.is_empty() {
        true => row.span(Role::Dim, glyphs.nothing),
        false => row.span(Role::Warning, glyphs.up),
    }));
    for week in weeks.iter().filter(|w| !w.judges.is_empty()) {
        block.indented(Role::Warning, &sanitize(&new_judges(week)));
    }
}
