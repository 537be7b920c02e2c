//! Double labels, second looks and confirmations, as the commands ask for them.

use super::Desk;
use crate::cli::{begin_window, push};
use crate::report::conforms;
use foureyes::domain::JudgementKind;
use serde_json::Value;
use std::collections::BTreeMap;

/// Two days of 40 contents that passed beside one that was flagged, all of them drawn, under a
/// policy if one is given.
fn desk(policy: Option<&str>) -> Desk {
    let mut desk = Desk::new(1);
    let line = |n: u32| push(n, &format!("2026-02-1{}T09:{:02}:00Z", n % 2, n % 60), "GO");
    desk.home.write("logs/b.jsonl", (100..180).map(line).collect::<String>());
    for name in ["bert", "cleo"] {
        let file = format!("[reviewer]\nname = \"{name}\"\nmachine = \"desk\"\n");
        desk.home.write(&format!("{name}.toml"), &file);
    }
    begin_window(&desk.home.path().join("data"), "anna", JudgementKind::Push, "2026-02-10");
    if let Some(policy) = policy {
        desk.home.write("policy.toml", policy);
        desk.good(&["gate", "set", "policy.toml", "--from", "2026-02-10"]);
    }
    let seed = "11".repeat(32);
    desk.good(&["gate", "audit", "1", "--seed", &seed, "--since", "2026-02-10"]);
    let mut rows = desk.records("");
    rows.sort_by_key(|row| row["commit"].as_str().unwrap().to_owned());
    desk.ids = rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    desk
}

/// Labels of all records: acceptable, but for the flagged one and the last so many.
fn label_all(desk: &Desk, poor: usize) {
    let (rest, last) = desk.ids[1..].split_at(desk.ids.len() - 1 - poor);
    give(desk, "anna", rest, "acceptable");
    give(desk, "anna", &[last, &desk.ids[..1]].concat(), "poor");
}

fn give(desk: &Desk, who: &str, ids: &[String], word: &str) {
    if !ids.is_empty() {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        desk.good(&[&["label"], &ids[..], &[word, "--reviewer", who]].concat());
    }
}

/// How the audit sample stands for somebody.
fn status(desk: &Desk, who: &str) -> Value {
    let config = if who == "anna" { "c.toml".to_owned() } else { format!("{who}.toml") };
    let args = ["gate", "audit", "--from", "logs", "--config", &config, "--json"];
    let text = desk.home.good(&args);
    conforms("audit", &text);
    serde_json::from_str(&text).unwrap()
}

fn ids(status: &Value, key: &str) -> Vec<String> {
    status[key].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

fn readiness(desk: &Desk) -> Value {
    let args = ["readiness", "--from", "logs", "--config", "c.toml", "--json"];
    let ran = desk.home.run(&args);
    conforms("readiness", &ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

/// Why labels of a reviewer were asked for, by record.
fn requested(desk: &Desk, who: &str) -> BTreeMap<String, Option<String>> {
    let listed = desk.good(&["label", "--export", "--json", "--from", "logs"]);
    let rows = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    rows.filter(|row| row["reviewer"] == who)
        .map(|row| (text(&row["record"]).unwrap(), text(&row["requested"])))
        .collect()
}

#[test]
fn tenth_goes_to_second_reviewer_and_disagreement_is_unsure() {
    let desk = desk(None);
    label_all(&desk, 0);
    assert_eq!(ids(&status(&desk, "anna"), "next"), Vec::<String>::new());
    let bert = status(&desk, "bert");
    let due = ids(&bert, "next");
    assert!((2..=20).contains(&due.len()), "{} of 81", due.len());
    assert_eq!(bert["second_labels"], due.len());
    assert_eq!(bert["closed_days"], 2, "no day waits for a double label");
    let passed: Vec<String> = due.iter().filter(|id| **id != desk.ids[0]).cloned().collect();
    give(&desk, "bert", &passed[..1], "poor");
    give(&desk, "bert", &passed[1..], "acceptable");
    give(&desk, "bert", &[desk.ids[20].clone()], "acceptable");
    let why = requested(&desk, "bert");
    assert!(passed.iter().all(|id| why[id].as_deref() == Some("double")), "{why:?}");
    if !passed.contains(&desk.ids[20]) {
        assert_eq!(why[&desk.ids[20]], None, "nobody asked for it");
    }
    let report = readiness(&desk);
    assert_eq!(report["conflicts"], serde_json::json!(passed[..1]));
    let doubles = &report["reviewer_error"]["second_words"]["doubles"];
    assert_eq!((&doubles["differ"], &doubles["open"]), (&1.into(), &1.into()));
    desk.good(&["label", &passed[0], "acceptable", "--adjudicate", "--reviewer", "cleo"]);
    let report = readiness(&desk);
    assert_eq!(report["conflicts"], serde_json::json!([]));
    let doubles = &report["reviewer_error"]["second_words"]["doubles"];
    assert_eq!((&doubles["differ"], &doubles["open"]), (&1.into(), &0.into()));
}

#[test]
fn unsure_of_one_reviewer_is_settled_by_another() {
    let desk = desk(None);
    label_all(&desk, 0);
    let doubt = desk.ids[30].clone();
    give(&desk, "anna", std::slice::from_ref(&doubt), "unsure");
    assert_eq!(ids(&status(&desk, "bert"), "second_look"), std::slice::from_ref(&doubt));
    assert_eq!(desk.found("label:second_look"), [30]);
    assert_eq!(readiness(&desk)["second_look"], serde_json::json!([doubt]));
    let said = desk.good(&["gate", "audit", "--from", "logs"]);
    assert!(said.contains("unsure, need a second look by another reviewer: 1 record"), "{said}");
    // One who is unsure as well leaves it to a third; that one settles it.
    give(&desk, "bert", std::slice::from_ref(&doubt), "unsure");
    assert_eq!(ids(&status(&desk, "cleo"), "second_look"), std::slice::from_ref(&doubt));
    give(&desk, "cleo", std::slice::from_ref(&doubt), "acceptable");
    assert_eq!(requested(&desk, "cleo")[&doubt].as_deref(), Some("second_look"));
    let report = readiness(&desk);
    let open = (&report["second_look"], &report["conflicts"]);
    assert_eq!(open, (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(desk.found("label:second_look"), Vec::<usize>::new());
    assert!(desk.found("label:acceptable").contains(&30));
    // Taken back, the doubt is there again.
    desk.good(&["label", "--undo", "--reviewer", "cleo"]);
    assert_eq!(desk.found("label:second_look"), [30]);
}

#[test]
fn a_second_word_drawn_because_of_the_first_changes_no_rate() {
    let desk = desk(Some("[policy]\nconfirm = \"none\"\n"));
    label_all(&desk, 4);
    let before = readiness(&desk);
    let bert = ids(&status(&desk, "bert"), "next");
    give(&desk, "bert", &bert, "acceptable");
    let why = requested(&desk, "bert");
    let compared: Vec<&String> =
        bert.iter().filter(|id| why[*id].as_deref() == Some("compare")).collect();
    assert!(compared.len() >= 2 && compared.len().is_multiple_of(2), "{why:?}");
    let report = readiness(&desk);
    let words = &report["reviewer_error"]["second_words"];
    assert_eq!(words["poor"]["differ"], compared.len() / 2);
    assert_eq!(words["partners"]["differ"], 0);
    // What bert called acceptable of the poor ones still counts as poor.
    let poor = desk.found("label:poor").len() + desk.found("label:conflict").len();
    assert_eq!(poor, 5);
    let rate = |report: &Value| {
        let kpis = report["kpis"].as_array().unwrap();
        kpis.iter().find(|k| k["id"] == "false_negative_rate").unwrap()["upper"].clone()
    };
    let differ = words["doubles"]["differ"].as_u64().unwrap();
    if differ == 0 {
        assert_eq!(rate(&report), rate(&before));
    }
}

#[test]
fn poor_requiring_second_label_keeps_day_open_with_explanation() {
    let desk = desk(Some("[policy]\nconfirm = \"poor\"\n"));
    label_all(&desk, 1);
    let first = status(&desk, "anna");
    let days = first["days"].as_array().unwrap();
    assert!(days.iter().all(|day| day["missing"] == serde_json::json!([])), "{days:?}");
    let unconfirmed: Vec<String> = days.iter().flat_map(|day| ids(day, "unconfirmed")).collect();
    assert_eq!(unconfirmed.len(), 2, "one NO-GO and one GO: {days:?}");
    assert!(days.iter().any(|day| day["state"] == "open"));
    let said = desk.home.run(&["readiness", "--from", "logs", "--config", "c.toml"]).out;
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("does not find misses that a reviewer labelled acceptable"), "{said}");
    assert!(words.contains("called poor need a second label"), "{said}");
    give(&desk, "bert", &unconfirmed, "poor");
    let why = requested(&desk, "bert");
    assert!(unconfirmed.iter().all(|id| why[id].as_deref() == Some("confirm")), "{why:?}");
    let after = status(&desk, "anna");
    assert_eq!(after["closed_days"], 2);
}

#[test]
fn import_keeps_selection_and_rejects_unknown_ones() {
    let desk = desk(None);
    let row = |why: &str| {
        format!("{{\"record\":\"{}\",\"label\":\"poor\",\"requested\":\"{why}\"}}\n", desk.ids[3])
    };
    desk.home.write("good.jsonl", row("compare"));
    desk.good(&["label", "--import", "good.jsonl", "--reviewer", "bert"]);
    assert_eq!(requested(&desk, "bert")[&desk.ids[3]].as_deref(), Some("compare"));
    desk.home.write("bad.jsonl", row("nobody"));
    let ran = desk.run(&["label", "--import", "bad.jsonl"]);
    assert!(ran.code != 0 && ran.err.contains("not a kind of requested label"), "{}", ran.err);
}

#[test]
fn no_gos_have_a_rate_of_their_own_in_the_ledger() {
    let desk = desk(None);
    desk.good(&["gate", "audit", "--nogo", "0.5"]);
    let found = status(&desk, "anna");
    let last = found["rates"].as_array().unwrap().last().unwrap();
    assert_eq!((last["stratum"].as_str(), last["rate"].as_f64()), (Some("no_go"), Some(0.5)));
    // A rate below 1 reaches back to nothing, and one command sets one rate.
    let code = |args: &[&str]| desk.home.run(&Desk::args(args)).code;
    assert_eq!(code(&["gate", "audit", "--nogo", "0.5", "--since", "2026-02-10"]), 64);
    assert_eq!(code(&["gate", "audit", "0.5", "--nogo", "0.5"]), 64);
}
