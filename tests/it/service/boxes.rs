//! Boxes that have a token, and no key of a judge.

use super::{Service, model};
use crate::cli::Home;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

const AGENT: &str = "OpenClaw Agent";

/// A box with a clone and its remote.
struct Box {
    home: Home,
    token: String,
}

impl Box {
    fn new(service: &Service) -> Self {
        let home = Home::new();
        fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
        let config = format!(
            "[judge]\nkind = \"service\"\nendpoint = \"http://{}\"\nmodel = \"north-1\"\nservice_key = [\"{}\"]\n\
             [hook]\nmode = \"blocking\"\n",
            service.address, service.key
        );
        home.write(".config/foureyes/config.toml", config);
        let stage = Self { token: service.token("box"), home };
        stage.git(".", &["init", "-q", "--bare", "-b", "main", "remote"]);
        stage.git(".", &["init", "-q", "-b", "main", "work"]);
        stage.git("work", &["remote", "add", "origin", "../remote"]);
        let installed = stage
            .command(env!("CARGO_BIN_EXE_foureyes"), "work")
            .args(["hook", "install"])
            .output();
        assert!(installed.unwrap().status.success());
        stage
    }

    fn command(&self, program: &str, dir: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.home.path().join(dir)).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.home.path());
        command.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("NO_PROXY", "127.0.0.1")]);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), AGENT);
            command.env(format!("GIT_{who}_EMAIL"), "a@example.org");
        }
        command.env("FOUREYES_TOKEN", &self.token);
        command
    }

    fn git(&self, dir: &str, args: &[&str]) -> Output {
        self.command("git", dir).args(args).output().unwrap()
    }

    /// Commits a note, and pushes it; gives what git said.
    fn pushed(&self, text: &str) -> (bool, String) {
        let dir = self.home.path().join("work/research");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("note.md"), text).unwrap();
        assert!(self.git("work", &["add", "-A"]).status.success());
        assert!(self.git("work", &["commit", "-q", "-m", "a note"]).status.success());
        let output = self.git("work", &["push", "-q", "origin", "main"]);
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    }

    fn records(&self) -> Vec<Value> {
        let dir = self.home.path().join(".openclaw/judge-verdicts");
        let texts = dir.read_dir().unwrap().map(|e| fs::read_to_string(e.unwrap().path()).unwrap());
        let text: String = texts.collect();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn push_is_judged_through_the_service_and_an_outage_lets_it_pass() {
    let model = model();
    let mut service = Service::start(&model, "");
    let stage = Box::new(&service);
    let (passed, said) = stage.pushed("fine\n");
    assert!(passed, "{said}");
    let (passed, said) = stage.pushed("text POOR\n");
    assert!(!passed && said.contains("NO-GO"), "{said}");
    let records = stage.records();
    let verdicts: Vec<_> =
        records.iter().map(|record| record["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["GO", "NO-GO"]);
    let logged = &service.log()[1]["evaluation"];
    for key in ["served_model", "prompt_sha", "scores", "findings"] {
        assert_eq!(records[1][key], logged[key], "{key}");
    }
    assert_eq!(records[1]["judge_model"], "north-1");
    // Tried again, it has its verdict from the log of the box.
    assert!(!stage.git("work", &["push", "-q", "origin", "main"]).status.success());
    assert_eq!(model.requests().len(), 2);
    // The check of the box finds token, service and model.
    let check = stage
        .command(env!("CARGO_BIN_EXE_foureyes"), "work")
        .args(["hook", "check", "--json"])
        .output();
    let check: Value = serde_json::from_slice(&check.unwrap().stdout).unwrap();
    let state = |name: &str| {
        let all = check["checks"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}: {check:#}"))["state"].clone()
    };
    assert_eq!(
        (state("key"), state("endpoint"), state("model")),
        ("ok".into(), "ok".into(), "ok".into())
    );
    service.signal("-TERM");
    service.ended();
    // What the service once judged stands in the log of the box.
    assert!(!stage.git("work", &["push", "-q", "origin", "main"]).status.success());
    let (passed, said) = stage.pushed("text POOR, and another\n");
    assert!(passed && said.contains("UNDETERMINED"), "{said}");
    assert_eq!(stage.records().last().unwrap()["error"], "unavailable");
}

#[test]
fn task_is_judged_through_the_service_tier_by_tier() {
    let model = model();
    let service = Service::start(&model, "");
    let stage = Box::new(&service);
    let judged = |id: &str, text: &str, depth: &str| {
        stage.home.write("work/result.md", text);
        let mut command = stage.command(env!("CARGO_BIN_EXE_foureyes"), "work");
        command.args([
            "judge",
            "result.md",
            "--task-id",
            id,
            "--description",
            "write it",
            "--depth",
            depth,
        ]);
        let output = command.output().unwrap();
        let text =
            String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text)
    };
    let (code, said) = judged("one", "fine", "sequential");
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = judged("two", "text POOR", "panel");
    assert!(code == Some(1) || code == Some(2), "{said}");
    let tiers: Vec<_> =
        service.log().iter().map(|line| line["tier"].as_str().unwrap().to_owned()).collect();
    assert_eq!(tiers[0], "quick");
    assert!(tiers[1..].contains(&"deep".to_owned()), "{tiers:?}");
    assert_eq!(service.log().iter().filter(|line| line["kind"] == "task").count(), tiers.len());
}
