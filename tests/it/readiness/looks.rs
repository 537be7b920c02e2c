//! What shows the labels of the window is written down: once per sitting, and never in the way.

use super::*;

/// The looks in anna's ledger, each with what showed it.
fn looks(home: &Home) -> Vec<String> {
    let ledger = std::fs::read_to_string(home.path().join("data/ledger/anna@desk.jsonl")).unwrap();
    let entries = ledger.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let looks = entries.filter(|entry| entry["kind"] == "look");
    looks.map(|entry| entry["body"]["shown"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_sitting_leaves_one_look_and_a_label_begins_the_next() {
    let world = World::new();
    world.window();
    world.label_all();
    assert_eq!(looks(&world.home), Vec::<String>::new(), "labelling shows nothing");
    let shown: [&[&str]; 5] = [
        &["readiness"],
        &["calibration"],
        &["calibration", "what-if", "--average", "3"],
        &["triage", "--no-pull"],
        &["calibration", "breakdown"],
    ];
    for args in shown {
        world.run(args);
        assert_eq!(looks(&world.home), ["readiness"], "{args:?} is of the same sitting");
    }
    // Each shows it where it is the first to do so.
    let wrong = world.truth.iter().find(|t| t.outcome == "go").unwrap();
    for (count, args) in shown.iter().enumerate().skip(1) {
        world.good(&["label", &wrong.id, "unsure"]);
        world.run(args);
        assert_eq!(looks(&world.home).len(), count + 1, "{args:?}");
        assert_eq!(looks(&world.home)[count], args[0]);
    }
    let records = |filter: &str| {
        world.good(&["label", &wrong.id, "unsure"]);
        let from = ["--from", "made/boxes", "--config", "c.toml"];
        world.home.run(&[&["records", filter][..], &from].concat());
        looks(&world.home).len()
    };
    assert_eq!(records("label:poor outcome:go"), 6, "so many matches are so many misses");
    assert_eq!(records("label:poor"), 6);
    assert_eq!(
        records("outcome:go label:none"),
        6,
        "what waits for a label is not a count of errors"
    );
    assert_eq!(world.good(&["label", "--undo"]).lines().count(), 1, "a look is not taken back");
    assert!(world.good(&["ledger", "verify"]).contains("all ledgers are intact"));
}

#[test]
fn look_without_window_name_or_room_writes_nothing() {
    let world = World::new();
    world.label_all();
    world.run(&["readiness"]);
    assert_eq!(looks(&world.home), Vec::<String>::new(), "no window, nothing to look at yet");
    world.window();
    let Ran { out: said, code, .. } = world.run(&["readiness", "--json"]);
    let args = ["readiness", "--json", "--from", "made/boxes", "--config", "nobody.toml"];
    let ran = world.home.run(&args);
    assert!(ran.err.is_empty(), "{}", ran.err);
    let kpis = |text: &str| serde_json::from_str::<Value>(text).unwrap()["kpis"].clone();
    assert_eq!(kpis(&ran.out), kpis(&said), "all is shown");
    assert_eq!(looks(&world.home).len(), 1);
    // A ledger that is not as it was written takes no entry: said once, and nothing else changes.
    let path = world.home.path().join("data/ledger/anna@desk.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"kind\":\"look\"", "\"kind\":\"lock\"", 1)).unwrap();
    let ran = world.run(&["readiness"]);
    assert_eq!(ran.err.matches("failed to record in your ledger that you looked").count(), 1);
    assert_eq!((ran.code, ran.out.lines().next()), (code, Some("May the judge block pushes?")));
}
