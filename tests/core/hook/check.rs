//! What a box has: every part well, and each part broken.

use super::stage::{AGENT, Stage, errors};
use crate::endpoint::{Taste, endpoint};
use crate::http::{Server, reply};
use serde_json::Value;
use std::fs;

/// Fails where a document does not fit its schema.
pub(super) fn fits(name: &str, document: &Value) {
    let path = format!("{}/assets/hook.schema.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema["$defs"][name]).unwrap();
    let wrong: Vec<_> = validator.iter_errors(document).map(|e| e.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}: {document:#}");
    // The file as a whole is a schema, too: of any of its documents.
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(document), "{document:#}");
}

const FAMILIES: &str = "[[family]]\nname = \"one\"\nauthors = [\"OpenClaw Agent\"]\nmodels = [\"writer-*\"]\n[[family]]\nname = \"two\"\nmodels = [\"fastest\"]\n";

/// A stage that asks a server; `more` comes before the families.
fn stage(server: &Server, judge: &str) -> Stage {
    let mut stage = Stage::new();
    let url = server.url();
    stage.configure(&format!("[judge]\nendpoint = \"{url}\"\n{judge}\n{FAMILIES}"));
    stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
    stage.set("NO_PROXY", "127.0.0.1");
    stage.install();
    stage
}

/// Runs the check, with the repository; gives its exit code and its document.
fn check(stage: &Stage) -> (i32, Value) {
    let output = stage.foureyes(&["hook", "check", "--json", "--repo", "."]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &errors(&output);
    assert!(!said.contains("key-of-the-test"), "{said}");
    let document = serde_json::from_slice(&output.stdout).unwrap();
    fits("hook-check", &document);
    (output.status.code().unwrap(), document)
}

/// Names of what is not well, with its state.
fn unwell(document: &Value) -> Vec<(&str, &str)> {
    let checks = document["checks"].as_array().unwrap().iter();
    checks
        .map(|c| (c["name"].as_str().unwrap(), c["state"].as_str().unwrap()))
        .filter(|(_, state)| *state != "ok")
        .collect()
}

/// The one thing that is not well: what is said of it, and what to do.
fn only<'a>(document: &'a Value, name: &str, state: &str) -> (&'a str, &'a str) {
    assert_eq!(unwell(document), [(name, state)], "{document:#}");
    let checks = document["checks"].as_array().unwrap();
    let check = checks.iter().find(|c| c["state"] != "ok").unwrap();
    (check["text"].as_str().unwrap(), check["hint"].as_str().unwrap_or_default())
}

#[test]
fn a_box_that_has_all_is_well_in_every_part() {
    let server = endpoint(&["fastest", "slow"], Taste::Strict);
    let stage = stage(&server, "");
    let (code, document) = check(&stage);
    assert_eq!((code, unwell(&document)), (0, vec![]), "{document:#}");
    assert_eq!((&document["well"], &document["model"]), (&true.into(), &"fastest".into()));
    assert_eq!(document["models"], serde_json::json!(["fastest", "slow"]));
    let names: Vec<_> = document["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["name"].as_str().unwrap())
        .collect();
    let wanted = [
        "program",
        "configuration",
        "hook",
        "mode",
        "key",
        "prompt",
        "four eyes",
        "endpoint",
        "model",
        "log",
        "disk",
        "call word",
        "clock",
    ];
    assert_eq!(names, wanted);
    assert!(!stage.log_dir().exists(), "looking writes nothing");
    let plain = stage.foureyes(&["hook", "check"]);
    let text = String::from_utf8(plain.stdout).unwrap();
    assert!(
        text.contains("ok    model: fastest is listed") && text.contains("failures: 0"),
        "{text}"
    );
}

#[test]
fn renamed_model_is_reported_with_available_ones() {
    let server = endpoint(&["fastest-2", "slow"], Taste::Strict);
    let (code, document) = check(&stage(&server, ""));
    let (text, hint) = only(&document, "model", "fail");
    assert_eq!((code, text), (1, "fastest is not listed: fastest-2, slow"));
    assert!(hint.contains("rename"), "{hint}");
}

#[test]
fn key_missing_in_environment_is_reported() {
    let server = endpoint(&["fastest"], Taste::Strict);
    let mut stage = stage(&server, "");
    stage.set("TERRAPHIM_API_KEY", " ");
    let (code, document) = check(&stage);
    let (text, hint) = only(&document, "key", "fail");
    assert!(code == 1 && text.contains("TERRAPHIM_API_KEY is not set"), "{text}");
    assert!(hint.contains(".bashrc") && hint.contains("key_command"), "{hint}");
}

#[test]
fn unreachable_endpoint_is_reported() {
    let server = endpoint(&["fastest"], Taste::Down);
    let (code, document) = check(&stage(&server, ""));
    let (text, _) = only(&document, "endpoint", "fail");
    assert!(code == 1 && text.starts_with(&server.url()), "{text}");
    assert_eq!(document["models"], Value::Null);
    let gone = stage(&endpoint(&[], Taste::Strict), "");
    let (code, document) = check(&gone);
    let (_, hint) = only(&document, "endpoint", "fail");
    assert!(code == 1 && hint.contains("until then pushes go through"), "{hint}");
}

#[test]
fn other_broken_settings_are_reported_in_place() {
    let server = endpoint(&["fastest", "writer-1"], Taste::Strict);
    let log = stage(&server, "");
    fs::create_dir_all(log.log_dir().parent().unwrap()).unwrap();
    fs::write(log.log_dir(), "a file").unwrap();
    let (_, document) = check(&log);
    assert!(only(&document, "log", "fail").0.contains("is not writable"));
    let log = stage(&server, "");
    fs::create_dir_all(log.log_dir()).unwrap();
    let day = log.log_dir().join(format!("{}.jsonl", &jiff::Timestamp::now().to_string()[..10]));
    assert!(log.command("mkfifo", &log.work()).arg(day).status().unwrap().success());
    assert!(only(&check(&log).1, "log", "fail").0.contains("is not a file"));

    let prompt = stage(&server, "prompt = \"/nowhere/p.md\"");
    let (_, document) = check(&prompt);
    assert!(only(&document, "prompt", "fail").0.contains("/nowhere/p.md"));

    let same = stage(&server, "model = \"writer-1\"");
    let (_, document) = check(&same);
    assert!(only(&document, "four eyes", "fail").0.contains("refused"));

    let hook = stage(&server, "");
    assert!(hook.foureyes(&["hook", "uninstall"]).status.success());
    let (code, document) = check(&hook);
    assert_eq!(code, 1);
    assert!(only(&document, "hook", "fail").1.contains("hook install"));

    let switch = stage(&server, "");
    let dir = switch.path("home/.local/share/foureyes/hook");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("mode.json"), "x").unwrap();
    let (code, document) = check(&switch);
    assert!(only(&document, "mode", "fail").1.contains("hook mode advisory"));
    assert_eq!((code, &document["mode"]["mode"]), (1, &"advisory".into()));

    let wrong = stage(&server, "");
    wrong.configure("[judge]\nmodle = \"x\"\n");
    let (code, document) = check(&wrong);
    assert_eq!(code, 1);
    assert!(unwell(&document).contains(&("configuration", "fail")), "{document:#}");
}

#[test]
fn a_spend_cap_under_which_nothing_is_ever_judged_fails() {
    let server = endpoint(&["fastest"], Taste::Strict);
    let of = |cap: &str, prices: &str| {
        let cap = format!("spend_cap = {cap}\nmax_tokens = 1000\n[prices]\n{prices}");
        check(&stage(&server, &cap)).1
    };
    let dear = "fastest = { prompt = 0, completion = 1 }\nbig = { prompt = 0, completion = 100 }";
    let unpriced = of("5", "big = { prompt = 0, completion = 100 }");
    let (text, hint) = only(&unpriced, "spend cap", "fail");
    assert!(text.contains("no price (fastest): nothing is judged") && hint.contains("[prices]"));
    let small = of("0.2", dear);
    let (text, hint) = only(&small, "spend cap", "fail");
    assert!(text.contains("can cost 0.3000 with all its calls, and `spend_cap` is 0.2"), "{text}");
    assert!(hint.contains("routes = false"), "{hint}");
    assert_eq!(unwell(&of("0.4", dear)), []);
    assert_eq!(unwell(&of("0", "fastest = { prompt = 0, completion = 0 }")), []);
}

#[test]
fn first_use_lists_authors_and_paths() {
    let server = endpoint(&["fastest"], Taste::Strict);
    let stage = stage(&server, "");
    for n in 0..6 {
        stage.commit("claude", &[("research/a.md", &format!("{n}\n"))]);
    }
    let (code, document) = check(&stage);
    let (text, hint) = only(&document, "agents", "warn");
    assert_eq!(code, 0);
    assert!(text.contains("none of the last 7 commits is by a configured agent"), "{text}");
    assert!(
        text.contains("committers: claude (6), Ada Example (1)") && hint.contains("`agents`"),
        "{text}"
    );
    stage.commit(AGENT, &[("docs/a.md", "x\n"), ("docs/b.md", "x\n"), ("b.rs", "x\n")]);
    let (_, document) = check(&stage);
    let (text, hint) = only(&document, "agents", "warn");
    assert!(text.contains("docs/*.md (2), *.rs (1)") && hint.contains("`watch`"), "{text}");
    stage.commit(AGENT, &[("research/a.md", "x\n")]);
    assert_eq!(unwell(&check(&stage).1), []);
    // Without `--repo` it is the repository that a person is in.
    let said = stage.foureyes(&["hook", "check"]);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("of the last 9 commits 2 are by agents, and 1 of those"), "{said}");
}

#[test]
fn altered_log_or_two_judges_are_reported() {
    let server = endpoint(&["fastest"], Taste::Strict);
    let mut stage = stage(&server, "");
    let push = |stage: &Stage, n: u32| {
        stage.commit(AGENT, &[("research/a.md", &format!("text {n}\n"))]);
        assert!(stage.git(&["push", "-q", "origin", "main"]).status.success());
    };
    (0..3).for_each(|n| push(&stage, n));
    let records = stage.log();
    assert!(records[0].get("prev").is_none() && records[1..].iter().all(|r| r["prev"].is_string()));
    assert_eq!(unwell(&check(&stage).1), []);
    let url = server.url();
    stage.configure(&format!("[judge]\nendpoint = \"{url}\"\ntemperature = 1.0\n{FAMILIES}"));
    stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
    push(&stage, 3);
    let document = check(&stage).1;
    assert!(only(&document, "records", "warn").0.contains("2 configurations"), "{document}");
    let file = fs::read_dir(stage.log_dir()).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<_> = text.lines().collect();
    fs::write(&file, [lines[0], lines[2], lines[3], ""].join("\n")).unwrap();
    let document = check(&stage).1;
    let said = document.to_string();
    assert!(said.contains("removed before line 2 (such places: 1)"), "{said}");
}

#[test]
fn lists_of_models_are_read_in_every_usual_shape() {
    let check_of = |status: u16, body: &'static str| {
        let server = Server::start(move |_| reply(status, &[], body));
        check(&stage(&server, ""))
    };
    for body in [
        r#"[{"id":"azureml://registries/x/fastest","name":"fastest"}]"#,
        r#"[{"id":"fastest"}]"#,
        r#"["fastest"]"#,
        r#"{"models":[{"name":"fastest:latest","model":"fastest:latest"}]}"#,
        r#"{"models":[{"name":"models/fastest"}]}"#,
        r#"{"object":"list","data":[{"id":"models/fastest"}]}"#,
    ] {
        let (code, document) = check_of(200, body);
        assert_eq!((code, unwell(&document)), (0, vec![]), "{body}: {document:#}");
    }
    for status in [404, 405, 501] {
        let (code, document) = check_of(status, "404 page not found");
        let (text, hint) = only(&document, "endpoint", "warn");
        assert!(code == 0 && text.ends_with(" answers and lists no models"), "{text}");
        assert!(hint.starts_with("`--ask` shows whether fastest answers"), "{hint}");
        assert_eq!(document["models"], Value::Null);
    }
    for (status, body) in [(200, "{}"), (200, "<html>"), (401, ""), (410, ""), (500, "")] {
        let (code, document) = check_of(status, body);
        assert_eq!((code, unwell(&document)), (1, vec![("endpoint", "fail")]), "{status} {body}");
    }
}
