//! Every number on the screen is one of the documents', and the other way round.

use super::{Console, documents};
use crate::overview::{NOW, Opened, spec};
use foureyes::domain::{JudgementKind, Kpi, Measure, NewSince, Timestamp, Triage};
use foureyes::generate::{Families, Spec};
use foureyes::overview::{Breakdowns, Groups, kpi_filters};
use foureyes::report::mask;
use foureyes::text::{escape, separated};
use foureyes::tui::Message;
use foureyes::tui::model::{Days, Problem};
use serde_json::Value;
use std::collections::BTreeSet;

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn ends(lower: f64, upper: f64) -> String {
    format!("{:.1} to {:.1} %", lower * 100.0, upper * 100.0)
}

fn is_digit(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_digit())
}

/// Whether a number goes on there; a comma between two digits separates thousands.
fn goes_on(mut rest: impl Iterator<Item = char>) -> bool {
    match rest.next() {
        Some(',') => is_digit(rest.next()),
        next => is_digit(next),
    }
}

/// Where a text ends that stands there as a whole, not as a part of a longer number.
fn behind(line: &str, text: &str) -> Option<usize> {
    let whole = |at: &usize| {
        let (before, after) = (&line[..*at], &line[at + text.len()..]);
        let (first, last) = (text.chars().next(), text.chars().next_back());
        !(is_digit(first) && goes_on(before.chars().rev())
            || is_digit(last) && goes_on(after.chars()))
    };
    line.match_indices(text).map(|(at, _)| at).find(whole).map(|at| at + text.len())
}

/// A line that holds all of the texts, one after the other.
fn holds(lines: &[String], texts: &[String]) {
    let fits = |line: &String| {
        let mut rest = line.as_str();
        texts.iter().all(|text| behind(rest, text).map(|end| rest = &rest[end..]).is_some())
    };
    assert!(lines.iter().any(fits), "{texts:?} in\n{}", lines.join("\n"));
}

fn kpi(lines: &[String], kpi: &Kpi) {
    let title = kpi.id.title().to_owned();
    let Some(estimate) = kpi.estimate else {
        // Labels are being assessed all the time here.
        let reason = kpi.reason.clone().unwrap();
        let reason = if kpi.id.needs_labels() { "…".to_owned() } else { reason };
        return holds(lines, &[title, reason]);
    };
    let fraction = format!("{} of {}", separated(kpi.numerator), separated(kpi.denominator));
    let (lower, upper) = (kpi.lower.unwrap(), kpi.upper.unwrap());
    let (estimate, ends) = match kpi.id {
        Measure::MedianLatency => {
            (format!("{estimate:.2} s"), format!("{lower:.2} to {upper:.2} s"))
        }
        _ => (percent(estimate), ends(lower, upper)),
    };
    holds(lines, &[title, estimate, fraction, ends]);
}

fn table(lines: &[String], groups: &Groups) {
    for row in &groups.rows {
        let sums = &row.part.sums;
        let mut texts: Vec<String> = row
            .name
            .iter()
            .map(|n| escape::line(&mask::mask(n).0).chars().take(10).collect())
            .collect();
        let flagged = sums.unit_no_go + sums.unit_undetermined;
        texts.extend([sums.units, flagged, sums.records].map(separated));
        if let (Some(share), Some(l), Some(u)) =
            (row.go_rate.estimate, row.go_rate.lower, row.go_rate.upper)
        {
            texts.extend([percent(share), ends(l, u)]);
        }
        let means = row.means.iter().filter_map(|m| m.estimate);
        texts.extend(means.map(|m| format!("{m:.2}")));
        holds(lines, &texts);
    }
    let rest = groups.rest;
    if rest.groups > 0 {
        holds(lines, &[rest.groups, rest.units, rest.records].map(separated));
    }
}

fn all_there(lines: &[String], triage: &Triage, all: &Breakdowns) {
    let c = &triage.counts;
    // A count as it is written, behind a blank.
    let n = |count: u64| format!(" {}", separated(count));
    let verdicts = separated(c.go + c.no_go + c.undetermined);
    let flagged = separated(triage.flagged_total);
    holds(lines, &[format!("{flagged} of {verdicts} verdicts flagged")]);
    let outcomes = [c.go, c.no_go, c.undetermined, c.overrides, c.in_window];
    holds(lines, &outcomes.map(n));
    holds(lines, &[c.bypassed, c.repeats, c.earlier_rounds].map(n));
    holds(lines, &[format!("undated records:{}", n(c.undated))]);
    let a = &c.accounting;
    holds(lines, &[format!("lines{} + split{}", n(a.lines), n(a.split))]);
    let read = [a.records, a.duplicates, a.rejected].map(n);
    holds(lines, &read);
    holds(lines, &[a.incomplete, a.joined, a.blank].map(n));
    if let Some(new) = triage.new_since {
        holds(
            lines,
            &[format!("{} new since ", new.records), format!(", {} flagged", new.flagged)],
        );
    }
    triage.kpis.iter().for_each(|k| kpi(lines, k));
    for b in &triage.boxes {
        let holdings = format!("{} records in {} file", separated(b.records), separated(b.files));
        holds(lines, &[b.name.clone(), holdings]);
    }
    triage.caveats.iter().for_each(|c| holds(lines, &[c.text.chars().take(60).collect()]));
    let newest = all.days.bars.iter().rev().take(14);
    for bar in newest {
        let day: String = Timestamp::of_day(bar.span.first).day_text().chars().skip(5).collect();
        let s = &bar.part.sums;
        let counts = [s.go, s.no_go, s.undetermined, s.flagged].map(n);
        holds(lines, &[&[day][..], &counts].concat());
    }
    for row in &all.causes {
        let rate = &row.share;
        let fraction = format!("{} of {}", separated(rate.numerator), separated(rate.denominator));
        let name = row.cause.map_or("no known cause", |c| c.as_str()).to_owned();
        let (share, l, u) = (rate.estimate.unwrap(), rate.lower.unwrap(), rate.upper.unwrap());
        holds(lines, &[name, fraction, percent(share), ends(l, u)]);
    }
    for strip in &all.scores {
        let name = strip.dimension.as_str().to_owned();
        let mean = format!("{:.2} n {}", strip.mean.estimate.unwrap(), separated(strip.mean.n));
        holds(lines, &[name, mean]);
        holds(lines, &strip.histogram.clone().map(|bin| separated(bin.count)));
    }
    let mut models = all.models.clone();
    models.rows.retain(|row| row.name.is_none() || row.is_judge());
    [&models, &all.agents, &all.paths, &all.terms].into_iter().for_each(|t| table(lines, t));
}

/// Runs of digits, with a point or a comma inside one.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','))
        .map(|t| t.trim_matches(['.', ',']))
        .filter(|t| !t.is_empty())
}

/// A line without the number that an ellipsis cut.
fn uncut(line: &str) -> String {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    line.split_inclusive('…')
        .map(|part| match part.strip_suffix('…') {
            Some(cut) => cut.trim_end_matches(number),
            None => part,
        })
        .collect::<Vec<_>>()
        .join("…")
}

/// Every number of a document, as it may be written: shares as percentages, means with two places.
fn known(value: &Value, out: &mut BTreeSet<String>) {
    match value {
        Value::Number(n) => {
            out.insert(match n.as_u64() {
                Some(count) => separated(count),
                None => n.to_string(),
            });
            if let (false, Some(v)) = (n.is_u64() || n.is_i64(), n.as_f64()) {
                out.extend([format!("{:.1}", v * 100.0), format!("{v:.2}")]);
            }
            // An age, in the unit that is shown.
            if let Some(n) = n.as_i64() {
                out.extend([60, 3_600, 86_400].map(|unit| (n / unit).to_string()));
            }
        }
        // A hidden character of a name is shown by its number.
        Value::String(text) => {
            out.extend(tokens(text).map(str::to_owned));
            out.extend(tokens(&escape::line(text)).map(str::to_owned));
        }
        Value::Array(items) => {
            out.insert(separated(items.len()));
            items.iter().for_each(|v| known(v, out));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                out.extend(tokens(name).map(str::to_owned));
                known(value, out);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn nothing_else(lines: &[String], triage: &Triage, all: &Breakdowns) {
    let mut numbers = BTreeSet::new();
    known(&serde_json::to_value(triage).unwrap(), &mut numbers);
    known(&serde_json::to_value(all).unwrap(), &mut numbers);
    // A share whose last digits are none is a whole number in JSON.
    numbers.extend(["0.0", "100.0"].map(str::to_owned));
    // Thresholds and the confidence; scores; the least of a filter for them.
    let ours = ["70", "90", "15", "95", "30", "10", "5", "1", "2", "3", "4"];
    numbers.extend(ours.map(str::to_owned));
    for filter in triage
        .kpis
        .iter()
        .filter_map(|kpi| kpi_filters(foureyes::domain::JudgementKind::Push, kpi.threshold()))
    {
        numbers.extend(tokens(&filter.0.to_string()).map(str::to_owned));
        numbers.extend(tokens(&filter.1.to_string()).map(str::to_owned));
    }
    let c = &triage.counts;
    numbers.insert(separated(c.go + c.no_go + c.undetermined));
    // What of the evaluations of a name is flagged.
    for row in [&all.models, &all.agents, &all.paths, &all.terms].iter().flat_map(|t| &t.rows) {
        let sums = &row.part.sums;
        numbers.insert(separated(sums.unit_no_go + sums.unit_undetermined));
    }
    for bar in &all.days.bars {
        let next = Timestamp::of_day(bar.span.last + 1).day_text();
        numbers.extend(tokens(&next).map(str::to_owned));
    }
    for line in lines {
        for token in tokens(&uncut(line)) {
            assert!(numbers.contains(token), "{token} in {line}");
        }
    }
}

fn check(days: Days, seed: u64, span: u32) {
    let opened = Opened::generated(&spec(2_500, span, seed));
    let (mut triage, breakdowns) = documents(&opened, days.window(NOW));
    triage.new_since = Some(NewSince { seen: NOW, records: 41, flagged: 17 });
    let mut console = Console::on(&opened, days, (200, 100));
    console.take(triage.clone(), breakdowns.clone());
    let lines = console.walked();
    all_there(&lines, &triage, &breakdowns);
    nothing_else(&lines, &triage, &breakdowns);
}

#[test]
fn one_week_screen_has_exactly_its_numbers() {
    check(Days::Last(7), 1, 12);
}

#[test]
fn multi_week_and_all_time_screens_have_exactly_their_numbers() {
    check(Days::Last(90), 2, 80);
    check(Days::All, 3, 30);
}

#[test]
fn units_of_numbers_are_shown() {
    // Pushes alone: without a window, labels of tasks are not counted.
    let pushes = Spec { families: Families::Push, ..spec(500, 6, 4) };
    let opened = Opened::generated(&pushes);
    let mut console = Console::on(&opened, Days::Last(7), (120, 40));
    let lines = console.walked();
    for title in [
        "KPIs · the latest one per commit, box, model and prompt",
        "Outcomes per day · all kinds of verdict",
        "Flagged by box · all kinds of verdict",
    ] {
        assert!(lines.iter().any(|l| l.contains(title)), "{title}");
    }
    let has = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
    assert!(has(&lines, "false negative rate …"), "what is being counted is not called none");
    assert!(!has(&lines, "no labels yet") && !has(&lines, "without labels."));
    let generation = console.model.assessments.get(JudgementKind::Push).generation;
    let result = Err(Problem::new("the ledger is gone", "look for it"));
    console.tell(Message::Assessed { generation, result });
    let lines = console.walked();
    assert!(has(&lines, "Nothing is decided without labels."));
    assert!(has(&lines, "false negative rate no labels yet"));
}
