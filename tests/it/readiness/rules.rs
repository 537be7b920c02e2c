//! Days, doubt and rules of the ledger.

use super::*;

#[test]
fn open_day_ends_counted_span_with_missing_records() {
    let world = World::new();
    let gap = day(19);
    let lacking = world.truth.iter().find(|t| t.day == gap && t.outcome == "no_go").unwrap();
    world.window();
    world.label("l.jsonl", |t| (t.id != lacking.id).then(|| census(t, &t.truth)));
    let report = world.report(2, LENIENT_FILE);
    assert_eq!(report["window"]["first_open_day"], gap.as_str());
    assert_eq!(report["window"]["closed_days"], 1);
    let open = report["days"].as_array().unwrap().iter().find(|d| d["day"] == gap.as_str());
    let open = open.unwrap();
    assert_eq!((&open["state"], &open["missing"]), (&json!("open"), &json!([lacking.id])));
    let plain = world.run(&[&["readiness"], LENIENT_FILE].concat()).out;
    let line = plain.lines().find(|line| line.contains(&format!("{gap} open: "))).unwrap();
    // One waits: whether it is a NO-GO would be its verdict.
    let tail = format!("labelled; next {}", &lacking.id[..12]);
    assert!(line.ends_with(&tail) && !line.contains("NO-GO"), "{plain}");
    // The label that lacked closes it.
    world.good(&["label", &lacking.id, &lacking.truth.clone()]);
    let report = world.report(0, LENIENT_FILE);
    assert_eq!(report["window"]["first_open_day"], Value::Null);
}

#[test]
fn doubt_is_read_against_the_judge() {
    let world = World::new();
    world.window();
    world.label("l.jsonl", |t| {
        let doubtful = t.outcome == "go" && t.id.as_bytes()[0] % 4 == 0;
        Some(census(t, if doubtful { "unsure" } else { &t.truth }))
    });
    let report = world.report(2, LENIENT_FILE);
    let misses = kpi(&report, "false_negative_rate");
    assert_eq!(misses["result"], "not_enough_evidence", "{misses}");
    let estimate = misses["estimate"].as_f64().unwrap();
    assert!(estimate < 0.15 && misses["unsure"]["to"].as_f64().unwrap() > 0.4, "{misses}");
    // What doubt could change is a range of its own: the interval is of sampling error alone.
    assert!(misses["upper"].as_f64().unwrap() < 0.15, "{misses}");
    assert!(names(&report, "caveats", "unsure"));
}

#[test]
fn picked_labels_are_no_evidence_for_misses() {
    let world = World::new();
    world.window();
    world.label("l.jsonl", |t| Some(json!({"record": t.id, "label": t.truth})));
    let report = world.report(2, LENIENT_FILE);
    assert_eq!(kpi(&report, "false_negative_rate")["result"], "not_estimable");
    assert_eq!(report["literal"]["passes"], true);
}

#[test]
fn disagreement_is_unsure_until_adjudicated() {
    let world = World::new();
    world.window();
    world.label_all();
    let other = world.truth.iter().find(|t| t.day == day(5) && t.outcome == "no_go").unwrap();
    let word = if other.truth == "poor" { "acceptable" } else { "poor" };
    world.good(&["label", &other.id, word, "--reviewer", "bob"]);
    let report = world.report(0, LENIENT_FILE);
    assert_eq!(report["conflicts"], json!([other.id]));
    world.good(&["label", &other.id, &other.truth.clone(), "--adjudicate", "--reviewer", "cleo"]);
    assert_eq!(world.report(0, LENIENT_FILE)["conflicts"], json!([]));
}
