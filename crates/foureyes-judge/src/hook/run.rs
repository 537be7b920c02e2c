//! What happens on a push, row by row.

use super::arriving::Arrival;
use super::content::Reader;
use super::line;
use super::linked::unseen;
use super::state::{Run, Settings};
use super::verdicts::Judged;
use super::{Content, Judges, NoJudge, Note, Side, TaskJudges, Wanted, refs};
use crate::config::HookMode;
use crate::engine::record::{History, RecordError};
use crate::engine::{PushVerdict, prompt};
use crate::git::{self, Known, Push, Pushed};
use crate::judging::Legible;

/// What becomes of the push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Passes,
    /// It is stopped.
    Blocked,
}

/// Judges a push: `input` is what git says of its refs, `judge` finds who is asked (and is called
/// only where there is something to judge), `deeper` finds the judges of tasks for commits that rules of
/// risk want them for, `notify` takes what a person should know.
pub fn run<J: Judges>(
    input: &[u8],
    settings: &Settings,
    judge: impl FnOnce() -> Result<J, NoJudge>,
    deeper: impl FnOnce() -> Result<TaskJudges, NoJudge>,
    notify: &mut dyn FnMut(Note),
) -> Outcome {
    on_push(input, settings, notify, |run| run.all(judge, deeper))
}

/// Reads what git says of a push, and has `all` decide about it. Where git fails, the push goes on.
pub(super) fn on_push(
    input: &[u8],
    settings: &Settings,
    notify: &mut dyn FnMut(Note),
    all: impl FnOnce(&mut Run<'_>) -> Result<Outcome, git::Error>,
) -> Outcome {
    let updates = refs::parse(input, settings.side);
    let known = settings.known.clone();
    let push = Push { tips: updates.tips(), has: updates.known(), known };
    let mut run = Run::new(settings, push, notify);
    if updates.odd > 0 {
        (run.notify)(Note::Odd(updates.odd));
        run.mark_all("git's input is not understood");
    }
    let outcome = all(&mut run).unwrap_or_else(|error| {
        run.mark_all(&error);
        (run.notify)(Note::Git(error));
        Outcome::Passes
    });
    run.refuse_unjudged(outcome)
}

impl Run<'_> {
    fn all<J: Judges>(
        &mut self,
        judge: impl FnOnce() -> Result<J, NoJudge>,
        deeper: impl FnOnce() -> Result<TaskJudges, NoJudge>,
    ) -> Result<Outcome, git::Error> {
        let Some(mut wanted) = self.wanted()? else { return Ok(Outcome::Passes) };
        let judge = match judge() {
            Ok(judge) => judge,
            Err(NoJudge::Unusable(why)) => return Ok(self.no_judge(&wanted, why)),
        };
        self.with_risk(&mut wanted);
        let mut reader = Reader::new(wanted);
        let mut judged = Vec::new();
        while let Some(contents) = self.contents(&mut reader) {
            let more = self.verdicts(&judge, contents, &judged);
            judged.extend(more);
        }
        self.unmark(&judged);
        let outcome = self.decide(&judge, &judged)?;
        self.judge_deeper(&judged, outcome, deeper);
        Ok(outcome)
    }

    /// Logs what nobody can be asked about; the push goes on.
    pub(super) fn no_judge(&mut self, wanted: &[Wanted], why: String) -> Outcome {
        self.log_unasked(wanted, RecordError::PromptMissing, &why);
        (self.notify)(Note::Unusable(why, wanted.len()));
        Outcome::Passes
    }

    /// The next contents that are here. `None` at the end, and where git fails: the rest is logged as not
    /// asked about, and what was judged until then counts all the same.
    pub(super) fn contents(&mut self, reader: &mut Reader) -> Option<Vec<Content>> {
        match reader.next(&self.git) {
            Ok(contents) if contents.is_empty() => None,
            Ok(contents) => Some(self.with_text(contents)),
            Err(error) => {
                let why = format!("Not asked: {error}.");
                self.log_unasked(&reader.left, RecordError::PromptMissing, &why);
                self.mark_all(&error);
                (self.notify)(Note::Unseen(error));
                None
            }
        }
    }

    /// What has to be judged, where there is something and it is to be. What else there is of agents
    /// leaves a record.
    pub(super) fn wanted(&mut self) -> Result<Option<Vec<Wanted>>, git::Error> {
        let s = self.settings;
        // A prompt may be needed: what it takes is made while git works.
        let prepare = || drop(std::thread::Builder::new().spawn(prompt::prepare));
        let arriving = self.git.commits(&self.push, &s.selection, prepare)?;
        self.note_links(&arriving);
        let (cut, commits): (Vec<_>, Vec<_>) = arriving.commits.into_iter().partition(|c| c.cut);
        if !cut.is_empty() {
            (self.notify)(Note::Cut(cut.len()));
            let why = "Not asked: what a commit at the edge of a shallow clone changes is unknown.";
            let cut: Vec<_> = cut.iter().map(Wanted::bare).collect();
            self.log_unasked(&cut, RecordError::PromptMissing, why);
        }
        let (unknown, commits): (Vec<_>, Vec<_>) =
            commits.into_iter().partition(|c| c.unknown.is_some());
        self.log_unknown(&unknown);
        let (wanted, links): (Vec<_>, Vec<_>) =
            commits.into_iter().partition(|c| !c.files.is_empty());
        self.log_links(&links, &arriving.links);
        let wanted: Vec<_> = wanted
            .iter()
            .map(|c| Wanted { unseen: unseen(c, &arriving.links), ..Wanted::new(c) })
            .collect();
        if wanted.is_empty() {
            return Ok(None);
        }
        if s.skip {
            let why = match s.side {
                Side::Sender => "The evaluation was skipped with GIT_JUDGE_SKIP.",
                Side::Receiver => "The evaluation was skipped with a push option.",
            };
            self.log_unasked(&wanted, RecordError::Bypassed, why);
            (self.notify)(Note::Bypassed(wanted.len()));
            return Ok(None);
        }
        if wanted.len() > s.commits {
            return self.not_too_many(wanted).map(Some);
        }
        Ok(Some(wanted))
    }

    /// Takes out and logs the commits of which no file has a text: nobody is asked about those.
    pub(super) fn with_text(&mut self, contents: Vec<Content>) -> Vec<Content> {
        let (mut rest, mut unasked, mut empty) = (Vec::new(), Vec::new(), 0);
        let mut named: Option<String> = None;
        for content in contents {
            let legible = Legible::new(&content.files);
            let Some((error, why)) = legible.unasked() else {
                rest.push(content);
                continue;
            };
            match error {
                RecordError::Empty => empty += 1,
                _ => _ = named.get_or_insert_with(|| legible.named()),
            }
            unasked.push((content.of, error, why));
        }
        let illegible = unasked.len() - empty;
        if empty > 0 {
            (self.notify)(Note::Empty(empty));
        }
        if let Some(named) = named {
            (self.notify)(Note::Illegible(illegible, named));
        }
        self.log_each_unasked(unasked.iter().map(|(of, error, why)| (of, *error, why.as_str())));
        rest
    }

    /// Logs commits of which git cannot tell what they change: what is missing is not here.
    fn log_unknown(&mut self, commits: &[Pushed]) {
        let reason = |c: &Pushed| c.unknown.clone().unwrap_or_default();
        let Some(first) = commits.first() else { return };
        (self.notify)(Note::Unknown(commits.len(), reason(first)));
        let why =
            |c: &Pushed| format!("Not asked: what the commit changes is unknown: {}.", reason(c));
        let all: Vec<_> = commits.iter().map(|c| (Wanted::bare(c), why(c))).collect();
        let error = RecordError::PromptMissing;
        self.log_each_unasked(all.iter().map(|(of, why)| (of, error, why.as_str())));
    }

    /// As many as may be judged in one push: first those of which something would arrive.
    fn not_too_many(&mut self, wanted: Vec<Wanted>) -> Result<Vec<Wanted>, git::Error> {
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for one in wanted {
            match self.arrival(&one)? {
                Arrival::Gone => then.push(one),
                Arrival::Whole | Arrival::Part(_) => first.push(one),
            }
        }
        first.append(&mut then);
        let left = first.split_off(self.settings.commits.min(first.len()));
        self.mark_too_many();
        match self.history(left.len())? {
            Some(_) if self.settings.task_log.is_some() => {
                let why = "Not asked: it is history that is pushed for the first time.";
                self.log_unasked(&left, RecordError::History, why);
                (self.notify)(Note::History(left.len()));
            }
            Some(history) => {
                let record = line::history(self.common(), history);
                for one in &left {
                    self.mark(&one.commit, RecordError::History, &record.findings);
                }
                self.log(&[record]);
                (self.notify)(Note::History(left.len()));
            }
            None => {
                let why = "Not asked: the push has more commits than `commits` in [hook] allows.";
                self.log_unasked(&left, RecordError::PromptMissing, why);
                (self.notify)(Note::Left(left.len()));
            }
        }
        Ok(first)
    }

    /// So many commits as history, where the remote has none of it: the beginning is pushed too.
    fn history(&self, commits: usize) -> Result<Option<History>, git::Error> {
        if !self.push.has.is_empty() {
            return Ok(None);
        }
        let parents = self.git.parents(&self.push)?;
        let tip = self.push.tips.first().filter(|_| parents.values().any(Vec::is_empty));
        let remote = match &self.settings.known {
            Known::Remote(name) => Some(name.clone()),
            Known::Nothing | Known::Refs => None,
        };
        Ok(tip.map(|tip| History { remote, tip: tip.to_string(), commits: commits as u64 }))
    }

    /// What of a content stands at what is pushed.
    pub(super) fn arrival(&mut self, wanted: &Wanted) -> Result<Arrival, git::Error> {
        self.tips.arrival(&self.git, &self.push, &self.settings.selection.watch, wanted)
    }

    /// Reads one content.
    pub(super) fn read(&self, wanted: Wanted) -> Result<Option<Content>, git::Error> {
        Ok(Reader::new(vec![wanted]).next(&self.git)?.pop())
    }

    /// Stops the push where a NO-GO stands in what would arrive: in all of what was judged, or in what
    /// stands in the place of it now, where that is partly the same.
    fn decide<J: Judges>(&mut self, judge: &J, judged: &[Judged]) -> Result<Outcome, git::Error> {
        let no_go: Vec<_> = judged.iter().filter(|j| j.verdict == PushVerdict::NoGo).collect();
        if no_go.is_empty() || self.settings.mode == HookMode::Advisory {
            return Ok(Outcome::Passes);
        }
        let (mut blocking, mut mended, mut unseen) = (0, 0, None);
        let mut known = judged.to_vec();
        for one in &no_go {
            match self.blocks(judge, &one.of, &mut known) {
                Ok(true) => blocking += 1,
                Ok(false) => mended += 1,
                // What is seen to stand stops the push, whatever git fails to say of another one.
                Err(error) => unseen = unseen.or(Some(error)),
            }
        }
        if mended > 0 {
            (self.notify)(Note::Mended(mended));
        }
        match (blocking, unseen) {
            (0, Some(error)) => return Err(error),
            (0, None) => return Ok(Outcome::Passes),
            (_, Some(error)) => (self.notify)(Note::Unseen(error)),
            (_, None) => {}
        }
        (self.notify)(Note::Blocked(blocking));
        Ok(Outcome::Blocked)
    }

    /// Tells whether a NO-GO stands in what would arrive. What is asked about for that is added to
    /// what is known.
    fn blocks<J: Judges>(
        &mut self,
        judge: &J,
        of: &Wanted,
        known: &mut Vec<Judged>,
    ) -> Result<bool, git::Error> {
        let parts = match self.arrival(of)? {
            Arrival::Whole => return Ok(true),
            Arrival::Gone => return Ok(false),
            Arrival::Part(parts) => parts,
        };
        let mut poor = false;
        for part in parts {
            let verdict = self.verdict_on(judge, &part, known)?;
            known.push(Judged { of: part, verdict });
            poor |= verdict == PushVerdict::NoGo;
        }
        Ok(poor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Selection;
    use crate::verdict_log::VerdictLog;
    use std::time::Duration;
    use std::time::Instant;

    #[test]
    fn failed_record_is_reported_and_not_logged() {
        let dir = tempfile::tempdir().unwrap();
        let soon = Instant::now() + Duration::from_secs(5);
        let settings = Settings {
            mode: HookMode::Blocking,
            selection: Selection::default(),
            side: Side::Sender,
            known: Known::Nothing,
            log: Some(VerdictLog::at(dir.path())),
            task_log: None,
            deep_log: None,
            risk: None,
            acceptance: None,
            model: "m".to_owned(),
            skip: false,
            fresh: false,
            parallel: 1,
            commits: 1,
            reuse_days: 1,
            overrides: None,
            cut_stops: false,
            unjudged_stops: false,
            asked_until: soon,
            until: soon,
        };
        let mut notes = Vec::new();
        let mut notify = |note| notes.push(format!("{note:?}"));
        let mut run = Run::new(&settings, Push::default(), &mut notify);
        let wrong = || serde_json::from_str::<u8>("x").unwrap_err();
        assert!(!run.put(["{}".to_owned()].map(Ok).into_iter().chain([Err(wrong())]).collect()));
        assert_eq!(run.counts(PushVerdict::NoGo, false), PushVerdict::Undetermined);
        assert!(run.put(Ok(vec!["{}".to_owned()])));
        assert!(notes[0].starts_with("Unwritable") && notes[1] == "Unstopped", "{notes:?}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
