//! Whether the start of the window could be chosen by what is in it.

use super::*;

fn late(report: &Value) -> Option<&Value> {
    report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == "window_after_labels")
}

#[test]
fn a_window_that_is_chosen_after_its_labels_is_not_ready() {
    let world = World::new();
    let start = |ago: i64| world.good(&["window", "start", &day(ago)]);
    assert!(!start(19).contains("note:"), "nothing has a label yet");
    world.label_all();
    let said = start(20);
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("records have labels already: where such a record"), "{said}");
    assert!(!start(20).contains("note:"), "it chooses nothing");
    let report = world.report(2, LENIENT_FILE);
    let kpis = report["kpis"].as_array().unwrap();
    assert!(kpis.iter().all(|k| k["result"] == "met"), "nothing else speaks against it");
    let text = late(&report).unwrap()["text"].as_str().unwrap();
    assert!(text.contains("had labels already when its start was chosen"), "{text}");
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let ran = world.run(&[&["readiness"], LENIENT_FILE, form].concat());
        let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.code == 2 && words.contains("had labels already"), "{form:?}: {words}");
    }
    world.home.write("r.json", report.to_string());
    // What is taken back was given all the same.
    world.good(&["label", "--undo"]);
    world.window();
    assert!(late(&world.report(2, LENIENT_FILE)).is_some());
    world.good(&["label", "--redo"]);
    let ran = world.run(&["readiness", "verify", "r.json"]);
    assert!(ran.code == 0 && ran.out.starts_with("same: NOT ENOUGH EVIDENCE"), "{}", ran.out);
    // Somebody may answer for it, with a name, a reason and an end.
    let waiver = "[[policy.waivers]]\nwhat = \"window_after_labels\"\nname = \"Ada\"\n\
                  reason = \"the start was agreed on by mail\"\nuntil = ";
    world.home.write("waived.toml", format!("{LENIENT}{waiver}\"{}\"\n", day(-1)));
    let report = world.report(0, &["--policy", "waived.toml"]);
    assert!(late(&report).unwrap()["waived"].as_str().unwrap().starts_with("Ada: the start was"));
    world.home.write("ended.toml", format!("{LENIENT}{waiver}\"{}\"\n", day(0)));
    assert_eq!(late(&world.report(2, &["--policy", "ended.toml"])).unwrap().get("waived"), None);
}

#[test]
fn of_several_starts_the_last_counts_with_the_time_at_which_it_was_chosen() {
    let world = World::new();
    world.window();
    world.label_all();
    world.report(0, LENIENT_FILE);
    // The same start once more chooses nothing; another one does, and so does the way back.
    world.window();
    assert_eq!(late(&world.report(0, LENIENT_FILE)), None);
    world.good(&["window", "start", &day(18)]);
    assert!(late(&world.report(2, LENIENT_FILE)).is_some());
    world.window();
    assert!(late(&world.report(2, LENIENT_FILE)).is_some());
}

#[test]
fn labels_that_state_an_earlier_time_are_named_and_prove_nothing() {
    let world = World::new();
    world.window();
    world.label("l.jsonl", |t| {
        let mut label = census(t, &t.truth);
        label["time"] = json!(format!("{}T12:00:00Z", day(1)));
        Some(label)
    });
    let report = world.report(0, LENIENT_FILE);
    assert_eq!(late(&report), None, "the ledger has the start first");
    assert!(names(&report, "caveats", "window_after_stated_labels"), "{}", report["caveats"]);
}
