//! What stops a push: poor content that would arrive, by a verdict that stands.

use super::model::Model;
use super::pushing::{judged, log, push, sorted, stage};
use super::stage::{AGENT, PERSON};
use serde_json::json;

#[test]
fn fix_on_one_branch_does_not_clear_the_other() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage.done(&["branch", "poor"]);
    stage.commit(AGENT, &[("research/a.md", "mended\n")]);
    assert!(!push(&stage, &["origin", "main", "poor"]));
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(judged(&stage).len(), 2);
}

#[test]
fn same_content_without_the_commit_is_not_that_commit() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage.commit(AGENT, &[("research/a.md", "mended\n")]);
    stage.done(&["checkout", "-q", "--orphan", "alone"]);
    stage.commit(PERSON, &[("research/a.md", "POOR\n")]);
    assert!(push(&stage, &["origin", "main", "alone"]));
    assert_eq!(judged(&stage).len(), 2);
}

#[test]
fn human_commit_between_is_unjudged_and_counts_at_tip() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage.commit(PERSON, &[("research/a.md", "POOR, and a person answers for it\n")]);
    let second = stage.commit(AGENT, &[("research/b.md", "good\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(judged(&stage), sorted(vec![first, second]));
}

#[test]
fn poor_commit_fixed_in_same_push_is_logged_and_passes() {
    let model = Model::start();
    let stage = stage(&model);
    let poor = stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    let mended = stage.commit(AGENT, &[("research/a.md", "mended\n")]);
    assert!(push(&stage, &["origin", "main"]), "no history has to be rewritten");
    assert_eq!(judged(&stage), sorted(vec![poor, mended]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn poor_commit_with_removed_file_passes() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    stage.done(&["rm", "-q", "research/a.md"]);
    stage.commit(AGENT, &[]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(log(&stage).len(), 1);
}

#[test]
fn a_push_tried_again_takes_the_verdict_from_the_log() {
    let model = Model::start();
    let mut stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), log(&stage).len()), (1, 1));
    // The same content in another commit: a line of its own, that names the evaluation.
    stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", "another message"]);
    assert!(!push(&stage, &["origin", "main"]));
    let records = stage.log();
    assert_eq!((model.asked(), records.len()), (1, 2));
    assert_eq!(records[1]["verdict"], json!("NO-GO"));
    assert_eq!(
        (&records[0].get("reused"), records[1]["reused"].as_str().unwrap().len()),
        (&None, 64)
    );
    assert_eq!(records[1]["commit"], json!(stage.done(&["rev-parse", "HEAD"])));
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!(stage.log().len(), 2);
    // By name it is judged anew.
    stage.set("GIT_JUDGE_FRESH", "1");
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (2, 3));
    // A judge that cannot be asked is no way past a NO-GO.
    stage.commit(AGENT, &[("research/a.md", "POOR too\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (3, 4));
    drop(model);
    assert!(!push(&stage, &["origin", "main"]));
    let records = stage.log();
    assert_eq!((records.len(), &records[4]["error"]), (5, &json!("unavailable")));
}

#[test]
fn other_prompt_or_model_is_another_judge_and_failure_is_no_verdict() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    let url = model.0.url();
    stage.configure(&format!(
        "[judge]\nendpoint = \"{url}\"\nmodel = \"m2\"\n[hook]\nmode = \"blocking\"\n"
    ));
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (2, 2));
    stage.commit(AGENT, &[("research/a.md", "other\n")]);
    stage.configure("[judge]\nendpoint = \"http://127.0.0.1:9\"\n[hook]\nmode = \"advisory\"\n");
    assert!(push(&stage, &["-n", "origin", "main"]));
    stage.configure(&format!("[judge]\nendpoint = \"{url}\"\n[hook]\nmode = \"blocking\"\n"));
    assert!(push(&stage, &["origin", "main"]));
    let errors: Vec<_> = stage.log().iter().filter_map(|r| r.get("error").cloned()).collect();
    assert_eq!(errors, [json!("unavailable"), json!("unavailable")], "it is another judge");
    assert_eq!(model.asked(), 3, "what failed is asked again");
}

#[test]
fn the_same_content_twice_in_a_push_is_asked_about_once() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    let other = stage.commit(AGENT, &[("research/a.md", "2\n")]);
    let again = stage.commit(AGENT, &[("research/a.md", "1\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(judged(&stage), sorted(vec![first, other, again]));
    assert_eq!(model.asked(), 2);
    assert_eq!(stage.log().iter().filter(|r| r.get("reused").is_some()).count(), 1);
}

#[test]
fn a_file_is_judged_as_it_is_in_the_commit_not_in_the_work_tree() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "good\n"), ("research/b.md", "old\n")]);
    stage.write("research/a.md", "POOR, and not committed\n");
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(log(&stage)[0].1, "GO");
    stage.done(&["rm", "-q", "-f", "research/b.md"]);
    stage.done(&["checkout", "-q", "research/a.md"]);
    stage.commit(AGENT, &[("research/c.md", "new\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(log(&stage)[1].2, ["research/c.md"], "what a commit deletes is not judged");
    stage.done(&["rm", "-q", "research/c.md"]);
    stage.commit(AGENT, &[]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(log(&stage).len(), 2);
}
