//! `label`, `gate window` and `ledger verify`.

use super::Desk;
use crate::report::conforms;
use std::fs;

#[test]
fn a_label_is_saved_for_the_beginning_of_an_id_and_for_a_commit() {
    let desk = Desk::new(3);
    let said = desk.good(&["label", &desk.ids[0][..12], "poor"]);
    assert!(said.starts_with(&format!("saved: {} poor by anna", &desk.ids[0][..12])), "{said}");
    let both = desk.json(&["label", "0000002", &desk.ids[2].to_uppercase(), "acceptable"]);
    conforms("saved", &both.to_string());
    assert_eq!(both["kind"], "labels");
    assert_eq!(both["labels"][0]["record"], desk.ids[1].as_str());
    assert_eq!(desk.found("label:any"), [0, 1, 2]);
    assert_eq!(desk.found("label:poor"), [0]);
    // Labelling again corrects; what was said before is still in the file.
    desk.good(&["label", &desk.ids[0], "unsure", "--note", "not my field"]);
    assert_eq!((desk.found("label:poor"), desk.found("label:unsure")), (vec![], vec![0]));
    assert_eq!(fs::read_to_string(desk.ledger()).unwrap().lines().count(), 3);
    assert_eq!(desk.good(&["label", "--export", "--json"]).lines().count(), 3);
    // A repeat counts beside it.
    desk.good(&["label", &desk.ids[0], "poor", "--again", "--blind", "--scores", "2,-,5"]);
    assert_eq!(desk.good(&["label", "--export", "--json"]).lines().count(), 4);
    assert_eq!(desk.found("label:poor"), [0]);
}

#[test]
fn unmatched_or_ambiguous_id_lists_candidates_and_saves_nothing() {
    let desk = Desk::new(300);
    let mut ids = desk.ids.clone();
    ids.sort();
    let twins = ids.windows(2).find(|w| w[0][..4] == w[1][..4]).map(|w| w[0][..4].to_owned());
    let mut words = vec!["label", "ffffffffffff", "nothing", &desk.ids[5]];
    words.extend(twins.as_deref());
    words.push("poor");
    let ran = desk.run(&words);
    assert_eq!(ran.code, 64, "{}", ran.err);
    for word in ["ffffffffffff", "nothing", "nothing was saved"] {
        assert!(ran.err.contains(word), "{}", ran.err);
    }
    assert!(twins.is_none() || ran.err.contains("names 2 records"), "{}", ran.err);
    assert!(!desk.ledgers().exists());
    // All commits begin with it.
    let ran = desk.run(&["label", "00000", "poor"]);
    assert!(ran.code == 64 && ran.err.contains("names 255 records"), "{}", ran.err);
}

#[test]
fn digits_matching_id_and_other_commit_are_ambiguous() {
    let desk = Desk::new(1);
    let commit = &desk.ids[0][..10];
    let line = crate::cli::push(2, "2026-02-10T11:00:00Z", "GO").replace("0000002", commit);
    desk.home.write("logs/b.jsonl", line);
    let ran = desk.run(&["label", commit, "poor"]);
    assert!(ran.code == 64 && ran.err.contains("names 2 records"), "{}", ran.err);
    desk.good(&["label", &desk.ids[0][..11], "poor"]);
}

#[test]
fn wrong_words_are_refused_before_anything_is_written() {
    let desk = Desk::new(1);
    let id = desk.ids[0].as_str();
    let long = "x".repeat(100_000);
    let cases: [(&[&str], &str); 11] = [
        (&["label"], "records and a label"),
        (&["label", id], "records and a label"),
        (&["label", id, "bad"], "is not a label"),
        (&["label", id, "poor", "--reason", "because"], "is not a known reason"),
        (&["label", id, "poor", "--selection", "audit"], "must be given"),
        (&["label", id, "poor", "--selection", "audit", "--pi", "1.5"], "at most 1"),
        (&["label", id, "poor", "--pi", "0.5"], "has no `pi`"),
        (&["label", id, "poor", "--scores", "1,2,9"], "(1 to 5, or - for none)"),
        (&["label", id, "poor", "--note", &long], "100000 bytes, more than 65536"),
        (&["label", id, "poor", "--reviewer", " "], "is empty"),
        (&["label", id, "poor", "--undo"], "cannot be used"),
    ];
    for (args, said) in cases {
        let ran = desk.run(args);
        assert_eq!(ran.code, 64, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
    assert!(!desk.ledgers().exists());
    let ran = desk.home.run(&["label", id, "poor", "--from", "logs"]);
    assert!(ran.code == 64 && ran.err.contains("your name is unknown"), "{}", ran.err);
}

#[test]
fn labels_are_undone_and_redone_across_runs() {
    let desk = Desk::new(3);
    for (id, word) in desk.ids.iter().zip(["poor", "acceptable", "unsure"]) {
        desk.good(&["label", id, word]);
    }
    let undone = desk.json(&["label", "--undo"]);
    conforms("saved", &undone.to_string());
    assert_eq!(undone["labels"][0]["record"], desk.ids[2].as_str());
    desk.good(&["label", "--undo"]);
    assert_eq!(desk.found("label:any"), [0]);
    desk.good(&["label", "--redo"]);
    assert_eq!(desk.found("label:any"), [0, 1]);
    desk.good(&["label", "--undo", &desk.ids[0][..8]]);
    assert_eq!(desk.found("label:any"), [1]);
    desk.good(&["label", "--redo", undone["of"].as_str().unwrap()]);
    assert_eq!(desk.found("label:any"), [1, 2]);
    for _ in 0..2 {
        desk.good(&["label", "--undo"]);
    }
    let ran = desk.run(&["label", "--undo"]);
    assert!(ran.code == 64 && ran.err.contains("anna has nothing to take back"), "{}", ran.err);
    // Nobody takes back what another said.
    desk.good(&["label", &desk.ids[0], "poor", "--reviewer", "bert"]);
    assert_eq!(desk.run(&["label", "--undo"]).code, 64);
    assert_eq!(desk.found("label:any"), [0]);
    desk.good(&["ledger", "verify"]);
}

#[test]
fn name_and_note_are_stored_exactly_and_shown_escaped() {
    let desk = Desk::new(1);
    let hostile = "a \"b\" $(touch x) `id`\nEOF\r\n'\u{1b}[31m\u{202e}🦄 ../..";
    desk.good(&["label", &desk.ids[0], "poor", "--note", hostile, "--reviewer", hostile]);
    let exported = desk.good(&["label", "--export", "--json"]);
    conforms("label", &exported);
    let row: serde_json::Value = serde_json::from_str(&exported).unwrap();
    assert_eq!((row["note"].as_str(), row["reviewer"].as_str()), (Some(hostile), Some(hostile)));
    // The harness of a run refuses control characters in what is printed.
    assert!(desk.good(&["label", "--export"]).contains("$(touch x)"));
    desk.good(&["ledger", "verify"]);
    let files: Vec<_> =
        fs::read_dir(desk.ledgers()).unwrap().map(|e| e.unwrap().file_name()).collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || "%._-@".contains(c);
    assert!(files.len() == 1 && files[0].to_str().unwrap().chars().all(plain), "{files:?}");
    assert!(!desk.home.path().join("x").exists());
}

#[test]
fn altered_ledger_is_reported_with_first_bad_line_and_not_appended() {
    let desk = Desk::new(3);
    assert!(desk.good(&["ledger", "verify"]).contains("no ledger yet"));
    for id in &desk.ids {
        desk.good(&["label", id, "poor"]);
    }
    let good = desk.json(&["ledger", "verify"]);
    conforms("ledger-verify", &good.to_string());
    assert_eq!(good["sound"], true);
    let text = fs::read_to_string(desk.ledger()).unwrap();
    let second = text.lines().nth(1).unwrap();
    fs::write(desk.ledger(), text.replace(second, &second.replace("poor", "acceptable"))).unwrap();
    let ran = desk.run(&["ledger", "verify", "--json"]);
    conforms("ledger-verify", &ran.out);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let bad: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(bad["ledgers"][0]["first_bad"]["line"], 2);
    assert_eq!((&bad["sound"], &bad["distrusted"]), (&false.into(), &2.into()));
    assert!(desk.run(&["ledger", "verify"]).out.contains("first bad line 2: it was changed"));
    let listed = desk.run(&["records", "label:any", "--json"]);
    assert_eq!(listed.out.lines().count(), 1);
    assert!(listed.err.contains("it was changed from line 2 on"), "{}", listed.err);
    let before = fs::read(desk.ledger()).unwrap();
    let ran = desk.run(&["label", &desk.ids[0], "poor"]);
    assert!(ran.code == 74 && ran.err.contains("ledger verify --renew"), "{}", ran.err);
    assert_eq!(fs::read(desk.ledger()).unwrap(), before);
    desk.good(&["ledger", "verify", "--renew"]);
    desk.good(&["label", &desk.ids[0], "unsure"]);
    assert_eq!(desk.found("label:unsure"), [0]);
    assert_eq!(fs::read(desk.ledger()).unwrap(), before);
    assert_eq!(desk.run(&["ledger", "verify", "--renew"]).code, 64);
}

#[test]
fn the_window_of_calibration_is_an_entry() {
    let desk = Desk::new(1);
    let said = desk.json(&["gate", "window", "2026-02-01"]);
    conforms("saved", &said.to_string());
    assert_eq!(
        (said["kind"].as_str(), said["window"].as_str()),
        (Some("window"), Some("2026-02-01T00:00:00Z"))
    );
    assert!(desk.good(&["gate", "window", "2026-02-03"]).contains("calibration from 2026-02-03"));
    assert_eq!(desk.run(&["gate", "window", "tomorrow"]).code, 64);
    let lines = fs::read_to_string(desk.ledger()).unwrap();
    assert_eq!(lines.lines().filter(|l| l.contains("\"kind\":\"window\"")).count(), 2);
}
