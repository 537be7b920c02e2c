//! Every figure is the number of records that its filter finds.

use super::{Opened, days, push, spec};
use foureyes::calibration::Policy;
use foureyes::domain::{ByKind, Window};
use foureyes::frame::query::Query;
use foureyes::overview::{Breakdowns, Part, What, kpi_filters, of_box};
use foureyes::triage::{Ask, triage};
use std::path::Path;

/// The counts that are checked of each of very many parts.
const FEW: [What; 5] =
    [What::Records, What::Bypassed, What::Flagged, What::Units, What::UnitUndetermined];

fn check(opened: &Opened, window: Window) {
    let all = opened.breakdowns(window);
    let holds = |count: u64, query: &Query| {
        let text = query.to_string();
        assert_eq!(Query::parse(&text).as_ref(), Ok(query));
        assert_eq!(opened.found(&text, window), count, "{text} over {window:?}");
    };
    let part = |part: &Part, whats: &[What]| {
        for what in whats {
            let figure = part.figure(*what);
            holds(figure.count, &figure.query);
            let written = format!("{} {}", part.query, all.filters[what.as_str()]);
            assert_eq!(Query::parse(&written).unwrap(), figure.query, "{written}");
        }
    };
    parts(&all).for_each(|p| part(p, &What::ALL));
    all.days.bars.iter().for_each(|b| part(&b.part, &FEW));
    let cells = all.heat.rows.iter().flat_map(|r| &r.cells);
    cells.step_by(3).for_each(|cell| part(cell, &FEW[..4]));
    all.causes.iter().for_each(|c| holds(c.share.numerator, &c.query));
    let bins = all.scores.iter().flat_map(|s| &s.histogram);
    bins.for_each(|bin| holds(bin.count, &bin.query));
    kpis(opened, window, &holds);
}

/// Parts that are few: the whole, those outside the bars, some bars, every name.
fn parts(all: &Breakdowns) -> impl Iterator<Item = &Part> {
    let outside = [&all.days.earlier, &all.days.later, &all.days.undated];
    let groups = [&all.models, &all.agents, &all.paths, &all.terms];
    let names = groups.into_iter().flat_map(|g| g.rows.iter().map(|r| &r.part));
    let bars = all.days.bars.iter().rev().take(3).map(|b| &b.part);
    std::iter::once(&all.whole).chain(outside.into_iter().flatten()).chain(names).chain(bars)
}

fn kpis(opened: &Opened, window: Window, holds: &impl Fn(u64, &Query)) {
    let (archive, collected) = (&opened.archive, &opened.collected);
    let none = (Vec::new(), Vec::new());
    let policy = Policy { median_latency_below_s: 2.5, ..Policy::default() };
    let policies = ByKind::new(|_| policy.clone());
    let triage = triage(
        archive,
        collected,
        None,
        none,
        Ask { window, limit: 0, rejects: 0, now: super::NOW, policies: &policies },
    )
    .unwrap();
    for kpi in &triage.kpis {
        match kpi_filters(foureyes::domain::JudgementKind::Push, kpi.threshold()) {
            Some((numerator, denominator)) => {
                holds(kpi.numerator, &numerator);
                holds(kpi.denominator, &denominator);
            }
            None => assert!(kpi.id.needs_labels()),
        }
    }
    holds(triage.flagged_total, &What::Flagged.filter());
    holds(triage.counts.repeats, &What::Repeats.filter());
    if window.is_all() {
        let of_boxes: u64 = opened
            .archive
            .boxes()
            .iter()
            .map(|name| opened.found(&of_box(name).to_string(), window))
            .sum();
        assert_eq!(of_boxes, triage.counts.accounting.records);
    }
}

#[test]
fn figures_of_generated_logs_match_their_filters() {
    for seed in 0..2 {
        let opened = Opened::generated(&spec(1_500, 12, seed));
        for window in [Window::ALL, days(7), days(90)] {
            check(&opened, window);
        }
    }
}

#[test]
fn figures_of_handwritten_logs_match_their_filters() {
    let dirt = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dirt");
    let opened = Opened::at(&dirt);
    assert!(opened.archive.accounting().records > 50);
    for window in [Window::ALL, days(30), days(3_000)] {
        check(&opened, window);
    }
}

#[test]
fn names_that_are_hard_to_write_lead_to_their_records() {
    let names = [
        "",
        " ",
        "a b",
        "\\\"",
        "a\\\\u{1f}",
        "-x",
        "=y",
        "a:b",
        "(x|y)",
        "\\u0000",
        "a\\u0000b",
        "\\u001b[2J",
        "\\u202e",
        "é日本",
        "x",
        "X",
        "has:author",
    ];
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        for (field, of) in [("author", 0), ("served_model", 1), ("judge_model", 2)] {
            let more = format!(",\"verdict\":\"GO\",\"{field}\":\"{name}\"");
            let line = push(&format!("{i:04}{of}"), "2026-02-18", &more);
            text.push_str(&line.replacen(",\"judge_model\":\"m\"", "", usize::from(of == 2)));
        }
    }
    let files = [
        "[]",
        "[\"\"]",
        "[\"/\"]",
        "[\"/motd\"]",
        "[\"/etc/motd\"]",
        "[\"./a/b\"]",
        "[\"a\"]",
        "[\"//x\"]",
        "[\"=q/a\",\"a\"]",
        "[\"-q/a\",\"q r/a\"]",
        "[\"é/a\",\"é/b\",\"e\"]",
        "[\"a\\u0000b/c\"]",
        "[\"./\"]",
    ];
    for (i, files) in files.iter().enumerate() {
        let more = format!(",\"verdict\":\"NO-GO\",\"files_evaluated\":{files}");
        text.push_str(&push(&format!("f{i:04}"), "2026-02-19", &more));
    }
    let opened = Opened::new(&[("a \"b\" (c)", text)]);
    assert_eq!(opened.archive.accounting().records as usize, 3 * names.len() + files.len());
    check(&opened, Window::ALL);
    let all = opened.breakdowns(Window::ALL);
    let left_out = all.agents.rest.groups + all.agents.rows.len() as u64;
    assert_eq!(left_out as usize, names.len() + 1);
}

#[test]
fn a_score_that_is_a_fraction_counts_for_the_nearest() {
    let scores = ["1", "1.4", "1.5", "2.4", "2.5", "3.49", "4.4", "4.5", "5", "0", "6", "\"4\""];
    let line = |(i, score): (usize, &&str)| {
        let more = format!(",\"verdict\":\"GO\",\"scores\":{{\"semantic\":{score}}}");
        push(&format!("{i:04}"), "2026-02-19", &more)
    };
    let opened = Opened::new(&[("one", scores.iter().enumerate().map(line).collect())]);
    check(&opened, Window::ALL);
    let all = opened.breakdowns(Window::ALL);
    assert_eq!(all.scores[0].histogram.clone().map(|b| b.count), [2, 2, 2, 2, 2]);
    assert_eq!(all.scores[0].mean.n, 10);
    assert_eq!(all.scores[1].mean.estimate, None);
    let whole = "is:evaluation score.pragmatic:3";
    assert_eq!(all.scores[1].histogram[2].query.to_string(), whole);
}
