//! Whether the start of the window could be chosen by what is in it, and what it costs to start over.

use super::*;
use foureyes::domain::review::{Label, Word};

fn block<'a>(report: &'a Value, id: &str) -> Option<&'a Value> {
    report["blocks"].as_array().unwrap().iter().find(|b| b["id"] == id)
}

fn late(report: &Value) -> Option<&Value> {
    block(report, "window_after_labels")
}

fn caveat(report: &Value, id: &str) -> Option<String> {
    let found = report["caveats"].as_array().unwrap().iter().find(|c| c["id"] == id);
    found.map(|c| c["text"].as_str().unwrap().to_owned())
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn records_before_window_count_in_no_kpi_even_when_waived() {
    let world = World::new();
    let start = |ago: i64| words(&world.good(&["gate", "window", &day(ago)]));
    let said = start(19);
    assert!(said.contains("what was judged before now counts in no KPI"), "{said}");
    assert!(!said.contains("records have labels"), "nothing has a label yet");
    world.label_all();
    let said = start(20);
    assert!(said.contains("records have labels already: where such a record"), "{said}");
    assert!(!start(20).contains("note:"), "it chooses nothing");
    let report = world.report(2, LENIENT_FILE);
    let kpis = report["kpis"].as_array().unwrap();
    assert!(kpis.iter().all(|k| k["denominator"] == 0 && k["result"] != "met"), "{kpis:?}");
    let text = late(&report).unwrap()["text"].as_str().unwrap();
    assert!(text.contains("already had labels when its start was chosen"), "{text}");
    let text = caveat(&report, "window_backdated").unwrap();
    assert!(text.contains(&day(20)) && text.contains("count in no KPI"), "{text}");
    // Whoever answers for it frees nothing.
    let waiver = "[[policy.waivers]]\nwhat = \"window_after_labels\"\nname = \"Ada\"\n\
                  reason = \"the start was agreed on by mail\"\nuntil = ";
    world.home.write("waived.toml", format!("{LENIENT}{waiver}\"{}\"\n", day(-1)));
    let waived = world.report(2, &["--policy", "waived.toml"]);
    assert!(late(&waived).unwrap()["waived"].is_string());
    assert_eq!((&waived["result"], &waived["kpis"]), (&report["result"], &report["kpis"]));
}

#[test]
fn older_window_started_after_labels_blocks() {
    let world = World::new();
    world.label_all();
    world.started_by_old(0, 20);
    let report = world.report(2, LENIENT_FILE);
    let kpis = report["kpis"].as_array().unwrap();
    assert!(kpis.iter().all(|k| k["result"] == "met"), "nothing else speaks against it");
    let text = late(&report).unwrap()["text"].as_str().unwrap();
    assert!(text.contains("already had labels when its start was chosen"), "{text}");
    let text = caveat(&report, "window_backdated").unwrap();
    assert!(text.contains("an earlier version"), "{text}");
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let ran = world.run(&[&["readiness"], LENIENT_FILE, form].concat());
        let words = words(&ran.out);
        assert!(ran.code == 2 && words.contains("already had labels"), "{form:?}: {words}");
    }
    world.home.write("r.json", report.to_string());
    // What is taken back was given all the same.
    world.good(&["label", "--undo"]);
    world.started_by_old(0, 20);
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
fn last_of_several_starts_counts_from_its_choice() {
    let world = World::new();
    world.window();
    world.label_all();
    world.report(0, LENIENT_FILE);
    // The same start once more chooses nothing; another one does, and so does the way back.
    world.window();
    assert_eq!(late(&world.report(0, LENIENT_FILE)), None);
    world.good(&["gate", "window", &day(18)]);
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
        label["time"] = json!(format!("{}T12:00:00Z", day(21)));
        Some(label)
    });
    let report = world.report(0, LENIENT_FILE);
    assert_eq!(late(&report), None, "the ledger has the start first");
    assert!(names(&report, "caveats", "window_after_stated_labels"), "{}", report["caveats"]);
}

#[test]
fn start_in_other_ledger_with_clock_set_back_is_not_before_labels() {
    let world = World::new();
    world.label_all();
    let start = Act::Window(WindowStart::new(midnight(20)));
    world.say("bob", 20, &start);
    let report = world.report(2, LENIENT_FILE);
    let text = late(&report).unwrap()["text"].as_str().unwrap();
    assert!(text.contains("already had labels when its start was chosen"), "{text}");
    // That a clock was wrong is said, with both entries.
    assert!(caveat(&report, "rule_moved").unwrap().contains("bob"), "{}", report["caveats"]);
    let kpis = report["kpis"].as_array().unwrap();
    assert!(kpis.iter().all(|k| k["result"] != "met"), "{kpis:?}");
    // Thirty tries do not bring more than one.
    (1..30).for_each(|n| {
        world.say("bob", 20 - n % 15, &start);
    });
    assert!(late(&world.report(2, LENIENT_FILE)).is_some());
}

#[test]
fn start_ordered_by_clock_alone_has_caveat() {
    let world = World::new();
    world.label_all();
    // Said on a machine that did not have the ledger with the labels.
    let other = World::new();
    other.say("bob", 20, &Act::Window(WindowStart::new(midnight(20))));
    let ledgers = |world: &World| world.home.path().join("data/ledger");
    for file in std::fs::read_dir(ledgers(&other)).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), ledgers(&world).join(file.file_name())).unwrap();
    }
    let report = world.report(0, LENIENT_FILE);
    assert_eq!(late(&report), None, "{}", report["blocks"]);
    let text = caveat(&report, "window_order").unwrap();
    assert!(text.contains("only clocks show"), "{text}");
    // What is labelled once the start is known here is proven to follow it.
    let is_count = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let all = text.split_whitespace().find(is_count).unwrap().to_owned();
    world.good(&["label", &world.truth[0].id.clone(), &world.truth[0].truth.clone()]);
    let text = caveat(&world.report(0, LENIENT_FILE), "window_order").unwrap();
    assert!(text.contains(&format!("for {all} records")), "{text}");
}

#[test]
fn windows_of_one_judge_share_alpha_in_every_format() {
    let world = World::judged_by(Some(["ab12", "m-1"]));
    let label = |ago: i64| {
        let of = world.truth.iter().find(|t| t.day == day(ago)).unwrap().id.parse().unwrap();
        world.say("anna", ago - 1, &Act::Label(Label::new(of, Word::Unsure)));
    };
    // Six windows, each started before its labels.
    let bars: Vec<f64> = [20_i64, 17, 14, 11, 8, 5]
        .into_iter()
        .map(|ago| {
            world.started(ago, ago);
            label(ago);
            let report = world.report(2, LENIENT_FILE);
            let share = &report["window"]["share"];
            assert_eq!(share["window"].as_i64().unwrap(), (20 - ago) / 3 + 1);
            assert_eq!(late(&report), None);
            share["bar"].as_f64().unwrap().round()
        })
        .collect();
    assert_eq!(bars, [25.0, 200.0, 400.0, 800.0, 1600.0, 3200.0]);
    let said = "window 6 of this judge, with 0.62 % of the allowed error: a KPI is met when the \
                evidence is 3,200 to 1";
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
        let out = words(&world.run(&[&["readiness"], LENIENT_FILE, form].concat()).out);
        assert!(out.contains(said), "{form:?}: {out}");
    }
}

#[test]
fn other_judge_has_own_share_and_is_counted() {
    // Of the generated records three models answered; some do not say which.
    let world = World::new();
    world.window();
    let report = world.report(2, LENIENT_FILE);
    assert!(report["judges"].as_array().unwrap().len() > 3, "{}", report["judges"]);
    let share = &report["window"]["share"];
    assert_eq!((&share["window"], &share["judges"]), (&json!(1), &json!(3)));
    let said = "3 judges were tried in this gate: the risk of a false READY is up to 15 %.";
    assert!(report["qualifiers"].as_array().unwrap().contains(&json!(said)));
    let fewer = World::judged_by(Some(["ab12", "m-1"]));
    fewer.window();
    let report = fewer.report(2, LENIENT_FILE);
    assert_eq!(report["window"]["share"]["judges"], 2, "two were asked for");
    let said = "2 judges were tried in this gate: the risk of a false READY is up to 10 %.";
    assert!(report["qualifiers"].as_array().unwrap().contains(&json!(said)));
}

#[test]
fn undone_start_leaves_no_window_and_its_share_spent() {
    let world = World::judged_by(Some(["ab12", "m-1"]));
    let refused = world.run(&["gate", "window", "--undo"]);
    assert!(refused.code == 64 && refused.err.contains("gate window`"), "{}", refused.err);
    world.window();
    world.label_all();
    let before = world.report(0, LENIENT_FILE);
    // Of its last start nothing was used: no day of it ended.
    world.good(&["gate", "window", &day(0)]);
    assert_eq!(world.report(2, LENIENT_FILE)["window"]["share"]["window"], 2);
    let said = words(&world.good(&["gate", "window", "--undo"]));
    assert!(
        said.starts_with("taken back: entry ") && said.contains("no calibration window is running"),
        "{said}"
    );
    let report = world.report(2, LENIENT_FILE);
    let text = block(&report, "no_window").unwrap()["text"].as_str().unwrap();
    assert!(text.contains("start one: `foureyes gate window`"), "{text}");
    assert!(names(&report, "caveats", "window_taken_back"), "the one before it stays ended");
    assert_eq!(
        (&report["window"]["from"], &report["window"]["share"]),
        (&Value::Null, &Value::Null)
    );
    assert_ne!(report["result"], before["result"]);
    assert_eq!(world.run(&["gate", "window", "--undo"]).code, 64, "once");
    world.good(&["gate", "window", &day(0)]);
    let share = world.report(2, LENIENT_FILE)["window"]["share"]["window"].clone();
    assert_eq!(share, 2, "what was taken back used nothing");
    // One that is to come ends none before its day.
    world.good(&["gate", "window", &day(-2)]);
    let plain = words(&world.run(&["readiness"]).out);
    assert!(plain.contains("window 2 of this judge"), "{plain}");
}

#[test]
fn census_error_rates_reach_back_to_first_day_and_others_do_not() {
    let world = World::new();
    // Started five days ago with the first day of all, behind a rate of 1 that held all the time, by 0.2.
    let of_02 = WindowStart { rules: 1, ..WindowStart::new(midnight(20)) };
    let start = Act::Window(of_02);
    world.rated(1.0, 20);
    world.say("anna", 5, &start);
    world.label_all();
    let code = world.run(&[&["readiness"], LENIENT_FILE].concat()).code;
    let report = world.report(code, LENIENT_FILE);
    assert_eq!(report["window"]["from"], format!("{}T00:00:00Z", day(20)));
    assert_eq!((late(&report), report["window"]["closed_days"].as_u64()), (None, Some(20)));
    let text = caveat(&report, "window_backdated").unwrap();
    assert!(text.contains("count only in the error rates, because all are audited"), "{text}");
    // The days that every KPI counts on, and no others, make the window long enough.
    assert_eq!((code, report["window"]["days_with_data"].as_u64()), (2, Some(5)));
    assert!(names(&report, "blocks", "short_window"));
    let since =
        |ago: i64| world.truth.iter().filter(|t| t.day >= day(ago) && t.day < day(0)).count();
    let go = kpi(&report, "go_rate")["denominator"].as_u64().unwrap() as usize;
    assert!(go > 0 && go <= since(5) && go < since(20), "{go} of {} and {}", since(5), since(20));
    assert_eq!(kpi(&report, "false_negative_rate")["result"], "met");
    // A rate below 1 reaches nothing, and in a window by date that is begun now no rate does.
    for (rate, start) in [(0.9, start), (1.0, Act::Window(WindowStart::new(midnight(20))))] {
        let some = World::new();
        some.rated(rate, 20);
        some.say("anna", 5, &start);
        some.label_all();
        let code = some.run(&[&["readiness"], LENIENT_FILE].concat()).code;
        let report = some.report(code, LENIENT_FILE);
        assert_eq!(report["window"]["from"], format!("{}T00:00:00Z", day(5)), "{rate}");
        assert!(caveat(&report, "window_backdated").unwrap().contains("count in no KPI"));
    }
}
