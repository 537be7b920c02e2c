//! A configuration that is wrong: whose commits are judged hangs on it, so nothing of a push is silent.

use super::model::Model;
use super::stage::{AGENT, PERSON, Stage, errors};
use serde_json::{Value, json};

/// Pushes what this committer changed in this file, with such a configuration; gives what was said
/// and the log.
fn pushed(config: &str, who: &str, path: &str) -> (String, Vec<Value>) {
    let model = Model::start();
    let stage = stage(&model, who, path);
    stage.configure(&config.replace("URL", &model.0.url()));
    go(&model, &stage)
}

fn stage(model: &Model, who: &str, path: &str) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.install();
    stage.commit(who, &[(path, "POOR\n")]);
    stage
}

fn go(model: &Model, stage: &Stage) -> (String, Vec<Value>) {
    let output = stage.git(&["push", "origin", "main"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(model.asked(), 0);
    (errors(&output), stage.log())
}

fn is_recorded(log: &[Value], who: &str, why: &str) {
    assert_eq!(log.len(), 1, "{why} {log:?}");
    assert_eq!(log[0]["error"], json!("prompt_missing"), "{why}");
    assert_eq!((&log[0]["author"], &log[0]["verdict"]), (&json!(who), &json!("UNDETERMINED")));
}

/// Ways to be wrong that leave `agents` and `watch` as they are.
const ELSEWHERE: [&str; 5] = [
    "no = toml = at all\n",
    "[judge]\nendpoint = \"URL\"\nxyzzy = 1\n",
    "[hook\nmode = \"blocking\"\n",
    "[hook]\nmode = \"angry\"\n",
    "days = \"\n",
];

#[test]
fn own_agent_is_recorded_despite_other_config_errors() {
    for wrong in ELSEWHERE {
        let config = format!("agents = [\"Bot\"]\nwatch = [\"notes/\"]\n{wrong}");
        let (said, log) = pushed(&config, "Bot", "notes/a.md");
        is_recorded(&log, "Bot", wrong);
        assert!(said.contains("1 commit not judged"), "{said}");
        assert_eq!(log[0]["files_evaluated"], json!(["notes/a.md"]), "{wrong}");
        // Of anybody else nothing is recorded, and what is wrong is said all the same.
        for (who, path) in [(PERSON, "notes/a.md"), ("Bot", "research/a.md")] {
            let (said, log) = pushed(&config, who, path);
            assert!(log.is_empty(), "{wrong} {who} {path} {log:?}");
            assert_eq!(said.matches("the configuration is not usable").count(), 1, "{said}");
        }
    }
}

#[test]
fn unreadable_agent_list_records_every_commit() {
    for config in [
        "agents = [\"Bot\"\nwatch = [\"notes/\"]\n",
        "agents = [\"Bot\" \"Other\"]\n",
        "agents = [\"Bot\", 5]\n",
        "agents = \"Bot\"\n",
        "[judge]\nendpoint = \"URL\"\nagents = [\"Bot\"]\n",
        "days = \"\"\"\nagents = [\"Bot\"]\n",
        "agents = [\"Bot\"]\nagents = [\"Other\"]\n",
        "agents = [\n\"Bot\",\n\"Other\"\n\"Third\"]\n",
    ] {
        for who in ["Bot", "Third", AGENT] {
            let (said, log) = pushed(config, who, "research/a.md");
            is_recorded(&log, who, config);
            assert!(said.contains("not judged"), "{said}");
        }
    }
}

#[test]
fn unreadable_watch_list_records_every_text() {
    for config in ["watch = [\"notes/\" \"x\"]\n", "watch = 1\n", "watch = [\"notes/\"\n"] {
        let config = format!("agents = [\"Bot\"]\n{config}");
        let (_, log) = pushed(&config, "Bot", "notes/a.md");
        is_recorded(&log, "Bot", &config);
        let (_, log) = pushed(&config, "Bot", "notes/a.txt");
        assert!(log.is_empty(), "{config}");
    }
}

#[test]
fn unreadable_configuration_records_everybody() {
    let model = Model::start();
    let mut elsewhere = stage(&model, "Bot", "notes/a.md");
    elsewhere.set("FOUREYES_CONFIG", "/nowhere/config.toml");
    let mut pipe = stage(&model, "Bot", "notes/a.md");
    let path = pipe.path("pipe");
    assert!(pipe.command("mkfifo", &pipe.work()).arg(&path).status().unwrap().success());
    pipe.set("FOUREYES_CONFIG", path.to_str().unwrap());
    let bytes = stage(&model, "Bot", "notes/a.md");
    let file = bytes.path("home/.config/foureyes/config.toml");
    std::fs::write(file, b"agents = [\"Bot\"]\n\xff").unwrap();
    for stage in [elsewhere, pipe, bytes] {
        let (_, log) = go(&model, &stage);
        is_recorded(&log, "Bot", "unreadable");
    }
}

#[test]
fn empty_push_does_not_report_broken_configuration() {
    let model = Model::start();
    let stage = stage(&model, PERSON, "a.txt");
    assert!(stage.git(&["push", "-q", "origin", "HEAD:side"]).status.success());
    stage.configure("no = toml = at all");
    let output = stage.git(&["push", "-q", "origin", ":side"]);
    assert!(output.status.success());
    assert_eq!(errors(&output), "");
}

#[test]
fn irrelevant_invalid_variable_is_ignored() {
    let model = Model::start();
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.install();
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage.set("FOUREYES_DAYS", "many");
    assert!(!stage.git(&["push", "-q", "origin", "main"]).status.success());
    assert_eq!((model.asked(), stage.log().len()), (1, 1));
}
