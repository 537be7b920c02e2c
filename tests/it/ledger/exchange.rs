//! Labels out of one ledger and into another.

use super::Desk;
use crate::report::conforms;
use serde_json::{Value, json};
use std::fs;

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

#[test]
fn export_import_export_is_identical() {
    let desk = Desk::new(4);
    let [a, b, c, d] = &desk.ids[..] else { panic!() };
    let audit = ["--selection", "audit", "--pi", "0.125"];
    desk.good(
        &[&["label", a, b, "poor", "--reason", "wrong_fact", "--blind"][..], &audit].concat(),
    );
    desk.good(&[
        "label",
        c,
        "acceptable",
        "--scores",
        "4,-,5",
        "--seconds",
        "31",
        "--selection",
        "census",
    ]);
    desk.good(&["label", c, "poor", "--again"]);
    desk.good(&["label", d, "unsure", "--note", "line\n\"two\" 🦄", "--reviewer", "bert"]);
    desk.good(&["label", a, "acceptable", "--reviewer", "cleo", "--adjudicate"]);
    desk.good(&["label", d, "poor"]);
    desk.good(&["label", "--undo"]);
    let exported = desk.good(&["label", "--export", "--json"]);
    assert_eq!(exported.lines().count(), 6);
    exported.lines().for_each(|line| conforms("label", line));
    let other = Desk::new(4);
    other.home.write("labels.jsonl", &exported);
    let said = other.json(&["label", "--import", "labels.jsonl"]);
    conforms("saved", &said.to_string());
    assert_eq!(said["caveats"][0]["id"], "imported_labels");
    assert!(said["caveats"][0]["text"].as_str().unwrap().contains("labels.jsonl"));
    assert_eq!(other.good(&["label", "--export", "--json"]), exported);
    for filter in ["label:any", "label:poor", "label:conflict", "reviewer:=bert", "label:none"] {
        assert_eq!(other.found(filter), desk.found(filter), "{filter}");
    }
    // The same file again adds nothing.
    let before = fs::read(other.ledger()).unwrap();
    assert_eq!(other.json(&["label", "--import", "labels.jsonl"])["already"], true);
    assert_eq!(fs::read(other.ledger()).unwrap(), before);
    other.good(&["label", "--undo"]);
    assert_eq!(other.found("label:any"), [] as [usize; 0]);
    let ran = other.run(&["label", "--import", "labels.jsonl"]);
    assert!(ran.code == 64 && ran.err.contains("label --redo"), "{}", ran.err);
    other.good(&["label", "--redo"]);
    assert_eq!(other.good(&["label", "--export", "--json"]), exported);
}

#[test]
fn correction_replaces_only_own_imported_label() {
    let desk = Desk::new(1);
    let row = |who: &str| json!({"record": desk.ids[0], "label": "poor", "reviewer": who});
    desk.home.write("labels.jsonl", lines(&[row("dora"), row("anna")]));
    desk.good(&["label", "--import", "labels.jsonl"]);
    desk.good(&["label", &desk.ids[0], "acceptable"]);
    let exported = desk.good(&["label", "--export"]);
    assert_eq!(exported.lines().count(), 2, "{exported}");
    assert_eq!(desk.found("label:conflict reviewer:=dora reviewer:=anna"), [0]);
}

#[test]
fn one_bad_import_line_saves_nothing_and_lists_all() {
    let desk = Desk::new(3);
    let good = json!({"record": desk.ids[0], "label": "poor"});
    let wrong = [
        (json!({"record": "ffffffff", "label": "poor"}), "no evaluation has an id"),
        (json!({"commit": "nothing", "label": "poor"}), "no evaluation has an id"),
        (json!({"record": desk.ids[1], "label": "bad"}), "`bad` is not a label"),
        (json!({"record": desk.ids[1]}), "missing field `label`"),
        (json!({"label": "poor"}), "it needs `record` or `commit`"),
        (json!({"record": desk.ids[1], "commit": "0000002", "label": "poor"}), "not both"),
        (json!({"record": desk.ids[1], "label": "poor", "seletion": "audit"}), "seletion"),
        (json!({"record": desk.ids[1], "label": "poor", "selection": "audit"}), "must be given"),
        (json!({"record": desk.ids[1], "label": "poor", "selection": "census", "pi": 0.5}), "is 1"),
        (json!({"record": desk.ids[1], "label": "poor", "scores": {"semantic": 6}}), "1 to 5"),
        (json!({"record": desk.ids[1], "label": "poor", "reason": "x"}), "is not a known reason"),
        (
            json!({"record": desk.ids[1], "label": "poor", "time": "2126-01-01T00:00:00Z"}),
            "dated in the future",
        ),
        (json!({"record": desk.ids[1], "label": "poor", "schema": "foureyes/label/2"}), "schema"),
        (json!({"record": desk.ids[0], "label": "unsure"}), "line 1 again"),
        (json!([1]), "invalid"),
    ];
    for (row, said) in wrong {
        desk.home.write("labels.jsonl", lines(&[good.clone(), row.clone()]));
        let ran = desk.run(&["label", "--import", "labels.jsonl"]);
        assert_eq!(ran.code, 64, "{row}: {}", ran.err);
        assert!(
            ran.err.contains("labels.jsonl:2: ") && ran.err.contains(said),
            "{row}: {}",
            ran.err
        );
        assert!(ran.err.contains("nothing was saved"), "{}", ran.err);
        assert!(!desk.ledgers().exists());
    }
    let unknown: Vec<Value> =
        (0..3).map(|n| json!({"record": format!("ffffffff{n}"), "label": "poor"})).collect();
    desk.home.write("labels.jsonl", lines(&unknown));
    let ran = desk.run(&["label", "--import", "labels.jsonl"]);
    for n in 1..=3 {
        assert!(ran.err.contains(&format!("labels.jsonl:{n}: ")), "{}", ran.err);
    }
    assert_eq!(desk.run(&["label", "--import", "missing.jsonl"]).code, 74);
}

#[test]
fn imported_labels_state_their_own_selection_and_may_name_commits() {
    let desk = Desk::new(60);
    let rows: Vec<Value> = (1..=60)
        .map(|n| json!({"commit": format!("{n:07x}"), "label": "poor", "selection": "audit", "pi": 0.25, "reviewer": "dora"}))
        .collect();
    desk.home.write("labels.jsonl", lines(&rows) + "\n  \n");
    desk.good(&["label", "--import", "labels.jsonl"]);
    assert_eq!(desk.found("label:poor reviewer:=dora -reviewer:anna").len(), 60);
    let exported = desk.good(&["label", "--export", "--json"]);
    assert!(exported.lines().all(|line| line.contains("\"pi\":0.25")));
    assert!(desk.good(&["label", "--export"]).contains("(from labels.jsonl)"));
    assert_eq!(
        fs::read_to_string(desk.ledger()).unwrap().lines().count(),
        1,
        "one entry, one line"
    );
}
