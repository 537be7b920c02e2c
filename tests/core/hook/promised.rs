//! Pushes from clones whose trees a remote only promised: `--filter=tree:0`.

use super::model::Model;
use super::pushing::stage;
use super::stage::{AGENT, PERSON, Stage, errors};
use serde_json::json;
use std::path::PathBuf;
use std::process::Output;

/// A treeless clone of a remote with poor and good commits of an agent, of which the last is new there; and
/// an empty repository beside it to push to.
fn treeless(stage: &Stage) -> PathBuf {
    for (path, text) in [("research/old.md", "POOR\n"), ("research/a.md", "good\n")] {
        stage.commit(AGENT, &[(path, text)]);
    }
    stage.commit(AGENT, &[("research/old.md", "mended\n")]);
    stage.done(&["push", "-q", "--no-verify", "origin", "main"]);
    let remote = stage.path("remote");
    for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
        stage.git_in(&remote, PERSON, &["config", setting, "true"]);
    }
    let clone = stage.path("treeless");
    let url = format!("file://{}", remote.display());
    stage.done(&["clone", "-q", "--filter=tree:0", &url, clone.to_str().unwrap()]);
    let output =
        stage.foureyes(&["hook", "install", "--no-ask", "--repo", clone.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    std::fs::write(clone.join("research/new.md"), "good and new\n").unwrap();
    stage.git_in(&clone, AGENT, &["add", "-A"]);
    stage.git_in(&clone, AGENT, &["commit", "-q", "-m", "new"]);
    stage.done(&["init", "-q", "--bare", "-b", "main", "../second"]);
    clone
}

/// What the hook does for a push of all to the second repository.
fn pushed(stage: &Stage, clone: &std::path::Path) -> Output {
    let second = stage.path("second");
    stage.git_in(clone, PERSON, &["push", "-q", second.to_str().unwrap(), "main"])
}

/// Words of the trees that are missing in a clone.
fn missing(stage: &Stage, clone: &std::path::Path) -> usize {
    let arguments = ["rev-list", "--objects", "--missing=print", "--no-object-names", "HEAD"];
    let output = stage.git_in(clone, PERSON, &arguments);
    output.stdout.split(|b| *b == b'\n').filter(|line| line.starts_with(b"?")).count()
}

#[test]
fn treeless_clone_judges_with_what_its_remote_promised() {
    let model = Model::start();
    let stage = stage(&model);
    let clone = treeless(&stage);
    assert!(missing(&stage, &clone) > 0, "trees are missing");
    let output = pushed(&stage, &clone);
    let said = errors(&output);
    let log = stage.log();
    let verdict = |path: &str| {
        let of = |r: &&serde_json::Value| r["files_evaluated"] == json!([path]);
        log.iter().filter(of).map(|r| r["verdict"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(verdict("research/new.md"), ["GO"], "{said}");
    assert_eq!(verdict("research/a.md"), ["GO"], "{said}");
    // Of the two states of a file one was never checked out: as in any clone without blobs.
    assert_eq!(verdict("research/old.md").len(), 2, "{said}");
    assert!(!said.contains("hint:"), "{said}");
}

#[test]
fn commits_whose_trees_cannot_be_fetched_leave_the_reason() {
    let model = Model::start();
    let stage = stage(&model);
    let clone = treeless(&stage);
    std::fs::rename(stage.path("remote"), stage.path("gone")).unwrap();
    let output = pushed(&stage, &clone);
    let said = errors(&output);
    assert!(said.contains("not judged, as the changes are unknown: git log failed"), "{said}");
    assert!(said.contains("unable to read tree") && !said.contains("hint:"), "{said}");
    let log = stage.log();
    let new = log.iter().find(|r| r["files_evaluated"] == json!(["research/new.md"])).unwrap();
    assert_eq!(new["verdict"], "GO", "what is here is judged");
    let unknown: Vec<_> = log.iter().filter(|r| r["error"] == "prompt_missing").collect();
    assert_eq!((unknown.len(), log.len(), model.asked()), (3, 4, 1), "{log:?}");
    for record in unknown {
        let findings = record["findings"].as_str().unwrap();
        let plain = "Not asked: what the commit changes is unknown: git log failed with code 128: \
                     fatal: unable to read tree (";
        assert!(findings.starts_with(plain), "{findings}");
    }
}

#[test]
fn treeless_clone_pushes_to_its_own_remote_as_before() {
    let model = Model::start();
    let stage = stage(&model);
    let clone = treeless(&stage);
    let before = missing(&stage, &clone);
    let output = stage.git_in(&clone, PERSON, &["push", "-q", "origin", "main"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!((stage.log().len(), model.asked()), (1, 1));
    assert_eq!(missing(&stage, &clone), before, "nothing was fetched for it");
}

#[test]
fn blobless_clone_judges_what_it_has() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/old.md", "POOR\n")]);
    stage.commit(AGENT, &[("research/old.md", "mended\n")]);
    stage.done(&["push", "-q", "--no-verify", "origin", "main"]);
    let remote = stage.path("remote");
    stage.git_in(&remote, PERSON, &["config", "uploadpack.allowFilter", "true"]);
    let clone = stage.path("blobless");
    let url = format!("file://{}", remote.display());
    stage.done(&["clone", "-q", "--filter=blob:none", &url, clone.to_str().unwrap()]);
    stage.foureyes(&["hook", "install", "--no-ask", "--repo", clone.to_str().unwrap()]);
    stage.done(&["init", "-q", "--bare", "-b", "main", "../second"]);
    let said = errors(&pushed(&stage, &clone));
    let log = stage.log();
    assert!(said.contains("as there is no text: research/old.md is not in this clone"), "{said}");
    let errors: Vec<_> = log.iter().map(|r| r["error"].as_str().unwrap_or("none")).collect();
    assert_eq!((errors.len(), model.asked()), (2, 1), "{log:?}");
    assert!(errors.contains(&"prompt_missing") && errors.contains(&"none"), "{log:?}");
}
