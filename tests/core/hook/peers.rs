//! Pushes where other programs have hooks of their own: git-lfs, lefthook, husky, and the judge of
//! bash and curl that was before. Real ones, as `./test.sh` installs them.
//!
//! Each time a push is judged once, stopped where it is poor, and passes once it is corrected.

use super::model::Model;
use super::stage::{AGENT, PERSON, Stage, errors};
use crate::tools::program;
use std::fs;
use std::path::Path;

/// The line that `docs/hook.md` gives for a hook of others.
const LINE: &str = r#"w=$(od -An -N16 -tx8 /dev/urandom); [ "$(foureyes hook pre-push --word "$w" -- ARGUMENTS)" != "blocked $w" ] || exit 1"#;

/// A stage that blocks, and finds this program and others on its path.
fn stage(model: &Model, tools: &[&Path]) -> Stage {
    let mut stage = Stage::new();
    let own = Path::new(env!("CARGO_BIN_EXE_foureyes"));
    let first = [own].into_iter().chain(tools.iter().copied());
    let first = first.map(|tool| tool.parent().unwrap().to_owned());
    let path = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(first.chain(std::env::split_paths(&path))).unwrap();
    stage.set("PATH", path.to_str().unwrap());
    model.serve(&mut stage, "mode = \"blocking\"");
    stage
}

/// Runs a program in the clone, which must not fail.
fn run(stage: &Stage, program: &str, arguments: &[&str]) {
    let output = stage.command(program, &stage.work()).args(arguments).output();
    let output = output.unwrap_or_else(|e| panic!("{program}, which ./test.sh installs: {e}"));
    assert!(output.status.success(), "{program} {arguments:?}: {}", errors(&output));
}

/// Pushes what is poor and then what is corrected, beside files of the caller's.
fn is_judged_once(model: &Model, stage: &Stage, beside: &[(&str, &str)]) {
    let before = (model.asked(), stage.log().len());
    let push = || stage.git_in(&stage.work(), PERSON, &["push", "origin", "main"]);
    let tip = stage.remote_ref("main");
    let files: Vec<_> = [("research/a.md", "POOR\n")].iter().chain(beside).copied().collect();
    stage.commit(AGENT, &files);
    let output = push();
    assert!(!output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("it contradicts itself"), "{}", errors(&output));
    assert_eq!((model.asked(), stage.log().len()), (before.0 + 1, before.1 + 1));
    assert_eq!(stage.remote_ref("main"), tip, "nothing arrived");
    let mended = stage.commit(AGENT, &[("research/a.md", "mended\n")]);
    let output = push();
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!((model.asked(), stage.log().len()), (before.0 + 2, before.1 + 2));
    assert_eq!(stage.remote_ref("main"), Some(mended));
}

/// How often a hook of the repository's own ran: it writes a line each time.
fn runs(stage: &Stage) -> usize {
    fs::read_to_string(stage.path("ran")).map_or(0, |text| text.lines().count())
}

#[test]
fn large_files_go_their_way_before_git_lfs_and_the_judge() {
    let model = Model::start();
    let stage = stage(&model, &[]);
    let remote = format!("file://{}", stage.path("remote").display());
    stage.done(&["remote", "set-url", "origin", &remote]);
    run(&stage, "git-lfs", &["install", "--local"]);
    stage.install();
    stage.commit(PERSON, &[(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")]);
    is_judged_once(&model, &stage, &[("research/table.bin", "a large table\n")]);
    let stored = stage.done(&["cat-file", "-p", "HEAD:research/table.bin"]);
    let id = stored.lines().find_map(|line| line.strip_prefix("oid sha256:")).unwrap();
    let object = format!("remote/lfs/objects/{}/{}/{id}", &id[..2], &id[2..4]);
    assert_eq!(fs::read_to_string(stage.path(&object)).unwrap(), "a large table\n");
}

#[test]
fn lefthook_runs_its_commands_and_the_judge() {
    let model = Model::start();
    let lefthook = program("lefthook");
    let wrapped = stage(&model, &[&lefthook]);
    let own = format!("echo ran >> '{}'", wrapped.path("ran").display());
    wrapped.write("lefthook.yml", &format!("pre-push:\n  jobs:\n    - run: {own}\n"));
    run(&wrapped, "lefthook", &["install"]);
    wrapped.install();
    is_judged_once(&model, &wrapped, &[]);
    assert_eq!(runs(&wrapped), 2);
    // With the line that the documentation gives in place of the script.
    let named = stage(&model, &[&lefthook]);
    let line = LINE.replace("ARGUMENTS", "{0}");
    named.write(
        "lefthook.yml",
        &format!("pre-push:\n  jobs:\n    - run: |\n        {line}\n      use_stdin: true\n"),
    );
    run(&named, "lefthook", &["install"]);
    is_judged_once(&model, &named, &[]);
}

#[test]
fn husky_runs_its_hook_and_the_judge() {
    let model = Model::start();
    let husky = program("husky");
    let wrapped = stage(&model, &[&husky]);
    run(&wrapped, "husky", &[]);
    let own = format!("echo ran >> '{}'\n", wrapped.path("ran").display());
    wrapped.write(".husky/pre-push", &own);
    wrapped.install();
    is_judged_once(&model, &wrapped, &[]);
    assert_eq!(runs(&wrapped), 2, "the repository's own hook still runs");
    wrapped.write(".husky/pre-push", "exit 1\n");
    wrapped.commit(PERSON, &[]);
    assert!(!wrapped.git(&["push", "-q", "origin", "main"]).status.success(), "and still stops");
    // With the line that the documentation gives in place of the script.
    let named = stage(&model, &[&husky]);
    run(&named, "husky", &[]);
    named.write(".husky/pre-push", &format!("{}\n", LINE.replace("ARGUMENTS", "\"$@\"")));
    is_judged_once(&model, &named, &[]);
}

/// A judge of bash and curl as the one before was: it asks, logs, and lets all pushes through.
const OLD: &str = r#"#!/bin/bash
set -u
LOG=$HOME/.openclaw/old/judge-verdicts
mkdir -p "$LOG"
BODY=$(jq -cn --arg text "$(git show HEAD:research/a.md)" '{model: "fastest", messages: [{role: "user", content: $text}]}')
OUT=$(curl -s --max-time 20 -d "$BODY" "ENDPOINT/v1/chat/completions")
echo "$OUT" | jq -c '.choices[0].message.content | fromjson' >>"$LOG/log.jsonl"
exit 0
"#;

#[test]
fn the_old_judge_is_replaced_and_judges_no_more() {
    let model = Model::start();
    let stage = stage(&model, &[]);
    let hook = stage.work().join(".git/hooks/pre-push");
    let url = model.0.url();
    stage.script(&hook, &OLD.replace("ENDPOINT", url.trim_end_matches('/')));
    // It does judge: a poor push passes, since it only advises.
    stage.commit(AGENT, &[("research/a.md", "POOR, as before\n")]);
    assert!(stage.git(&["push", "-q", "origin", "main"]).status.success());
    let log = stage.path("home/.openclaw/old/judge-verdicts/log.jsonl");
    assert!(fs::read_to_string(&log).unwrap().contains("NO-GO"));
    assert_eq!(model.asked(), 1);
    let output = stage.foureyes(&["hook", "install", "--replace-old"]);
    assert!(output.status.success(), "{}", errors(&output));
    is_judged_once(&model, &stage, &[]);
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 1);
}
