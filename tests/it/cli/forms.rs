//! The forms of the listings: widths, words, and flags that are hard to get wrong.

use super::{Home, push};
use foureyes::frame::trend::Trend;

const TIME: &str = "2026-02-10T10:00:00Z";

fn home() -> Home {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "GO") + &push(2, TIME, "NO-GO") + "x\n");
    home
}

#[test]
fn plain_is_a_flag_of_every_listing_and_the_default() {
    let home = home();
    let id = home.good(&["records", "verdict:no-go", "--json", "--from", "logs"]);
    let id: serde_json::Value = serde_json::from_str(&id).unwrap();
    let id = id["id"].as_str().unwrap();
    for command in [&["records"][..], &["trend"], &["records", "--rejects"], &["show", id]] {
        let run = |more: &[&str]| home.good(&[command, more, &["--from", "logs"]].concat());
        assert_eq!(run(&["--plain"]), run(&[]), "{command:?}");
        assert_ne!(run(&["--json"]), run(&[]), "{command:?}");
        let both = home.run(&[command, &["--plain", "--json", "--from", "logs"]].concat());
        assert_eq!(both.code, 64, "{command:?}");
    }
}

#[test]
fn a_pipe_gets_eighty_columns_and_every_number_of_the_trend() {
    let home = home();
    let text = home.good(&["trend", "--from", "logs"]);
    let long = text.lines().find(|l| l.chars().count() > 80);
    assert_eq!(long, None, "{text}");
    let trend: Trend =
        serde_json::from_str(&home.good(&["trend", "--json", "--from", "logs"])).unwrap();
    let row = &trend.rows[0];
    let share = |r: &foureyes::frame::trend::Rate| {
        let percent = |v: Option<f64>| format!("{:.1}", v.unwrap() * 100.0);
        let ends = format!("({}–{})", percent(r.lower), percent(r.upper));
        format!("{} % {ends}, {}/{}", percent(r.estimate), r.numerator, r.denominator)
    };
    for rate in [&row.go_rate, &row.undetermined_rate, &row.availability] {
        assert!(text.contains(&share(rate)), "{}\n{text}", share(rate));
    }
    let mut heads: Vec<&str> = Vec::new();
    for table in text.split("\n\n").filter(|t| t.starts_with("day ")) {
        heads.extend(
            table.lines().next().unwrap().split("  ").map(str::trim).filter(|h| !h.is_empty()),
        );
        let last = table.lines().last().unwrap();
        assert!(last.starts_with("2026-02-10 "), "{text}");
    }
    heads.retain(|h| *h != "day");
    assert_eq!(heads.len(), 19, "{heads:?}");
}

#[test]
fn unmatched_prefix_is_reported() {
    let home = Home::new();
    let files = "\"files_evaluated\":[\"research/a.md\"],\"commit\"";
    let line = push(1, TIME, "GO").replace("\"commit\"", files);
    home.write("logs/a.jsonl", line + &push(2, TIME, "GO"));
    let trend =
        |prefix: &str| home.good(&["trend", "--by", "path", "--prefix", prefix, "--from", "logs"]);
    let missed = trend("/research");
    assert!(missed.contains("matches no judged file"), "{missed}");
    assert!(missed.contains("(under no prefix)") && !missed.contains("no such file"), "{missed}");
    assert!(!trend("research/").contains("no judged file"));
}

#[test]
fn filter_may_precede_from_or_follow_path() {
    let home = home();
    for args in [
        &["records", "verdict:go", "--json", "--from", "logs"][..],
        &["records", "--json", "--from", "logs", "verdict:go"],
        &["records", "--json", "--from", "logs", "--", "verdict:go"],
        &["records", "--from", "logs", "--json", "--", "-verdict:no-go"],
    ] {
        assert_eq!(home.good(args).lines().count(), 1, "{args:?}");
    }
    let ran = home.run(&["records", "--from", "verdict:go", "logs"]);
    assert_eq!(ran.code, 74);
    assert!(ran.err.contains("check that the path exists"), "{}", ran.err);
}

#[test]
fn empty_listing_is_reported_on_stderr() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "GO"));
    for (args, note) in [
        (&["records", "verdict:no-go", "--from", "logs"][..], "note: no record matches\n"),
        (&["records", "verdict:no-go", "--json", "--from", "logs"], "note: no record matches\n"),
        (&["records", "--rejects", "--from", "logs"], "note: nothing was rejected\n"),
    ] {
        let ran = home.run(args);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", note), "{args:?}");
    }
}

#[test]
fn the_hook_has_no_demo_so_that_no_machine_is_switched_by_one() {
    let home = Home::new();
    for args in [
        &["--demo", "hook", "mode", "blocking", "--reason", "a trial"][..],
        &["hook", "install", "--demo"],
        &["hook", "status", "--demo"],
    ] {
        let ran = home.run(args);
        assert_eq!(ran.code, 64, "{args:?}: {}", ran.err);
        assert!(ran.err.contains("`hook` has no demo"), "{args:?}: {}", ran.err);
    }
    let left = home.good(&["hook", "mode"]);
    assert!(left.contains("advisory"), "{left}");
}

#[test]
fn the_demo_shows_its_own_configuration_and_writes_none() {
    let home = Home::new();
    let shown = home.good(&["--demo", "config", "show"]);
    assert!(shown.contains("demo") && shown.contains("[[box]]"), "{shown}");
    assert!(home.good(&["--demo", "config", "check"]).contains("ok"));
    let ran = home.run(&["--demo", "config", "init", "--force"]);
    assert_eq!(ran.code, 64);
    assert!(ran.err.contains("`--demo` uses its own configuration"), "{}", ran.err);
}
