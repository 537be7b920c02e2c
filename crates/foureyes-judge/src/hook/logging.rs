//! What goes into the log, and what is said where it does not.

use super::line::{self, Common};
use super::state::Run;
use super::{Note, Wanted};
use crate::config::HookMode;
use crate::domain::{Record, Timestamp};
use crate::engine::record::{PushRecord, RecordError};
use crate::engine::{PushVerdict, Verdict as _};
use crate::jsonl;
use crate::verdict_log::{self, Appended, Sought, Verdict, next_fresh, strictest};
use std::time::{Duration, Instant};

/// Longest wait for somebody who writes the log.
const LOCK: Duration = Duration::from_secs(5);

/// What became of an answer.
pub(super) struct Put {
    /// The record of it; where somebody else was first, of what that one found.
    pub(super) record: PushRecord,
    /// Whether it stands in the log.
    pub(super) written: bool,
    /// The id of the evaluation that it goes back to.
    pub(super) original: Option<String>,
    /// Another verdict on the same content stands: somebody else's that was first, or an earlier one.
    pub(super) overtaken: bool,
    /// What somebody else found while this one failed.
    pub(super) instead: Option<PushRecord>,
}

impl Run<'_> {
    pub(super) fn common(&self) -> Common<'_> {
        let now = Timestamp(jiff::Timestamp::now().as_microsecond());
        Common { model: &self.settings.model, mode: self.settings.mode, now }
    }

    /// How long the log is waited for: what is decided then still counts.
    pub(super) fn patience(&self) -> Instant {
        let s = self.settings;
        let rest = s.until.saturating_duration_since(s.asked_until) / 2;
        (Instant::now() + LOCK).min(s.asked_until + rest)
    }

    /// Logs what nobody is asked about: no commit of an agent leaves no trace.
    pub(super) fn log_unasked<'a>(
        &mut self,
        wanted: impl IntoIterator<Item = &'a Wanted>,
        error: RecordError,
        why: &'a str,
    ) {
        self.log_each_unasked(wanted.into_iter().map(|wanted| (wanted, error, why)));
    }

    /// The same, each with its own reason.
    pub(super) fn log_each_unasked<'a>(
        &mut self,
        all: impl IntoIterator<Item = (&'a Wanted, RecordError, &'a str)>,
    ) {
        let all: Vec<_> = all.into_iter().collect();
        for (wanted, error, why) in &all {
            self.mark(&wanted.commit, *error, why);
        }
        if let Some(log) = self.settings.task_log.clone() {
            return self.log_unasked_tasks(&log, all);
        }
        let common = self.common();
        let record = |(wanted, error, why)| line::unasked(wanted, common, error, why);
        let records: Vec<_> = all.into_iter().map(record).collect();
        if !records.is_empty() {
            self.log(&records);
        }
    }

    /// Writes records into the log, in one piece. Tells whether they stand there.
    pub(super) fn log(&mut self, records: &[PushRecord]) -> bool {
        self.put(records.iter().map(PushRecord::line).collect())
    }

    /// Writes lines into the log: all of them, or none where one cannot be made.
    pub(super) fn put(&mut self, lines: Result<Vec<String>, serde_json::Error>) -> bool {
        let lines = match lines {
            Ok(lines) => lines,
            Err(error) => {
                self.mark_all(&error);
                (self.notify)(Note::Unwritable(error));
                return false;
            }
        };
        let (now, until) = (self.common().now, self.patience());
        let log = self.settings.log.as_ref();
        let appended = log.map(|log| log.append(now, &lines, until));
        self.note_appended(appended)
    }

    /// Says what is to be said about an append. Tells whether it was one.
    pub(super) fn note_appended(
        &mut self,
        appended: Option<Result<Appended, verdict_log::Error>>,
    ) -> bool {
        match appended {
            None => {
                self.mark_all("there is no place for the log");
                (self.notify)(Note::NoLog);
            }
            Some(Err(error)) => {
                self.mark_all(&error);
                (self.notify)(Note::Unlogged(error));
            }
            Some(Ok(appended)) => {
                self.note_records(&appended.lines);
                self.note_unlocked(appended.unlocked.then_some(&appended.path));
                if appended.repaired {
                    (self.notify)(Note::Repaired(appended.path));
                }
                return true;
            }
        }
        false
    }

    /// Says once that there are no locks where a log is.
    pub(super) fn note_unlocked(&mut self, log: Option<&std::path::PathBuf>) {
        let Some(log) = log else { return };
        if !std::mem::replace(&mut self.unlocked, true) {
            (self.notify)(Note::Unlocked(log.clone()));
        }
    }

    /// Writes an answer into the log, unless somebody else's verdict on the same question came there
    /// meanwhile: then that one stands, and the record says what was answered here. One that was asked
    /// for by name stands where it is the stricter, and no other was on this day.
    ///
    /// `counts` tells which verdicts are ones for this content, `repeat` makes a record of one.
    pub(super) fn put_answer(
        &mut self,
        answer: PushRecord,
        asked: &Sought,
        counts: &dyn Fn(&Record) -> bool,
        repeat: &dyn Fn(&Verdict) -> PushRecord,
    ) -> Put {
        let (now, until) = (self.common().now, self.patience());
        let own = |answer| Put {
            record: answer,
            written: false,
            original: None,
            overtaken: false,
            instead: None,
        };
        let (mut put, mut wrong, mut lines) = (own(answer.clone()), None, Vec::new());
        let fresh = self.settings.fresh;
        // What was decided long ago stands against an evaluation that is asked for by name.
        let days = if fresh { self.settings.reuse_days } else { verdict_log::SINCE };
        let mut decide = |found: &[Verdict]| {
            put = own(answer.clone());
            let first = strictest(found, counts);
            if fresh && !found.is_empty() && answer.error.is_none() {
                put.record.fresh = Some(next_fresh(found));
            }
            let again = found.iter().any(|v| v.is_fresh_on(now));
            match first.map(|first| (repeat(first), first.original.clone())) {
                None => {}
                Some((first, _)) if fresh && !again && is_stricter(&answer, &first) => {}
                Some((first, _)) if answer.error.is_some() => put.instead = Some(first),
                Some((first, original)) => {
                    put.record = line::overtaken(first, &put.record);
                    (put.overtaken, put.original) = (true, Some(original));
                }
            }
            lines = match put.record.line() {
                Ok(line) => vec![line],
                Err(error) => {
                    wrong = Some(error);
                    Vec::new()
                }
            };
            lines.clone()
        };
        let log = self.settings.log.as_ref();
        let appended = log.map(|log| log.append_knowing(now, asked, days, until, &mut decide));
        let first = appended.as_ref().and_then(|a| a.as_ref().ok()?.lines.first().cloned());
        let appended = self.note_appended(appended);
        // Somebody else's verdict stands there, whatever became of the line that repeats it.
        put.written = put.overtaken || (appended && wrong.is_none());
        if let Some(error) = wrong {
            self.mark_all(&error);
            (self.notify)(Note::Unwritable(error));
        }
        if put.original.is_none() {
            put.original = first.or_else(|| lines.first().cloned()).and_then(|line| id(&line));
        }
        put
    }

    /// What a verdict does to the push: one that does not stand in the log stops nothing, since nobody
    /// could look it up, and the next try would be another draw.
    pub(super) fn counts(&mut self, verdict: PushVerdict, written: bool) -> PushVerdict {
        if written || verdict != PushVerdict::NoGo || self.settings.mode == HookMode::Advisory {
            return verdict;
        }
        (self.notify)(Note::Unstopped);
        PushVerdict::Undetermined
    }
}

/// Tells whether an answer is one, and stricter than a verdict.
fn is_stricter(answer: &PushRecord, than: &PushRecord) -> bool {
    answer.error.is_none() && answer.verdict.strictness() > than.verdict.strictness()
}

/// The id by which others name the record of a line.
fn id(line: &str) -> Option<String> {
    let record = jsonl::read_one(line.as_bytes(), &jsonl::Settings::default())?;
    Some(record.id.to_string())
}
