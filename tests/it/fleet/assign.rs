//! Work that reviewers share: assigned, labelled, counted, by one machine and by several at once.

use super::{Desk, SHARED, database, generated};
use crate::cli::{Home, begin_window};
use foureyes::domain::JudgementKind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Three who label, one of them with a name that is not to be trusted.
const REVIEWERS: &str = "[fleet.teams.search]\npaths = [\"research/\"]\n\
    [reviewers.anna]\nteam = \"search\"\nload = 40\n[reviewers.bert]\nload = 30\n\
    [reviewers.\"c'); DROP TABLE x -- <b>\"]\nload = 20\n";

/// An operator who leads, over logs whose records all wait for a label.
fn lead(name: &str, boxes: &Path, ports: &[u16], database: &str) -> Desk {
    let desk = Desk::new(name, boxes, ports, database);
    desk.configure(boxes, ports, database, &format!("user = \"default\"\n{REVIEWERS}"));
    desk
}

/// Starts a window that reaches back over everything.
fn begin(desk: &Desk) {
    begin_window(&desk.home.path().join("data"), &desk.name, JudgementKind::Push, "2026-01-01");
    desk.good(&["gate", "audit", "1", "--since", "2026-01-01"]);
}

/// A number of each reviewer.
fn column(work: &Value, name: &str) -> BTreeMap<String, u64> {
    let rows = work["reviewers"].as_array().unwrap().iter();
    rows.map(|row| (row["reviewer"].as_str().unwrap().to_owned(), row[name].as_u64().unwrap()))
        .collect()
}

fn ids(desk: &Desk, filter: &str) -> Vec<String> {
    let out = desk.good(&["records", filter, "--json"]);
    let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].clone();
    out.lines().map(|line| id(line).as_str().unwrap().to_owned()).collect()
}

#[test]
fn one_machine_assigns_counts_and_releases_without_a_store() {
    let made = Home::new();
    let boxes = generated(&made, 600, 21);
    let desk = lead("anna", &boxes, &[], "none");
    let early = desk.run(&["fleet", "assign"]);
    assert_eq!(early.code, 64, "{}", early.err);
    assert!(early.err.contains("gate window`"), "{}", early.err);
    begin(&desk);
    let tried = desk.json(&["fleet", "assign", "--by", "load", "--overlap", "0.3", "--dry-run"]);
    assert_eq!(column(&desk.json(&["fleet", "work"]), "assigned").values().sum::<u64>(), 0);
    let done = desk.json(&["fleet", "assign", "--by", "load", "--overlap", "0.3"]);
    let places = |document: &Value, of: &str| {
        let rows = document["assignments"].as_array().unwrap().iter();
        rows.map(|row| row[of].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(places(&tried, "records"), places(&done, "records"), "{tried}");
    assert_eq!(places(&done, "records") + places(&done, "second"), 90, "all have their load");
    assert!((8..=45).contains(&places(&done, "second")), "{done}");
    assert_eq!(places(&done, "lost"), 0);
    let again = desk.json(&["fleet", "assign", "--by", "load", "--overlap", "0.3"]);
    assert_eq!(again["assignments"], serde_json::json!([]));
    // What anna has is in her queue; she labels some of it, and some of what is bert's.
    let (own, of_bert) = (ids(&desk, "assigned:me"), ids(&desk, "assigned:=bert -assigned:me"));
    assert_eq!((own.len(), ids(&desk, "assigned:any -assigned:none").len() > 60), (40, true));
    for (id, word) in own.iter().take(3).map(|id| (id, "poor")) {
        desk.good(&["label", id, word]);
    }
    let alone: Vec<&String> = of_bert
        .iter()
        .filter(|id| ids(&desk, &format!("id:{id} assigned:any -assigned:anna")).len() == 1)
        .take(2)
        .collect();
    alone.iter().for_each(|id| drop(desk.good(&["label", id, "acceptable"])));
    let work = desk.json(&["fleet", "work"]);
    let of = |name: &str, who: &str| column(&work, name)[who];
    assert_eq!((of("done", "anna"), of("labelled", "anna"), of("of_others", "anna")), (3, 5, 2));
    assert_eq!((of("waiting", "anna"), of("assigned", "anna")), (37, 40));
    assert!(of("by_others", "bert") <= 2 && of("assigned", "bert") == 30, "{work}");
    let text = desk.good(&["fleet", "work"]);
    assert!(text.contains("DROP TABLE") && text.contains("0 of 0 with others"), "{text}");
    // Another reviewer disagrees on one: agreement has its denominator.
    desk.good(&["label", &own[0], "acceptable", "--reviewer", "bert"]);
    desk.good(&["label", &own[1], "poor", "--reviewer", "bert"]);
    let work = desk.json(&["fleet", "work"]);
    assert_eq!(work["pairs"][0]["items"], 2, "{work}");
    let agreement = &work["reviewers"][0]["agreement"];
    assert_eq!((&agreement["numerator"], &agreement["denominator"]), (&1.into(), &2.into()));
    // What is released is free again.
    let released = desk.json(&["fleet", "assign", "--release", "bert"]);
    assert_eq!(released["released"], 1);
    assert_eq!(ids(&desk, "assigned:=bert").len(), 0);
    let taken = desk.json(&["fleet", "assign", "--limit", "4", "--overlap", "0"]);
    assert_eq!(places(&taken, "records") + places(&taken, "second"), 4, "{taken}");
}

#[test]
fn two_who_assign_at_once_agree_on_who_has_what() {
    let made = Home::new();
    let (boxes, name) = (generated(&made, 400, 22), database());
    let one = lead("dora", &boxes, &SHARED.ports, &name);
    one.good(&["fleet", "init"]);
    begin(&one);
    one.publish();
    // The ledger with the seed travels as ever.
    let other = lead("emil", &boxes, &SHARED.ports, &name);
    let config = std::fs::read_to_string(other.home.path().join("c.toml")).unwrap();
    other.home.write("c.toml", config.replace("machine = \"desk\"", "machine = \"laptop\""));
    let exchange = made.path().join("exchange");
    std::fs::create_dir(&exchange).unwrap();
    let via = exchange.to_str().unwrap();
    one.good(&["ledger", "push", "--via", via]);
    other.good(&["ledger", "pull", "--via", via]);
    let args = ["fleet", "assign", "--overlap", "0.5", "--json", "--config", "c.toml"];
    let running = [&one, &other].map(|desk| {
        let mut command = desk.home.command(&args);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    });
    let mut held = 0;
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        for row in document["assignments"].as_array().unwrap() {
            let number = |of: &str| row[of].as_u64().unwrap();
            held += number("records") + number("second") - number("lost");
        }
    }
    let [first, second] =
        [&one, &other].map(|desk| desk.json(&["fleet", "work"])["reviewers"].clone());
    assert_eq!(first, second, "both see the same");
    let work = one.json(&["fleet", "work"]);
    let assigned = column(&work, "assigned");
    assert_eq!(assigned.values().sum::<u64>(), held, "what each was shown holds");
    assert!(assigned["anna"] >= 40 && assigned["bert"] >= 30, "{work}");
    // A reviewer with no ledger of the others learns it from the store, and their label comes back by it.
    let bert = Desk::new("bert", &boxes, &SHARED.ports, &name);
    assert_eq!(ids(&bert, "assigned:me").len(), 0);
    bert.good(&["fleet", "work"]);
    let mine = ids(&bert, "assigned:me");
    assert_eq!(mine.len() as u64, column(&work, "waiting")["bert"]);
    bert.good(&["label", &mine[0], "poor"]);
    assert_eq!(ids(&bert, "assigned:me").len(), mine.len() - 1);
    bert.publish();
    let work = other.json(&["fleet", "work"]);
    assert_eq!(column(&work, "done")["bert"], 1, "{work}");
    // A record has its first place once, and its second with another reviewer.
    let entries = SHARED.ask(&format!(
        "SELECT uniqExact(entry), count() > 0 FROM {name}.arrivals WHERE arrived > 0 FORMAT TabSeparated"
    ));
    assert!(entries.ends_with('1'), "{entries}");
}
