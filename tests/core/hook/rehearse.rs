//! The two pushes of the runbook, with everything of this machine but its repositories and its log.

use super::check::fits;
use super::stage::{Stage, errors};
use crate::endpoint::{TASKS, Taste, endpoint};
use crate::http::Server;
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

struct Bench {
    stage: Stage,
    server: Server,
}

impl Bench {
    fn new(mode: &str, taste: Taste) -> Self {
        Self::configured(&format!("[hook]\nmode = \"{mode}\"\n"), taste)
    }

    /// One whose hook judges tasks.
    fn tasks(mode: &str, taste: Taste) -> Self {
        Self::configured(&format!("{TASKS}mode = \"{mode}\"\n"), taste)
    }

    fn configured(more: &str, taste: Taste) -> Self {
        let server = endpoint(&["fastest"], taste);
        let mut stage = Stage::new();
        let url = server.url();
        stage.configure(&format!("[judge]\nendpoint = \"{url}\"\n{more}"));
        stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
        stage.set("NO_PROXY", "127.0.0.1");
        let temporary = stage.path("tmp");
        fs::create_dir(&temporary).unwrap();
        stage.set("TMPDIR", temporary.to_str().unwrap());
        Self { stage, server }
    }

    /// Rehearses; whatever comes of it, nothing is left and no log was written.
    fn rehearse(&self, more: &[&str]) -> (i32, Value) {
        let output = self.stage.foureyes(&[&["hook", "rehearse", "--json"], more].concat());
        let left: Vec<_> = fs::read_dir(self.stage.path("tmp")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
        assert!(!self.stage.path("home/.openclaw").exists(), "a rehearsal counts nowhere");
        let document = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", errors(&output)));
        fits("hook-rehearsal", &document);
        (output.status.code().unwrap(), document)
    }
}

fn step<'a>(document: &'a Value, name: &str) -> &'a Value {
    document["steps"].as_array().unwrap().iter().find(|s| s["name"] == name).unwrap()
}

#[test]
fn blocking_rehearsal_rejects_poor_push_and_accepts_bypass() {
    let bench = Bench::new("blocking", Taste::Strict);
    let (code, document) = bench.rehearse(&[]);
    assert_eq!((code, &document["well"]), (0, &true.into()), "{document:#}");
    let (blocked, bypass) = (step(&document, "blocked"), step(&document, "bypass"));
    assert_eq!((&blocked["arrived"], &blocked["verdict"]), (&false.into(), &"NO-GO".into()));
    assert_eq!(blocked["text"], "NO-GO S1 P1 X1: the push was blocked");
    assert_eq!(blocked["served_model"], "served-model");
    assert_eq!((&bypass["arrived"], &bypass["error"]), (&true.into(), &"bypassed".into()));
    let asked = bench.server.requests();
    assert_eq!(asked.len(), 1, "the bypass asks nobody");
    assert_eq!(asked[0].header("authorization"), Some("Bearer key-of-the-test"));
    let again = bench.rehearse(&[]);
    assert_eq!((again.0, bench.server.requests().len()), (0, 2), "nothing is taken from a log");
}

#[test]
fn in_advisory_mode_both_pass_and_the_judge_is_seen_to_flag() {
    let mut bench = Bench::new("advisory", Taste::Strict);
    // What a person has set for themselves is no part of it.
    bench.stage.set("GIT_JUDGE_SKIP", "1");
    let (code, document) = bench.rehearse(&[]);
    assert_eq!(code, 0, "{document:#}");
    let blocked = step(&document, "blocked");
    assert_eq!((&blocked["arrived"], &blocked["verdict"]), (&true.into(), &"NO-GO".into()));
    assert!(blocked["text"].as_str().unwrap().contains("advisory mode"));
    assert_eq!(step(&document, "bypass")["error"], "bypassed");
}

#[test]
fn passing_or_unavailable_judge_fails_rehearsal() {
    let blind = Bench::new("blocking", Taste::Blind);
    let (code, document) = blind.rehearse(&[]);
    let blocked = step(&document, "blocked");
    assert_eq!((code, &blocked["well"]), (1, &false.into()));
    assert!(blocked["text"].as_str().unwrap().contains("deliberately poor"), "{blocked:#}");
    assert_eq!(step(&document, "bypass")["well"], true);
    let mut keyless = Bench::new("blocking", Taste::Strict);
    keyless.stage.set("TERRAPHIM_API_KEY", "");
    let (code, document) = keyless.rehearse(&[]);
    let text = step(&document, "blocked")["text"].as_str().unwrap();
    assert!(code == 1 && text.contains("KEY is not set"), "{text}");
}

#[test]
fn task_rehearsal_stops_rejection_and_lets_bypass_and_undecided_commit_go_on() {
    for (mode, arrives) in [("blocking", false), ("advisory", true)] {
        let mut bench = Bench::tasks(mode, Taste::Strict);
        // Nobody is asked to decide about a rehearsal.
        bench.stage.set("JUDGE_CREATE_ISSUES", "1");
        bench.stage.script(&bench.stage.path("bin/gh"), "#!/bin/sh\ntouch \"$HOME/filed\"\n");
        let path = std::env::var("PATH").unwrap();
        bench.stage.set("PATH", &format!("{}:{path}", bench.stage.path("bin").display()));
        let (code, document) = bench.rehearse(&[]);
        assert_eq!((code, &document["well"]), (0, &true.into()), "{document:#}");
        assert_eq!(
            (&document["protocol"], &document["model"]),
            (&"task".into(), &"fastest".into())
        );
        let blocked = step(&document, "blocked");
        assert_eq!((&blocked["arrived"], &blocked["verdict"]), (&arrives.into(), &"reject".into()));
        let rounds = serde_json::json!([
            {"tier": "quick", "model": "fastest", "served_model": "served-model", "carried": true}
        ]);
        assert_eq!(blocked["rounds"], rounds);
        assert_eq!(step(&document, "bypass")["error"], "bypassed");
        let escalated = step(&document, "escalated");
        assert_eq!(
            (&escalated["arrived"], &escalated["verdict"]),
            (&true.into(), &"escalate".into())
        );
        assert_eq!(bench.server.requests().len(), 1, "one poor push, and nobody else is asked");
        assert!(!bench.stage.path("home/filed").exists());
    }
}

#[test]
fn task_rehearsal_fails_where_judges_accept_or_decide_nothing() {
    for (taste, verdict, text) in [
        (Taste::Blind, "accept", "passed deliberately poor content"),
        (Taste::Down, "escalate", "a person must decide"),
    ] {
        let bench = Bench::tasks("blocking", taste);
        let (code, document) = bench.rehearse(&[]);
        let blocked = step(&document, "blocked");
        assert_eq!((code, &blocked["verdict"]), (1, &verdict.into()), "{document:#}");
        assert!(blocked["text"].as_str().unwrap().contains(text), "{blocked:#}");
        assert_eq!(
            (&step(&document, "bypass")["well"], &step(&document, "escalated")["well"]),
            (&true.into(), &true.into())
        );
    }
}

#[test]
fn a_users_own_settings_of_git_do_not_reach_into_it() {
    let bench = Bench::new("blocking", Taste::Strict);
    let hooks = bench.stage.path("home/hooks");
    bench.stage.script(&hooks.join("pre-push"), "#!/bin/sh\ntouch \"$HOME/ran\"\nexit 1\n");
    bench.stage.script(&hooks.join("pre-commit"), "#!/bin/sh\ntouch \"$HOME/ran\"\nexit 1\n");
    let text = format!(
        "[core]\nhooksPath = {}\n[commit]\ngpgSign = true\n[push]\ngpgSign = true\n[user]\nname = Somebody\n",
        hooks.display()
    );
    fs::write(bench.stage.path("home/.gitconfig"), text).unwrap();
    let (code, document) = bench.rehearse(&[]);
    assert_eq!(code, 0, "{document:#}");
    assert!(!bench.stage.path("home/ran").exists());
}

#[test]
fn the_script_of_a_repository_is_rehearsed_where_one_is_named() {
    let bench = Bench::new("advisory", Taste::Strict);
    let repository = bench.stage.work();
    let named = ["--repo", repository.to_str().unwrap()];
    let output = bench.stage.foureyes(&[&["hook", "rehearse"], &named[..]].concat());
    assert_eq!(output.status.code(), Some(64), "{}", errors(&output));
    assert!(bench.stage.foureyes(&["hook", "install", "--mode", "blocking"]).status.success());
    let before = bench.stage.done(&["status", "--porcelain=v2", "--branch"]);
    let (code, document) = bench.rehearse(&named);
    assert_eq!((code, &document["mode"]), (0, &"blocking".into()), "{document:#}");
    assert_eq!(step(&document, "blocked")["arrived"], false);
    assert_eq!(bench.stage.done(&["status", "--porcelain=v2", "--branch"]), before);
}

#[test]
fn leftovers_of_killed_rehearsal_are_removed_and_running_one_kept() {
    let (hangs, asked) = (Server::always(vec![crate::http::Action::Hang]), Duration::from_secs(30));
    let bench = Bench::new("blocking", Taste::Strict);
    let config = bench.stage.path("hangs.toml");
    let text = format!("[judge]\nendpoint = \"{}\"\n[hook]\nbudget_s = 20\n", hangs.url());
    fs::write(&config, text).unwrap();
    let start = || {
        let binary = env!("CARGO_BIN_EXE_foureyes");
        let mut command = bench.stage.command(binary, &bench.stage.work());
        command.args(["--config", config.to_str().unwrap(), "hook", "rehearse"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let left = || fs::read_dir(bench.stage.path("tmp")).unwrap().count();
    let mut first = start();
    hangs.wait_for(1, asked);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(left(), 1, "nobody could remove it");
    let mut second = start();
    hangs.wait_for(2, asked);
    assert_eq!(left(), 1, "that of the first is gone");
    let output = bench.stage.foureyes(&["hook", "rehearse"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(left(), 1, "that of the second is not");
    second.kill().unwrap();
    second.wait().unwrap();
    assert_eq!(bench.rehearse(&[]).0, 0);
}
