//! The switch of a box, from the command line to a push that is stopped.

use super::model::Model;
use super::stage::{AGENT, Stage, errors};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Output, Stdio};

const READY: &str =
    "{\"schema\": \"foureyes/readiness/1\",\n  \"result\": \"ready\", \"x\": 1.50}\n";

/// A stage whose agent wants to push something poor, in a configured mode.
fn stage(model: &Model, configured: &str) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, &format!("mode = \"{configured}\""));
    stage.install();
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage
}

fn pushes(stage: &Stage) -> (bool, String) {
    let output = stage.git(&["push", "origin", "main"]);
    (output.status.success(), errors(&output))
}

fn directory(stage: &Stage) -> PathBuf {
    stage.path("home/.local/share/foureyes/hook")
}

fn mode(stage: &Stage, arguments: &[&str]) -> Output {
    stage.foureyes(&[&["hook", "mode"], arguments].concat())
}

fn document(output: &Output) -> Value {
    assert!(output.status.success(), "{}", errors(output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    super::check::fits("hook-mode", &document);
    document
}

#[test]
fn the_switch_comes_before_the_configuration_in_both_ways() {
    let model = Model::start();
    let advised = stage(&model, "advisory");
    let shown = document(&mode(&advised, &["--json"]));
    assert_eq!((&shown["mode"], &shown["from"]), (&"advisory".into(), &"configuration".into()));
    assert!(!directory(&advised).exists(), "looking makes nothing");
    let turned = mode(&advised, &["blocking", "--reason", "a trial", "--by", "ada", "--json"]);
    let shown = document(&turned);
    assert_eq!((&shown["turned"], &shown["switch"]["by"]), (&true.into(), &"ada".into()));
    let (went, said) = pushes(&advised);
    assert!(!went && said.contains("NO-GO"), "{said}");
    let status = String::from_utf8(advised.foureyes(&["hook", "status"]).stdout).unwrap();
    assert!(status.contains("blocking, switched by ada"), "{status}");
    document(&mode(&advised, &["advisory", "--json"]));
    assert!(pushes(&advised).0);

    let blocking = stage(&model, "blocking");
    document(&mode(&blocking, &["advisory", "--json"]));
    assert!(pushes(&blocking).0, "one command leads back, whatever the configuration says");
}

#[test]
fn damaged_switch_means_advisory_with_warning() {
    let model = Model::start();
    let stage = stage(&model, "blocking");
    document(&mode(&stage, &["blocking", "--reason", "a trial", "--json"]));
    fs::write(directory(&stage).join("mode.json"), "{\"mode\":\"blocking\"").unwrap();
    let (went, said) = pushes(&stage);
    assert!(went && said.contains("the switch") && said.contains("counts as advisory"), "{said}");
    let shown = mode(&stage, &[]);
    assert!(errors(&shown).contains("counts as advisory"), "{}", errors(&shown));
    assert!(mode(&stage, &["blocking", "--reason", "again"]).status.success());
    stage.commit(AGENT, &[("research/b.md", "POOR again\n")]);
    assert!(!pushes(&stage).0);
}

#[test]
fn blocking_requires_ready_report_or_reason() {
    let stage = Stage::new();
    fs::write(stage.path("work/not.json"), READY.replace("\"ready\"", "\"not_ready\"")).unwrap();
    for arguments in [
        &["blocking"][..],
        &["blocking", "--report", "not.json"],
        &["blocking", "--report", "../remote/HEAD"],
        &["advisory", "--until", "2099-01-01"],
        &["blocking", "--reason", "x", "--until", "2020-01-01"],
    ] {
        let output = mode(&stage, arguments);
        assert_eq!(output.status.code(), Some(64), "{arguments:?}: {}", errors(&output));
        let left = fs::read_dir(directory(&stage)).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{arguments:?}");
    }
    assert_eq!(mode(&stage, &["blocking", "--report", "none.json"]).status.code(), Some(74));
    fs::write(stage.path("work/ready.json"), READY).unwrap();
    let shown = document(&mode(&stage, &["blocking", "--report", "ready.json", "--json"]));
    let evidence = &shown["switch"]["report"];
    assert_eq!(evidence["blake3"], blake3(READY));
    let digits = &evidence["blake3"].as_str().unwrap()[..16];
    let kept = directory(&stage).join(format!("readiness-{digits}.json"));
    assert_eq!(fs::read(kept).unwrap(), READY.as_bytes());
    let text = fs::read_to_string(directory(&stage).join("mode.json")).unwrap();
    super::check::fits("hook-switch", &serde_json::from_str(&text).unwrap());
}

fn blake3(text: &str) -> String {
    ::blake3::hash(text.as_bytes()).to_hex().to_string()
}

#[test]
fn an_order_on_standard_input_is_followed_to_the_letter() {
    let stage = Stage::new();
    let order = serde_json::json!({
        "schema": "foureyes/hook-order/1", "mode": "blocking", "by": "ada $(id) 'x'",
        "reason": "first\nsecond `x`", "trial_s": 60, "report": READY,
    });
    super::check::fits("hook-order", &order);
    let give = |text: &str| {
        let program = env!("CARGO_BIN_EXE_foureyes");
        let mut command = stage.command(program, &stage.work());
        command.args(["hook", "mode", "--json", "--order", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let shown = document(&give(&order.to_string()));
    let switch = &shown["switch"];
    assert_eq!((&switch["by"], &switch["reason"]), (&order["by"], &order["reason"]));
    assert!(switch["until"].is_string() && shown["mode"] == "blocking");
    assert_eq!(switch["report"]["blake3"], blake3(READY));
    for wrong in ["", "{}", "[]", &order.to_string().replace("hook-order/1", "hook-order/9")] {
        assert_eq!(give(wrong).status.code(), Some(64), "{wrong}");
    }
    let kept = document(&mode(&stage, &["--json"]));
    assert_eq!(kept["switch"], *switch, "what is refused changes nothing");
}

#[test]
fn advisory_in_the_script_of_a_repository_stays() {
    let model = Model::start();
    let stage = stage(&model, "advisory");
    assert!(stage.foureyes(&["hook", "install", "--mode", "advisory"]).status.success());
    document(&mode(&stage, &["blocking", "--reason", "all of the box", "--json"]));
    assert!(pushes(&stage).0);
    let status = String::from_utf8(stage.foureyes(&["hook", "status"]).stdout).unwrap();
    assert!(status.contains("advisory, set by the script in the repository"), "{status}");
}
