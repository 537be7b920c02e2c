//! The hook of a bare repository, behind a real sshd.

use crate::http::PATIENCE;
use crate::http::{Action, Request, Server, answer};
use crate::pull::{Lab, whoami};
use crate::service::{Service, passed_on};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const AGENT: &str = "OpenClaw Agent";

/// A server with a judge of its own, and a clone.
struct Stage {
    lab: Lab,
    model: Server,
}

fn says(request: &Request) -> Vec<Action> {
    let text = request.json()["messages"].to_string();
    if text.contains("SLOW") {
        return vec![Action::Hang];
    }
    let (score, word) = if text.contains("POOR") { (2, "NO-GO") } else { (4, "GO") };
    let verdict = serde_json::json!({
        "scores": {"semantic": score, "pragmatic": 4, "syntactic": 5},
        "verdict": word, "findings": "it contradicts itself", "revision_suggestions": [],
    });
    answer(&verdict.to_string())
}

impl Stage {
    /// A server that asks the model with a key of its own.
    fn new() -> Self {
        let model = Server::start(says);
        let judge = format!("endpoint = \"{}\"", model.url());
        Self::with(model, &judge, "TERRAPHIM_API_KEY=k")
    }

    fn with(model: Server, judge: &str, key: &str) -> Self {
        let stage = Self { lab: Lab::new(), model };
        let at = |name: &str| stage.lab.at(name).display().to_string();
        stage.lab.login(&format!(
            "#!/bin/sh\necho $$ > '{}'\nexport HOME='{}' NO_PROXY=127.0.0.1 {key}\nexec sh -c \"exec $SSH_ORIGINAL_COMMAND\"\n",
            at("session"),
            at("server")
        ));
        let config = stage.lab.at("server/.config/foureyes");
        fs::create_dir_all(&config).unwrap();
        let text = format!("[judge]\n{judge}\n[hook]\nmode = \"blocking\"\n");
        fs::write(config.join("config.toml"), text).unwrap();
        fs::create_dir(stage.lab.at("home")).unwrap();
        stage.done(&["init", "-q", "--bare", "-b", "main", &at("remote")]);
        stage.done(&["init", "-q", "-b", "main", &at("work")]);
        let installed = stage
            .command(env!("CARGO_BIN_EXE_foureyes"), "server")
            .args(["hook", "install", "--no-ask", "--repo", &at("remote")])
            .status();
        assert!(installed.unwrap().success());
        stage
    }

    fn command(&self, program: &str, home: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        command.env("HOME", self.lab.at(home)).env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), AGENT);
            command.env(format!("GIT_{role}_EMAIL"), "a@example.org");
        }
        let at = |name: &str| self.lab.at(name).display().to_string();
        let ssh = format!(
            "ssh -F {} -i {} -o UserKnownHostsFile={}",
            at("ssh_config"),
            at("key"),
            at("known_hosts")
        );
        command.env("GIT_SSH_COMMAND", ssh);
        command
    }

    fn git(&self, arguments: &[&str]) -> Output {
        let work = self.lab.at("work");
        let dir = if work.exists() { work } else { self.lab.at("home") };
        self.command("git", "home").current_dir(dir).args(arguments).output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.git(arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", errors(&output));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Commits a text on a branch of its own; gives the commit.
    fn commit(&self, branch: &str, text: &str) -> String {
        self.done(&["checkout", "-q", "--orphan", branch]);
        let dir = self.lab.at("work/research");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("a.md"), text).unwrap();
        self.done(&["add", "-A"]);
        self.done(&["commit", "-q", "-m", "a change"]);
        self.done(&["rev-parse", "HEAD"])
    }

    fn push(&self, branch: &str) -> Output {
        let path = self.lab.at("remote").display().to_string();
        let url = format!("ssh://{}@127.0.0.1:{}{path}", whoami(), self.lab.port);
        self.git(&["push", "-q", &url, branch])
    }

    fn has(&self, branch: &str) -> Option<String> {
        let remote = self.lab.at("remote").display().to_string();
        let output = self.git(&["-C", &remote, "rev-parse", "-q", "--verify", branch]);
        let text = String::from_utf8(output.stdout).unwrap();
        output.status.success().then(|| text.trim_end().to_owned())
    }

    fn log(&self) -> Vec<serde_json::Value> {
        records(&self.lab)
    }
}

/// What the server recorded.
fn records(lab: &Lab) -> Vec<serde_json::Value> {
    let dir: PathBuf = lab.at("server/.openclaw/judge-verdicts");
    let files = fs::read_dir(dir).unwrap().map(|e| fs::read_to_string(e.unwrap().path()).unwrap());
    let text: String = files.collect();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn receive_over_ssh_rejects_poor_and_accepts_fixed_pushes_concurrently() {
    let stage = Stage::new();
    stage.commit("main", "POOR\n");
    let said = errors(&stage.push("main"));
    assert!(said.contains("remote: foureyes: push stopped"), "{said}");
    assert_eq!(stage.has("main"), None);
    fs::write(stage.lab.at("work/research/a.md"), "good\n").unwrap();
    stage.done(&["commit", "-q", "-am", "corrected"]);
    let output = stage.push("main");
    assert!(output.status.success(), "{}", errors(&output));
    let branches: Vec<_> = (0..20).map(|n| format!("b{n}")).collect();
    let text =
        |n: usize| if n.is_multiple_of(2) { format!("good {n}\n") } else { format!("POOR {n}\n") };
    let ids: Vec<_> = branches.iter().enumerate().map(|(n, b)| stage.commit(b, &text(n))).collect();
    std::thread::scope(|scope| {
        for (n, branch) in branches.iter().enumerate() {
            let stage = &stage;
            scope.spawn(move || {
                let output = stage.push(branch);
                assert_eq!(
                    output.status.success(),
                    n.is_multiple_of(2),
                    "{branch}: {}",
                    errors(&output)
                );
            });
        }
    });
    let log = stage.log();
    for (n, (branch, id)) in branches.iter().zip(&ids).enumerate() {
        assert_eq!(stage.has(branch).as_ref(), n.is_multiple_of(2).then_some(id));
        assert_eq!(log.iter().filter(|r| r["commit"] == **id).count(), 1, "{branch}");
    }
}

#[test]
fn a_server_that_is_killed_takes_nothing_and_judges_the_next_push() {
    let stage = Stage::new();
    stage.commit("main", "SLOW\n");
    std::thread::scope(|scope| {
        let pushing = scope.spawn(|| stage.push("main"));
        let start = Instant::now();
        while stage.model.requests().is_empty() {
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(10));
        }
        let session = fs::read_to_string(stage.lab.at("session")).unwrap();
        Command::new("kill").args(["-9", session.trim()]).status().unwrap();
        assert!(!pushing.join().unwrap().status.success());
    });
    assert_eq!(stage.has("main"), None);
    stage.commit("next", "good\n");
    let output = stage.push("next");
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(stage.log().last().unwrap()["verdict"], "GO");
    // The hook of the first push outlives its session, and writes what came of it once its judge is gone.
    let Stage { lab, model } = stage;
    drop(model);
    let start = Instant::now();
    while records(&lab).len() < 2 {
        assert!(start.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn server_without_a_judges_key_judges_pushes_through_a_service_and_believes_no_forgery() {
    let model = crate::service::model();
    let service = Service::start(&model, "");
    let token = service.token("bare repositories");
    let at = service.address;
    let forging = Arc::new(AtomicBool::new(false));
    let forge = Arc::clone(&forging);
    let between = Server::start(move |request| {
        let mut answer = passed_on(at, request, |_| {});
        if forge.load(Ordering::Relaxed) {
            let text = answer["judgement"].as_str().unwrap().replace("\"NO-GO\"", "\"GO\"");
            answer["judgement"] = text.into();
        }
        crate::http::json(200, &answer)
    });
    let judge = format!(
        "kind = \"service\"\nendpoint = \"{}\"\nmodel = \"north-1\"\nservice_key = [\"{}\"]",
        between.url(),
        service.key
    );
    let stage = Stage::with(between, &judge, &format!("FOUREYES_TOKEN={token}"));
    stage.commit("main", "good\n");
    assert!(stage.push("main").status.success());
    stage.commit("poor", "POOR\n");
    let said = errors(&stage.push("poor"));
    assert!(said.contains("remote: foureyes: push stopped"), "{said}");
    assert_eq!(stage.has("poor"), None);
    assert_eq!(model.requests().len(), 2);
    // A verdict turned round on its way is none: the push passes as with any judge that cannot be asked, and
    // is not recorded as good.
    forging.store(true, Ordering::Relaxed);
    stage.commit("forged", "POOR, too\n");
    let output = stage.push("forged");
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("UNDETERMINED"), "{}", errors(&output));
    let log = stage.log();
    let last = log.last().unwrap();
    assert_eq!(
        (&last["verdict"], &last["error"]),
        (&"UNDETERMINED".into(), &"invalid_answer".into())
    );
    let words: Vec<_> = log.iter().map(|record| record["verdict"].as_str().unwrap()).collect();
    assert_eq!(words, ["GO", "NO-GO", "UNDETERMINED"]);
}
