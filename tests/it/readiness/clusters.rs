//! Misses that come together on some days.

use super::*;

/// What passed on one day was poor, all of it; the rest is as planted. All is in the audit sample.
fn with_a_bad_day() -> World {
    let world = World::new();
    world.window();
    world.good(&["gate", "audit", "1", "--since", &day(20)]);
    let bad = day(6);
    world.label("all.jsonl", |t| {
        let passed_badly = t.day == bad && t.outcome == "go";
        let word = if passed_badly { "poor" } else { t.truth.as_str() };
        Some(json!({"record": t.id, "label": word}))
    });
    world
}

/// The report, whatever it answers.
fn answered(world: &World, more: &[&str]) -> Value {
    let ran = world.run(&[&["readiness"][..], more, &["--json"]].concat());
    crate::report::conforms("readiness", &ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn a_bad_day_blocks_in_every_form_until_whole_days_count() {
    let world = with_a_bad_day();
    let report = answered(&world, LENIENT_FILE);
    assert_ne!(report["result"], "ready");
    assert!(names(&report, "blocks", "misses_cluster"), "{}", report["blocks"]);
    assert_eq!(kpi(&report, "false_negative_rate")["e_value_cluster"], Value::Null);
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let ran = world.run(&[&["readiness"], LENIENT_FILE, form].concat());
        let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("misses cluster by day"), "{form:?}: {words}");
        assert!(words.contains("do not cluster by day"), "{form:?}: {words}");
    }
    world.home.write("days.toml", LENIENT.replace("[policy]", "[policy]\ncluster = \"day\""));
    let days = answered(&world, &["--policy", "days.toml"]);
    assert_ne!(days["result"], "ready");
    assert!(!names(&days, "blocks", "misses_cluster"));
    assert!(!names(&days, "caveats", "misses_independent"));
    let misses = kpi(&days, "false_negative_rate");
    assert!(misses["e_value_cluster"].is_f64() && misses["e_value_not_met_cluster"].is_f64());
    assert_ne!(misses["result"], "met");
}

#[test]
fn a_block_for_clusters_can_be_waived_by_name() {
    let world = with_a_bad_day();
    let waiver = "[[policy.waivers]]\nwhat = \"misses_cluster\"\nname = \"Ada\"\n\
                  reason = \"an outage of the model that day\"\nuntil = \"2200-01-01\"\n";
    world.home.write("waived.toml", format!("{LENIENT}{waiver}"));
    let report = answered(&world, &["--policy", "waived.toml"]);
    let blocks = report["blocks"].as_array().unwrap();
    let block = blocks.iter().find(|b| b["id"] == "misses_cluster").unwrap();
    assert!(block["waived"].as_str().unwrap().starts_with("Ada: an outage"), "{block}");
}

#[test]
fn declared_looks_and_clusters_are_refused_together() {
    let world = World::new();
    world.home.write(
        "fixed.toml",
        "[policy]\nmethod = \"fixed\"\nlooks = [\"2026-03-01\"]\ncluster = \"day\"\n",
    );
    let ran = world.run(&["readiness", "--policy", "fixed.toml"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.err.contains("cluster") && ran.err.contains("anytime"), "{}", ran.err);
}
