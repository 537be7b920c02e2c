//! What of a push could not be judged, and what comes of that where a push arrives.
//!
//! An answer of the judge is a judgement, UNDETERMINED too. What nobody answered is none: an outage, a log that cannot be
//! written, more commits than one push may have, time that is over, content that cannot be read or was cut.

use super::Note;
use super::refused::{Refused, Unjudged};
use super::run::Outcome;
use super::state::Run;
use super::verdicts::Judged;
use crate::config::HookMode;
use crate::engine::PushVerdict;
use crate::engine::record::{PushRecord, RecordError};
use crate::git::CommitId;
use crate::jsonl;
use crate::verdict_log::accepted_commits;
use std::collections::HashSet;

impl Run<'_> {
    /// Notes that a commit was not judged.
    pub(super) fn mark(&mut self, commit: &CommitId, error: RecordError, why: &str) {
        // To skip is allowed by who runs the server; an empty file has nothing to judge.
        if matches!(error, RecordError::Bypassed | RecordError::Empty) {
            return;
        }
        let why = why.lines().next().unwrap_or_default();
        self.unjudged.commits.entry(commit.clone()).or_insert_with(|| why.to_owned());
    }

    /// Notes that no answer counts for the commit of a record, where that has an error.
    pub(super) fn mark_failed(&mut self, record: &PushRecord) {
        let commit = record.commit.as_deref().and_then(|commit| commit.parse().ok());
        if let Some((commit, error)) = commit.zip(record.error) {
            self.mark(&commit, error, &record.findings);
        }
    }

    /// Notes that more commits are pushed than may be.
    pub(super) fn mark_too_many(&mut self) {
        self.unjudged.too_many = true;
    }

    /// Notes what went wrong, so that nothing of the push is certain.
    pub(super) fn mark_all(&mut self, why: impl std::fmt::Display) {
        let why = why.to_string();
        if self.settings.unjudged_stops && !self.unjudged.causes.contains(&why) {
            self.unjudged.causes.push(why);
        }
    }

    /// Notes the records that were written.
    pub(super) fn note_records(&mut self, lines: &[String]) {
        if !self.settings.unjudged_stops {
            return;
        }
        let settings = jsonl::Settings::default();
        let read = lines.iter().filter_map(|line| jsonl::read_one(line.as_bytes(), &settings));
        let of = |record: crate::domain::Record| Some((record.commit?, record.id.to_string()));
        self.unjudged.records.extend(read.filter_map(of));
    }

    /// Notes a record that was there before.
    pub(super) fn note_record(&mut self, commit: &CommitId, id: &str) {
        self.unjudged.records.entry(commit.to_string()).or_insert_with(|| id.to_owned());
    }

    /// What was decided in the end is judged, whatever failed before.
    pub(super) fn unmark(&mut self, judged: &[Judged]) {
        let is_decided =
            |one: &&Judged| one.of.part_of.is_none() && one.verdict != PushVerdict::Undetermined;
        for one in judged.iter().filter(is_decided) {
            self.unjudged.commits.remove(&one.of.commit);
        }
    }

    /// Refuses a push that would go on although something was not judged, unless a person accepted each commit.
    pub(super) fn refuse_unjudged(&mut self, outcome: Outcome) -> Outcome {
        let s = self.settings;
        let is_on = s.unjudged_stops && s.mode == HookMode::Blocking && !s.skip;
        if outcome == Outcome::Blocked || !is_on {
            return outcome;
        }
        let Unjudged { mut commits, causes, records, too_many } =
            std::mem::take(&mut self.unjudged);
        let ids: HashSet<String> = commits.keys().map(ToString::to_string).collect();
        let log = s.task_log.as_ref().map(|log| log.path.as_path());
        for (commit, who) in accepted_commits(s.overrides.as_deref(), log, &ids) {
            let Ok(commit) = commit.parse() else { continue };
            commits.remove(&commit);
            (self.notify)(Note::Accepted(commit, who));
        }
        if commits.is_empty() && causes.is_empty() {
            return Outcome::Passes;
        }
        let with_record = |(commit, why): (CommitId, String)| {
            let record = records.get(commit.as_str()).cloned();
            (commit, why, record)
        };
        let most = (too_many && !commits.is_empty()).then_some(s.commits);
        let commits = commits.into_iter().map(with_record).collect();
        (self.notify)(Note::Refused(Refused { commits, causes, most }));
        Outcome::Blocked
    }
}
