//! Policies: shown, set, changed; waivers.

use super::*;

/// The lenient policy with the waivers of some rules alone.
fn waiving(has: impl Fn(&str) -> bool) -> String {
    let (head, waivers) = LENIENT.split_once("[[policy.waivers]]").unwrap();
    let rule = |waiver: &str| waiver.split('"').nth(1).unwrap().to_owned();
    let kept = waivers.split("[[policy.waivers]]").filter(|waiver| has(&rule(waiver)));
    kept.fold(head.to_owned(), |text, waiver| format!("{text}[[policy.waivers]]{waiver}"))
}

#[test]
fn policy_set_after_first_label_applies_to_next_window() {
    let world = World::new();
    world.window();
    world.label_all();
    assert!(world.good(&["gate", "show"]).contains("none was set"));
    let before = world.report(2, &[]);
    // A waiver of this rule lets rates be met that nothing but labels state.
    world.home.write("later.toml", waiving(|rule| rule != "stated_alone"));
    let said = world.good(&["gate", "set", "later.toml"]);
    assert!(said.contains("applies from the next window"), "{said}");
    let shown = world.good(&["gate", "show"]);
    assert!(shown.contains("set by anna") && shown.contains("false_negative_below = 0.15"));
    // What it prints is a policy file.
    world.home.write("again.toml", shown);
    let report = world.report(2, &[]);
    assert_eq!((&report["window"], &report["kpis"]), (&before["window"], &before["kpis"]));
    assert_eq!(report["policy"]["false_negative_below"], 0.05);
    assert!(names(&report, "caveats", "policy_next_window"), "{}", report["caveats"]);
    assert!(!names(&before, "caveats", "policy_next_window"));
    // Its waivers hold at once.
    let block = report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == "fingerprint");
    assert!(block.unwrap()["waived"].as_str().unwrap().starts_with("Ada: "));
    world.good(&["gate", "set", "again.toml"]);
    assert!(names(&world.report(2, &[]), "caveats", "policies"));
    world.good(&["gate", "window", &day(0)]);
    let next = world.report(2, &[]);
    assert_eq!(next["policy"]["false_negative_below"], 0.15);
    assert!(!names(&next, "caveats", "policy_next_window"));
}

#[test]
fn policy_applies_back_over_unlabelled_days() {
    let world = World::new();
    world.window();
    world.good(&["gate", "set", "lenient.toml", "--from", &day(20)]);
    world.label_all();
    let report = world.report(0, &[]);
    assert!(!names(&report, "caveats", "policy_changed"));
    assert!(!names(&report, "blocks", "window_after_labels"));
}

#[test]
fn a_weaker_policy_is_named_behind_the_answer_in_every_form() {
    let world = World::new();
    world.window();
    let weak = "[policy]\nfalse_negative_below = 0.3\nconfidence = 0.5\ndays = 1\n";
    world.home.write("weak.toml", weak);
    world.good(&["gate", "set", "weak.toml", "--from", &day(20)]);
    world.label_all();
    let with = |file: &'static str| ["--policy", file];
    let report =
        world.report(world.run(&["readiness", "--policy", "weak.toml"]).code, &with("weak.toml"));
    let said = "The policy is weaker than the default: misses below 30 % (default 5 %), confidence \
                50 % (default 95 %), 1 day of data (default 14).";
    assert_eq!(report["qualifiers"][0], said);
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let out = world.run(&[&["readiness"], &with("weak.toml")[..], form].concat()).out;
        let one = out.split_whitespace().collect::<Vec<_>>().join(" ");
        // Right behind the answer, before anything that it rests on.
        let (at, kpis) = (one.find(said).unwrap(), one.find("KPIs").unwrap());
        assert!(at < kpis, "{form:?}: {one}");
    }
    // A waiver that is used is named, the default policy is not.
    let lenient = world.report(0, LENIENT_FILE);
    let waived = "Waived: fingerprint, stated_alone, blind_share.";
    assert_eq!(lenient["qualifiers"][1], waived);
    world.home.write("default.toml", "[policy]\n");
    let report = world.report(2, &with("default.toml"));
    let judges =
        |text: &Value| text.as_str().unwrap().starts_with("3 judges were tried in this gate");
    assert!(
        report["qualifiers"].as_array().unwrap().iter().all(judges),
        "{}",
        report["qualifiers"]
    );
    // What triage says of the answer names it as well.
    let triage = world.good(&["triage", "--json"]);
    let triage: Value = serde_json::from_str(&triage).unwrap();
    let of = |c: &Value| c["id"] == "readiness" && c["text"].as_str().unwrap().contains(said);
    assert!(triage["caveats"].as_array().unwrap().iter().any(of), "{}", triage["caveats"]);
}

/// The lenient policy without its waiver.
fn unwaived() -> &'static str {
    LENIENT.split("[[").next().unwrap()
}

#[test]
fn waiver_given_later_costs_no_day() {
    let world = World::new();
    // Without it no rate could be met: the labels only state how their records were chosen.
    world.home.write("unwaived.toml", waiving(|rule| rule == "stated_alone"));
    world.window();
    world.good(&["gate", "set", "unwaived.toml", "--from", &day(20)]);
    world.label_all();
    let before = world.report(2, &[]);
    assert!(names(&before, "blocks", "fingerprint"), "{}", before["blocks"]);
    world.good(&["gate", "set", "lenient.toml"]);
    let report = world.report(0, &[]);
    assert_eq!(report["window"], before["window"]);
    assert_eq!(report["kpis"], before["kpis"], "tests and thresholds are as they were");
    let block = report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == "fingerprint");
    assert!(block.unwrap()["waived"].as_str().unwrap().starts_with("Ada: the provider renamed"));
    // It is said, and a report that was made before is found again.
    assert!(
        names(&report, "caveats", "waivers_later") && !names(&before, "caveats", "waivers_later")
    );
    world.home.write("r.json", before.to_string());
    let ran = world.run(&["readiness", "verify", "r.json"]);
    assert!(ran.code == 0 && ran.out.starts_with("same: NOT ENOUGH EVIDENCE"), "{}", ran.out);
    // To take it away again costs nothing either, and frees nothing.
    world.good(&["gate", "set", "unwaived.toml"]);
    assert_eq!(world.report(2, &[])["window"], before["window"]);
}

#[test]
fn waive_command_suspends_one_rule_until_its_date() {
    let world = World::new();
    // All but the one that is given here.
    world.home.write("unwaived.toml", waiving(|rule| rule != "fingerprint"));
    world.window();
    world.good(&["gate", "set", "unwaived.toml", "--from", &day(20)]);
    world.label_all();
    let before = world.report(2, &[]);
    let waive = |rule: &str, until: &str| {
        world.run(&["gate", "waive", rule, "--reason", "only a new name", "--until", until])
    };
    assert_eq!(waive("fingerprint", "2200-01-01").code, 0);
    let report = world.report(0, &[]);
    assert_eq!((&report["window"], &report["kpis"]), (&before["window"], &before["kpis"]));
    let block = report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == "fingerprint");
    assert_eq!(block.unwrap()["waived"], "anna: only a new name (until 2200-01-01)");
    // Again, with a day that is past: there is one waiver, and it has ended.
    let rules = LENIENT.matches("what = ").count();
    assert_eq!(waive("fingerprint", "2026-01-01").code, 0);
    assert_eq!(world.good(&["gate", "show"]).matches("what = ").count(), rules);
    assert_eq!(world.report(2, &[])["blocks"], before["blocks"]);
    let refused = waive("false_negative_rate", "2200-01-01");
    assert!(refused.code == 64 && refused.err.contains("fingerprint"), "{}", refused.err);
}

#[test]
fn policy_change_restarts_window_of_older_version() {
    let world = World::new();
    world.started_by_old(20, 20);
    world.label_all();
    let days = |report: &Value| report["window"]["days"].as_u64().unwrap();
    let whole = days(&world.report(2, &[]));
    // The policy that comes with the program is one as well.
    let waiver = LENIENT.split_once("[[").unwrap().1;
    world.home.write("waiver.toml", format!("[policy]\n[[{waiver}"));
    world.good(&["gate", "set", "waiver.toml"]);
    assert_eq!(days(&world.report(2, &[])), whole);
    // With a threshold, it is another policy; and the way back is one more.
    world.good(&["gate", "set", "lenient.toml"]);
    let anew = world.report(2, &[]);
    assert!(days(&anew) == 0 && names(&anew, "caveats", "policy_changed"));
    world.home.write("unwaived.toml", unwaived());
    world.good(&["gate", "set", "unwaived.toml"]);
    assert_eq!(days(&world.report(2, &[])), 0, "a waiver less frees nothing");
    world.good(&["gate", "set", "waiver.toml"]);
    assert_eq!(days(&world.report(2, &[])), 0);
}

#[test]
fn of_several_starts_and_rates_the_last_counts_and_all_are_named() {
    let world = World::new();
    let text = |report: &Value, id: &str| {
        let caveats = report["caveats"].as_array().unwrap().clone();
        let found = caveats.iter().find(|c| c["id"] == id);
        found.map(|c| c["text"].as_str().unwrap().to_owned())
    };
    world.started(20, 20);
    world.rated(0.2, 20);
    let once = world.report(2, &[]);
    assert_eq!(once["window"]["from"], format!("{}T00:00:00Z", day(20)));
    assert_eq!((text(&once, "windows"), text(&once, "audit_rates")), (None, None));
    // The later word counts, also where it names an earlier day than a third.
    world.started(19, 4);
    world.started(18, 15);
    world.rated(1.0, 10);
    let report = world.report(2, &[]);
    assert_eq!(report["window"]["from"], format!("{}T00:00:00Z", day(15)));
    let windows = text(&report, "windows").unwrap();
    let said = format!("started 3 times: the start on {} by anna applies", day(15));
    let before = format!("the one before it was on {} by anna", day(4));
    assert!(windows.contains(&said) && windows.contains(&before), "{windows}");
    let rates = text(&report, "audit_rates").unwrap();
    let both = [("0.2", day(20)), ("1", day(10))]
        .map(|(rate, day)| format!("{rate} of all that passes from {day} on"));
    assert_eq!(rates, format!("the audit rate was set 2 times: {}", both.join("; ")));
    // The sample of a day is drawn at the rate of that day.
    let audited = |ago: i64| {
        let days = report["days"].as_array().unwrap();
        let found = days.iter().find(|d| d["day"] == day(ago).as_str()).unwrap();
        (found["audit"].as_u64().unwrap(), passed(&world, &day(ago)))
    };
    let (drawn, whole) = audited(10);
    assert_eq!(drawn, whole, "all of it");
    let few: Vec<(u64, u64)> = (11..15).map(audited).collect();
    let sum = few.iter().fold((0, 0), |s, d| (s.0 + d.0, s.1 + d.1));
    assert!(sum.0 * 2 < sum.1, "{few:?}");
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let out = world.run(&[&["readiness"], form].concat()).out;
        let one = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one.contains(&windows) && one.contains(&rates), "{form:?}: {out}");
    }
}

#[test]
fn policy_dated_by_clock_ahead_is_named_with_its_entry() {
    let world = World::new();
    let record = world.truth[0].id.parse().unwrap();
    let label = world.say("anna", 2, &Act::Label(Label::new(record, Word::Poor))).to_string();
    let start = Act::Window(WindowStart::new(midnight(20)));
    let window = world.say("anna", 9, &start).to_string();
    let code = world.run(&[&["readiness"], LENIENT_FILE].concat()).code;
    let report = world.report(code, LENIENT_FILE);
    let caveats = report["caveats"].as_array().unwrap();
    let text = caveats.iter().find(|c| c["id"] == "rule_moved").unwrap()["text"].as_str().unwrap();
    let names = |id: &str| text.contains(&id[..12]);
    assert!(names(&label) && names(&window) && text.contains("anna"), "{text}");
    assert!(text.contains(&day(9)) && text.contains(&day(2)), "{text}");
    let said = world.good(&["ledger", "verify"]);
    assert!(said.contains("line 1: its time is ahead of later lines"), "{said}");
}

/// Contents that passed on a day and were first judged on it.
fn passed(world: &World, day: &str) -> u64 {
    let mut judged: Vec<&Truth> =
        world.truth.iter().filter(|t| t.outcome != "undetermined").collect();
    judged.sort_by(|a, b| (&a.time, &a.id).cmp(&(&b.time, &b.id)));
    let mut seen = std::collections::HashSet::new();
    judged.retain(|t| seen.insert(&t.commit));
    judged.iter().filter(|t| t.day == day && t.outcome == "go").count() as u64
}

#[test]
fn a_policy_that_is_wrong_is_refused_with_its_place() {
    let world = World::new();
    world.home.write("bad.toml", "[policy]\ndays = 14\n  confidence = 2.0\n");
    for args in [&["gate", "set", "bad.toml"][..], &["readiness", "--policy", "bad.toml"]] {
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

#[test]
fn triage_shows_the_thresholds_that_readiness_decides_by() {
    let world = World::new();
    world.window();
    let text = "[policy]\ngo_rate = [0.5, 0.8]\navailability_above = 0.9\n\
                median_latency_below_s = 2.5\nundetermined_below = 0.2\n\
                false_positive_below = 0.125\nfalse_negative_below = 0.04\n";
    world.home.write("own.toml", text);
    world.good(&["gate", "set", "own.toml", "--from", &day(20)]);
    let thresholds = |document: &Value, list: &str| {
        let rows = document[list].as_array().unwrap().iter();
        let of = |k: &Value| json!([k["id"], k["threshold"], k["threshold_upper"]]);
        rows.map(of).collect::<Vec<_>>()
    };
    let told = |args: &[&str]| world.good(&[&["triage", "--days", "36500"], args].concat());
    let triage: Value = serde_json::from_str(&told(&["--json"])).unwrap();
    let report = world.report(1, &[]);
    assert_eq!(thresholds(&triage, "kpis"), thresholds(&report, "kpis"));
    let latency = &triage["kpis"][3];
    let quick = format!(
        "{} of {} quicker than the threshold",
        latency["numerator"], latency["denominator"]
    );
    let all = [
        "50 to 80 %",
        "below 20 %",
        "above 90 %",
        "below 12.5 %",
        "below 4 %",
        "below 2.5 s",
        &quick,
    ];
    for form in [&["--plain"][..], &["--markdown", "-"]] {
        let out = told(form);
        for one in all {
            assert!(out.contains(one), "{one}: {out}");
        }
    }

    // Once there are labels in the window, a policy that is set holds from the next one: for triage too.
    world.label_all();
    world.good(&["gate", "set", "lenient.toml"]);
    let triage: Value = serde_json::from_str(&told(&["--json"])).unwrap();
    let report = world.report(1, &[]);
    assert_eq!(thresholds(&triage, "kpis"), thresholds(&report, "kpis"));
    assert_eq!(triage["kpis"][5]["threshold"], 0.04);
}
