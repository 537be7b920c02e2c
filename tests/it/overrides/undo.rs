//! Taking back: a further entry, and a further record on the box.

use super::Bench;
use serde_json::{Value, json};

/// The records in a reviewer's file on the box.
fn records(bench: &Bench, who: &str) -> Vec<Value> {
    let text = bench.read(&format!("overrides/{who}.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The box takes nothing, or takes it again.
fn block(bench: &Bench, blocked: bool) {
    match blocked {
        true => bench.put("overrides", ""),
        false => std::fs::remove_file(bench.at("overrides")).unwrap(),
    }
}

#[test]
fn undo_and_redo_are_sent_with_resulting_verdict() {
    let bench = Bench::local();
    let id = bench.id(1);
    bench.good(&["override", &id, "accept", "--reason", "fine"]);
    let first = bench.read("overrides/anna.jsonl");
    let said = bench.json(&["override", "undo", &id[..12]]);
    let one = &said["overrides"][0];
    assert_eq!((&one["state"], &one["counts"]), (&"undone".into(), &false.into()));
    assert_eq!(said["unconfirmed"], 0);
    let all = records(&bench, "anna");
    assert!(bench.read("overrides/anna.jsonl").starts_with(&first), "nothing was changed there");
    assert_eq!(
        (all.len(), &all[1]["undoes"], &all[1]["record"]),
        (2, &one["id"], &id.clone().into())
    );
    // The judge said NO-GO, and nobody else said anything.
    assert_eq!((&all[1]["verdict"], &all[1]["commit"]), (&"reject".into(), &"0000001".into()));
    assert_eq!((bench.found("override:any"), bench.found("override:unconfirmed")), (0, 0));
    assert!(bench.good(&["show", &id]).contains("revoked, confirmed by"));
    // Twice is no second time, and another's is not one's own.
    let entry = one["id"].as_str().unwrap();
    assert_eq!(bench.run(&["override", "undo", entry]).code, 64);
    assert_eq!(bench.run(&["override", "undo", entry, "--reviewer", "bert"]).code, 64);
    let said = bench.json(&["override", "redo", entry]);
    assert_eq!(said["overrides"][0]["state"], "confirmed");
    let all = records(&bench, "anna");
    assert_eq!((all.len(), &all[2]["redoes"]), (3, &entry.into()));
    assert_eq!((&all[2]["verdict"], &all[2]["reason"]), (&"accept".into(), &"fine".into()));
    assert_eq!((bench.found("override:accept"), bench.found("override:confirmed")), (1, 1));
    bench.good(&["override", "undo", entry]);
    assert_eq!((bench.ledger().lines().count(), records(&bench, "anna").len()), (4, 4));
    bench.good(&["ledger", "verify"]);
    // None of them is an evaluation.
    assert_eq!((bench.found("family:override"), bench.found("family:push")), (4, 5));
}

#[test]
fn undo_yields_to_later_override_by_another_reviewer() {
    let bench = Bench::local();
    let id = bench.id(1);
    bench.good(&["override", &id, "reject", "--reason", "no"]);
    bench.good(&["override", &id, "accept", "--reason", "fine", "--reviewer", "bert"]);
    bench.good(&["override", "undo", &id]);
    let last = records(&bench, "anna").pop().unwrap();
    assert_eq!(last["verdict"], "accept");
    let reason = last["reason"].as_str().unwrap();
    assert!(reason.contains("of bert holds: accept"), "{reason}");
    assert_eq!(records(&bench, "bert").len(), 1);
    assert_eq!((bench.found("override:accept"), bench.found("override:reject")), (1, 0));
}

#[test]
fn older_override_never_follows_newer_one() {
    let bench = Bench::local();
    let id = bench.id(1);
    block(&bench, true);
    assert_eq!(bench.run(&["override", &id, "accept", "--reason", "fine"]).code, 69);
    assert_eq!(bench.states(), ["unconfirmed"]);
    block(&bench, false);
    bench.good(&["override", &id, "reject", "--reason", "looked again"]);
    bench.good(&["override", "--retry"]);
    bench.good(&["pull"]);
    let all = records(&bench, "anna");
    assert_eq!((all.len(), &all[0]["verdict"]), (1, &"reject".into()));
    assert_eq!(bench.states(), ["superseded", "confirmed"]);
    assert!(bench.good(&["override"]).contains("superseded before"));
    assert_eq!((bench.found("override:unconfirmed"), bench.found("override:confirmed")), (0, 1));
    // Without the later one the earlier one holds again, and the box hears that.
    bench.good(&["override", "undo", &id]);
    let last = records(&bench, "anna").pop().unwrap();
    assert_eq!(last["verdict"], "accept");
}

#[test]
fn rejected_undo_is_pending_and_retried() {
    let bench = Bench::local();
    let id = bench.id(1);
    block(&bench, true);
    assert_eq!(bench.run(&["override", &id, "accept", "--reason", "fine"]).code, 69);
    let ran = bench.run(&["override", "undo", &id]);
    assert_eq!(ran.code, 69, "{}", ran.err);
    assert!(ran.out.contains("revoked; UNCONFIRMED"), "{}", ran.out);
    assert_eq!(bench.states(), ["undo_unconfirmed"]);
    assert_eq!((bench.found("override:unconfirmed"), bench.found("override:any")), (1, 0));
    let triage: Value = serde_json::from_str(&bench.good(&["triage", "--json"])).unwrap();
    assert!(triage["caveats"].to_string().contains("unconfirmed_overrides"));
    block(&bench, false);
    bench.good(&["override", "--retry"]);
    assert_eq!(bench.states(), ["undone"]);
    // Whether the box holds the override was never sure: it is told all the same.
    let all = records(&bench, "anna");
    assert_eq!((all.len(), &all[0]["verdict"]), (1, &"reject".into()));
    assert_eq!(bench.found("override:unconfirmed"), 0);
}

#[test]
fn label_command_does_not_undo_override() {
    let bench = Bench::local();
    let (one, two) = (bench.id(1), bench.id(2));
    bench.good(&["override", &one, &two, "accept", "--reason", "fine"]);
    let status = bench.status();
    let entry = status["overrides"][0]["id"].as_str().unwrap();
    let ran = bench.run(&["label", "--undo", entry]);
    assert!(ran.code == 64 && ran.err.contains("override undo"), "{}", ran.err);
    let before = (bench.ledger(), bench.read("overrides/anna.jsonl"));
    for bad in ["ffffffff", "zzzz", "ab"] {
        let ran = bench.run(&["override", "undo", &one, bad]);
        assert_eq!(ran.code, 64, "{bad}: {}", ran.err);
    }
    assert_eq!((bench.ledger(), bench.read("overrides/anna.jsonl")), before);
    bench.good(&["override", "undo", &one, &two]);
    assert_eq!(bench.states(), ["undone", "undone"]);
}

#[test]
fn outbox_entry_contradicting_ledger_is_reported_and_not_sent() {
    let bench = Bench::local();
    let id = bench.id(1);
    block(&bench, true);
    assert_eq!(bench.run(&["override", &id, "accept", "--reason", "fine"]).code, 69);
    block(&bench, false);
    let path = bench.home.path().join("data/overrides/boxes.jsonl");
    let good = std::fs::read_to_string(&path).unwrap();
    let doctored = good.replace("\\\"verdict\\\":\\\"accept\\\"", "\\\"verdict\\\":\\\"reject\\\"");
    assert_ne!(doctored, good);
    std::fs::write(&path, doctored).unwrap();
    let ran = bench.run(&["override", "--retry"]);
    assert!(ran.code == 69 && ran.out.contains("it was changed"), "{} {}", ran.out, ran.err);
    assert!(!bench.at("overrides").exists());
    std::fs::write(&path, good).unwrap();
    bench.good(&["override", "--retry"]);
    assert_eq!(records(&bench, "anna")[0]["verdict"], "accept");
}

#[test]
fn show_names_the_overrides_of_a_record() {
    let bench = Bench::local();
    let id = bench.id(1);
    let show = |args: &[&str]| -> Value {
        let text = bench.good(&[&["show", &id, "--json"], args].concat());
        crate::report::conforms("record", &text);
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(show(&[])["overrides"], json!([]));
    bench.good(&["override", &id, "accept", "--reason", "key AKIAIOSFODNN7EXAMPLE is theirs"]);
    let one = &show(&[])["overrides"][0];
    assert_eq!((&one["override"], &one["state"]), (&"accept".into(), &"confirmed".into()));
    assert!(!one["reason"].as_str().unwrap().contains("AKIAIOSFODNN7EXAMPLE"), "{one}");
}
