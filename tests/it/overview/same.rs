//! The same numbers as `triage` and `trend` give.

use super::{NOW, Opened, days, spec};
use foureyes::calibration::Policy;
use foureyes::domain::{ByKind, JudgementKind, Window};
use foureyes::frame::grid::Sums;
use foureyes::frame::trend::{By, Estimate, PathBy, TrendRow, TrendSpec};
use foureyes::overview::{Breakdowns, Groups, MOST, Part, Step};
use foureyes::triage::{Ask, triage};
use std::collections::HashMap;

type Rows = HashMap<Option<String>, TrendRow>;

fn trend(opened: &Opened, by: By, window: Window) -> Rows {
    let spec = TrendSpec { by, family: JudgementKind::Push, window };
    let trend = opened.archive.trend(&spec, NOW).unwrap();
    trend.rows.into_iter().map(|row| (row.key.clone(), row)).collect()
}

/// The counts of a row, in the order of [`counts`].
fn of_row(row: &TrendRow) -> [u64; 11] {
    let all = &row.all;
    [
        all.records,
        all.go,
        all.no_go,
        all.undetermined,
        all.overrides,
        all.bypassed,
        all.repeats,
        row.evaluations,
        row.go,
        row.no_go,
        row.undetermined,
    ]
}

fn counts(sums: &Sums) -> [u64; 11] {
    [
        sums.records,
        sums.go,
        sums.no_go,
        sums.undetermined,
        sums.overrides,
        sums.bypassed,
        sums.repeats,
        sums.units,
        sums.unit_go,
        sums.unit_no_go,
        sums.unit_undetermined,
    ]
}

fn same(part: &Part, row: &TrendRow) {
    assert_eq!(counts(&part.sums), of_row(row), "{:?}", row.key);
    assert_eq!(part.go_rate(), row.go_rate);
    assert_eq!(part.undetermined_rate(), row.undetermined_rate);
    let scores = &row.scores;
    for (dimension, mean) in foureyes::domain::Dimension::ALL.into_iter().zip([
        scores.semantic,
        scores.pragmatic,
        scores.syntactic,
    ]) {
        let own: Estimate = part.mean(dimension);
        assert_eq!(own.n, mean.n);
        let apart = own.estimate.unwrap_or_default() - mean.estimate.unwrap_or_default();
        assert!(apart.abs() < 1e-12, "{own:?} {mean:?}");
    }
}

fn groups(shown: &Groups, rows: &Rows) {
    for row in &shown.rows {
        same(&row.part, &rows[&row.name]);
        assert_eq!(row.go_rate, rows[&row.name].go_rate);
    }
    assert_eq!(shown.rows.len() as u64 + shown.rest.groups, rows.len() as u64);
    let named = |row: &&TrendRow| row.key.is_some();
    let total: u64 = rows.values().filter(named).map(|r| r.evaluations).sum();
    let own = shown.rows.iter().filter(|r| r.name.is_some());
    assert_eq!(own.map(|r| r.part.sums.units).sum::<u64>() + shown.rest.units, total);
}

fn check(opened: &Opened, window: Window) -> Breakdowns {
    let all = opened.breakdowns(window);
    groups(&all.models, &trend(opened, By::Model, window));
    groups(&all.agents, &trend(opened, By::Author, window));
    groups(&all.paths, &trend(opened, By::Path(PathBy::Depth(1)), window));
    whole(opened, window, &all);
    all
}

/// The whole window against the triage document, and the bars against the whole.
fn whole(opened: &Opened, window: Window, all: &Breakdowns) {
    let none = (Vec::new(), Vec::new());
    let triage = triage(
        &opened.archive,
        &opened.collected,
        None,
        none,
        Ask { window, limit: 0, rejects: 0, now: NOW, policies: &ByKind::new(Policy::for_family) },
    )
    .unwrap();
    let (sums, counts) = (&all.whole.sums, &triage.counts);
    let own = [
        sums.records,
        sums.go,
        sums.no_go,
        sums.undetermined,
        sums.overrides,
        sums.bypassed,
        sums.repeats,
        sums.flagged,
    ];
    let theirs = [
        counts.in_window,
        counts.go,
        counts.no_go,
        counts.undetermined,
        counts.overrides,
        counts.bypassed,
        counts.repeats,
        triage.flagged_total,
    ];
    assert_eq!(own, theirs);
    let rates = [all.whole.go_rate(), all.whole.undetermined_rate()];
    for (rate, kpi) in rates.iter().zip(&triage.kpis) {
        let own = (rate.numerator, rate.denominator, rate.estimate, rate.lower, rate.upper);
        assert_eq!(own, (kpi.numerator, kpi.denominator, kpi.estimate, kpi.lower, kpi.upper));
    }
    let mut added = Sums::default();
    all.days.bars.iter().for_each(|b| added.merge(&b.part.sums));
    for part in [&all.days.earlier, &all.days.later, &all.days.undated].into_iter().flatten() {
        added.merge(&part.sums);
    }
    assert_eq!(&added, sums);
    let caused: u64 = all.causes.iter().map(|c| c.share.numerator).sum();
    assert_eq!(caused, sums.unit_undetermined);
    assert!(all.causes.iter().all(|c| c.share.denominator == caused));
    for (strip, scored) in all.scores.iter().zip(sums.scores) {
        assert_eq!(strip.histogram.iter().map(|b| b.count).sum::<u64>(), scored.n);
        assert_eq!(strip.mean.n, scored.n);
    }
}

#[test]
fn the_numbers_are_those_of_triage_and_trend() {
    let opened = Opened::generated(&spec(3_000, 40, 7));
    for window in [Window::ALL, days(7), days(30)] {
        let all = check(&opened, window);
        assert_eq!(all.days.step, Step::Day);
        let by_day = trend(&opened, By::Day, window);
        for bar in &all.days.bars {
            let day = foureyes::domain::Timestamp::of_day(bar.span.first).day_text();
            let zeros = TrendRow::empty(None);
            same(&bar.part, by_day.get(&Some(day)).unwrap_or(&zeros));
        }
        if let Some(undated) = &all.days.undated {
            same(undated, &by_day[&None]);
        }
    }
}

#[test]
fn weeks_are_those_of_trend_and_boxes_add_up() {
    let opened = Opened::generated(&spec(2_000, 200, 8));
    let all = check(&opened, days(200));
    assert_eq!(all.days.step, Step::Week);
    let by_week: u64 = trend(&opened, By::Week, days(200)).len() as u64;
    let later = u64::from(all.days.later.is_some());
    assert!(all.days.bars.len() as u64 + later >= by_week);
    let by_box = trend(&opened, By::Box, days(200));
    for row in &all.heat.rows {
        let mut sums = Sums::default();
        row.cells.iter().for_each(|cell| sums.merge(&cell.sums));
        let outside = all.days.later.as_ref().map_or(0, |l| l.sums.records);
        let of_box = by_box[&Some(row.name.clone())].all.records;
        assert!(sums.records <= of_box && of_box <= sums.records + outside, "{}", row.name);
    }
}

#[test]
fn table_lists_largest_groups_and_counts_the_rest() {
    let mut text = String::new();
    for author in 0..30 {
        for i in 0..=author {
            let more = format!(",\"verdict\":\"GO\",\"author\":\"a{author:02}\"");
            text.push_str(&super::push(&format!("{author:02}{i:04}"), "2026-02-18", &more));
        }
    }
    text.push_str(&super::push("nobody", "2026-02-18", ",\"verdict\":\"GO\""));
    let opened = Opened::new(&[("one", text)]);
    let agents = check(&opened, Window::ALL).agents;
    let names: Vec<_> = agents.rows.iter().map(|r| r.name.as_deref()).collect();
    assert_eq!(names.len(), MOST + 1);
    assert_eq!((names[0], names[11], names[12]), (Some("a29"), Some("a18"), None));
    assert_eq!((agents.rest.groups, agents.rest.units), (18, (1..=18).sum()));
}
