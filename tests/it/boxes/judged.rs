//! Evidence on one judge lets no box block that asks another, and ledger and box are compared.

use super::enable::{WAIVER, enable};
use super::*;
use foureyes::domain::Timestamp;
use foureyes::domain::review::Reviewer;
use foureyes::domain::review::{Act, ModeSet, ModeWaiver};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use std::time::{SystemTime, UNIX_EPOCH};

fn check(bench: &Bench, code: i32) -> Value {
    bench.json("box-check", code, &["box", "check", "box"])
}

/// State and text of what was looked at.
fn found(document: &Value, name: &str) -> (String, String) {
    let checks = document["checks"].as_array().unwrap();
    let of = checks.iter().find(|c| c["name"] == name).unwrap_or(&Value::Null);
    let text = |key: &str| of[key].as_str().unwrap_or_default().to_owned();
    (text("state"), text("text"))
}

fn configure(bench: &Bench, line: &str) {
    let path = bench.lab.at("home/.config/foureyes/config.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, config + line + "\n").unwrap();
}

/// Turns the switch on the box itself.
fn by_hand(bench: &Bench, args: &[&str]) {
    let mut command = Command::new(bench.lab.at("bin/foureyes"));
    command.args(["hook", "mode"]).args(args).env_clear().envs(bench.variables(KEY));
    assert!(command.output().unwrap().status.success());
}

#[test]
fn ready_for_other_prompt_requires_waiver() {
    let bench = Bench::ready_for(Taste::Strict, [&"ab".repeat(32), SERVED]);
    let document = enable(&bench, 1, &[]);
    assert_eq!((&document["state"], &document["readiness"]), (&"unfit".into(), &"ready".into()));
    let (state, text) = found(&document, "judge");
    let own = format!("the box asks fastest (prompt {})", &prompt()[..12]);
    assert!(state == "fail" && text.starts_with(&own), "{text}");
    assert!(text.contains("fastest (prompt abababababab)"), "{text}");
    assert!(!bench.switch().join("mode.json").exists() && bench.entries("hook_mode").is_empty());

    let waived = enable(&bench, 0, &WAIVER);
    assert_eq!((&waived["state"], &waived["readiness"]), (&"blocking".into(), &"ready".into()));
    assert_eq!(found(&waived, "judge").0, "warn");
    assert_eq!(waived["there"]["switch"]["until"], "2199-01-02T00:00:00Z");
    assert_eq!(bench.entries("hook_mode")[0]["waiver"]["name"], "Ada");
    let checked = check(&bench, 0);
    assert_eq!(found(&checked, "judge").0, "warn");
    assert_eq!(found(&checked, "ledger").0, "ok", "{checked:#}");
    // Once the evidence is no longer its own, a report that was waived is lent to no other box.
    bench.new_window();
    assert_eq!(bench.run(&["box", "enable", "box", "--as-box", "box"]).code, 64);
}

#[test]
fn another_model_behind_the_same_route_sets_the_box_back() {
    let bench = Bench::ready_for(Taste::Strict, [&prompt(), "served-before"]);
    let document = enable(&bench, 1, &[]);
    assert_eq!(document["state"], "rolled_back");
    assert_eq!(document["there"]["mode"], "advisory");
    let (state, text) = found(&document, "judge");
    let said = "served-model answered for fastest; in the evidence, served-before did";
    assert_eq!((state.as_str(), text.as_str()), ("fail", said));
    let waived = enable(&bench, 0, &WAIVER);
    assert_eq!(
        (&waived["state"], found(&waived, "judge").0.as_str()),
        (&"blocking".into(), "warn")
    );
}

#[test]
fn different_model_on_blocking_box_is_reported_there() {
    let bench = Bench::ready(Taste::Strict);
    enable(&bench, 0, &[]);
    let checked = check(&bench, 0);
    assert_eq!(found(&checked, "judge").0, "ok", "{checked:#}");
    assert_eq!(checked["there"]["prompt_sha"], prompt());
    let (state, text) = found(&checked, "ledger");
    assert!(state == "ok" && text.starts_with("the ledger says blocking since"), "{text}");
    // Somebody turns it on the box itself.
    by_hand(&bench, &["advisory"]);
    let (state, text) = found(&check(&bench, 0), "ledger");
    assert!(state == "warn" && text.contains("by anna, the box says advisory"), "{text}");
    by_hand(&bench, &["blocking", "--reason", "by hand"]);
    let (state, text) = found(&check(&bench, 0), "ledger");
    assert!(state == "warn" && text.contains("the box says blocking"), "on no report: {text}");
}

#[test]
fn the_judge_that_was_changed_after_the_switch_fails() {
    let bench = Bench::ready(Taste::Strict);
    enable(&bench, 0, &[]);
    configure(&bench, "model = \"slower\"");
    let checked = check(&bench, 1);
    let (state, text) = found(&checked, "judge");
    assert!(state == "fail" && text.starts_with("the box asks slower (prompt "), "{text}");
}

#[test]
fn answers_from_a_file_let_no_box_block_but_for_a_waiver() {
    let bench = Bench::ready(Taste::Strict);
    let script = bench.lab.at("home/script.json");
    std::fs::write(&script, "{}").unwrap();
    configure(&bench, &format!("script = {}", quoted(&script)));
    let document = enable(&bench, 1, &[]);
    assert_eq!(document["state"], "unfit");
    let (state, text) = found(&document, "judge");
    assert!(state == "fail" && text.contains("from a file"), "{text}");
    assert!(!bench.switch().join("mode.json").exists());
}

#[test]
fn after_a_waiver_that_is_over_the_watch_is_of_the_next_box() {
    let bench = Bench::ready(Taste::Strict);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as i64;
    let ago = |hours: i64| Timestamp(now - hours * 3_600_000_000);
    let (name, reason) = ("Ada".to_owned(), "a trial".to_owned());
    let set = ModeSet {
        waiver: Some(ModeWaiver { name, reason, until: ago(50) }),
        ..ModeSet::new("box", foureyes::domain::HookMode::Blocking)
    };
    let by = Reviewer { name: "lead".to_owned(), machine: "desk".to_owned() };
    let mut ledger = Ledger::load(&DataDir::at(bench.home.path().join("data"))).unwrap();
    ledger.append(&by, fresh_id(ago(100)), ago(100), &Act::Mode(set)).unwrap();
    let (state, text) = found(&check(&bench, 0), "ledger");
    assert!(state == "ok" && text.contains("when the waiver of Ada ended"), "{text}");

    let document = enable(&bench, 0, &[]);
    assert_eq!(document["window"], Value::Null, "a switch begins no window");
    let books: Value = serde_json::from_str(&bench.good(&["runbook", "--json"])).unwrap();
    let steps = books["runbooks"][0]["steps"].as_array().unwrap();
    let watch = &steps.iter().find(|step| step["id"] == "watch").unwrap()["watch"];
    assert_eq!((&watch[0]["box"], &watch[0]["until"]), (&"box".into(), &document["watch_until"]));
}
