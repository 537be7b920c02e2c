use super::*;
use crate::stats::sample::Stream;

const HOUR: i64 = 3_600_000_000;

fn item<'a>(agent: &'a str, hour: i64, flagged: bool, files: &'a str) -> AgentItem<'a> {
    AgentItem {
        agent,
        at: Timestamp(hour * HOUR),
        judge: 0,
        box_index: 0,
        flagged,
        scores: Scores::default(),
        files,
        terms: "",
    }
}

fn agent<'a>(all: &'a [Agent], name: &str) -> &'a Agent {
    all.iter().find(|agent| agent.name == name).unwrap()
}

#[test]
fn next_version_is_the_next_content_of_the_agent_with_one_of_the_files() {
    let elsewhere = AgentItem { box_index: 1, ..item("a", 3, false, "\0x.md") };
    let items = [
        item("a", 0, true, "\0x.md\0y.md"),
        item("b", 1, false, "\0x.md"),
        item("a", 2, false, "\0other.md"),
        elsewhere,
        item("a", 4, true, "\0y.md"),
        item("a", 5, false, "\0x.md\0y.md"),
        item("a", 6, true, "\0z.md"),
        item("a", 7, true, ""),
        item("a", 8, true, ""),
    ];
    let next = next_versions(&items);
    assert_eq!(next, [Some(4), None, None, None, Some(5), None, None, None, None]);
    let all = agents(&items);
    let a = agent(&all, "a");
    assert_eq!((a.next.go_after_no_go, a.next.no_go_without), (Rate::new(1, 2), 3));
    assert_eq!(a.next.go_after_go, Rate::new(0, 0));
    assert_eq!(a.no_go, Rate::new(5, 8));
}

#[test]
fn scores_terms_and_weeks_are_counted() {
    let scores = Scores { semantic: Some(2.0), pragmatic: Some(2.5), syntactic: Some(9.0) };
    let terms = "\0semantic\0Evidence\0Evidence\0Links";
    // The first of January 1970 was a Thursday: its week began on the 29th.
    let items = [
        AgentItem { scores, terms, ..item("a", 0, true, "") },
        AgentItem { terms: "\0Links", ..item("a", 4 * 24, true, "") },
        AgentItem { terms, ..item("a", 4 * 24 + 1, false, "") },
    ];
    let all = agents(&items);
    let down = all[0].marked_down.each();
    let counts = down.map(|(_, rate)| (rate.numerator, rate.denominator));
    assert_eq!(counts, [(1, 1), (0, 1), (0, 0)]);
    let terms: Vec<_> = all[0].terms.iter().map(|t| (t.name.as_str(), t.contents)).collect();
    assert_eq!(terms, [("Links", 2), ("Evidence", 1)]);
    let weeks: Vec<_> =
        all[0].weeks.iter().map(|w| (w.monday.as_str(), w.no_go, w.contents)).collect();
    assert_eq!(weeks, [("1969-12-29", 1, 1), ("1970-01-05", 1, 2)]);
    assert_eq!(all[0].change, None);
}

/// Agents of 200 contents over 200 hours, each with its NO-GO rate at the beginning and at the end.
fn made(rates: &[[f64; 2]], seed: u8) -> Vec<Agent> {
    let mut random = Stream::new(&[seed; 32]);
    let names: Vec<String> = (0..rates.len()).map(|n| format!("agent {n}")).collect();
    let mut items = Vec::new();
    for hour in 0..200 {
        for (name, [first, last]) in names.iter().zip(rates) {
            let rate = first + (last - first) * f64::from(hour) / 200.0;
            items.push(item(name, i64::from(hour), random.unit() < rate, "\0a.md"));
        }
    }
    agents(&items)
}

#[test]
fn agent_that_changes_is_named_and_no_other() {
    let mut rates = [[0.3, 0.3]; 10];
    rates[3] = [0.7, 0.1];
    let (mut found, mut others) = (0, 0);
    for seed in 0..100 {
        let all = made(&rates, seed);
        let changes =
            |agent: &&Agent| agent.change.is_some_and(|change| change.changes && change.z < 0.0);
        found += usize::from(all.iter().filter(|a| a.name == "agent 3").any(|a| changes(&a)));
        let other = |a: &&Agent| a.name != "agent 3" && a.change.is_some_and(|c| c.changes);
        others += usize::from(all.iter().any(|a| other(&a)));
    }
    // Five are expected: 95 of 100 such trials have at most eight.
    assert!(found >= 95 && others <= 8, "found in {found}, others named in {others} of 100");
}

#[test]
fn another_judge_is_no_change_of_the_agent() {
    // A stricter judge from the middle on.
    let strict = |n: i64| n >= 100;
    let items: Vec<_> = (0..200)
        .map(|n| {
            let flagged = if strict(n) { n % 2 == 0 } else { n % 10 == 0 };
            AgentItem { judge: u32::from(strict(n)), ..item("a", n, flagged, "") }
        })
        .collect();
    let change = agents(&items)[0].change.unwrap();
    assert!(change.p > 0.5 && change.late.numerator > change.early.numerator, "{change:?}");
    let one_judge: Vec<_> = items.into_iter().map(|item| AgentItem { judge: 0, ..item }).collect();
    assert!(agents(&one_judge)[0].change.unwrap().changes);
}

#[test]
fn agent_that_corrects_nothing_is_named() {
    let mut items = Vec::new();
    for n in 0..40_i64 {
        for name in ["a", "b", "c"] {
            // Of `c`, a flagged file is flagged for ever; of the others, the next version is good.
            let flagged = if name == "c" { n >= 4 } else { n % 2 == 0 };
            items.push(item(name, n, flagged, "\0a.md"));
        }
    }
    let all = agents(&items);
    let again = |name: &str| {
        let comparisons = &agent(&all, name).comparisons;
        comparisons.iter().any(|one| one.id == Compared::FlaggedAgain && one.differs)
    };
    assert_eq!([again("a"), again("b"), again("c")], [false, false, true]);
    assert_eq!(agent(&all, "a").next.go_after_no_go, Rate::new(20, 20));
}
