//! Many records in one command: each that fails is named, and the others are done.

use super::{Bench, DAY, task};
use crate::cli::push;
use crate::pull::Lab;
use serde_json::Value;
use std::collections::BTreeSet;

/// The ids of all records that a filter finds.
fn ids(bench: &Bench, filter: &str) -> Vec<String> {
    let rows = bench.good(&["records", filter, "--json"]);
    let id = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["id"].as_str().unwrap().to_owned()
    };
    rows.lines().map(id).collect()
}

fn order<'a>(ids: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let ids = ids.iter().map(String::as_str);
    ["override"].into_iter().chain(ids).chain(more.iter().copied()).collect()
}

fn records(all: &Value, of: impl Fn(&Value) -> bool) -> BTreeSet<&str> {
    let all = all.as_array().unwrap().iter().filter(|one| of(one));
    all.map(|one| one["record"].as_str().unwrap()).collect()
}

fn set(ids: &[String]) -> BTreeSet<&str> {
    ids.iter().map(String::as_str).collect()
}

#[test]
fn five_hundred_overrides_name_three_rejected_and_confirm_the_rest() {
    let bench = Bench::local();
    let line = |n| push(n, DAY, "NO-GO");
    bench.put("logs/a.jsonl", &(1..=497).map(line).collect::<String>());
    std::fs::remove_file(bench.at("logs/verdicts.jsonl")).unwrap();
    let tasks: String = ["t-1", "t-2", "t-3"].map(|id| task(id, "reject")).concat();
    // Rotated away: nobody writes tasks there at present, and no log of tasks is made by us.
    bench.put("logs/verdicts.jsonl.1", &tasks);
    let left = ids(&bench, "family:task");
    let all = [ids(&bench, "family:push"), left.clone()].concat();
    assert_eq!((all.len(), left.len()), (500, 3));
    let ran = bench.run(&order(&all, &["accept", "--reason", "the glossary", "--json"]));
    assert_eq!(ran.code, 69, "{}", ran.err);
    crate::report::conforms("override", &ran.out);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    let overrides = &said["overrides"];
    assert_eq!((overrides.as_array().unwrap().len(), &said["unconfirmed"]), (500, &3.into()));
    assert_eq!(records(overrides, |one| one["state"] == "unconfirmed"), set(&left));
    assert_eq!(records(overrides, |one| one["state"] == "confirmed").len(), 497);
    assert_eq!(said["refused"], serde_json::json!([]));
    assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 497);
    assert_eq!(bench.ledger().lines().count(), 500, "it is kept all the same");
    // The entries say that they were decided at once: the console takes them back so.
    let entry = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let entries: Vec<Value> = bench.ledger().lines().map(entry).collect();
    assert!(entries.iter().all(|one| one["body"]["together"] == entries[0]["id"]));
    // Told once more to a person, they stand at the end.
    let ran = bench.run(&order(&all, &["accept", "--reason", "the glossary"]));
    let (_, end) = ran.out.split_once("3 of 500 UNCONFIRMED:\n").expect("a summary");
    let named: BTreeSet<&str> = end.lines().map(|line| &line[2..14]).collect();
    assert_eq!(named, left.iter().map(|id| &id[..12]).collect(), "{end}");
    assert!(end.lines().all(|line| line.contains("it is not there")), "{end}");
    bench.put("logs/verdicts.jsonl", &task("t-4", "accept"));
    bench.good(&["override", "--retry"]);
    assert_eq!(bench.found("override:confirmed"), 500);
}

#[test]
fn ssh_partial_delivery_names_exactly_the_rejected_records() {
    let lab = Lab::new();
    let bench = Bench::remote(&lab, lab.port);
    let (left, all) = (ids(&bench, "family:task"), ids(&bench, ""));
    assert_eq!((all.len(), left.len()), (7, 2));
    std::fs::rename(bench.at("logs/verdicts.jsonl"), bench.at("logs/verdicts.jsonl.1")).unwrap();
    let ran = bench.run(&order(&all, &["reject", "--reason", "no", "--json"]));
    assert_eq!(ran.code, 69, "{}", ran.err);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(records(&said["overrides"], |one| one["state"] == "unconfirmed"), set(&left));
    assert_eq!(bench.read("overrides/anna.jsonl").lines().count(), 5);
    lab.nothing_left();
}

/// Two boxes of this machine; the second one has three records of its own.
fn two_boxes() -> (Bench, Vec<String>) {
    let bench = Bench::local();
    std::fs::create_dir(bench.at("other")).unwrap();
    let line = |n| push(n, DAY, "NO-GO");
    bench.put("other/b.jsonl", &(11..=13).map(line).collect::<String>());
    let other = format!(
        "{}[[box]]\nname = \"other\"\nlocal = true\nlogs = [{}]\noverrides = {}\n",
        bench.config,
        super::quoted(&bench.at("other")),
        super::quoted(&bench.at("others")),
    );
    bench.home.write("c.toml", other);
    let ids = ids(&bench, "box:other");
    assert_eq!(ids.len(), 3);
    (bench, ids)
}

#[test]
fn non_overridable_records_are_listed_and_others_saved() {
    let (bench, left) = two_boxes();
    let all = [ids(&bench, "family:push box:here"), left.clone()].concat();
    assert_eq!(all.len(), 8);
    let flags = ["accept", "--reason", "x", "--box", "here"];
    let ran = bench.run(&order(&all, &[&flags[..], &["--json"]].concat()));
    assert_eq!(ran.code, 1, "{}", ran.err);
    crate::report::conforms("override", &ran.out);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(records(&said["refused"], |_| true), set(&left));
    assert_eq!(records(&said["overrides"], |one| one["state"] == "confirmed").len(), 5);
    assert_eq!(bench.ledger().lines().count(), 5);
    let ran = bench.run(&order(&all, &flags));
    let (_, end) = ran.out.split_once("3 of 8 NOT SAVED:\n").expect("a summary");
    assert!(left.iter().all(|id| end.contains(&id[..12])), "{end}");
    assert!(end.contains("it is not on the box \"here\", but on other"), "{end}");
    assert!(ran.err.contains("the others are saved"), "{}", ran.err);
    // Where none can be, it is a mistake, and all of them are named.
    let ran = bench.run(&order(&left, &flags));
    assert_eq!((ran.code, ran.out.as_str()), (64, ""), "{}", ran.err);
    assert!(left.iter().all(|id| ran.err.contains(&id[..12])), "{}", ran.err);
    // An id that names nothing is another matter: nobody knows what was meant.
    let wrong = [&left[..], &["ffffffff".to_owned(), "eeeeeeee".to_owned()]].concat();
    let ran = bench.run(&order(&wrong, &["accept", "--reason", "x"]));
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.err.contains("`ffffffff`") && ran.err.contains("`eeeeeeee`"), "{}", ran.err);
    assert_eq!(bench.ledger().lines().count(), 5);
}
