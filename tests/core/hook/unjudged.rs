//! A repository that refuses what could not be judged: each thing that can break, and how a push gets in.

use super::model::Model;
use super::stage::{AGENT, PERSON, Stage, errors};
use crate::http::{self, Action, answer};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A remote that judges what arrives, with more lines of the section `[hook]`.
fn stage(model: &Model, hook: &str) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, &format!("mode = \"blocking\"\nunjudged = \"stop\"\n{hook}"));
    install(&stage);
    stage
}

fn install(stage: &Stage) -> String {
    let remote = stage.path("remote");
    let arguments = ["hook", "install", "--no-ask", "--repo", remote.to_str().unwrap()];
    let output = stage.foureyes(&arguments);
    assert!(output.status.success(), "{}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Pushes; gives whether it arrived, and what was said.
fn push(stage: &Stage) -> (bool, String) {
    let output = stage.git(&["push", "-q", "origin", "main"]);
    let there = stage.remote_ref("main") == Some(stage.done(&["rev-parse", "main"]));
    assert_eq!(there, output.status.success(), "{}", errors(&output));
    (there, errors(&output))
}

#[track_caller]
fn refused(stage: &Stage, parts: &[&str]) -> String {
    let (arrived, text) = push(stage);
    assert!(!arrived && text.contains("push refused"), "{text}");
    assert!(!text.contains("push continues") && !text.contains("goes on"), "{text}");
    assert!(!text.contains("GIT_JUDGE_SKIP"), "{text}");
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
    text
}

/// A person accepts a record on this machine.
fn accept(stage: &Stage, record: &Value, word: &str, second: u8) {
    let text = serde_json::to_vec(record).unwrap();
    let id = foureyes::jsonl::read_one(&text, &Default::default()).unwrap().id.to_string();
    let line = json!({
        "id": "e".repeat(64), "commit": record["commit"], "model": "human", "mode": "override", "verdict": word,
        "human_override": true, "reviewer": "ada", "reason": "known", "record": id,
        "timestamp": format!("2026-03-01T00:00:{second:02}Z"),
    });
    let dir = stage.path("home/.openclaw/judge-overrides");
    fs::create_dir_all(&dir).unwrap();
    let file = dir.join("ada.jsonl");
    let before = fs::read_to_string(&file).unwrap_or_default();
    fs::write(file, format!("{before}{line}\n")).unwrap();
}

#[test]
fn nothing_that_fails_lets_an_agent_in_and_a_person_always_comes_in() {
    let error = |status| http::json(status, &json!({"error": {"message": "no"}}));
    for (actions, part) in [
        (error(401), "(401)"),
        (error(503), ""),
        (vec![Action::Hang], ""),
        (answer("no verdict"), ""),
    ] {
        let model = Model::always(actions);
        let stage = stage(&model, "budget_s = 4");
        stage.commit(PERSON, &[("research/p.md", "POOR\n")]);
        stage.commit(AGENT, &[("code.rs", "POOR\n")]);
        assert!(push(&stage).0, "nothing of an agent is watched");
        assert_eq!(model.asked(), 0);
        let commit = stage.commit(AGENT, &[("research/a.md", "good\n")]);
        refused(&stage, &["1 commit not judged", &commit[..12], part, "foureyes override "]);
        assert_eq!(stage.log().last().unwrap()["verdict"], "UNDETERMINED");
    }
}

#[test]
fn refusal_names_the_record_whose_override_lets_the_push_in() {
    let model = Model::start();
    let mut stage = stage(&model, "");
    stage.set("TERRAPHIM_API_KEY", "");
    let commit = stage.commit(AGENT, &[("research/a.md", "good\n")]);
    let text = refused(&stage, &["TERRAPHIM_API_KEY is not set"]);
    let record = stage.log().remove(0);
    let line = serde_json::to_vec(&record).unwrap();
    let id = foureyes::jsonl::read_one(&line, &Default::default()).unwrap().id.to_string();
    assert!(text.contains(&format!("foureyes override {} accept", &id[..12])), "{text}");
    assert_eq!(record["commit"], json!(commit));
    let other = json!({"commit": "1".repeat(40), "verdict": "UNDETERMINED"});
    accept(&stage, &other, "accept", 1);
    refused(&stage, &[]);
    accept(&stage, &record, "accept", 2);
    accept(&stage, &record, "reject", 3);
    refused(&stage, &[]);
    accept(&stage, &record, "accept", 4);
    let (arrived, text) = push(&stage);
    assert!(arrived && text.contains("ada accepted this commit"), "{text}");
    // It is of that commit alone.
    stage.commit(AGENT, &[("research/a.md", "better\n")]);
    refused(&stage, &[]);
}

#[test]
fn answer_of_the_judge_is_one_whatever_it_is() {
    let model = Model::start();
    let stage = stage(&model, "");
    stage.commit(AGENT, &[("research/a.md", "DOUBT\n")]);
    assert!(push(&stage).0, "UNDETERMINED is an answer");
    stage.commit(AGENT, &[("research/b.md", "")]);
    assert!(push(&stage).0, "there is nothing to judge");
    stage.commit(AGENT, &[("research/c.md", "POOR\n")]);
    assert!(push(&stage).1.contains("push stopped"));
}

#[test]
fn too_many_commits_get_in_bit_by_bit() {
    let model = Model::start();
    let stage = stage(&model, "commits = 2");
    let ids: Vec<_> =
        (0..5).map(|n| stage.commit(AGENT, &[("research/a.md", &format!("good {n}\n"))])).collect();
    refused(&stage, &["3 commits not judged", "at most 2 commits at a time"]);
    for id in ids.iter().skip(1).step_by(2).chain(ids.last()) {
        let output = stage.git(&["push", "-q", "origin", &format!("{id}:refs/heads/main")]);
        assert!(output.status.success(), "{}", errors(&output));
    }
    assert_eq!(stage.remote_ref("main").as_deref(), ids.last().map(String::as_str));
    // History of its own is no way in either.
    stage.done(&["checkout", "-q", "--orphan", "other"]);
    for n in 0..3 {
        stage.commit(AGENT, &[("research/b.md", &format!("good {n}\n"))]);
    }
    let output = stage.git(&["push", "-q", "origin", "other"]);
    assert!(!output.status.success() && errors(&output).contains("push refused"));
}

#[test]
fn what_is_in_no_log_does_not_get_in() {
    let model = Model::start();
    let stage = stage(&model, "");
    fs::create_dir_all(stage.path("home/.openclaw")).unwrap();
    fs::write(stage.log_dir(), "no directory").unwrap();
    for content in ["good\n", "POOR\n"] {
        stage.commit(AGENT, &[("research/a.md", content)]);
        refused(&stage, &["an override does not help here"]);
    }
    fs::remove_file(stage.log_dir()).unwrap();
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert!(push(&stage).0);
}

#[test]
fn damaged_configuration_and_content_that_cannot_be_read_do_not_get_in() {
    let model = Model::start();
    let stage = stage(&model, "");
    let config = stage.path("home/.config/foureyes/config.toml");
    let right = fs::read_to_string(&config).unwrap();
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    for wrong in ["[hook\n", "\u{0}", "[judge]\nmodel = 5\n"] {
        fs::write(&config, wrong).unwrap();
        refused(&stage, &[]);
    }
    fs::remove_file(&config).unwrap();
    refused(&stage, &[]);
    fs::write(&config, &right).unwrap();
    assert!(push(&stage).0);
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    stage.commit(AGENT, &[("research/b.md", pointer)]);
    refused(&stage, &["b.md"]);
    stage.done(&["reset", "-q", "--hard", "HEAD~1"]);
    std::os::unix::fs::symlink("research", stage.work().join("knowledge")).unwrap();
    stage.commit(AGENT, &[]);
    refused(&stage, &["knowledge is a link to research"]);
    accept(&stage, stage.log().last().unwrap(), "accept", 1);
    assert!(push(&stage).0);
}

#[test]
fn program_that_is_gone_or_killed_lets_nobody_in() {
    let model = Model::always(vec![Action::Hang]);
    let stage = stage(&model, "");
    let hook = stage.path("remote/hooks/pre-receive");
    let script = fs::read_to_string(&hook).unwrap();
    let binary = env!("CARGO_BIN_EXE_foureyes");
    stage.commit(PERSON, &[("research/a.md", "good\n")]);
    for body in ["kill -9 $$", "exit 3", "exit 1", "echo code 0", "yes | head -c 1000"] {
        let program = stage.path("program");
        stage.script(&program, &format!("#!/bin/sh\ncat > /dev/null\n{body}\n"));
        fs::write(&hook, script.replace(binary, program.to_str().unwrap())).unwrap();
        let (arrived, text) = push(&stage);
        assert!(!arrived && !text.contains("goes on"), "{body}: {text}");
    }
    fs::write(&hook, script.replace(binary, "/none")).unwrap();
    let (arrived, text) = push(&stage);
    assert!(!arrived && text.contains("nothing is judged, the push is refused"), "{text}");
    fs::write(&hook, &script).unwrap();
    assert!(push(&stage).0, "a person's push is nobody's to judge");
    // One that hangs is ended by itself.
    fs::write(&hook, script.replace("within='130'", "within='7'")).unwrap();
    stage.commit(AGENT, &[("research/b.md", "good\n")]);
    let (arrived, _) = push(&stage);
    assert!(!arrived);
}

#[test]
fn existing_hook_decides_first_and_its_leave_is_not_ours() {
    let model = Model::start();
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"\nunjudged = \"stop\"");
    let hook = stage.path("remote/hooks/pre-receive");
    stage.script(&hook, "#!/bin/sh\ncat > /dev/null\n[ ! -e ../refuse ]\n");
    install(&stage);
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert!(push(&stage).0);
    stage.set("TERRAPHIM_API_KEY", "");
    stage.commit(AGENT, &[("research/a.md", "better\n")]);
    refused(&stage, &[]);
}

#[test]
fn default_and_advisory_mode_let_everything_in_and_install_names_the_choice() {
    let model = Model::always(http::json(401, &json!({})));
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    assert!(install(&stage).contains("unjudged: what could not be judged is let in"));
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert!(push(&stage).0);
    model.serve(&mut stage, "mode = \"advisory\"\nunjudged = \"stop\"");
    let remote = stage.path("remote");
    let status = stage.foureyes(&["hook", "status", "--repo", remote.to_str().unwrap()]);
    let text = String::from_utf8(status.stdout).unwrap();
    assert!(text.contains("something else than `unjudged` in [hook]"), "{text}");
    assert!(install(&stage).contains("unjudged: what could not be judged is refused"));
    stage.commit(AGENT, &[("research/b.md", "good\n")]);
    assert!(push(&stage).0, "advisory");
    model.serve(&mut stage, "mode = \"blocking\"\nunjudged = \"stop\"\npush_options = [\"skip\"]");
    stage.git_in(&remote, AGENT, &["config", "receive.advertisePushOptions", "true"]);
    stage.commit(AGENT, &[("research/c.md", "good\n")]);
    refused(&stage, &["git push -o foureyes.skip"]);
    stage.set("GIT_JUDGE_SKIP", "1");
    refused(&stage, &[]);
    let output = stage.git(&["push", "-q", "-o", "foureyes.skip", "origin", "main"]);
    assert!(output.status.success(), "{}", errors(&output));
}

#[test]
fn variables_of_who_pushes_choose_nothing() {
    let model = Model::start();
    let mut stage = stage(&model, "");
    let evil = stage.path("evil");
    fs::create_dir_all(evil.join("foureyes")).unwrap();
    let text = "agents = []\n[hook]\nmode = \"advisory\"\n";
    fs::write(evil.join("foureyes/config.toml"), text).unwrap();
    let file = evil.join("foureyes/config.toml");
    // A switch that cannot be read is advisory.
    for dir in ["hook", "foureyes/hook"] {
        fs::create_dir_all(evil.join(dir)).unwrap();
        fs::write(evil.join(dir).join("mode.json"), "x").unwrap();
    }
    let hook = stage.path("remote/hooks/pre-receive");
    let script = fs::read_to_string(&hook).unwrap();
    let fixed = stage.path("home/.config/foureyes/config.toml");
    assert!(script.contains(&format!("config='{}'", fixed.display())), "{script}");
    for (name, value) in [
        ("FOUREYES_CONFIG", file.to_str().unwrap()),
        ("FOUREYES_DATA", evil.to_str().unwrap()),
        ("XDG_CONFIG_HOME", evil.to_str().unwrap()),
        ("XDG_DATA_HOME", evil.to_str().unwrap()),
        ("FOUREYES_DAYS", "x"),
        ("unjudged", ""),
        ("config", "/none"),
        ("JUDGE_QUICK_MODEL", "\u{1b}"),
        ("GIT_JUDGE_FRESH", "1"),
    ] {
        stage.set(name, value);
    }
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(push(&stage).1.contains("push stopped"));
    // The script of an older version fixes nothing, and the program takes none of them.
    let old = script.lines().filter(|l| !l.contains("unset ")).collect::<Vec<_>>().join("\n");
    let old = old.replace(&format!("config='{}'", fixed.display()), "config=''");
    fs::write(&hook, old).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let text = push(&stage).1;
    assert!(
        text.contains("push stopped") && text.contains("FOUREYES_CONFIG has no effect"),
        "{text}"
    );
}
