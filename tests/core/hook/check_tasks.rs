//! What a box has for judging tasks: every part well, and each part broken.

use super::check::fits;
use super::stage::{Stage, errors};
use crate::endpoint::{TASKS, Taste, endpoint};
use serde_json::{Value, json};
use std::fs;

/// A stage with a hook, and a configuration with the address of an endpoint in it.
fn stage(configuration: &str) -> Stage {
    let mut stage = Stage::new();
    stage.configure(configuration);
    stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
    stage.set("NO_PROXY", "127.0.0.1");
    stage.install();
    stage
}

fn check(stage: &Stage) -> (i32, Value) {
    let output = stage.foureyes(&["hook", "check", "--json", "--repo", "."]);
    let document = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", errors(&output)));
    fits("hook-check", &document);
    (output.status.code().unwrap(), document)
}

/// State and text of each finding of a name.
fn found(document: &Value, name: &str) -> Vec<(String, String)> {
    let checks = document["checks"].as_array().unwrap().iter().filter(|c| c["name"] == name);
    let text = |c: &Value, key: &str| c[key].as_str().unwrap_or_default().to_owned();
    checks.map(|c| (text(c, "state"), text(c, "text"))).collect()
}

/// The one finding of a name that fails, and that no other does.
fn failure(document: &Value, name: &str) -> String {
    let checks = document["checks"].as_array().unwrap().iter();
    let failed: Vec<&Value> = checks.filter(|c| c["state"] == "fail").collect();
    let [one] = failed[..] else { panic!("{failed:#?}") };
    assert_eq!(one["name"], name);
    one["text"].as_str().unwrap().to_owned()
}

#[test]
fn judges_of_tasks_are_checked_in_place_of_the_judge_of_pushes() {
    let server = endpoint(&["fastest"], Taste::Strict);
    let url = server.url();
    let stage =
        stage(&format!("[judge]\nendpoint = \"{url}\"\n{TASKS}acceptance = \"~/acceptance.md\"\n"));
    fs::write(stage.path("home/acceptance.md"), "It names a rollback.\n").unwrap();
    let (code, document) = check(&stage);
    assert_eq!((code, &document["protocol"]), (0, &json!("task")), "{document:#}");
    let tiers: Vec<&str> = document["judges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|j| j["tier"].as_str().unwrap())
        .collect();
    assert_eq!(tiers, ["quick", "deep"], "one after the other, the third is never asked");
    for name in ["task key", "task prompt", "task model"] {
        let texts = found(&document, name);
        assert!(
            texts.len() == 2 && texts.iter().all(|(state, _)| state == "ok"),
            "{name}: {texts:?}"
        );
        assert!(texts[0].1.starts_with("quick: ") && texts[1].1.starts_with("deep: "), "{texts:?}");
    }
    assert_eq!(found(&document, "task endpoint").len(), 1, "no endpoint is asked twice");
    assert_eq!(server.requests().len(), 1);
    assert_eq!(found(&document, "task families")[0].0, "warn", "both judges are one model");
    for name in ["task log", "task disk", "task acceptance"] {
        assert_eq!(found(&document, name)[0].0, "ok", "{name}");
    }
    for name in ["key", "endpoint", "model", "log"] {
        assert!(found(&document, name).is_empty(), "{name} is of pushes, which are not judged");
    }
    assert!(!stage.path("home/.openclaw").exists(), "looking writes nothing");
}

#[test]
fn each_broken_part_of_tasks_is_one_failure() {
    let server = endpoint(&["fastest"], Taste::Strict);
    let base = format!("[judge]\nendpoint = \"{}\"\n{TASKS}", server.url());
    let of = |configuration: &str| check(&stage(configuration));
    let (code, document) = of(&format!("{base}acceptance = \"~/nowhere.md\"\n"));
    assert!(code == 1 && failure(&document, "task acceptance").contains("nowhere.md"));
    let other = base.replace(
        "[judges.deep]\nkind = \"chat\"\nmodel = \"fastest\"",
        "[judges.deep]\nkind = \"chat\"\nmodel = \"gone\"",
    );
    assert_eq!(failure(&of(&other).1, "task model"), "deep: gone is not listed: fastest");
    let keyless = base.replace("[judges.deep]\n", "[judges.deep]\nkey_env = \"OTHER_KEY\"\n");
    let text = failure(&of(&keyless).1, "task key");
    assert!(text.starts_with("deep: OTHER_KEY is not set"), "{text}");
    let program = base
        .replace(
            "[judges.deep]\nkind = \"chat\"\nmodel = \"fastest\"",
            "[judges.deep]\nkind = \"opencode\"\nprogram = \"/nonexistent/opencode\"\nmodel = \"opencode/free\"",
        )
        .replace(&format!("endpoint = \"{}\"\n", server.url()), "")
        .replace("[judges.quick]\n", &format!("[judges.quick]\nendpoint = \"{}\"\n", server.url()));
    let text = failure(&of(&program).1, "task endpoint");
    let missing = "the program was not found: /nonexistent/opencode";
    assert_eq!(text, format!("deep: /nonexistent/opencode: {missing}"));
    let prompt =
        base.replace("[judges.deep]\n", "[judges.deep]\nprompt = \"/nonexistent/prompt.md\"\n");
    assert!(failure(&of(&prompt).1, "task prompt").starts_with("deep: "));
    let directory = format!("[task]\nlog = \"~/.config\"\n{base}");
    assert!(failure(&of(&directory).1, "task log").contains("is not a file"));
    let families = format!("[task]\nrequire_families = true\n{base}");
    assert!(failure(&of(&families).1, "task families").contains("left to a person"));
    let cap = format!("[task]\nspend_cap = 0.5\n{base}");
    let (code, document) = of(&cap);
    assert!(
        code == 1 && found(&document, "task spend cap").iter().all(|(state, _)| state == "fail")
    );
    let issues = format!("[task]\ncreate_issues = true\n{base}");
    let mut without_gh = stage(&issues);
    without_gh.set("PATH", "/nonexistent");
    assert_eq!(found(&check(&without_gh).1, "task issues")[0].0, "warn");
}

#[test]
fn judges_of_tasks_are_checked_beside_pushes_where_they_are_configured() {
    let server = endpoint(&["fastest"], Taste::Strict);
    let judges = TASKS.replace("protocol = \"task\"\n", "");
    let (code, document) =
        check(&stage(&format!("[judge]\nendpoint = \"{}\"\n{judges}", server.url())));
    assert_eq!((code, &document["protocol"]), (0, &json!("push")), "{document:#}");
    assert!(!found(&document, "key").is_empty() && !found(&document, "task key").is_empty());
    assert!(document.get("judges").is_none(), "the hook asks none of them");
}
