//! What happens on a push, row by row.

use super::line::{self, Common};
use super::{Content, Judges, NoJudge, Note, Origin, content, refs, standing};
use crate::config::HookMode;
use crate::domain::Timestamp;
use crate::engine::PushVerdict;
use crate::engine::record::{PushRecord, RecordError};
use crate::git::{self, Outgoing, Push, Pushed};
use crate::jsonl;
use crate::store::verdict_log::{Asked, VerdictLog};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Longest wait for somebody who writes the log.
const LOCK: Duration = Duration::from_secs(5);

/// What a run is given.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether a NO-GO stops the push.
    pub mode: HookMode,
    /// Committers that are agents; `None` where that cannot be told, so that it may be anybody.
    pub agents: Option<Vec<String>>,
    /// Path prefixes whose `.md` files are judged.
    pub watch: Vec<String>,
    /// The remote's name, where it has one.
    pub remote: Option<String>,
    /// The log; `None` where there is no place for it.
    pub log: Option<VerdictLog>,
    /// The model that is asked for, for records of what nobody was asked about.
    pub model: String,
    /// Somebody skips the evaluation.
    pub skip: bool,
    /// Somebody wants new evaluations of what was judged before.
    pub fresh: bool,
    /// Commits judged at the same time.
    pub parallel: usize,
    /// Most commits that are judged.
    pub commits: usize,
    /// UTC days in which a verdict stands.
    pub reuse_days: u32,
    /// When the judge is waited for no longer.
    pub asked_until: Instant,
    /// When all must be over.
    pub until: Instant,
}

/// What becomes of the push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Passes,
    /// It is stopped.
    Blocked,
}

/// Judges a push: `input` is what git says of its refs, `judge` finds who is asked (and is called
/// only where there is something to judge), `say` takes what a person should know.
pub fn run<J: Judges>(
    input: &[u8],
    settings: &Settings,
    judge: impl FnOnce() -> Result<J, NoJudge>,
    say: &mut dyn FnMut(Note),
) -> Outcome {
    let updates = refs::parse(input);
    if updates.odd > 0 {
        say(Note::Odd(updates.odd));
    }
    let remote = settings.remote.clone();
    let push = Push { tips: updates.tips(), has: updates.known(), remote };
    let mut run = Run { settings, git: Outgoing::here(settings.until), push, say };
    match run.all(judge) {
        Ok(outcome) => outcome,
        Err(error) => {
            (run.say)(Note::Git(error));
            Outcome::Passes
        }
    }
}

struct Run<'a> {
    settings: &'a Settings,
    git: Outgoing,
    push: Push,
    say: &'a mut dyn FnMut(Note),
}

impl Run<'_> {
    fn all<J: Judges>(
        &mut self,
        judge: impl FnOnce() -> Result<J, NoJudge>,
    ) -> Result<Outcome, git::Error> {
        let s = self.settings;
        let commits = self.git.commits(&self.push, s.agents.as_deref(), &s.watch)?;
        let (mut commits, cut) = content::without_cut(&self.git, commits)?;
        if cut > 0 {
            (self.say)(Note::Cut(cut));
        }
        if commits.is_empty() {
            return Ok(Outcome::Passes);
        }
        if s.skip {
            let why = "The evaluation was skipped with GIT_JUDGE_SKIP.";
            self.log_unasked(&commits, RecordError::Bypassed, why);
            (self.say)(Note::Bypassed(commits.len()));
            return Ok(Outcome::Passes);
        }
        if commits.len() > s.commits {
            (self.say)(Note::Left(commits.len() - s.commits));
            commits.truncate(s.commits);
        }
        let judge = match judge() {
            Ok(judge) => judge,
            Err(NoJudge::NoKey(why)) => {
                (self.say)(Note::NoKey(why, commits.len()));
                return Ok(Outcome::Passes);
            }
            Err(NoJudge::Unusable(why)) => {
                self.log_unasked(&commits, RecordError::PromptMissing, &why);
                (self.say)(Note::Unusable(why, commits.len()));
                return Ok(Outcome::Passes);
            }
        };
        let contents = content::read(&self.git, &commits)?;
        let verdicts = self.verdicts(&judge, &contents);
        self.decide(&commits, &verdicts)
    }

    fn common(&self) -> Common<'_> {
        let now = Timestamp(jiff::Timestamp::now().as_microsecond());
        Common { model: &self.settings.model, mode: self.settings.mode, now }
    }

    /// How long the log is waited for: what is decided then still counts.
    fn patience(&self) -> Instant {
        let s = self.settings;
        let rest = s.until.saturating_duration_since(s.asked_until) / 2;
        (Instant::now() + LOCK).min(s.asked_until + rest)
    }

    fn log_unasked(&mut self, commits: &[Pushed], error: RecordError, why: &str) {
        let common = self.common();
        let records: Vec<_> =
            commits.iter().map(|c| line::unasked(c, common, error, why)).collect();
        self.log(&records);
    }

    /// Writes records into the log, in one piece. Gives whether they stand there, and the id of each,
    /// by which others name it.
    fn log(&mut self, records: &[PushRecord]) -> (bool, Vec<Option<String>>) {
        let lines: Vec<_> = records.iter().filter_map(|r| r.line().ok()).collect();
        let lines: Vec<_> = lines.iter().map(|l| l.trim_end_matches('\n').to_owned()).collect();
        let now = self.common().now;
        let appended =
            self.settings.log.as_ref().map(|log| log.append(now, &lines, self.patience()));
        let written = matches!(&appended, Some(Ok(_)));
        match appended {
            None => (self.say)(Note::NoLog),
            Some(Ok(said)) if said.repaired => (self.say)(Note::Repaired(said.path)),
            Some(Ok(_)) => {}
            Some(Err(error)) => (self.say)(Note::Unlogged(error)),
        }
        let id = |line: &String| {
            let record = jsonl::read_one(line.as_bytes(), &jsonl::Settings::default())?;
            Some(record.id.to_string())
        };
        (written, lines.iter().map(id).collect())
    }

    /// What a verdict does to the push: one that could not be written into the log stops nothing, since
    /// nobody could look it up, and the next try would be another draw.
    fn counts(&mut self, verdict: PushVerdict, written: bool) -> PushVerdict {
        if written || verdict != PushVerdict::NoGo || self.settings.mode == HookMode::Advisory {
            return verdict;
        }
        (self.say)(Note::Unstopped);
        PushVerdict::Undetermined
    }

    /// The verdict on each content: from the log, where it stands there, else of the judge.
    fn verdicts<J: Judges>(&mut self, judge: &J, contents: &[Content]) -> Vec<PushVerdict> {
        let mut verdicts = vec![PushVerdict::Undetermined; contents.len()];
        let mut open = Vec::new();
        let known = self.known(judge, contents);
        for (at, content) in contents.iter().enumerate() {
            let Some(earlier) = known.get(&content.sha).filter(|_| !judge.refuses(&content.author))
            else {
                open.push(at);
                continue;
            };
            let common = self.common();
            let record = line::repeated(content, &earlier.record, &earlier.original, common);
            if self.settings.fresh {
                // It is asked anew, and stands until there is another verdict: a judge that cannot be
                // reached is no way past one that was.
                verdicts[at] = record.verdict;
                open.push(at);
                continue;
            }
            let written = earlier.commits.contains(&content.commit.to_string())
                || self.log(std::slice::from_ref(&record)).0;
            let verdict = record.verdict;
            (self.say)(Note::Verdict(Box::new(record), Origin::Log));
            verdicts[at] = self.counts(verdict, written);
        }
        self.ask(judge, contents, &open, &mut verdicts);
        verdicts
    }

    fn known<J: Judges>(
        &mut self,
        judge: &J,
        contents: &[Content],
    ) -> HashMap<String, crate::store::verdict_log::Verdict> {
        let Some(log) = self.settings.log.as_ref() else {
            return HashMap::new();
        };
        let prompt_sha = judge.prompt_sha();
        let asked = |c: &Content| Asked {
            content_sha: c.sha.clone(),
            prompt_sha: prompt_sha.clone(),
            judge_model: judge.model().to_owned(),
        };
        let asked: Vec<_> = contents.iter().map(asked).collect();
        match log.verdicts(&asked, self.common().now, self.settings.reuse_days) {
            Ok(known) => known,
            Err(error) => {
                (self.say)(Note::Unsearched(error));
                HashMap::new()
            }
        }
    }

    /// Asks about the open contents; the same content of the same author once.
    fn ask<J: Judges>(
        &mut self,
        judge: &J,
        contents: &[Content],
        open: &[usize],
        verdicts: &mut [PushVerdict],
    ) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = HashMap::new();
        for at in open {
            let key = (&contents[*at].sha, &contents[*at].author);
            let group = *group_of.entry(key).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(*at);
        }
        if groups.is_empty() {
            return;
        }
        let s = self.settings;
        let left = s.asked_until.saturating_duration_since(Instant::now());
        (self.say)(Note::Asking(groups.len(), judge.model().to_owned(), left));
        let firsts: Vec<_> = groups.iter().filter_map(|g| contents.get(*g.first()?)).collect();
        judge.judge(&firsts, s.parallel, s.asked_until, &mut |group, record| {
            let Some(members) = groups.get(group) else { return };
            let record = match record {
                Ok(record) => record,
                Err(why) => return (self.say)(Note::Unjudged(why, members.len())),
            };
            let record = PushRecord { mode: Some(line::mode(s.mode)), ..record };
            let (written, mut ids) = self.log(std::slice::from_ref(&record));
            let first = ids.pop().flatten();
            (self.say)(Note::Verdict(Box::new(record.clone()), Origin::Asked));
            for (place, at) in members.iter().enumerate() {
                let written = if place == 0 {
                    written
                } else {
                    let now = self.common().now;
                    let record = follower(&record, &contents[*at], first.as_deref(), now);
                    self.log(std::slice::from_ref(&record)).0
                };
                let counts = self.counts(record.verdict, written);
                if record.error.is_none() || verdicts[*at] != PushVerdict::NoGo {
                    verdicts[*at] = counts;
                } else {
                    (self.say)(Note::Stands(contents[*at].commit.clone()));
                }
            }
        });
    }

    /// Stops the push where a NO-GO stands in what would arrive.
    fn decide(
        &mut self,
        commits: &[Pushed],
        verdicts: &[PushVerdict],
    ) -> Result<Outcome, git::Error> {
        let no_go = commits.iter().zip(verdicts).filter(|(_, v)| **v == PushVerdict::NoGo);
        let no_go: Vec<_> = no_go.map(|(commit, _)| commit).collect();
        if no_go.is_empty() || self.settings.mode == HookMode::Advisory {
            return Ok(Outcome::Passes);
        }
        let stands = standing::standing(&self.git, &self.push, &no_go, &self.settings.watch)?;
        let blocking = stands.iter().filter(|stands| **stands).count();
        if blocking < no_go.len() {
            (self.say)(Note::Mended(no_go.len() - blocking));
        }
        if blocking == 0 {
            return Ok(Outcome::Passes);
        }
        (self.say)(Note::Blocked(blocking));
        Ok(Outcome::Blocked)
    }
}

/// The record of a commit whose content is that of another one of the same push.
fn follower(
    record: &PushRecord,
    content: &Content,
    first: Option<&str>,
    now: Timestamp,
) -> PushRecord {
    let judged = record.error.is_none();
    PushRecord {
        commit: Some(content.commit.to_string()),
        timestamp: now,
        latency_ms: None,
        usage: None,
        attempts: None,
        reused: first.filter(|_| judged).map(str::to_owned),
        ..record.clone()
    }
}
