//! The hook of a bare repository that is pushed to.

use super::model::Model;
use super::stage::{AGENT, Stage, errors};
use crate::http::Action;
use crate::http::PATIENCE;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;
use std::time::{Duration, Instant};

/// A stage whose remote judges what arrives.
fn stage(model: &Model, hook: &str) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, &format!("mode = \"blocking\"\n{hook}"));
    install(&stage);
    stage
}

fn install(stage: &Stage) {
    let remote = stage.path("remote");
    let output =
        stage.foureyes(&["hook", "install", "--no-ask", "--repo", remote.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(remote.join("hooks/pre-receive").exists() && !remote.join("hooks/pre-push").exists());
}

fn push(stage: &Stage, arguments: &[&str]) -> Output {
    stage.git(&[&["push", "-q"], arguments].concat())
}

#[test]
fn a_poor_push_is_refused_and_a_corrected_one_taken() {
    let model = Model::start();
    let stage = stage(&model, "");
    let first = stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let output = push(&stage, &["origin", "main"]);
    let said = errors(&output);
    assert!(!output.status.success() && said.contains("remote: foureyes: push stopped"), "{said}");
    assert!(said.contains("it contradicts itself"), "{said}");
    assert!(!said.contains("GIT_JUDGE_SKIP") && !said.contains("foureyes.skip"), "{said}");
    assert_ne!(stage.remote_ref("main").as_deref(), Some(&*first));
    let log = fs::read_dir(stage.log_dir()).unwrap().next().unwrap().unwrap();
    assert_eq!(log.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let second = stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert!(push(&stage, &["origin", "main"]).status.success());
    assert_eq!(stage.remote_ref("main"), Some(second));
    // What another branch has already is judged no more, also under a new name.
    assert!(push(&stage, &["origin", "main:side", "main:third"]).status.success());
    assert!(push(&stage, &["origin", ":side"]).status.success());
    assert_eq!((stage.log().len(), model.asked()), (2, 2));
}

#[test]
fn sender_side_hiding_does_not_affect_receiver() {
    let model = Model::start();
    let mut stage = stage(&model, "");
    stage.install();
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage.done(&["update-ref", "refs/remotes/origin/zz", "HEAD"]);
    stage.set("GIT_JUDGE_SKIP", "1");
    assert!(!push(&stage, &["--no-verify", "origin", "main"]).status.success());
    let options = ["-o", "foureyes.skip", "--no-verify", "origin", "main"];
    stage.git_in(&stage.path("remote"), AGENT, &["config", "receive.advertisePushOptions", "true"]);
    assert!(!push(&stage, &options).status.success(), "the server does not allow it");
    assert_eq!(stage.log()[0]["error"], json!(null));
}

#[test]
fn a_push_option_skips_where_the_server_allows_it() {
    let model = Model::start();
    let stage = stage(&model, "push_options = [\"skip\"]");
    stage.git_in(&stage.path("remote"), AGENT, &["config", "receive.advertisePushOptions", "true"]);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let said = errors(&push(&stage, &["origin", "main"]));
    assert!(said.contains("git push -o foureyes.skip"), "{said}");
    let output = push(&stage, &["-o", "x", "-o", "foureyes.skip", "origin", "main"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(stage.log()[1]["error"], "bypassed");
    assert!(stage.log()[1]["findings"].as_str().unwrap().contains("push option"));
}

#[test]
fn one_poor_ref_rejects_all() {
    let model = Model::start();
    let stage = stage(&model, "");
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    stage.done(&["branch", "good"]);
    stage.commit(AGENT, &[("research/b.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "good", "main"]).status.success());
    assert_eq!((stage.remote_ref("good"), stage.log().len()), (None, 2));
    assert!(push(&stage, &["origin", "good"]).status.success());
    assert_eq!(model.asked(), 2);
}

#[test]
fn existing_receive_hook_runs_first_and_is_restored() {
    let model = Model::start();
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    let hook = stage.path("remote/hooks/pre-receive");
    stage.script(&hook, "#!/bin/sh\ncat > ../first\n[ ! -e ../refuse ]\n");
    install(&stage);
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert!(push(&stage, &["origin", "main"]).status.success());
    assert!(fs::read_to_string(stage.path("first")).unwrap().contains("refs/heads/main"));
    fs::write(stage.path("refuse"), "").unwrap();
    stage.commit(AGENT, &[("research/a.md", "better\n")]);
    assert!(!push(&stage, &["origin", "main"]).status.success());
    assert_eq!(model.asked(), 1, "the other one stops it first");
    let remote = stage.path("remote");
    let output = stage.foureyes(&["hook", "uninstall", "--repo", remote.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(fs::read_to_string(hook).unwrap().contains("refuse"));
}

#[test]
fn twenty_pushes_at_once_are_each_judged_once() {
    let model = Model::start();
    let stage = stage(&model, "");
    let ids: Vec<_> = (0..20_u32)
        .map(|n| {
            stage.done(&["checkout", "-q", "-b", &format!("b{n}"), "origin/main"]);
            let text =
                if n.is_multiple_of(2) { format!("good {n}\n") } else { format!("POOR {n}\n") };
            stage.commit(AGENT, &[("research/a.md", &text)])
        })
        .collect();
    std::thread::scope(|scope| {
        for n in 0..20_u32 {
            let stage = &stage;
            scope.spawn(move || {
                let output = push(stage, &["origin", &format!("b{n}")]);
                assert_eq!(
                    output.status.success(),
                    n.is_multiple_of(2),
                    "{n}: {}",
                    errors(&output)
                );
            });
        }
    });
    for (n, id) in ids.iter().enumerate() {
        let there = stage.remote_ref(&format!("b{n}"));
        assert_eq!(there.as_ref(), n.is_multiple_of(2).then_some(id));
        assert_eq!(stage.log().iter().filter(|r| r["commit"] == **id).count(), 1, "{n}");
    }
}

#[test]
fn an_outage_or_a_program_that_is_killed_stops_nothing() {
    let model = Model::always(vec![Action::Hang]);
    let stage = stage(&model, "");
    let pid = stage.names_its_process_in(&stage.path("remote/hooks/pre-receive"));
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    std::thread::scope(|scope| {
        let pushing = scope.spawn(|| push(&stage, &["origin", "main"]));
        let start = Instant::now();
        while model.asked() == 0 {
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(10));
        }
        let pid = fs::read_to_string(&pid).unwrap();
        stage.command("kill", &stage.work()).args(["-9", pid.trim()]).status().unwrap();
        let output = pushing.join().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
    });
    drop(model);
    stage.commit(AGENT, &[("research/b.md", "POOR\n")]);
    assert!(push(&stage, &["origin", "main"]).status.success(), "nobody can be asked");
    assert_eq!(stage.log().last().unwrap()["error"], "unavailable");
}

#[test]
fn a_repository_that_gitlab_or_gitea_owns_is_left_to_them() {
    let stage = Stage::new();
    let remote = stage.path("remote");
    let refused = |why: &str, hint: &str| {
        let output =
            stage.foureyes(&["hook", "install", "--no-ask", "--repo", remote.to_str().unwrap()]);
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(64), "{why}: {said}");
        assert!(said.contains(why) && said.contains(hint), "{said}");
    };
    stage.git_in(&remote, AGENT, &["config", "gitlab.fullpath", "a/b"]);
    refused("GitLab", "custom_hooks");
    stage.git_in(&remote, AGENT, &["config", "--unset", "gitlab.fullpath"]);
    let hook = remote.join("hooks/pre-receive");
    stage.script(&hook, "#!/usr/bin/env bash\n# AUTO GENERATED BY GITEA, DO NOT MODIFY\n");
    refused("Gitea", "pre-receive.d");
    assert!(fs::read_to_string(hook).unwrap().contains("GITEA"));
}
