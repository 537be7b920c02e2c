//! Pushing from a stage that blocks, and what its log then says.

use super::model::Model;
use super::stage::{PERSON, Stage, errors};
use serde_json::Value;
use std::path::Path;

/// A blocking stage without a commit of an agent.
pub(super) fn stage(model: &Model) -> Stage {
    with(model, Stage::new())
}

pub(super) fn with(model: &Model, mut stage: Stage) -> Stage {
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.install();
    stage
}

/// Pushes; tells whether it went through.
pub(super) fn push(stage: &Stage, arguments: &[&str]) -> bool {
    push_in(stage, &stage.work(), arguments)
}

pub(super) fn push_in(stage: &Stage, dir: &Path, arguments: &[&str]) -> bool {
    let all: Vec<_> = ["push", "-q"].iter().chain(arguments).copied().collect();
    let output = stage.git_in(dir, PERSON, &all);
    let said = errors(&output);
    assert!(output.status.success() || said.contains("push stopped"), "{said}");
    output.status.success()
}

/// Commit, verdict and files of each record, in the order of the log.
pub(super) fn log(stage: &Stage) -> Vec<(String, String, Vec<String>)> {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let files = |v: &Value| v.as_array().unwrap().iter().map(text).collect();
    let row = |r: &Value| (text(&r["commit"]), text(&r["verdict"]), files(&r["files_evaluated"]));
    stage.log().iter().map(row).collect()
}

/// The judged commits, sorted; each has exactly one record.
pub(super) fn judged(stage: &Stage) -> Vec<String> {
    let mut commits: Vec<_> = log(stage).into_iter().map(|row| row.0).collect();
    commits.sort();
    let count = commits.len();
    commits.dedup();
    assert_eq!(commits.len(), count, "a commit has two records");
    commits
}

pub(super) fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}
