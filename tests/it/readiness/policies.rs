//! Policies: shown, set, changed; waivers.

use super::*;

#[test]
fn a_policy_that_is_set_binds_what_is_judged_after_it() {
    let world = World::new();
    world.window();
    world.label_all();
    assert!(world.good(&["policy", "show"]).contains("none was set"));
    world.good(&["policy", "set", "lenient.toml"]);
    let shown = world.good(&["policy", "show"]);
    assert!(shown.contains("set by anna") && shown.contains("false_negative_below = 0.15"));
    // What it prints is a policy file.
    world.home.write("again.toml", shown);
    let report = world.report(2, &[]);
    assert!(names(&report, "caveats", "policy_changed"), "{}", report["caveats"]);
    assert_eq!((&report["window"]["days"], &report["policy_file"]), (&json!(0), &Value::Null));
    world.good(&["policy", "set", "again.toml"]);
    assert!(names(&world.report(2, &[]), "caveats", "policies"));
}

#[test]
fn a_policy_reaches_back_over_what_nobody_had_labelled() {
    let world = World::new();
    world.good(&["policy", "set", "lenient.toml", "--from", &day(20)]);
    world.window();
    world.label_all();
    let report = world.report(0, &[]);
    assert!(!names(&report, "caveats", "policy_changed"));
    assert!(!names(&report, "blocks", "window_after_labels"));
}

#[test]
fn a_policy_that_is_wrong_is_refused_with_its_place() {
    let world = World::new();
    world.home.write("bad.toml", "[policy]\ndays = 14\n  confidence = 2.0\n");
    for args in [&["policy", "set", "bad.toml"][..], &["readiness", "--policy", "bad.toml"]] {
        let ran = world.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (64, ""), "{args:?}");
        assert!(ran.err.contains("bad.toml:3:3: confidence"), "{}", ran.err);
    }
    assert!(!world.home.path().join("data/ledger").exists());
}

#[test]
fn a_waiver_ends_on_its_day() {
    let world = World::new();
    world.window();
    world.label_all();
    world.home.write("expired.toml", LENIENT.replace("2200-01-01", &day(0)));
    let report = world.report(2, &["--policy", "expired.toml"]);
    let block = report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == "fingerprint");
    assert_eq!(block.unwrap().get("waived"), None);
    world.home.write("tomorrow.toml", LENIENT.replace("2200-01-01", &day(-1)));
    let report = world.report(0, &["--policy", "tomorrow.toml"]);
    let block = report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == "fingerprint");
    assert!(block.unwrap()["waived"].as_str().unwrap().starts_with("Ada: the provider renamed"));
}
