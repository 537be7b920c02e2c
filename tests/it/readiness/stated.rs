//! What was seen and what is only stated; words and records that are gone or changed.

use super::attacks::{block, cut, misses};
use super::*;
use foureyes::domain::review::{Look, Requested};
use std::path::Path;

/// A policy whose FNR the generated judge does not keep, and that asks for no second words.
const POLICY: &str = "\
[policy]
false_positive = \"fpr\"
false_positive_below = 0.15
false_negative_below = 0.05
hook_timeout_s = 25
confirm = \"none\"
double_labels = 0.0
[[policy.waivers]]
what = \"fingerprint\"
name = \"Ada\"
reason = \"the provider renamed its model\"
until = \"2200-01-01\"
";

/// The same with a further waiver.
fn waiving(rule: &str) -> String {
    let lines = "name = \"Ada\"\nreason = \"known\"\nuntil = \"2200-01-01\"\n";
    format!("{POLICY}[[policy.waivers]]\nwhat = \"{rule}\"\n{lines}")
}

/// A window with a draw of all that passed.
fn drawing() -> World {
    let world = World::new();
    world.home.write("p.toml", POLICY);
    world.rated(1.0, 20);
    world.window();
    world
}

/// The same, all labelled as it is true by anna, who saw it.
fn labelled() -> World {
    let world = drawing();
    world.typed("anna", |t| Some(seen(t, &t.truth)));
    world
}

fn is_miss(t: &Truth) -> bool {
    t.outcome == "go" && t.truth == "poor"
}

/// The answer over some logs, whatever it is.
fn answer(world: &World, logs: &str, policy: &str) -> Value {
    let args = ["readiness", "--json", "--config", "nobody.toml", "--from", logs];
    let ran = world.home.run(&[&args[..], &["--policy", policy]].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}\n{}", ran.err, ran.out))
}

fn text<'a>(report: &'a Value, id: &str) -> &'a str {
    block(report, id).unwrap_or_else(|| panic!("{id}: {}", report["blocks"]))["text"]
        .as_str()
        .unwrap()
}

/// Asserts that the misses keep it from READY, and nothing else: there are too many for so few labels.
fn misses_alone_are_in_the_way(report: &Value) {
    assert_eq!(report["result"], "not_enough_evidence", "{}", report["blocks"]);
    let rows = report["kpis"].as_array().unwrap().iter();
    let open: Vec<&Value> = rows.filter(|k| k["result"] != "met").map(|k| &k["id"]).collect();
    assert_eq!(open, ["false_negative_rate"]);
    assert!(kpi(report, "false_negative_rate")["numerator"].as_u64() > Some(0));
    let blocks = report["blocks"].as_array().unwrap();
    assert!(blocks.iter().all(|block| block["waived"].is_string()), "{blocks:?}");
}

#[test]
fn seen_blind_labels_of_the_draw_make_an_answer() {
    let world = labelled();
    misses_alone_are_in_the_way(&answer(&world, "made/boxes", "p.toml"));
    // Were the misses none, it would be READY.
    let mild = drawing();
    mild.typed("anna", |t| Some(seen(t, if is_miss(t) { "acceptable" } else { &t.truth })));
    let report = answer(&mild, "made/boxes", "p.toml");
    assert_eq!(report["result"], "ready", "{}", report["blocks"]);
    let go = &report["label_quality"]["go"];
    assert_eq!((&go["seen"], &go["blind"]), (&go["labelled"], &go["labelled"]));
}

#[test]
fn labels_taken_back_on_records_that_are_cut_from_the_logs_block() {
    let world = drawing();
    world.typed("anna", |t| (!is_miss(t)).then(|| seen(t, &t.truth)));
    let entry = world.typed("anna", |t| is_miss(t).then(|| seen(t, "poor")));
    misses_alone_are_in_the_way(&answer(&world, "made/boxes", "p.toml"));
    let home = world.home.path();
    cut(&home.join("made/boxes"), &home.join("cut"), &misses(&world));
    world.good(&["label", "--undo", &entry.to_string()]);
    let report = answer(&world, "cut", "p.toml");
    assert_ne!(report["result"], "ready", "{}", report["blocks"]);
    let said = text(&report, "labels_elsewhere");
    assert!(
        said.contains("in none of these logs") && said.contains("first called poor: "),
        "{said}"
    );
    let changed = report["label_quality"]["changed"].as_array().unwrap();
    let gone = changed.iter().find(|c| c["verdict"] == "gone").expect("the changes are listed");
    assert_eq!((&gone["first"], &gone["now"]), (&json!("poor"), &Value::Null));
}

/// Each miss has a second word, acceptable, and a third that settles it, as a sitting has it.
fn adjudicated() -> World {
    let world = labelled();
    world.typed("bert", |t| is_miss(t).then(|| seen(t, "acceptable")));
    let ruling = |t: &Truth| Label { adjudicates: true, ..seen(t, "acceptable") };
    world.typed("cleo", |t| is_miss(t).then(|| ruling(t)));
    world
}

#[test]
fn adjudicating_misses_away_does_not_make_ready_and_is_named() {
    let world = adjudicated();
    let report = answer(&world, "made/boxes", "p.toml");
    assert_eq!(report["result"], "not_enough_evidence", "{}", report["blocks"]);
    let said = text(&report, "labels_changed");
    assert!(said.contains("GO called acceptable by cleo (adjudication)"), "{said}");
    let later = &report["label_quality"]["later"][0];
    assert_eq!((&later["reviewer"], &later["kind"]), (&json!("cleo"), &json!("adjudication")));
    assert!(later["for_judge"].as_u64() > Some(4) && later["against_judge"] == 0, "{later}");
    assert_eq!(later["unconfirmed"], later["for_judge"]);
    // Who waives it is READY, and the first lines say on whose words.
    world.home.write("waives.toml", waiving("labels_changed"));
    let report = answer(&world, "made/boxes", "waives.toml");
    assert_eq!(report["result"], "ready", "{}", report["blocks"]);
    let first = report["qualifiers"][0].as_str().unwrap();
    assert!(first.contains("false negative rate is met only through"), "{first}");
    assert!(first.contains("by cleo: ") && first.contains("first words alone"), "{first}");
}

#[test]
fn second_look_that_a_file_states_does_not_make_ready() {
    let world = drawing();
    world.typed("anna", |t| Some(seen(t, if is_miss(t) { "unsure" } else { &t.truth })));
    let (family, window) = (Default::default(), midnight(20));
    world.say("anna", 0, &Act::Look(Look { family, shown: "readiness".to_owned(), window }));
    world.label("look.jsonl", |t| {
        is_miss(t).then(|| {
            json!({"record": t.id, "label": "acceptable", "blind": true, "reviewer": "bert",
                   "requested": Requested::SecondLook.as_str()})
        })
    });
    let report = answer(&world, "made/boxes", "p.toml");
    assert_eq!(report["result"], "not_enough_evidence", "{}", report["blocks"]);
    assert!(text(&report, "labels_changed").contains("by bert (stated)"), "{report}");
    // One that the program asked for, showed blind, and got from another reviewer is one.
    let asked = drawing();
    asked.typed("anna", |t| Some(seen(t, if is_miss(t) { "unsure" } else { &t.truth })));
    let look =
        |t: &Truth| Label { requested: Some(Requested::SecondLook), ..seen(t, "acceptable") };
    asked.typed("bert", |t| is_miss(t).then(|| look(t)));
    let report = answer(&asked, "made/boxes", "p.toml");
    assert_eq!(report["result"], "ready", "{}", report["blocks"]);
}

#[test]
fn labels_that_only_state_that_they_are_blind_never_are() {
    let imported = drawing();
    imported.label("all.jsonl", |t| {
        let word = if is_miss(t) { "acceptable" } else { t.truth.as_str() };
        Some(json!({"record": t.id, "label": word, "blind": true}))
    });
    let typed = drawing();
    for word in ["poor", "acceptable"] {
        let of = |t: &&Truth| (t.truth == "poor" && !is_miss(t)) == (word == "poor");
        let ids: Vec<&str> = typed.truth.iter().filter(of).map(|t| t.id.as_str()).collect();
        for some in ids.chunks(200) {
            typed.good(&[&["label"][..], some, &[word, "--blind"]].concat());
        }
    }
    for world in [imported, typed] {
        let report = answer(&world, "made/boxes", "p.toml");
        assert_eq!(report["result"], "not_enough_evidence", "{}", report["blocks"]);
        let said = text(&report, "blind_share");
        assert!(said.starts_with("0 of ") && said.contains("labels are stated"), "{said}");
        let go = &report["label_quality"]["go"];
        assert_eq!((&go["seen"], &go["blind"]), (&json!(0), &json!(0)), "{go}");
        let plain = world.run(&["readiness", "--policy", "p.toml", "--plain"]).out;
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains("0 seen, "), "{plain}");
    }
}

#[test]
fn window_in_the_form_of_an_earlier_version_has_the_rules_of_now() {
    let of = |first: bool| {
        let world = World::new();
        world.home.write("p.toml", POLICY);
        let old = |t: &Truth| Label { blind: false, ..seen(t, &t.truth) };
        let before = world.truth[0].id.clone();
        let label = Act::Labels { labels: vec![old(&world.truth[0])], import: None };
        if first {
            world.say("anna", 21, &label);
        }
        // Said on its first day: under the rules of now what was judged before counts nowhere.
        world.started_by_old(20, 20);
        if !first {
            world.say("anna", 0, &label);
        }
        world.typed("anna", |t| (t.id != before).then(|| old(t)));
        answer(&world, "made/boxes", "p.toml")
    };
    let report = of(true);
    assert!(names(&report, "blocks", "blind_share"), "{}", report["blocks"]);
    assert!(names(&report, "caveats", "outdated_rules"));
    // One that came before is what it was.
    let report = of(false);
    assert!(!names(&report, "blocks", "blind_share"), "{}", report["blocks"]);
    assert!(!names(&report, "caveats", "outdated_rules"));
}

/// Leaves a field out of all records of days after one.
fn unname(dir: &Path, field: &str, after: &str) {
    for entry in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            unname(&entry, field, after);
            continue;
        }
        let text = std::fs::read_to_string(&entry).unwrap();
        let line = |line: &str| {
            let Ok(mut record) = serde_json::from_str::<Value>(line) else {
                return line.to_owned();
            };
            let late = record["timestamp"].as_str().is_some_and(|time| &time[..10] > after);
            if late && let Some(fields) = record.as_object_mut() {
                fields.remove(field);
            }
            record.to_string()
        };
        let lines: Vec<String> = text.lines().map(line).collect();
        std::fs::write(&entry, lines.join("\n") + "\n").unwrap();
    }
}

#[test]
fn prompt_that_the_logs_no_longer_name_is_another_judge() {
    let world = World::judged_by(Some(["aa11", "judge-a"]));
    world.home.write("p.toml", POLICY.split("[[").next().unwrap());
    world.window();
    let report = answer(&world, "made/boxes", "p.toml");
    assert!(!report["blocks"].to_string().contains("no prompt is named"), "{}", report["blocks"]);
    unname(&world.home.path().join("made/boxes"), "prompt_sha", &day(8));
    let report = answer(&world, "made/boxes", "p.toml");
    let blocks = report["blocks"].to_string();
    assert!(blocks.contains("no prompt is named since") && blocks.contains("aa11"), "{blocks}");
}

#[test]
fn ledger_that_was_cut_back_is_found_by_what_others_name_of_it() {
    let world = drawing();
    world.typed("bert", |t| Some(seen(t, &t.truth)));
    world.say("anna", 0, &Act::Window(WindowStart::new(midnight(20))));
    assert!(!names(&answer(&world, "made/boxes", "p.toml"), "blocks", "ledger_gone"));
    let file = world.home.path().join("data/ledger/bert@desk.jsonl");
    std::fs::write(&file, "").unwrap();
    let report = answer(&world, "made/boxes", "p.toml");
    assert!(text(&report, "ledger_gone").contains("foureyes ledger pull"), "{report}");
}

#[test]
fn new_rules_hold_in_a_window_of_an_earlier_version_and_say_that_they_are_new() {
    let world = World::new();
    world.home.write("p.toml", POLICY);
    let start = WindowStart { rules: 1, ..WindowStart::new(midnight(20)) };
    world.say("anna", 20, &Act::Window(start));
    world.label("easy.jsonl", |t| {
        let easy = t.outcome == "go" && t.truth == "acceptable" && t.id.as_bytes()[0] < b'5';
        easy.then(
            || json!({"record": t.id, "label": "acceptable", "selection": "audit", "pi": 0.3}),
        )
    });
    world.typed("anna", |t| (t.outcome == "no_go").then(|| seen(t, &t.truth)));
    let report = answer(&world, "made/boxes", "p.toml");
    let said = text(&report, "stated_alone");
    assert!(said.ends_with("(new with this version)"), "{said}");
    assert_eq!(kpi(&report, "false_negative_rate")["result"], "not_enough_evidence");
}
