//! Planted truth through the whole program.

use super::*;

#[test]
fn a_judge_that_keeps_the_thresholds_is_ready() {
    let world = World::new();
    world.window();
    world.label_all();
    let report = world.report(0, LENIENT_FILE);
    assert_eq!(report["result"], "ready");
    for kpi in report["kpis"].as_array().unwrap() {
        assert_eq!(kpi["result"], "met", "{kpi}");
    }
    let misses = kpi(&report, "false_negative_rate");
    let counts = (misses["numerator"].as_u64().unwrap(), misses["denominator"].as_u64().unwrap());
    assert_eq!(counts, planted_misses(&world));
    let caveats = report["caveats"].to_string();
    assert!(caveats.contains("all.jsonl") && caveats.contains("lenient.toml"), "{caveats}");
    let blocks: Vec<&Value> = report["blocks"].as_array().unwrap().iter().collect();
    assert!(blocks.iter().all(|b| b["waived"].is_string()), "{blocks:?}");
    assert_eq!(report["window"]["missing_days"], json!([]));
}

/// Poor contents of whole days that passed, and all of them: each by its first GO or NO-GO.
fn planted_misses(world: &World) -> (u64, u64) {
    let mut truth: Vec<&Truth> =
        world.truth.iter().filter(|t| t.outcome != "undetermined").collect();
    truth.sort_by(|a, b| (&a.time, &a.id).cmp(&(&b.time, &b.id)));
    let mut seen = std::collections::HashSet::new();
    truth.retain(|t| seen.insert(&t.commit));
    let poor = |t: &&&Truth| t.truth == "poor" && t.day < day(0);
    let poor: Vec<_> = truth.iter().filter(poor).collect();
    (poor.iter().filter(|t| t.outcome == "go").count() as u64, poor.len() as u64)
}

#[test]
fn a_judge_that_flags_too_much_is_not_ready() {
    let world = World::new();
    world.window();
    world.both();
    world.label_all();
    let report = world.report(1, &[]);
    assert_eq!(report["result"], "not_ready");
    assert_eq!(kpi(&report, "false_discovery_rate")["result"], "not_met");
    assert_eq!(report["literal"]["passes"], true, "the literal reading is fooled here");
}

#[test]
fn labels_on_flagged_records_alone_estimate_no_misses_in_any_form() {
    let world = World::new();
    world.window();
    // Poor, so that nothing else speaks against it: a triage of the morning.
    world.label("n.jsonl", |t| {
        (t.outcome == "no_go").then(|| json!({"record": t.id, "label": "poor"}))
    });
    let report = world.report(2, LENIENT_FILE);
    assert_eq!(report["result"], "not_enough_evidence");
    let misses = kpi(&report, "false_negative_rate");
    assert_eq!((&misses["result"], &misses["estimate"]), (&json!("not_estimable"), &Value::Null));
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let ran = world.run(&[&["readiness"], LENIENT_FILE, form].concat());
        assert_eq!(ran.code, 2, "{form:?}");
        let name =
            if form[0] == "--html" { "False negative rate (" } else { "false negative rate (" };
        let at = ran.out.find(name).unwrap();
        let next: String = ran.out[at..].chars().take(150).collect();
        assert!(next.contains("not estimable"), "{form:?}: {next}");
        assert!(ran.out.contains("NOT ENOUGH EVIDENCE"), "{form:?}");
    }
}

#[test]
fn ten_labels_are_not_enough_evidence() {
    let world = World::new();
    let first: Vec<String> = world.truth.iter().take(10).map(|t| t.id.clone()).collect();
    world.window();
    world.label("ten.jsonl", |t| first.contains(&t.id).then(|| census(t, &t.truth)));
    let report = world.report(2, LENIENT_FILE);
    assert_eq!((&report["result"], &report["labels"]), (&json!("not_enough_evidence"), &json!(10)));
    assert!(report["window"]["first_open_day"].is_string());
}

#[test]
fn without_a_window_nothing_is_ready() {
    let world = World::new();
    world.label_all();
    let report = world.report(2, LENIENT_FILE);
    assert!(names(&report, "blocks", "no_window"));
    assert_eq!(report["window"]["from"], Value::Null);
}

#[test]
fn triage_shows_same_error_rates_and_withdrawn_ready() {
    let world = World::new();
    let before: Value = serde_json::from_str(&world.good(&["triage", "--json"])).unwrap();
    assert_eq!(before["kpis"][5]["reason"], "no labels yet");
    world.window();
    world.both();
    world.label_all();
    let report = world.report(1, &[]);
    let json = world.good(&["triage", "--json"]);
    crate::report::conforms("triage", &json);
    let triage: Value = serde_json::from_str(&json).unwrap();
    for (at, id) in [(4, "false_positive_rate"), (5, "false_negative_rate")] {
        for key in ["id", "estimate", "lower", "upper", "numerator", "denominator"] {
            assert_eq!(triage["kpis"][at][key], kpi(&report, id)[key], "{id} {key}");
        }
    }
    assert!(names(&triage, "caveats", "readiness") && names(&triage, "caveats", "ready_withdrawn"));
    let plain = world.good(&["triage", "--limit", "0"]);
    let words: Vec<&str> = plain.split_whitespace().filter(|word| *word != "|").collect();
    let plain = words.join(" ");
    assert!(
        plain.contains("NOT READY according to `foureyes --config c.toml readiness`"),
        "{plain}"
    );
    let withdrawn = "READY is withdrawn: false discovery rate worse than its threshold since ";
    assert!(plain.contains(withdrawn), "{plain}");
}
