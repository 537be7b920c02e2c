//! What operators of such hooks paid for, with the real program.

use super::model::{Model, verdict};
use super::pushing;
use super::stage::{AGENT, PERSON, Stage, errors};
use crate::http::PATIENCE;
use crate::http::answer;
use serde_json::json;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// A blocking stage with a hook of somebody else before ours.
fn chained(model: &Model, kept: &str) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.script(&stage.work().join(".git/hooks/pre-push"), &format!("#!/bin/sh\n{kept}\n"));
    stage.install();
    stage
}

#[test]
fn commit_amended_in_hook_is_not_the_pushed_one() {
    for (pushed, amended, passes) in [("POOR\n", "quaint\n", false), ("quaint\n", "POOR\n", true)] {
        let model = Model::start();
        let kept = format!(
            "printf '{}\\n' > research/a.md; git commit -q -a --amend -m other --no-verify",
            amended.trim()
        );
        let stage = chained(&model, &kept);
        let before = stage.commit(AGENT, &[("research/a.md", pushed)]);
        let output = stage.git(&["push", "-q", "origin", "main"]);
        assert_eq!(output.status.success(), passes, "{pushed}: {}", errors(&output));
        assert_ne!(stage.done(&["rev-parse", "HEAD"]), before, "it was amended");
        let log = stage.log();
        assert_eq!((log.len(), &log[0]["commit"]), (1, &json!(before)));
        let sent = model.0.requests()[0].json()["messages"].to_string();
        assert!(sent.contains(pushed.trim()) && !sent.contains(amended.trim()), "{sent}");
        if passes {
            assert_eq!(stage.remote_ref("main"), Some(before));
        }
    }
}

#[test]
fn multiline_answer_becomes_one_log_line() {
    let value: serde_json::Value = serde_json::from_str(&verdict(4, "GO", "fine\nso far")).unwrap();
    let indented = serde_json::to_string_pretty(&value).unwrap();
    for text in [indented.clone(), format!("Here it is:\r\n```json\r\n{indented}\r\n```\r\n")] {
        assert!(text.lines().count() > 5);
        let model = Model::always(answer(&text));
        let stage = pushing::stage(&model);
        stage.commit(AGENT, &[("research/a.md", "1\n")]);
        assert!(pushing::push(&stage, &["origin", "main"]));
        let bytes = stage.log_bytes();
        assert_eq!(bytes.iter().filter(|b| **b == b'\n').count(), 1);
        let log = stage.log();
        assert_eq!(
            (&log[0]["verdict"], &log[0]["findings"]),
            (&json!("GO"), &json!("fine\nso far"))
        );
    }
}

/// Runs the program as the hook would for a push of all of a stage, by a shell that prepares it.
pub(super) fn run(stage: &Stage, before: &str) -> Output {
    let head = stage.done(&["rev-parse", "HEAD"]);
    let refs = format!("refs/heads/main {head} refs/heads/main {}\n", "0".repeat(40));
    let mut command = stage.command("sh", &stage.work());
    command.args(["-c", &format!("{before} exec \"$@\""), "x", env!("CARGO_BIN_EXE_foureyes")]);
    command.args(["hook", "pre-push", "origin", "x"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(refs.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_panic_of_the_program_lets_the_push_through() {
    for (mode, stopped) in [("advisory", Some(0)), ("blocking", Some(1))] {
        let model = Model::start();
        let mut stage = Stage::new();
        model.serve(&mut stage, &format!("mode = \"{mode}\""));
        stage.install();
        stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
        assert_eq!(run(&stage, "").status.code(), stopped, "{mode}: what else becomes of it");
        // No thread can be made with a stack that large, which ends whatever makes one.
        let output = run(&stage, "export RUST_MIN_STACK=4611686018427387904;");
        assert_eq!(output.status.code(), Some(0), "{mode}: {}", errors(&output));
        assert!(output.stdout.is_empty());
        let said = errors(&output);
        assert!(said.contains("panicked") && said.contains("the push continues"), "{mode}: {said}");
    }
}

#[test]
fn missing_key_still_blocks_known_no_go_and_records_new_content() {
    let model = Model::start();
    let mut stage = pushing::stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!pushing::push(&stage, &["origin", "main"]));
    stage.set("TERRAPHIM_API_KEY", "");
    assert!(!pushing::push(&stage, &["origin", "main"]));
    stage.set("GIT_JUDGE_FRESH", "1");
    assert!(!pushing::push(&stage, &["origin", "main"]), "a new evaluation is none");
    assert_eq!(model.asked(), 1);
    let mut stage = pushing::stage(&model);
    stage.set("TERRAPHIM_API_KEY", "");
    let commit = stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(pushing::push(&stage, &["origin", "main"]));
    let log = stage.log();
    assert_eq!((log.len(), &log[0]["commit"], model.asked()), (1, &json!(commit), 1));
    assert_eq!((&log[0]["verdict"], &log[0]["error"]), (&json!("UNDETERMINED"), &json!("no_key")));
    assert!(log[0]["findings"].to_string().contains("TERRAPHIM_API_KEY is not set"));
}

/// Waits until a process has ended; one that nobody has collected yet has ended, too.
fn wait_for_end(pid: &str) {
    let start = std::time::Instant::now();
    loop {
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
        if state.stdout.is_empty() || state.stdout.starts_with(b"Z") {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "process {pid} is still running");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn hanging_key_command_is_killed_within_budget_and_recorded() {
    let model = Model::start();
    let mut stage = pushing::stage(&model);
    model.serve(&mut stage, "budget_s = 2");
    let config = stage.path("home/.config/foureyes/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let pid = stage.path("pid");
    let command = format!("sleep 3600 & echo $! > {}; sleep 3600", pid.display());
    let text = text.replace("[judge]\n", &format!("[judge]\nkey_command = \"{command}\"\n"));
    stage.configure(&text);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(output.status.success() && said.contains("did not end within"), "{said}");
    assert_eq!(stage.log()[0]["error"], json!("no_key"), "{said}");
    wait_for_end(&std::fs::read_to_string(pid).unwrap());
}

#[test]
fn dry_run_push_is_judged() {
    let model = Model::start();
    let stage = pushing::stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage.commit(PERSON, &[("a.txt", "1\n")]);
    assert!(!pushing::push(&stage, &["-n", "origin", "main"]));
    assert_eq!((stage.log().len(), model.asked()), (1, 1));
    assert!(!pushing::push(&stage, &["origin", "main"]));
    assert_eq!((stage.log().len(), model.asked()), (1, 1), "nothing is asked twice");
}
