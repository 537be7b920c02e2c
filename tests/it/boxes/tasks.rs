//! A box whose hook judges commits as tasks: READY for tasks lets it block, and READY for pushes does not.

use super::enable::{WAIVER, enable};
use super::*;
use crate::endpoint::TASKS;
use crate::tasks as evidence;
use foureyes::domain::Timestamp;
use foureyes::domain::review::{Act, Label, Requested, Reviewer};
use foureyes::engine::panel::Tier;
use foureyes::engine::verdict::TASK as TASK_KIND;
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use serde_json::json;

const TASK: [&str; 2] = ["--family", "task"];

/// The question of a box to a judge of tasks.
fn question(tier: &str) -> String {
    let tier = if tier == "quick" { Tier::Quick } else { Tier::Deep };
    let (template, rubric) = (Template::task().unwrap(), Rubric::embedded().unwrap());
    template.sha_of(&TASK_KIND, &rubric, tier.sections())
}

/// From here on the hook of the box judges tasks.
fn judges_tasks(bench: &Bench) {
    let path = bench.lab.at("home/.config/foureyes/config.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, config + TASKS).unwrap();
}

/// Another reviewer gives each label again: what is called poor waits for a second word, and what is drawn
/// for a double label has two.
fn second_words(home: &Home) {
    let mut ledger = Ledger::load(&DataDir::at(home.path().join("data"))).unwrap();
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let given = ledger.present(now).labels.into_values().flatten();
    let labels = given.map(|given| Label {
        requested: Some(Requested::Double),
        replaces: None,
        reviewer: None,
        time: None,
        ..given.label
    });
    let by = Reviewer { name: "ben".to_owned(), machine: "desk".to_owned() };
    let act = Act::Labels { labels: labels.collect(), import: None };
    ledger.append(&by, fresh_id(now), now, &act).unwrap();
}

/// An operator whose labels make the panel READY for tasks, and a box whose hook judges them.
fn ready(served: &str) -> Bench {
    let home = evidence::home_of(
        |tier| json!({"model": "fastest", "served_model": served, "prompt_sha": question(tier), "judge_tier": tier}),
    );
    evidence::ready(&home);
    second_words(&home);
    let logs = home.path().join("logs");
    let bench = Bench::of(home, &[logs], &["fastest"], Taste::Strict);
    judges_tasks(&bench);
    bench.good(&["pull"]);
    bench
}

/// State and text of the finding on the judges.
fn judge(document: &Value) -> (String, String) {
    let checks = document["checks"].as_array().unwrap();
    let found = checks.iter().find(|c| c["name"] == "judge").unwrap_or(&Value::Null);
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    (text("state"), text("text"))
}

#[test]
fn ready_for_tasks_makes_a_task_hook_block() {
    let bench = ready(SERVED);
    let checked = bench.json("box-check", 0, &["box", "check", "box"]);
    assert_eq!(checked["there"]["protocol"], "task");
    let document = enable(&bench, 0, &TASK);
    assert_eq!((&document["state"], &document["readiness"]), (&"blocking".into(), &"ready".into()));
    let steps = document["rehearsal"]["steps"].as_array().unwrap();
    let names: Vec<&str> = steps.iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["blocked", "bypass", "escalated"]);
    assert!(steps.iter().all(|s| s["well"] == true), "{document:#}");
    assert!(!bench.lab.at("home/.openclaw").exists(), "a rehearsal is in no log that counts");
    // The ledger says of which family: older programs, which know only pushes, count it in nothing.
    assert!(bench.entries("hook_mode").is_empty() && bench.entries("window").is_empty());
    let mode = &bench.entries("task_hook_mode")[0];
    assert_eq!((&mode["box"], &mode["mode"]), (&"box".into(), &"blocking".into()));
    assert_eq!(bench.entries("task_window").len(), 1, "the window goes on");
    let checked = bench.json("box-check", 0, &["box", "check", "box"]);
    assert_eq!(judge(&checked).0, "ok", "{checked:#}");
    let (went, said) = bench.push(&[]);
    assert!(!went && said.contains("rejected"), "{said}");
    assert!(bench.push(&[("GIT_JUDGE_SKIP", "1")]).0);
    // Who changes what is judged there has evidence for something else.
    let path = bench.lab.at("home/.config/foureyes/config.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, config.replace("protocol = \"task\"", "protocol = \"push\"")).unwrap();
    let checked = bench.json("box-check", 1, &["box", "check", "box"]);
    let (state, text) = judge(&checked);
    assert!(state == "fail" && text.contains("push evaluations"), "{text}");
    let back = bench.json("hook-rollback", 0, &["box", "rollback", "box"]);
    assert_eq!(back["advisory"], true);
    bench.lab.nothing_left();
}

#[test]
fn evidence_of_the_other_family_lets_no_box_block() {
    let bench = Bench::ready(Taste::Strict);
    let refused = enable(&bench, 2, &TASK);
    assert_eq!(refused["state"], "refused", "no task has a label: {refused:#}");
    judges_tasks(&bench);
    for more in [&[][..], &WAIVER] {
        let document = enable(&bench, 1, more);
        assert_eq!(
            (&document["state"], &document["readiness"]),
            (&"unfit".into(), &"ready".into())
        );
        let (state, text) = judge(&document);
        assert_eq!(state, "fail", "no waiver is for another family");
        let said =
            "the hook there makes evaluations of tasks; the evidence is about push evaluations";
        assert_eq!(text, said);
    }
    super::enable::unchanged(&bench);
    let other = ready(SERVED);
    let path = other.lab.at("home/.config/foureyes/config.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, config.replace("protocol = \"task\"", "protocol = \"push\"")).unwrap();
    let document = enable(&other, 1, &TASK);
    assert_eq!(document["state"], "unfit", "{document:#}");
    assert!(judge(&document).1.starts_with("the hook there makes push evaluations"));
    assert!(other.entries("task_hook_mode").is_empty());
}

#[test]
fn another_model_behind_a_judge_of_tasks_sets_the_box_back() {
    let bench = ready("served-before");
    let document = enable(&bench, 1, &TASK);
    assert_eq!(document["state"], "rolled_back", "{document:#}");
    let said = "served-model answered for fastest; in the evidence, served-before did";
    assert_eq!(judge(&document), ("fail".to_owned(), said.to_owned()));
}
