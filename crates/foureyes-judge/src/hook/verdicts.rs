//! The verdict on each content: from the log, where one stands there, else of the judge.

use super::arriving::{Arrival, has};
use super::logging::Put;
use super::state::Run;
use super::{Content, Judges, Note, Origin, Wanted, line};
use crate::config::HookMode;
use crate::domain::Outcome;
use crate::engine::PushVerdict;
use crate::engine::record::{Caveat, PushRecord, RecordError};
use crate::git;
use crate::judging::{Legible, Skipped};
use crate::verdict_log::{Sought, Verdict, overridden, strictest};
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// A content that was decided about.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) of: Wanted,
    pub(super) verdict: PushVerdict,
}

/// Contents while they are decided about.
struct Batch {
    contents: Vec<Content>,
    /// Of each what is known of it: until it was asked about, what stands where that fails.
    verdicts: Vec<PushVerdict>,
}

impl Run<'_> {
    /// The verdicts on contents. `before` are those that were decided about already.
    pub(super) fn verdicts<J: Judges>(
        &mut self,
        judge: &J,
        contents: Vec<Content>,
        before: &[Judged],
    ) -> Vec<Judged> {
        let verdicts = vec![PushVerdict::Undetermined; contents.len()];
        let mut batch = Batch { contents, verdicts };
        let all: Vec<usize> = (0..batch.contents.len()).collect();
        let mut open = self.settle(judge, &mut batch, &all);
        let mut widened = Vec::new();
        if let Err(error) = self.widen(&mut batch, &open, before, &mut widened) {
            // What stands at the tips is asked for again once all is judged.
            self.mark_all(&error);
            (self.notify)(Note::Unseen(error));
        }
        // Also where git failed in between: what became another content is looked up as that.
        let still = self.settle(judge, &mut batch, &widened);
        open.retain(|at| !widened.contains(at) || still.contains(at));
        self.ask(judge, &mut batch, &open);
        let all = batch.contents.into_iter().zip(batch.verdicts);
        all.map(|(content, verdict)| Judged { of: content.of, verdict }).collect()
    }

    /// Takes verdicts from the log. Gives what has to be asked about.
    fn settle<J: Judges>(&mut self, judge: &J, batch: &mut Batch, which: &[usize]) -> Vec<usize> {
        let known = self.known(judge, which.iter().filter_map(|at| batch.contents.get(*at)));
        let mut open = Vec::new();
        for &at in which {
            let content = &batch.contents[at];
            let found = known.get(&content.sha).map(Vec::as_slice).unwrap_or_default();
            let counts = |r: &crate::domain::Record| counts(judge, content, r);
            let Some(earlier) = strictest(found, counts) else {
                open.push(at);
                continue;
            };
            let eyes = judge.four_eyes(&content.of, earlier.record.served_model.as_deref());
            let record = line::repeated(content, earlier, &eyes, self.common());
            let accepted = self.accepted(record.verdict, found);
            let again = found.iter().any(|v| v.is_fresh_on(self.common().now));
            if self.settings.fresh && again {
                (self.notify)(Note::Again(content.of.commit.clone()));
            } else if self.settings.fresh && accepted.is_none() {
                // It is asked anew, and stands until there is another verdict: a judge that cannot be
                // reached is no way past one that was.
                batch.verdicts[at] = record.verdict;
                open.push(at);
                continue;
            }
            let of_commit = |v: &&Verdict| is_there(content, &v.record);
            let earlier_of_commit = found.iter().rev().find(of_commit);
            if earlier_of_commit.is_none_or(|of| of.original != earlier.original) {
                self.log(std::slice::from_ref(&record));
            }
            if let Some(earlier) = earlier_of_commit {
                self.note_record(&content.of.commit, &earlier.record.id.to_string());
            }
            self.mark_failed(&record);
            // Whatever became of its repeat: what counts stands in the log, where it was found.
            batch.verdicts[at] = self.effect(content, &record);
            (self.notify)(Note::Verdict(Box::new(record), Origin::Log));
            if let Some(who) = accepted {
                batch.verdicts[at] = PushVerdict::Go;
                (self.notify)(Note::Overridden(content.of.commit.clone(), who));
            }
        }
        open
    }

    /// What a verdict does to the push: content that was cut does what a NO-GO does, where it is to.
    fn effect(&mut self, content: &Content, record: &PushRecord) -> PushVerdict {
        let cut = record.caveats.contains(&Caveat::ContentCut) && record.error.is_none();
        let stops = self.settings.cut_stops && self.settings.mode == HookMode::Blocking;
        let is_open = cut && record.verdict == PushVerdict::Undetermined;
        if !(stops && is_open) {
            if is_open {
                let why = "the judge did not see all of the content";
                self.mark(&content.of.commit, RecordError::InvalidAnswer, why);
            }
            return record.verdict;
        }
        (self.notify)(Note::Unseeable(content.of.commit.clone()));
        PushVerdict::NoGo
    }

    /// Who accepted a NO-GO all the same, on any record of the content.
    fn accepted(&self, verdict: PushVerdict, found: &[Verdict]) -> Option<String> {
        let dir = self.settings.overrides.as_ref()?;
        if verdict != PushVerdict::NoGo || self.settings.mode == HookMode::Advisory {
            return None;
        }
        let ids = found.iter().flat_map(|v| [v.record.id.to_string(), v.original.clone()]);
        let ids: HashSet<String> = ids.collect();
        overridden(dir, &ids).filter(|decided| decided.accepted).map(|decided| decided.reviewer)
    }

    /// What the log has on contents.
    fn known<'c, J: Judges>(
        &mut self,
        judge: &J,
        contents: impl Iterator<Item = &'c Content>,
    ) -> HashMap<String, Vec<Verdict>> {
        let Some(log) = self.settings.log.as_ref() else {
            return HashMap::new();
        };
        let asked: Vec<_> = contents.map(|content| asked(judge, content)).collect();
        let found = log.verdicts(&asked, self.common().now, self.settings.reuse_days);
        let mut unread = found.unread;
        unread.retain(|error| match error {
            crate::verdict_log::Error::Read { path, .. } => self.unread.insert(path.clone()),
            _ => false,
        });
        let more = unread.len().saturating_sub(1);
        if let Some(first) = unread.into_iter().next() {
            self.mark_all(&first);
            (self.notify)(Note::Unsearched(first, more));
        }
        found.verdicts
    }

    /// Where a later commit changes a part of what a NO-GO was about, it is judged together with what
    /// it leaves of that, as it arrives: one question for both, and the rest does not arrive unseen.
    /// Adds the contents that have become others to `widened`.
    fn widen(
        &mut self,
        batch: &mut Batch,
        open: &[usize],
        before: &[Judged],
        widened: &mut Vec<usize>,
    ) -> Result<(), git::Error> {
        if open.is_empty() || self.settings.mode == HookMode::Advisory {
            return Ok(());
        }
        let here = batch.contents.iter().map(|c| &c.of).zip(&batch.verdicts);
        let all = before.iter().map(|j| (&j.of, &j.verdict)).chain(here);
        let no_go = all.filter(|(_, verdict)| **verdict == PushVerdict::NoGo);
        let no_go: Vec<_> = no_go.map(|(of, _)| of.clone()).collect();
        for of in &no_go {
            let Arrival::Part(parts) = self.arrival(of)? else { continue };
            for part in parts {
                // A NO-GO that stands on one as it is may not get lost where nothing comes of asking.
                let fits = |at: &&usize| {
                    let of = &batch.contents[**at].of;
                    !widened.contains(*at)
                        && batch.verdicts[**at] != PushVerdict::NoGo
                        && of.is_within(&part)
                        && of.files.len() < part.files.len()
                };
                let Some(&at) = open.iter().find(fits) else { continue };
                // Its record says that they are so in that commit.
                let commit = &batch.contents[at].of.commit;
                if !has(&self.git, &self.settings.selection.watch, commit, &part)? {
                    continue;
                }
                let mut wanted =
                    Wanted { files: part.files.clone(), ..batch.contents[at].of.clone() };
                wanted.also_by(&part);
                if let Some(content) = self.read(wanted)? {
                    batch.contents[at] = content;
                    // What was said of less is no verdict on it.
                    batch.verdicts[at] = PushVerdict::Undetermined;
                    widened.push(at);
                }
            }
        }
        Ok(())
    }

    /// Asks about the open contents; about the same content once, whoever wrote it.
    fn ask<J: Judges>(&mut self, judge: &J, batch: &mut Batch, open: &[usize]) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = HashMap::new();
        for at in open {
            let content = &batch.contents[*at];
            // Of those for whom this judge may not judge it is not asked, and of the others it is.
            let key = (&content.sha, judge.four_eyes(&content.of, None).refusal);
            let group = *group_of.entry(key).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(*at);
        }
        if groups.is_empty() {
            return;
        }
        if let Some(why) = judge.absent() {
            return self.absent(why, batch, open);
        }
        let s = self.settings;
        let left = s.asked_until.saturating_duration_since(Instant::now());
        (self.notify)(Note::Asking(groups.len(), judge.model().to_owned(), left));
        let Batch { contents, verdicts } = batch;
        let firsts: Vec<_> = groups.iter().filter_map(|g| contents.get(*g.first()?)).collect();
        judge.judge(&firsts, s.parallel, s.asked_until, &mut |group, answer| {
            let members = groups.get(group).map(Vec::as_slice).unwrap_or_default();
            match answer {
                Ok(record) => self.answered(judge, contents, members, record, verdicts),
                Err(why) => self.skipped(contents, members, why, verdicts),
            }
        });
    }

    /// Takes an answer for all contents that it is about.
    fn answered<J: Judges>(
        &mut self,
        judge: &J,
        contents: &[Content],
        members: &[usize],
        record: PushRecord,
        verdicts: &mut [PushVerdict],
    ) {
        let Some(first) = members.first().and_then(|at| contents.get(*at)) else { return };
        let record = line::answered(record, first, self.settings.mode, judge.is_scripted());
        let put = self.put_first(judge, first, record);
        let origin = if put.overtaken { Origin::Log } else { Origin::Asked };
        (self.notify)(Note::Verdict(Box::new(put.record.clone()), origin));
        if let Some(late) = put.record.late.as_ref().filter(|_| put.overtaken) {
            let commit = first.of.commit.clone();
            (self.notify)(match put.record.fresh {
                Some(_) => Note::Earlier(commit, late.verdict),
                None => Note::Overtaken(commit, late.verdict),
            });
        }
        for (place, at) in members.iter().enumerate() {
            let content = &contents[*at];
            let (record, written) = match place {
                0 => (put.record.clone(), put.written),
                _ => self.put_follower(judge, content, &put),
            };
            let instead = put.instead.as_ref().map(|record| record.verdict);
            if record.error.is_none() {
                let effect = self.effect(content, &record);
                verdicts[*at] = self.counts(effect, written);
            } else if let Some(kept) = instead.or(decided(verdicts[*at])) {
                verdicts[*at] = kept;
                self.note_kept(content, kept);
            } else {
                verdicts[*at] = PushVerdict::Undetermined;
                self.mark_failed(&record);
            }
        }
    }

    fn put_first<J: Judges>(&mut self, judge: &J, first: &Content, record: PushRecord) -> Put {
        let eyes = |served: Option<&str>| judge.four_eyes(&first.of, served);
        let model = self.settings.model.clone();
        let common = line::Common { model: &model, ..self.common() };
        let mode = common.mode;
        let now = common.now;
        let repeat = |v: &Verdict| {
            let common = line::Common { model: &model, mode, now };
            line::repeated(first, v, &eyes(v.record.served_model.as_deref()), common)
        };
        let asked = asked(judge, first);
        self.put_answer(record, &asked, &|r| counts(judge, first, r), &repeat)
    }

    fn put_follower<J: Judges>(
        &mut self,
        judge: &J,
        content: &Content,
        put: &Put,
    ) -> (PushRecord, bool) {
        let eyes = judge.four_eyes(&content.of, put.record.served_model.as_deref());
        let original = put.original.as_deref();
        let record = line::follower(&put.record, content, original, &eyes, self.common());
        let written = self.log(std::slice::from_ref(&record));
        // What it follows is on the same content: where that stands in the log, it is found there.
        (record, written || put.written)
    }

    /// Nobody was asked about some contents: that leaves a record of each.
    fn skipped(
        &mut self,
        contents: &[Content],
        members: &[usize],
        why: Skipped,
        verdicts: &[PushVerdict],
    ) {
        (self.notify)(Note::Unjudged(why, members.len()));
        let contents: Vec<_> = members.iter().filter_map(|at| contents.get(*at)).collect();
        let error = match why {
            Skipped::Time | Skipped::Stopped => RecordError::Timeout,
            Skipped::Spend(_) => RecordError::SpendCap,
            Skipped::Failed => RecordError::PromptMissing,
        };
        let text = format!("Not asked: {}.", why.words());
        self.log_unasked(contents.iter().map(|c| &c.of), error, &text);
        for (content, at) in contents.iter().zip(members) {
            self.note_kept(content, verdicts[*at]);
        }
    }

    /// Nobody can be asked: that leaves a record of each, and what stood before stands.
    fn absent(&mut self, why: &str, batch: &Batch, open: &[usize]) {
        (self.notify)(Note::NoKey(why.to_owned(), open.len()));
        let contents = open.iter().filter_map(|at| batch.contents.get(*at)).map(|c| &c.of);
        self.log_unasked(contents, RecordError::NoKey, &format!("Not asked: {why}."));
        for at in open {
            self.note_kept(&batch.contents[*at], batch.verdicts[*at]);
        }
    }

    fn note_kept(&mut self, content: &Content, kept: PushVerdict) {
        if kept == PushVerdict::NoGo {
            (self.notify)(Note::NoGoRemains(content.of.commit.clone()));
        }
    }

    /// The verdict that decides on what stands in the place of a content: that on the same files, where
    /// they were judged, else one that is asked for now.
    pub(super) fn verdict_on<J: Judges>(
        &mut self,
        judge: &J,
        part: &Wanted,
        judged: &[Judged],
    ) -> Result<PushVerdict, git::Error> {
        let same = |other: &&Judged| other.of.is_within(part) && part.is_within(&other.of);
        if let Some(known) = judged.iter().find(same) {
            return Ok(known.verdict);
        }
        let Some(content) = self.read(part.clone())? else {
            return Ok(PushVerdict::Undetermined);
        };
        let contents = self.with_text(vec![content]);
        let decided = self.verdicts(judge, contents, &[]);
        Ok(decided.first().map_or(PushVerdict::Undetermined, |judged| judged.verdict))
    }
}

/// Tells whether a record is of the commit of a content. One that was asked for on a part of another
/// commit's NO-GO is none of its own.
fn is_there(content: &Content, record: &crate::domain::Record) -> bool {
    let commit = content.of.commit.to_string();
    record.commit.as_deref() == Some(commit.as_str())
        && (record.part_of.is_none() || content.of.part_of.is_some())
}

/// A verdict that stood before the judge failed; only a NO-GO does anything.
fn decided(verdict: PushVerdict) -> Option<PushVerdict> {
    (verdict != PushVerdict::Undetermined).then_some(verdict)
}

fn asked<J: Judges>(judge: &J, content: &Content) -> Sought {
    Sought {
        content_sha: content.sha.clone(),
        prompt_sha: judge.prompt_sha(),
        judge_model: judge.model().to_owned(),
        judge_sha: judge.judge_sha(),
    }
}

/// Tells whether a verdict is one for a content: not where who judged may not judge its people, nor a GO of
/// an older program on what is no text.
fn counts<J: Judges>(judge: &J, content: &Content, record: &crate::domain::Record) -> bool {
    let is_go = record.outcome == Some(Outcome::Go);
    let was_seen = !is_go || Legible::new(&content.files).is_all_text();
    was_seen && judge.four_eyes(&content.of, record.served_model.as_deref()).refusal.is_none()
}
