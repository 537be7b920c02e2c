//! The records that the hook writes by itself: bypasses, what could not be asked, what was judged
//! before.

use super::{Content, FourEyes, Wanted};
use crate::config::HookMode;
use crate::domain::{Cause, Dimension, Record, Timestamp};
use crate::engine::PushVerdict;
use crate::engine::four_eyes::Decision;
use crate::engine::record::{
    Caveat, Exchange, History, Late, Mode, PushRecord, RecordError, RecordScores,
};
use crate::verdict_log::Verdict;

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
    wanted: &Wanted,
    common: Common<'_>,
    error: RecordError,
    why: &str,
) -> PushRecord {
    PushRecord {
        commit: Some(wanted.commit.to_string()),
        part_of: part_of(wanted),
        author: Some(wanted.author.clone()),
        files_evaluated: wanted.files.iter().map(|f| path(&f.path)).collect(),
        findings: why.to_owned(),
        error: Some(error),
        mode: Some(mode(common.mode)),
        risk: wanted.risk.clone(),
        ..PushRecord::undetermined(common.model, common.now)
    }
}

/// The one record of history that is pushed for the first time.
pub(super) fn history(common: Common<'_>, history: History) -> PushRecord {
    let n = history.commits;
    PushRecord {
        findings: format!(
            "Not asked: {n} commits of history that is pushed here for the first time, more than `commits` in [hook] allows."
        ),
        error: Some(RecordError::History),
        mode: Some(mode(common.mode)),
        history: Some(history),
        ..PushRecord::undetermined(common.model, common.now)
    }
}

/// What a judge said of a content.
pub(super) fn answered(
    record: PushRecord,
    content: &Content,
    mode: HookMode,
    scripted: bool,
) -> PushRecord {
    let mut record = PushRecord {
        mode: Some(self::mode(mode)),
        part_of: part_of(&content.of),
        risk: content.of.risk.clone(),
        caveats: with_links(record.caveats, &content.of),
        ..record
    };
    record.caveats.extend(scripted.then_some(Caveat::Scripted));
    unless_unseen(record, &content.of)
}

/// A GO on files counts for no commit that brings more than those. What is not judged is no verdict, so nothing
/// takes it over.
fn unless_unseen(record: PushRecord, of: &Wanted) -> PushRecord {
    match &of.unseen {
        Some(why) if record.verdict == PushVerdict::Go => PushRecord {
            verdict: PushVerdict::Undetermined,
            error: Some(RecordError::PromptMissing),
            findings: format!("Not all judged: {why}. Of the files: {}", record.findings),
            ..record
        },
        _ => record,
    }
}

/// The caveats of a commit: links beside the files are its own.
fn with_links(mut caveats: Vec<Caveat>, of: &Wanted) -> Vec<Caveat> {
    caveats.retain(|c| *c != Caveat::Links);
    caveats.extend((!of.links.is_empty()).then_some(Caveat::Links));
    caveats
}

/// A record of a content with the verdict of an earlier one, which it names.
pub(super) fn repeated(
    content: &Content,
    earlier: &Verdict,
    eyes: &FourEyes,
    common: Common<'_>,
) -> PushRecord {
    let Verdict { record: earlier, original } = earlier;
    let suggestion = |i: &crate::domain::Improvement| i.issue.clone().or(i.suggestion.clone());
    let record = PushRecord {
        commit: Some(content.of.commit.to_string()),
        part_of: part_of(&content.of),
        author: Some(content.of.author.clone()),
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
        error: (earlier.cause == Some(Cause::ContradictedAnswer))
            .then_some(RecordError::ContradictedAnswer),
        prompt_sha: earlier.prompt_sha.clone(),
        judge_sha: earlier.extra("judge_sha"),
        content_sha: earlier.content_sha.clone(),
        inconsistent: earlier.inconsistent,
        mode: Some(mode(common.mode)),
        caveats: with_links(earlier.extra("caveats").unwrap_or_default(), &content.of),
        reused: Some(original.clone()),
        risk: content.of.risk.clone(),
        ..PushRecord::undetermined(common.model, common.now)
    };
    unless_unseen(decided(record, eyes), &content.of)
}

/// The record of a commit whose content is that of another one of the same push.
pub(super) fn follower(
    record: &PushRecord,
    content: &Content,
    original: Option<&str>,
    eyes: &FourEyes,
    common: Common<'_>,
) -> PushRecord {
    let judged = record.error.is_none();
    let record = PushRecord {
        commit: Some(content.of.commit.to_string()),
        part_of: part_of(&content.of),
        author: Some(content.of.author.clone()),
        caveats: with_links(record.caveats.clone(), &content.of),
        timestamp: common.now,
        latency_ms: None,
        usage: None,
        attempts: None,
        exchange: Exchange::default(),
        late: None,
        // The one evaluation is counted once.
        fresh: None,
        risk: content.of.risk.clone(),
        reused: original.filter(|_| judged).map(str::to_owned),
        ..record.clone()
    };
    unless_unseen(if judged { decided(record, eyes) } else { record }, &content.of)
}

/// The verdict that stands, with what was answered here since.
pub(super) fn overtaken(first: PushRecord, answer: &PushRecord) -> PushRecord {
    PushRecord {
        timestamp: answer.timestamp,
        latency_ms: answer.latency_ms,
        usage: answer.usage,
        attempts: answer.attempts,
        exchange: answer.exchange.clone(),
        fresh: answer.fresh,
        late: Some(Late {
            verdict: answer.verdict,
            scores: answer.scores,
            findings: answer.findings.clone(),
            served_model: answer.served_model.clone(),
        }),
        ..first
    }
}

/// A record with what is decided about these people and its judge, in place of what was decided
/// about others.
fn decided(record: PushRecord, eyes: &FourEyes) -> PushRecord {
    let mut caveats = record.caveats;
    caveats.retain(|c| !matches!(c, Caveat::SameFamily | Caveat::FamilyUnknown));
    match &eyes.decision {
        Decision::Apart { .. } => {}
        Decision::Unknown { .. } => caveats.push(Caveat::FamilyUnknown),
        Decision::Same { .. } => caveats.push(Caveat::SameFamily),
    }
    let record = PushRecord { caveats, ..record };
    // Where no verdict came, there is none that would not count.
    let refusal = eyes.refusal.as_ref().filter(|_| record.error.is_none());
    let Some(refusal) = refusal else { return record };
    PushRecord {
        verdict: PushVerdict::Undetermined,
        error: Some(refusal.into()),
        scores: RecordScores::default(),
        revision_suggestions: Vec::new(),
        inconsistent: false,
        reused: None,
        findings: refusal.uncounted(),
        ..record
    }
}

/// The commit with the NO-GO that a record decides on, where that is all that it is for.
pub(super) fn part_of(wanted: &Wanted) -> Option<String> {
    wanted.part_of.as_ref().map(ToString::to_string)
}

fn path(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
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
