//! What `triage` says while pushes are blocked.

use super::*;
use foureyes::domain::review::{ModeSet, ModeWaiver};
use foureyes::text::separated;

fn caveats(world: &World, id: &str) -> Vec<String> {
    let triage: Value = serde_json::from_str(&world.good(&["triage", "--json"])).unwrap();
    let all = triage["caveats"].as_array().unwrap();
    let of = all.iter().filter(|c| c["id"] == id);
    of.map(|c| c["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn watch_is_shown_from_switch_until_rollback() {
    let world = World::new();
    assert!(caveats(&world, "watch").is_empty());
    world.good(&["runbook", "done", "enable", "switch"]);
    // No label was given yet: it is said all the same.
    let said = caveats(&world, "watch");
    assert!(said.len() == 1 && said[0].contains("48 of the 48 hours"), "{said:?}");
    // The window goes on: nobody is told to start another one.
    assert!(caveats(&world, "window_before_switch").is_empty());
    let plain = world.good(&["triage"]);
    assert!(plain.contains("the judge has been blocking since"), "{plain}");
    world.good(&["runbook", "done", "false-positives", "back"]);
    assert!(caveats(&world, "watch").is_empty());
}

#[test]
fn ready_is_withdrawn_once_with_rollback_command() {
    let world = World::new();
    world.window();
    world.both();
    // Whoever labels finds every second block wrong.
    world.label("wrong.jsonl", |t| {
        let wrong = t.outcome == "no_go" && t.id.as_bytes()[0] % 2 == 0;
        Some(census(t, if wrong { "acceptable" } else { &t.truth }))
    });
    assert_eq!(world.report(1, &[])["result"], "not_ready");
    let before = caveats(&world, "ready_withdrawn");
    assert!(before.len() == 1 && before[0].contains("an earlier READY is withdrawn"), "{before:?}");
    world.good(&["runbook", "done", "enable", "switch"]);
    let said = caveats(&world, "ready_withdrawn");
    assert!(said.len() == 1 && said[0].starts_with("READY is withdrawn: "), "{said:?}");
    assert!(said[0].contains("runbook done false-positives back"), "{said:?}");
    assert_eq!(caveats(&world, "readiness").len(), 1);
}

#[test]
fn triage_error_rates_state_their_basis() {
    let world = World::new();
    world.window();
    world.label_all();
    let triage: Value = serde_json::from_str(&world.good(&["triage", "--json"])).unwrap();
    let report = world.report(0, LENIENT_FILE);
    let rate = triage["kpis"].as_array().unwrap().iter().find(|k| k["id"] == "false_positive_rate");
    let strata = &kpi(&report, "false_positive_rate")["strata"];
    let of = |at: usize, key: &str| strata[at][key].as_u64().unwrap();
    let sure = |at| of(at, "labelled") - of(at, "unsure");
    let part = |at| {
        let [acceptable, all] = [sure(at) - of(at, "poor"), sure(at)].map(separated);
        format!("{acceptable} of {all}")
    };
    let parts =
        format!("adjusted for the sample; acceptable are {} NO-GO, {} GO", part(0), part(1));
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

/// Says what a box was set to, so many hours ago.
fn set(world: &World, hours: i64, name: &str, mode: &str, until: Option<i64>) {
    let ago = |hours: i64| Timestamp(now().0 - hours * 3_600_000_000);
    let waiver = until.map(|hours| ModeWaiver {
        name: "Ada".to_owned(),
        reason: "a trial".to_owned(),
        until: ago(hours),
    });
    let set = ModeSet {
        waiver,
        ..ModeSet::new(name, foureyes::domain::HookMode::from_word(mode).unwrap())
    };
    let by = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let mut ledger = Ledger::load(&DataDir::at(world.home.path().join("data"))).unwrap();
    ledger.append(&by, fresh_id(now()), ago(hours), &Act::Mode(set)).unwrap();
}

fn now() -> Timestamp {
    Timestamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as i64)
}

/// Boxes whose watch the runbook shows, with whether it is over.
fn watching(world: &World) -> Vec<(String, bool)> {
    let books: Value = serde_json::from_str(&world.good(&["runbook", "--json"])).unwrap();
    let steps = books["runbooks"][0]["steps"].as_array().unwrap().clone();
    let watch = steps.iter().find(|step| step["id"] == "watch").unwrap();
    let all = watch["watch"].as_array().unwrap();
    let over = |until: &str| Timestamp::parse(until).unwrap() <= now();
    let of =
        |w: &Value| (w["box"].as_str().unwrap().to_owned(), over(w["until"].as_str().unwrap()));
    all.iter().map(of).collect()
}

#[test]
fn each_box_has_own_watch_and_expired_waiver_has_none() {
    let world = World::new();
    set(&world, 100, "attic", "blocking", None);
    set(&world, 90, "cellar", "blocking", Some(20));
    set(&world, 10, "shed", "blocking", None);
    let said = caveats(&world, "watch");
    let [attic, shed] = &said[..] else { panic!("{said:?}") };
    assert!(attic.contains("box attic has") && attic.contains("not marked as done"), "{attic}");
    assert!(shed.contains("box shed") && shed.contains("38 of the 48 hours"), "{shed}");
    assert_eq!(watching(&world), [("attic".to_owned(), true), ("shed".to_owned(), false)]);
    let plain = world.good(&["runbook"]);
    assert!(plain.contains("shed: blocks since"), "{plain}");
    world.good(&["runbook", "done", "enable", "watch"]);
    assert_eq!(watching(&world), [("shed".to_owned(), false)]);
    assert_eq!(caveats(&world, "watch").len(), 1);
    let again = world.run(&["runbook", "done", "enable", "watch"]);
    assert!(again.code == 64 && again.err.contains("48 hours after"), "{}", again.err);
    // Once ledgers name boxes, they say who blocks.
    let by_hand = world.run(&["runbook", "done", "enable", "switch"]);
    assert!(by_hand.code == 64 && by_hand.err.contains("box enable"), "{}", by_hand.err);
    set(&world, 0, "attic", "advisory", None);
    set(&world, 0, "shed", "advisory", None);
    assert!(caveats(&world, "watch").is_empty() && watching(&world).is_empty());
}

#[test]
fn ready_is_withdrawn_only_from_blocking_boxes() {
    let world = World::new();
    world.window();
    world.both();
    // Whoever labels finds every second block wrong.
    world.label("wrong.jsonl", |t| {
        let wrong = t.outcome == "no_go" && t.id.as_bytes()[0] % 2 == 0;
        Some(census(t, if wrong { "acceptable" } else { &t.truth }))
    });
    let said = || -> String {
        let all = caveats(&world, "ready_withdrawn");
        assert_eq!(all.len(), 1, "{all:?}");
        all.concat()
    };
    set(&world, 90, "attic", "blocking", Some(20));
    assert!(said().contains("an earlier READY is withdrawn"), "the waiver is over: {}", said());
    set(&world, 5, "attic", "blocking", Some(-99));
    let waived = said();
    assert!(waived.starts_with("the judge is not READY: "), "it never was given: {waived}");
    assert!(waived.contains("on the waiver of Ada until"), "{waived}");
    set(&world, 4, "cellar", "blocking", None);
    let ready = said();
    assert!(ready.starts_with("READY is withdrawn: ") && ready.contains("box cellar has been"));
    for name in ["attic", "cellar"] {
        assert!(ready.contains(&format!("`foureyes box rollback {name}`")), "{ready}");
    }
}

/// Each form of readiness, in one line.
fn forms(world: &World) -> Vec<String> {
    let forms =
        [&["readiness"][..], &["readiness", "--markdown", "-"], &["readiness", "--html", "-"]];
    let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    forms.iter().map(|form| one_line(world.run(form).out)).collect()
}

#[test]
fn readiness_and_triage_begin_with_withdrawal_and_way_back() {
    let world = World::new();
    world.window();
    world.both();
    set(&world, 100, "cellar", "blocking", None);
    set(&world, 5, "attic", "blocking", None);
    for text in forms(&world) {
        assert!(text.contains("box attic has been blocking since"), "{text}");
        assert!(!text.contains("READY is withdrawn"), "{text}");
    }
    world.label("wrong.jsonl", |t| {
        let wrong = t.outcome == "no_go" && t.id.as_bytes()[0] % 2 == 0;
        Some(census(t, if wrong { "acceptable" } else { &t.truth }))
    });
    for text in forms(&world) {
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        assert!(at("READY is withdrawn: ") < at("For comparison, without statistics: "), "{text}");
        let back = text.contains("foureyes --config c.toml box rollback attic");
        assert!(back && text.contains("box attic has been blocking since"), "{text}");
    }
    let triage = world.good(&["triage"]);
    let said = |line: &str| line.contains("READY is withdrawn: ");
    let first = triage.lines().position(said).unwrap();
    let flagged = triage.lines().position(|line| line.contains(" flagged.")).unwrap();
    assert!(first < flagged, "{triage}");
    // A watch that is done leaves the box that blocks on every face.
    world.good(&["runbook", "done", "enable", "watch"]);
    let done = caveats(&world, "blocking");
    assert!(done.len() == 1 && done[0].starts_with("box cellar has been blocking"), "{done:?}");
}
