//! What `triage` says while pushes are blocked.

use super::*;

fn caveats(world: &World, id: &str) -> Vec<String> {
    let triage: Value = serde_json::from_str(&world.good(&["triage", "--json"])).unwrap();
    let all = triage["caveats"].as_array().unwrap();
    let of = all.iter().filter(|c| c["id"] == id);
    of.map(|c| c["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_watch_is_said_from_the_switch_on_until_the_hook_is_set_back() {
    let world = World::new();
    assert!(caveats(&world, "watch").is_empty());
    world.good(&["runbook", "done", "enable", "switch"]);
    // No label was given yet: it is said all the same.
    let said = caveats(&world, "watch");
    assert!(said.len() == 1 && said[0].contains("48 of the 48 hours"), "{said:?}");
    assert_eq!(caveats(&world, "window_before_switch").len(), 1);
    world.good(&["window", "start", &day(0)]);
    assert!(caveats(&world, "window_before_switch").is_empty());
    let plain = world.good(&["triage"]);
    assert!(plain.contains("the judge blocks since"), "{plain}");
    world.good(&["runbook", "done", "false-positives", "back"]);
    assert!(caveats(&world, "watch").is_empty());
}

#[test]
fn ready_is_withdrawn_once_in_words_that_name_the_way_back() {
    let world = World::new();
    // Whoever labels finds every second block wrong.
    world.label("wrong.jsonl", |t| {
        let wrong = t.outcome == "no_go" && t.id.as_bytes()[0] % 2 == 0;
        Some(census(t, if wrong { "acceptable" } else { &t.truth }))
    });
    world.window();
    assert_eq!(world.report(1, &[])["result"], "not_ready");
    let before = caveats(&world, "ready_withdrawn");
    assert!(before.len() == 1 && before[0].contains("where it was given"), "{before:?}");
    world.good(&["runbook", "done", "enable", "switch"]);
    let said = caveats(&world, "ready_withdrawn");
    assert!(said.len() == 1 && said[0].starts_with("READY is withdrawn: "), "{said:?}");
    assert!(said[0].contains("runbook done false-positives back"), "{said:?}");
    assert_eq!(caveats(&world, "readiness").len(), 1);
}

#[test]
fn the_error_rates_of_a_triage_say_what_they_are_made_of() {
    let world = World::new();
    world.label_all();
    world.window();
    let triage: Value = serde_json::from_str(&world.good(&["triage", "--json"])).unwrap();
    let report = world.report(0, LENIENT_FILE);
    let rate = triage["kpis"].as_array().unwrap().iter().find(|k| k["id"] == "false_positive_rate");
    let strata = &kpi(&report, "false_positive_rate")["strata"];
    let of = |at: usize, key: &str| strata[at][key].as_u64().unwrap();
    let sure = |at| of(at, "labelled") - of(at, "unsure");
    let parts = format!(
        "weighted by stratum size; acceptable are {} of {} NO-GO, {} of {} GO",
        sure(0) - of(0, "poor"),
        sure(0),
        sure(1) - of(1, "poor"),
        sure(1)
    );
    assert_eq!(rate.unwrap()["reason"], parts);
    let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for form in [&["triage"][..], &["triage", "--markdown", "-"]] {
        let text = one_line(world.good(form));
        assert!(text.contains(&parts), "{parts} in {form:?}");
    }
    // And so can be followed: the shares of the strata, each times its contents.
    let fine =
        |at| (sure(at) - of(at, "poor")) as f64 / sure(at) as f64 * of(at, "population") as f64;
    let estimate = kpi(&report, "false_positive_rate")["estimate"].as_f64().unwrap();
    assert!((fine(0) / (fine(0) + fine(1)) - estimate).abs() < 1e-12, "{estimate}");
}
