//! `hook install`, `hook uninstall`, `hook status`.

use super::stage::{PERSON, Stage, errors};
use crate::endpoint::TASKS;
use serde_json::{Value, json};
use std::fs;

const KEPT: &str = "pre-push.foureyes-kept";
const FOREIGN: &str = "#!/bin/sh\nexit 0\n";
const OLD: &str = "#!/bin/bash\nset -e\nOUT=$(curl -s http://127.0.0.1:3456/v1/chat/completions)\n\
                   echo \"$OUT\" | jq -c . >> ~/.openclaw/judge-verdicts/x.jsonl\n";

fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
    stage
}

fn hook(stage: &Stage) -> std::path::PathBuf {
    stage.work().join(".git/hooks/pre-push")
}

/// Runs a command with `--json`; gives its exit code and its document, which fits its schema.
fn document(stage: &Stage, arguments: &[&str], schema: &str) -> (i32, Value) {
    let all = [&["hook"], arguments, &["--json"]].concat();
    let output = stage.foureyes(&all);
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", errors(&output)));
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/hook.schema.json");
    let all: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&all["$defs"][schema]).unwrap();
    let wrong: Vec<_> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    (output.status.code().unwrap(), document)
}

fn status(stage: &Stage) -> (i32, Value) {
    document(stage, &["status"], "hook-status")
}

fn change(stage: &Stage, arguments: &[&str]) -> Value {
    let (code, document) = document(stage, arguments, "hook-change");
    assert_eq!(code, 0);
    document
}

#[test]
fn hook_is_installed_once_and_uninstalled() {
    let stage = stage();
    assert_eq!((status(&stage).0, &status(&stage).1["state"]), (1, &json!("absent")));
    assert_eq!(change(&stage, &["install"])["did"], "installed");
    assert_eq!(change(&stage, &["install"])["did"], "unchanged");
    let (code, said) = status(&stage);
    assert_eq!((code, &said["state"], &said["runs"]), (0, &json!("installed"), &json!(true)));
    assert_eq!((&said["mode"], &said["mode_fixed"]), (&json!("advisory"), &json!(false)));
    assert_eq!((&said["within_s"], &said["warnings"]), (&json!(130), &json!([])));
    assert_eq!(said["binary"], json!(env!("CARGO_BIN_EXE_foureyes")));
    assert_eq!(change(&stage, &["uninstall"])["did"], "removed");
    assert_eq!(change(&stage, &["uninstall"])["did"], "nothing");
    assert!(!hook(&stage).exists());
}

#[test]
fn foreign_hook_is_kept_and_restored() {
    let stage = stage();
    stage.script(&hook(&stage), FOREIGN);
    let done = change(&stage, &["install"]);
    assert_eq!(done["kept"], "pre-push.foureyes-kept");
    assert_eq!(status(&stage).1["kept"], done["kept"]);
    assert_eq!(change(&stage, &["uninstall"])["did"], "restored");
    assert_eq!(fs::read_to_string(hook(&stage)).unwrap(), FOREIGN);
    let output = stage.foureyes(&["hook", "uninstall"]);
    assert_eq!(output.status.code(), Some(64));
    assert!(errors(&output).contains("not a hook of ours"));
}

#[test]
fn old_judge_is_detected_and_replaced_on_request() {
    let stage = stage();
    stage.script(&hook(&stage), OLD);
    assert_eq!(status(&stage).1["state"], "old_judge");
    let output = stage.foureyes(&["hook", "install"]);
    assert_eq!(output.status.code(), Some(64));
    assert!(errors(&output).contains("--replace-old"), "{}", errors(&output));
    assert_eq!(fs::read_to_string(hook(&stage)).unwrap(), OLD);
    let done = change(&stage, &["install", "--replace-old"]);
    assert!(done["aside"].is_string() && done["kept"].is_null(), "{done}");
    assert_eq!(change(&stage, &["uninstall"])["did"], "restored");
    assert_eq!(fs::read_to_string(hook(&stage)).unwrap(), OLD);
}

#[test]
fn fixed_mode_overrides_configuration() {
    let stage = stage();
    stage.configure("[hook]\nmode = \"blocking\"\n");
    change(&stage, &["install"]);
    assert_eq!(status(&stage).1["mode"], "blocking");
    assert_eq!(change(&stage, &["install", "--mode", "advisory"])["mode"], "advisory");
    let (_, said) = status(&stage);
    assert_eq!((&said["mode"], &said["mode_fixed"]), (&json!("advisory"), &json!(true)));
    change(&stage, &["install"]);
    assert_eq!(status(&stage).1["mode"], "advisory");
    change(&stage, &["install", "--mode", "configured"]);
    assert_eq!(status(&stage).1["mode"], "blocking");
    let output = stage.foureyes(&["hook", "install", "--mode", "strict"]);
    assert_eq!(output.status.code(), Some(64));
}

#[test]
fn a_directory_of_hooks_for_all_repositories_is_warned_of() {
    let mut stage = stage();
    let global = stage.path("home/.gitconfig");
    fs::write(&global, "[core]\n\thooksPath = ~/hooks\n").unwrap();
    let done = change(&stage, &["install"]);
    assert!(done["path"].as_str().unwrap().ends_with("/home/hooks/pre-push"), "{done}");
    assert!(done["warnings"].to_string().contains("every repository"), "{done}");
    assert_eq!(status(&stage).1["hooks_path"], "shared");
    fs::remove_file(global).unwrap();
    stage.done(&["config", "core.hooksPath", ".husky/_"]);
    stage.set("LC_ALL", "de_DE.UTF-8");
    let done = change(&stage, &["install"]);
    assert!(done["warnings"].to_string().contains("husky"), "{done}");
    assert_eq!(status(&stage).1["hooks_path"], "repository");
}

#[test]
fn a_key_that_this_shell_has_not_is_warned_of() {
    let mut stage = stage();
    assert_eq!(status(&stage).1["key"], "variable");
    stage.set("TERRAPHIM_API_KEY", "");
    let said = status(&stage).1;
    assert_eq!(said["key"], "missing");
    assert!(said["warnings"].to_string().contains("TERRAPHIM_API_KEY is not set"));
    stage.configure("[judge]\nkey_command = \"echo x\"\n");
    assert_eq!(status(&stage).1["key"], "command");
}

#[test]
fn hook_of_tasks_is_judged_by_their_judges_and_log() {
    let mut stage = stage();
    change(&stage, &["install"]);
    stage.configure(TASKS);
    // What pushes would need is not this hook's.
    fs::create_dir_all(stage.log_dir().parent().unwrap()).unwrap();
    fs::write(stage.log_dir(), "no directory").unwrap();
    let file = stage.path("home/.openclaw/verdicts.jsonl");
    let found = status(&stage).1;
    assert_eq!((&found["log_writable"], &found["warnings"]), (&json!(true), &json!([])));
    assert_eq!((found["log"].as_str(), &found["key"]), (file.to_str(), &json!("variable")));
    assert!(!file.exists(), "looking writes nothing");
    fs::create_dir(&file).unwrap();
    let deep = "[judges.deep]\nkey_env = \"DEEP_KEY\"\n";
    stage.configure(&TASKS.replace("[judges.deep]\n", deep));
    let found = status(&stage).1;
    assert_eq!((&found["log_writable"], &found["key"]), (&json!(false), &json!("missing")));
    let warnings = found["warnings"].as_array().unwrap();
    let [log, key] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(log.to_string().contains("verdicts.jsonl is not a file"), "{log}");
    assert!(key.to_string().contains("deep: DEEP_KEY is not set"), "{key}");
    // opencode has models that need none; the third judge is never asked.
    fs::remove_dir(&file).unwrap();
    stage.set("TERRAPHIM_API_KEY", "");
    stage.configure("[hook]\nprotocol = \"task\"\n");
    let found = status(&stage).1;
    assert_eq!((&found["key"], &found["warnings"]), (&json!("not_needed"), &json!([])));
}

#[test]
fn missing_program_or_short_budget_is_warned_about() {
    let stage = stage();
    change(&stage, &["install"]);
    stage.configure("[hook]\nbudget_s = 600\n");
    assert!(status(&stage).1["warnings"].to_string().contains("budget_s"));
    change(&stage, &["install"]);
    assert_eq!(status(&stage).1["within_s"], 610);
    let text = fs::read_to_string(hook(&stage)).unwrap();
    fs::write(hook(&stage), text.replace(env!("CARGO_BIN_EXE_foureyes"), "/nowhere")).unwrap();
    let (code, said) = status(&stage);
    assert_eq!((code, &said["runs"]), (1, &json!(false)));
}

#[test]
fn outside_repository_is_reported() {
    let stage = stage();
    let home = stage.path("home");
    for what in ["install", "uninstall", "status"] {
        let output = stage.foureyes(&["hook", what, "--repo", home.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(64), "{}", errors(&output));
    }
    let work = stage.work();
    let output = stage.git_in(&home, PERSON, &["-C", work.to_str().unwrap(), "status"]);
    assert!(output.status.success());
}

#[test]
fn edited_script_keeps_chain_and_is_set_aside() {
    let stage = stage();
    stage.script(&hook(&stage), "#!/bin/sh\nexit 3\n");
    change(&stage, &["install", "--mode", "advisory"]);
    let text = fs::read_to_string(hook(&stage)).unwrap();
    fs::write(hook(&stage), text.replace("within='130'", "within=$((5 * 60))")).unwrap();
    let said = status(&stage).1;
    assert!(said["warnings"].to_string().contains("edited"), "{said}");
    let done = change(&stage, &["install"]);
    assert_eq!((&done["kept"], &done["mode"]), (&json!(KEPT), &json!("advisory")), "{done}");
    let aside = done["aside"].as_str().unwrap();
    assert!(fs::read_to_string(aside).unwrap().contains("5 * 60"), "{aside}");
    assert!(done["warnings"].to_string().contains("no longer run"), "{done}");
    stage.commit(PERSON, &[("a.txt", "1\n")]);
    assert!(
        !stage.git(&["push", "-q", "origin", "main"]).status.success(),
        "that hook still stops"
    );
    fs::write(hook(&stage), text.replace(&format!("kept='{KEPT}'"), "kept=$X")).unwrap();
    let done = change(&stage, &["install"]);
    assert_eq!(done["kept"], KEPT);
    assert!(done["warnings"].to_string().contains("exists and runs first"), "{done}");
}

/// What docs/hook.md gives for a hook of somebody else.
fn line() -> String {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hook.md");
    let text = fs::read_to_string(docs).unwrap();
    text.lines().find(|line| line.starts_with("w=$(od")).unwrap().to_owned()
}

#[test]
fn line_in_foreign_hook_blocks_only_on_verdict() {
    let blocks = "while [ \"$1\" != --word ]; do shift; done; echo \"blocked $2\"; exit 1";
    for (program, passes) in [
        (Some("exit 0"), true),
        (Some("exit 1"), true),
        (Some("kill -9 $$"), true),
        (Some("echo blocked; exit 1"), true),
        (Some(blocks), false),
        (None, true),
    ] {
        let mut stage = stage();
        if let Some(program) = program {
            stage.script(&stage.path("bin/foureyes"), &format!("#!/bin/sh\n{program}\n"));
        }
        let path = std::env::var("PATH").unwrap();
        stage.set("PATH", &format!("{}:{path}", stage.path("bin").display()));
        stage.script(&hook(&stage), &format!("#!/bin/sh\nset -e\n{}\ntrue\n", line()));
        stage.commit(PERSON, &[("a.txt", "1\n")]);
        let output = stage.git(&["push", "origin", "main"]);
        assert_eq!(output.status.success(), passes, "{program:?} {}", errors(&output));
    }
}

#[test]
fn foreign_hook_calling_the_program_is_detected() {
    let stage = stage();
    stage.script(&hook(&stage), &format!("#!/bin/sh\n# husky\n{}\n", line()));
    let (code, said) = status(&stage);
    assert_eq!((code, &said["state"], &said["runs"]), (0, &json!("called"), &json!(true)));
    assert_eq!(said["warnings"], json!([]));
    let trusts = "#!/bin/sh\nfoureyes hook pre-push -- \"$@\" || [ $? -ne 1 ]\n";
    stage.script(&hook(&stage), trusts);
    let (code, said) = status(&stage);
    assert_eq!((code, &said["state"]), (0, &json!("called")));
    assert!(said["warnings"].to_string().contains("asks for no word"), "{said}");
    let work = stage.work();
    let output = stage.foureyes(&["hook", "check", "--repo", work.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().any(|l| l.starts_with("warn") && l.contains("hook pre-push")), "{text}");
}
