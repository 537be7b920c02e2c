//! The records that the hook writes by itself: bypasses, what could not be asked, what was judged
//! before.

use super::Content;
use crate::config::HookMode;
use crate::domain::{Dimension, Record, Timestamp};
use crate::engine::PushVerdict;
use crate::engine::record::{Mode, PushRecord, RecordError, RecordScores};
use crate::git::Pushed;

/// What all records of one run have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) model: &'a str,
    pub(super) mode: HookMode,
    pub(super) now: Timestamp,
}

/// The mode as records say it.
pub(super) fn mode(mode: HookMode) -> Mode {
    match mode {
        HookMode::Advisory => Mode::Advisory,
        HookMode::Blocking => Mode::Blocking,
    }
}

/// A record of a commit that nobody was asked about. Its files are those that had to be judged.
pub(super) fn unasked(
    commit: &Pushed,
    common: Common<'_>,
    error: RecordError,
    why: &str,
) -> PushRecord {
    let path = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    PushRecord {
        commit: Some(commit.id.to_string()),
        author: Some(commit.author.clone()),
        files_evaluated: commit.files.iter().map(|f| path(&f.path)).collect(),
        findings: why.to_owned(),
        error: Some(error),
        mode: Some(mode(common.mode)),
        ..PushRecord::undetermined(common.model, common.now)
    }
}

/// A record of a content with the verdict of an earlier one, which it names.
pub(super) fn repeated(
    content: &Content,
    earlier: &Record,
    original: &str,
    common: Common<'_>,
) -> PushRecord {
    let path = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let suggestion = |i: &crate::domain::Improvement| i.issue.clone().or(i.suggestion.clone());
    let caveats = earlier.extra.iter().find(|(key, _)| key == "caveats");
    let caveats = caveats.and_then(|(_, json)| serde_json::from_str(json).ok());
    PushRecord {
        commit: Some(content.commit.to_string()),
        author: Some(content.author.clone()),
        files_evaluated: content.files.iter().map(|f| path(&f.path)).collect(),
        scores: scores(earlier),
        verdict: earlier
            .verdict
            .as_deref()
            .and_then(PushVerdict::of_word)
            .unwrap_or(PushVerdict::Undetermined),
        findings: earlier.findings.clone().unwrap_or_default(),
        revision_suggestions: earlier.improvements.iter().filter_map(suggestion).collect(),
        served_model: earlier.served_model.clone(),
        prompt_sha: earlier.prompt_sha.clone(),
        content_sha: earlier.content_sha.clone(),
        inconsistent: earlier.inconsistent,
        mode: Some(mode(common.mode)),
        caveats: caveats.unwrap_or_default(),
        reused: Some(original.to_owned()),
        ..PushRecord::undetermined(common.model, common.now)
    }
}

/// Scores of a record of ours are whole numbers, all three or none.
fn scores(record: &Record) -> RecordScores {
    let score = |d| record.scores.usable(d).filter(|s| s.fract() == 0.0).map(|s| s as u8);
    RecordScores {
        semantic: score(Dimension::Semantic),
        pragmatic: score(Dimension::Pragmatic),
        syntactic: score(Dimension::Syntactic),
    }
}
