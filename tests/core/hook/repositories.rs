//! Repositories, paths and files of every kind.

use super::model::Model;
use super::pushing::{judged, log, push, push_in, sorted, stage, with};
use super::stage::{AGENT, PERSON, Stage, errors};

#[test]
fn paths_may_be_any_bytes_and_never_reach_a_shell() {
    use std::os::unix::ffi::OsStrExt;
    let model = Model::start();
    let stage = stage(&model);
    let names: [&[u8]; 5] = [
        b"research/\xff\xfe.md",
        b"research/a\nb\t\"c\".md",
        b"research/$(touch canary);`touch canary`.md",
        b"research/--output=canary.md",
        b"research/:(top)*.md",
    ];
    std::fs::create_dir_all(stage.work().join("research")).unwrap();
    for name in names {
        std::fs::write(stage.work().join(std::ffi::OsStr::from_bytes(name)), "POOR\n").unwrap();
    }
    stage.commit(AGENT, &[]);
    assert!(!push(&stage, &["origin", "main"]), "each stands unchanged at the tip");
    let files = log(&stage).remove(0).2;
    assert_eq!(files.len(), 5);
    assert!(files.contains(&"research/\u{fffd}\u{fffd}.md".to_owned()), "{files:?}");
    assert!(!stage.work().join("canary").exists());
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!(model.asked(), 1);
}

#[test]
fn five_hundred_files_are_one_evaluation() {
    let model = Model::start();
    let stage = stage(&model);
    for n in 0..500 {
        stage.write(format!("research/{n}.md"), &format!("file {n}\n"));
    }
    stage.write("knowledge/large.md", &"large\n".repeat(1 << 20));
    stage.commit(AGENT, &[]);
    assert!(push(&stage, &["origin", "main"]));
    let log = log(&stage);
    assert_eq!((log.len(), log[0].2.len(), model.asked()), (1, 501, 1));
}

#[test]
fn content_beyond_read_limit_is_judged_by_beginning_with_distinct_hash() {
    let model = Model::start();
    let stage = stage(&model);
    let large = |first: &str, last: &str| format!("{first}{}{last}", "line\n".repeat(7 << 20));
    stage.write("research/a.md", &large("good ", "1"));
    stage.write("research/b.md", &large("good ", "2"));
    stage.commit(AGENT, &[]);
    assert!(push(&stage, &["origin", "main"]));
    stage.commit(AGENT, &[("research/b.md", &large("good ", "3"))]);
    assert!(push(&stage, &["origin", "main"]));
    let records = stage.log();
    assert_eq!((records.len(), model.asked()), (2, 2));
    assert!(records[0]["content"]["shown"].as_u64().unwrap() < 1 << 20);
}

#[test]
fn shallow_clone_judges_additions_not_its_boundary() {
    let model = Model::start();
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.commit(AGENT, &[("research/old.md", "POOR\n")]);
    stage.commit(AGENT, &[("research/edge.md", "POOR\n")]);
    stage.done(&["push", "-q", "origin", "main"]);
    let shallow = stage.path("shallow");
    let url = format!("file://{}", stage.path("remote").display());
    stage.done(&["clone", "-q", "--depth", "1", &url, shallow.to_str().unwrap()]);
    let output =
        stage.foureyes(&["hook", "install", "--no-ask", "--repo", shallow.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    std::fs::write(shallow.join("research/new.md"), "good\n").unwrap();
    stage.git_in(&shallow, AGENT, &["add", "-A"]);
    stage.git_in(&shallow, AGENT, &["commit", "-q", "-m", "new"]);
    assert!(push_in(&stage, &shallow, &["origin", "main"]));
    assert_eq!(log(&stage).iter().map(|r| r.2.clone()).collect::<Vec<_>>(), [["research/new.md"]]);
    // To a remote of which nothing is known the edge is pushed too; what it changed as their changes are unknown.
    stage.done(&["init", "-q", "--bare", "../third"]);
    let third = stage.path("third");
    stage.git_in(&third, PERSON, &["config", "receive.shallowUpdate", "true"]);
    let output = stage.git_in(&shallow, PERSON, &["push", third.to_str().unwrap(), "main"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("as their changes are unknown"), "{}", errors(&output));
    let records = stage.log();
    assert_eq!((records.len(), model.asked()), (2, 1), "it is not judged, and leaves a record");
    assert_eq!(records[1]["error"], serde_json::json!("prompt_missing"));
}

#[test]
fn a_repository_of_sha_256_is_judged_like_any_other() {
    let model = Model::start();
    let stage = with(&model, Stage::empty(&["--object-format=sha256"]));
    let first = stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert_eq!(first.len(), 64);
    assert!(push(&stage, &["origin", "main"]));
    let second = stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main", "main:side"]));
    assert_eq!(judged(&stage), sorted(vec![first, second]));
}

#[test]
fn worktree_and_submodule_push_through_their_hook() {
    let model = Model::start();
    let stage = stage(&model);
    let tree = stage.path("tree");
    stage.done(&["worktree", "add", "-q", "-b", "side", tree.to_str().unwrap()]);
    std::fs::create_dir_all(tree.join("research")).unwrap();
    std::fs::write(tree.join("research/a.md"), "POOR\n").unwrap();
    stage.git_in(&tree, AGENT, &["add", "-A"]);
    stage.git_in(&tree, AGENT, &["commit", "-q", "-m", "in a worktree"]);
    assert!(!push_in(&stage, &tree, &["origin", "side"]));
    assert_eq!(log(&stage).len(), 1);

    let remote = stage.path("remote");
    let allow = ["-c", "protocol.file.allow=always"];
    let add = [&allow[..], &["submodule", "add", "-q", remote.to_str().unwrap(), "sub"]].concat();
    stage.done(&add);
    let sub = stage.work().join("sub");
    let output = stage.foureyes(&["hook", "install", "--no-ask", "--repo", sub.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    std::fs::create_dir_all(sub.join("research")).unwrap();
    std::fs::write(sub.join("research/b.md"), "POOR in a submodule\n").unwrap();
    stage.git_in(&sub, AGENT, &["checkout", "-q", "-b", "inner"]);
    stage.git_in(&sub, AGENT, &["add", "-A"]);
    stage.git_in(&sub, AGENT, &["commit", "-q", "-m", "in a submodule"]);
    assert!(!push_in(&stage, &sub, &["origin", "inner"]));
    assert_eq!(log(&stage).len(), 2);
}

#[test]
fn the_repository_may_be_named_by_the_environment_or_be_bare() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let git_dir = stage.work().join(".git");
    let home = stage.path("home");
    let mut command = stage.command("git", &home);
    command.env("GIT_DIR", &git_dir).env("GIT_WORK_TREE", stage.work());
    let output = command.args(["push", "-q", "origin", "main"]).output().unwrap();
    assert!(errors(&output).contains("push stopped"), "{}", errors(&output));
    let directory = format!("--git-dir={}", git_dir.display());
    let output = stage.git_in(&home, PERSON, &[&directory, "push", "-q", "origin", "main"]);
    assert!(errors(&output).contains("push stopped"), "{}", errors(&output));
    assert_eq!((log(&stage).len(), model.asked()), (1, 1));
}

#[test]
fn a_configured_directory_of_hooks_is_found() {
    let model = Model::start();
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.done(&["config", "core.hooksPath", "../hooks"]);
    stage.install();
    assert!(stage.path("hooks/pre-push").exists());
    assert!(!stage.work().join(".git/hooks/pre-push").exists());
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
}

#[test]
fn push_to_url_is_judged_from_remote_refs() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    let url = stage.path("remote").to_str().unwrap().to_owned();
    assert!(push(&stage, &[&url, "main"]));
    let second = stage.commit(AGENT, &[("research/b.md", "2\n")]);
    assert!(push(&stage, &[&url, "main"]));
    assert_eq!(judged(&stage), sorted(vec![first, second]));
}
