//! Pushes of every shape git knows: which commits are judged, once each.

use super::model::Model;
use super::pushing::{judged, log, push, sorted, stage, with};
use super::stage::{AGENT, PERSON, Stage, errors};

#[test]
fn first_push_judges_all_agent_commits_including_root() {
    let model = Model::start();
    let stage = with(&model, Stage::empty(&[]));
    let root = stage.commit(AGENT, &[("research/a.md", "1\n"), ("b.md", "1\n")]);
    stage.commit(PERSON, &[("research/a.md", "2\n")]);
    let last = stage.commit(AGENT, &[("knowledge/c.md", "3\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(judged(&stage), sorted(vec![root.clone(), last]));
    let (_, _, files) = log(&stage).into_iter().find(|row| row.0 == root).unwrap();
    assert_eq!(files, ["research/a.md"]);
    assert!(push(&stage, &["origin", "main"]), "nothing is pushed");
    assert_eq!(model.asked(), 2);
}

#[test]
fn new_branch_judges_only_commits_missing_on_remote() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    assert!(push(&stage, &["origin", "main"]));
    stage.done(&["checkout", "-q", "-b", "side"]);
    assert!(push(&stage, &["origin", "side"]), "a branch without a commit of its own");
    let second = stage.commit(AGENT, &[("research/a.md", "2\n")]);
    assert!(push(&stage, &["origin", "side:refs/heads/other"]));
    assert_eq!(judged(&stage), sorted(vec![first, second]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn a_forced_push_judges_the_rewritten_commits() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    assert!(push(&stage, &["origin", "main"]));
    stage.write("research/a.md", "POOR\n");
    stage.done_as(AGENT, &["commit", "-q", "-a", "--amend", "-m", "other"]);
    let amended = stage.done(&["rev-parse", "HEAD"]);
    assert!(!push(&stage, &["--force", "origin", "main"]));
    assert_eq!(judged(&stage), sorted(vec![first, amended]));
}

#[test]
fn forced_push_over_unknown_commits_judges_from_known_ones() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    assert!(push(&stage, &["origin", "main"]));
    // Somebody else pushes something that this clone has never seen.
    let other = stage.path("other");
    stage.done(&["clone", "-q", stage.path("remote").to_str().unwrap(), other.to_str().unwrap()]);
    std::fs::write(other.join("x.txt"), "x\n").unwrap();
    for arguments in [&["add", "x.txt"][..], &["commit", "-q", "-m", "x"], &["push", "-q"]] {
        assert!(stage.git_in(&other, PERSON, arguments).status.success());
    }
    let second = stage.commit(AGENT, &[("research/b.md", "2\n")]);
    assert!(push(&stage, &["--force", "origin", "main"]));
    assert_eq!(judged(&stage), sorted(vec![first, second]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn deleting_a_branch_judges_nothing() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(stage.git(&["push", "-q", "--no-verify", "origin", "HEAD:side"]).status.success());
    assert!(push(&stage, &["origin", ":side"]));
    assert_eq!((stage.remote_ref("refs/heads/side"), model.asked()), (None, 0));
}

#[test]
fn a_tag_takes_its_commit_along_annotated_or_not() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    stage.done(&["tag", "plain"]);
    assert!(push(&stage, &["origin", "plain"]));
    let second = stage.commit(AGENT, &[("research/a.md", "POOR 2\n")]);
    stage.done(&["tag", "-a", "-m", "a tag", "noted"]);
    stage.done(&["tag", "-a", "-m", "of a tag", "twice", "noted"]);
    assert!(!push(&stage, &["origin", "twice"]), "what a tag of a tag leads to would arrive");
    assert_eq!(judged(&stage), sorted(vec![first, second]));
    // A tag of what is no commit has nothing to judge.
    let blob = stage.done(&["rev-parse", "HEAD:research/a.md"]);
    stage.done(&["tag", "blob", &blob]);
    assert!(push(&stage, &["origin", "blob"]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn merge_is_judged_for_differences_from_all_parents() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(PERSON, &[("research/a.md", "a\n"), ("research/both.md", "1\n")]);
    stage.done(&["checkout", "-q", "-b", "side"]);
    stage.commit(PERSON, &[("research/side.md", "side\n"), ("research/both.md", "2\n")]);
    stage.done(&["checkout", "-q", "main"]);
    stage.commit(PERSON, &[("research/both.md", "3\n")]);
    let output = stage.git_in(&stage.work(), AGENT, &["merge", "-q", "--no-ff", "side"]);
    assert!(!output.status.success(), "it conflicts");
    stage.write("research/both.md", "2 and 3\n");
    stage.write("research/new.md", "in the merge\n");
    stage.done_as(AGENT, &["add", "-A"]);
    stage.done_as(AGENT, &["commit", "-q", "-m", "merged"]);
    let merge = stage.done(&["rev-parse", "HEAD"]);
    assert!(push(&stage, &["origin", "main"]));
    let files = vec!["research/both.md".to_owned(), "research/new.md".to_owned()];
    assert_eq!(log(&stage), [(merge, "GO".to_owned(), files)]);
}

#[test]
fn a_merge_that_changes_nothing_by_itself_is_not_judged() {
    let model = Model::start();
    let stage = stage(&model);
    stage.done(&["checkout", "-q", "-b", "side"]);
    stage.commit(PERSON, &[("research/side.md", "POOR\n")]);
    stage.done(&["checkout", "-q", "main"]);
    stage.commit(PERSON, &[("x.txt", "x\n")]);
    stage.done_as(AGENT, &["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(model.asked(), 0);
}

#[test]
fn several_refs_at_once_judge_each_commit_once() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    stage.done(&["branch", "same"]);
    stage.done(&["checkout", "-q", "-b", "side"]);
    let second = stage.commit(AGENT, &[("research/b.md", "2\n")]);
    stage.done(&["push", "-q", "--no-verify", "origin", "main~1:refs/heads/gone"]);
    assert!(push(&stage, &["origin", "main", "same", "side", ":gone"]));
    assert_eq!(judged(&stage), sorted(vec![first, second]));
    assert_eq!(stage.remote_ref("refs/heads/gone"), None);
}

#[test]
fn commits_beyond_limit_are_reported_unjudged() {
    let model = Model::start();
    let mut stage = stage(&model);
    model.serve(&mut stage, "mode = \"blocking\"\ncommits = 2");
    let ids: Vec<_> =
        (0..4).map(|n| stage.commit(AGENT, &[("research/a.md", &format!("{n}\n"))])).collect();
    let output = stage.git(&["push", "origin", "main"]);
    assert!(output.status.success() && errors(&output).contains("2 commits more"));
    let asked = |stage: &Stage, yes: bool| -> Vec<String> {
        let records = stage.log().into_iter().filter(|r| r.get("error").is_none() == yes);
        sorted(records.map(|r| r["commit"].as_str().unwrap().to_owned()).collect())
    };
    assert_eq!(asked(&stage, true), sorted(ids[2..].to_vec()), "the newest");
    assert_eq!(asked(&stage, false), sorted(ids[..2].to_vec()), "the others leave a record");
    assert_eq!(model.asked(), 2);
    // What would arrive is judged before what would not, however old.
    let poor = stage.commit(AGENT, &[("research/poor.md", "POOR\n")]);
    for n in 0..4 {
        stage.commit(AGENT, &[("research/a.md", &format!("more {n}\n"))]);
    }
    let output = stage.git(&["push", "origin", "main"]);
    assert!(!output.status.success() && errors(&output).contains("3 commits more"));
    assert!(asked(&stage, true).contains(&poor));
}

#[test]
fn large_commits_are_read_one_by_one_with_same_content() {
    let model = Model::start();
    let stage = stage(&model);
    let large = |word: &str| format!("{word}\n{}", "words of no weight\n".repeat(1 << 20));
    let good = large("good");
    stage.commit(AGENT, &[("research/a.md", &good), ("research/s.md", "small\n")]);
    stage.commit(AGENT, &[("research/b.md", &good), ("research/c.md", &large("other"))]);
    let poor = stage.commit(AGENT, &[("research/d.md", &large("POOR"))]);
    let output = stage.git(&["push", "origin", "main"]);
    assert!(!output.status.success(), "{}", errors(&output));
    let verdicts = log(&stage);
    let no_go: Vec<_> = verdicts.iter().filter(|row| row.1 == "NO-GO").map(|row| &row.0).collect();
    assert_eq!((verdicts.len(), model.asked(), no_go), (3, 3, vec![&poor]), "{verdicts:?}");
    // Alone each is little enough to be read at once, and the log knows it.
    for commit in ["main~2", "main~1"] {
        assert!(push(&stage, &["origin", &format!("{commit}:refs/heads/alone")]));
    }
    assert_eq!((model.asked(), log(&stage).len()), (3, 3));
}
