//! The end of a task: what the log knows of it, the judges where it knows nothing, and a line for each
//! round.

mod authors;
mod logs;
mod preview;
mod turn;

pub use authors::by_agents;
pub use logs::Logs;
use preview::{Known, Plan};
pub use preview::{Preview, person_for_accept, preview};

use crate::config::{Config, DepthRule, TaskConfig};
use crate::domain::Timestamp;
use crate::engine::panel::{Decision, Depth, Reason, Tier};
use crate::engine::verdict::{TaskVerdict, Verdict as _};
use crate::judging::configured;
use crate::judging::task::{
    Before, Event, Judges, Round, Rules, Run, Task, are_distinct, distinct, judge_task,
};
use crate::questions;
use crate::text::escape::truncate;
use crate::verdict_log::{
    self, Holding, LoggedRound, LoggedRun, TaskHistory, TaskQuery, append_to, history,
};
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use turn::Turn;

/// How long another process may hold the log.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most columns of what a judge that could not be asked came to.
const MOST_EXPLAINED: usize = 300;

/// What is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish {
    /// How many judges, where they are more than the configuration says.
    pub depth: Option<DepthRule>,
    /// Whether judges are asked although the log has a run that was the same in all.
    pub fresh: bool,
    /// When all must be over, where that is sooner than the configuration says.
    pub until: Option<tokio::time::Instant>,
}

/// Where a decision comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// Judges were asked now, or a rule of the configuration decided.
    Now,
    /// An earlier run that was the same in all, and when it ended.
    Log(Option<Timestamp>),
    /// A person who decided about such a run, where he is named.
    Person(Option<String>),
}

/// What a task came to.
#[derive(Debug)]
pub struct Outcome {
    /// What it came to.
    pub decision: Decision,
    /// Where that comes from.
    pub origin: Origin,
    /// Why a person decides, or what else is to be known, in a sentence.
    pub explanation: Option<String>,
    /// The run, where one was made now.
    pub run: Option<Run>,
    /// The run of the log that decided, where one did.
    pub logged: Option<LoggedRun>,
    /// What the log had before.
    pub history: TaskHistory,
    /// How many judges looked at it, or would have.
    pub depth: Depth,
    /// What makes the task sensitive, as it is configured.
    pub sensitive: Option<String>,
    /// Tries that are used up, this one included.
    pub tries: u32,
    /// The log.
    pub log: PathBuf,
    /// Why not all of the run stands in the log.
    pub unlogged: Option<verdict_log::Error>,
    /// Why the question of the task is not kept, where it was to be.
    pub unkept: Option<questions::NotKept>,
    /// Whether others may have made the same run at the same time, since there are no locks.
    pub unlocked: bool,
}

/// The judges of a configuration. Commands for keys are waited for until a moment at most.
///
/// # Errors
/// A key, prompt, rubric, script or endpoint that cannot be used; with the tier that it is of.
pub fn judges(
    config: &Config,
    refused: Option<&Path>,
    until: tokio::time::Instant,
) -> Result<Judges, (Tier, Unusable)> {
    judges_with_keys(config, refused, |tier| {
        let left = until.saturating_duration_since(tokio::time::Instant::now());
        configured::key_within(&config.judge_of(tier).1, left).map_err(Unusable::Key)
    })
}

/// The same with the key of each tier, or without one.
///
/// # Errors
/// What `key` has, and a prompt, rubric, script or endpoint that cannot be used; with the tier.
pub fn judges_with_keys(
    config: &Config,
    refused: Option<&Path>,
    mut key: impl FnMut(Tier) -> Result<Option<SecretString>, Unusable>,
) -> Result<Judges, (Tier, Unusable)> {
    let mut judge = |tier| {
        let key = key(tier).map_err(|error| (tier, error))?;
        let judge = configured::tier(config, tier, key, refused.map(Path::to_owned));
        judge.map(Arc::new).map_err(|error| (tier, Unusable::Judge(error)))
    };
    let [quick, deep, tiebreaker] = Tier::ALL;
    Ok(Judges([judge(quick)?, judge(deep)?, judge(tiebreaker)?]))
}

/// Why there is no judge.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// Its key.
    #[error(transparent)]
    Key(crate::provider::key::Error),
    /// Everything else of it.
    #[error(transparent)]
    Judge(configured::Error),
}

/// Decides about a task: by the logs, where they have a run that was the same in all, else by judges. Each
/// round is logged before anybody else is asked. Of several that decide about the same at the same time one
/// asks, and the others wait for what it logs, as long as they have time.
///
/// # Errors
/// A log that is there and cannot be read: nobody is asked then, since it may hold a verdict. A log whose
/// directory cannot be made, or that is found not to be writable: a verdict would be lost.
pub async fn decide(
    config: &Config,
    judges: &Judges,
    task: &Task,
    wish: Wish,
    logs: Logs<'_>,
    now: impl Fn() -> Timestamp,
    mut on: impl FnMut(&Event),
) -> Result<Outcome, verdict_log::Error> {
    let Plan { depth, sensitive, rules, run_sha } = Plan::new(config, judges, task, wish);
    logs.make_directories()?;
    let turn = Turn::of(logs.first(), task, &run_sha, rules.until).await;
    let query = TaskQuery { task_id: task.id.clone(), run_sha: run_sha.clone() };
    let mut outcome = Outcome::new(history(&logs.all(), &query)?, depth, sensitive, logs.written);
    outcome.unlocked = turn.is_unlocked();
    // Before anybody is asked: a run that is killed may be a person's to decide as well.
    let days = config.task.keep_questions;
    outcome.unkept = questions::keep(logs.written, &task.question(), days, now()).err();
    match outcome.known((config, judges, task), wish, &rules, turn.refused()) {
        Known::Decided => return Ok(outcome),
        Known::Refused(decision, why) => {
            let run = rules.unasked(judges, task, &run_sha, decision, &why, now());
            // A person is asked once: who tries on and on adds no lines.
            if !outcome.was_left(decision.reason) {
                run.rounds.iter().for_each(|round| outcome.write(round));
            }
            return Ok(outcome.ended(run, Some(why)));
        }
        Known::Asked => verdict_log::check_appendable(logs.written)?,
    }
    let before = outcome.before(wish.fresh);
    let run = judge_task(judges, task, rules, &run_sha, before, now, |event| {
        if let Event::Round(round) = &event {
            outcome.write(round);
        }
        on(&event);
    })
    .await;
    let found = run.rounds.iter().any(|round| round.tier.is_some() && round.record.error.is_none());
    outcome.tries += u32::from(found);
    let explanation = explanation(&run);
    Ok(outcome.ended(run, explanation))
}

impl LoggedRun {
    /// Whether what its judges accepted would be accepted from them now: they were as many as are asked for,
    /// none is of a family of the authors or, where that is required, of another one's, the policy wants no
    /// person, and all of the result is text.
    fn is_valid_for(&self, judges: &Judges, task: &Task, rules: &Rules) -> bool {
        let served = |round: &LoggedRound| {
            let tier = Tier::ALL.into_iter().find(|t| Some(t.name()) == round.tier.as_deref());
            tier.map(|tier| (tier, round.served_model.clone()))
        };
        let Some(served) = self.rounds.iter().map(served).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let may_judge = |(tier, model): &(Tier, Option<String>)| {
            judges.get(*tier).may_judge(task.item.people(), model.as_deref())
        };
        self.depth.is_some_and(|depth| depth >= rules.depth)
            && rules.person_for_accept.is_none()
            && task.item.legible().is_all_text()
            && served.iter().all(may_judge)
            && (!rules.require_families
                || distinct(judges).is_none() && are_distinct(judges, &served))
    }
}

/// By which rules a run decides that begins now, in which a person decides whatever judges accept where
/// there is a reason for it, and that ends at `until`, where that is sooner than the configuration says.
pub fn rules(
    config: &Config,
    depth: Depth,
    person_for_accept: Option<Reason>,
    until: Option<tokio::time::Instant>,
) -> Rules {
    let settings = &config.task;
    let own = tokio::time::Instant::now() + settings.budget;
    Rules {
        vocabulary: settings.vocabulary,
        depth,
        person_for_accept,
        require_families: settings.require_families,
        until: until.map_or(own, |sooner| sooner.min(own)),
        each: Tier::ALL.map(|tier| config.judge_of(tier).1.timeout),
        calls: settings.max_calls,
        cap: spend_cap(config),
    }
}

/// Most that a run may cost.
pub fn spend_cap(config: &Config) -> Option<f64> {
    config.task.spend_cap.or(config.judge.spend_cap)
}

/// Why nobody is asked, and a person decides.
fn refused(
    settings: &TaskConfig,
    (judges, task): (&Judges, &Task),
    tries: u32,
) -> Option<(Decision, String)> {
    if let Some((_, why)) = task.item.legible().unasked() {
        return Some((Decision::person(Reason::NotAsked), why));
    }
    let shared = distinct(judges).filter(|_| settings.require_families);
    if let Some(why) = shared {
        return Some((Decision::person(Reason::NotAsked), why));
    }
    let times = match settings.tries {
        1 => "once".to_owned(),
        most => format!("{most} times"),
    };
    let why = format!("The task was judged {times}, which is the limit.");
    (tries >= settings.tries).then(|| (Decision::person(Reason::Tries), why))
}

/// Why a person decides; of a judge that could not be asked with what it came to.
fn explanation(run: &Run) -> Option<String> {
    let reason = run.decision.reason?;
    let failed = run.rounds.iter().filter(|round| round.record.error.is_some());
    let mut failed =
        failed.filter_map(|round| Some((round.tier?, round.record.masked().reasoning)));
    Some(match (reason, failed.next()) {
        (Reason::NotAsked | Reason::Unreachable, Some((tier, why))) => {
            format!("{} {}: {}", reason.sentence(), tier.name(), truncate(&why, MOST_EXPLAINED))
        }
        _ => reason.sentence().to_owned(),
    })
}

fn append(log: &Path, round: &Round) -> Result<(), verdict_log::Error> {
    let line = round.record.line().map_err(|error| verdict_log::Error::Write {
        path: log.to_owned(),
        source: std::io::Error::other(error),
    })?;
    append_to(log, &[line], Instant::now() + PATIENCE).map(drop)
}

impl Outcome {
    /// What the log knows, before anything else.
    fn new(history: TaskHistory, depth: Depth, sensitive: Option<String>, log: &Path) -> Self {
        Self {
            decision: Decision::person(Reason::Tries),
            origin: Origin::Now,
            explanation: None,
            run: None,
            logged: None,
            tries: history.tries(),
            history,
            depth,
            sensitive,
            log: log.to_owned(),
            unlogged: None,
            unkept: None,
            unlocked: false,
        }
    }

    /// What a run that begins now must know of those before it.
    fn before(&self, is_fresh: bool) -> Before {
        let verdict = self.history.holds().map(|holding| holding.verdict);
        let is_again = is_fresh && verdict.is_some();
        Before { verdict, fresh: if is_again { self.history.next_fresh() } else { 0 } }
    }

    /// That a line which would decide was changed: a second opinion is not asked for it either.
    fn damaged(&self) -> Option<(Decision, String)> {
        let reason = Reason::Damaged;
        let is_changed = self.history.is_changed();
        is_changed.then(|| (Decision::person(reason), reason.sentence().to_owned()))
    }

    /// What holds of a run that was killed: nobody has been told of it so far.
    fn unfinished(&self) -> Option<(Decision, String)> {
        let reason = Reason::Unfinished;
        let killed = self.history.holds().filter(|h| h.by.is_none() && !h.run.is_decided)?;
        let decision = Decision { verdict: killed.verdict, ..Decision::person(reason) };
        Some((decision, reason.sentence().to_owned()))
    }

    /// Takes what holds of earlier runs that were the same in all; tells whether there is something. What
    /// judges accepted is taken only where they could give it now.
    fn take_logged(&mut self, is_valid: impl FnOnce(&LoggedRun) -> bool) -> bool {
        let Some(Holding { verdict, run, by }) = self.history.holds() else { return false };
        if by.is_none() && (!run.is_decided || verdict.passes() && !is_valid(run)) {
            return false;
        }
        (self.decision, self.origin, self.explanation) = match by {
            Some(word) => {
                let decision = Decision { verdict, reason: None, consensus: None };
                (decision, Origin::Person(word.reviewer.clone()), None)
            }
            None => {
                let decision = Decision { verdict, reason: run.reason, consensus: run.consensus };
                let why = run.reason.map(|reason| reason.sentence().to_owned());
                (decision, Origin::Log(run.at), why)
            }
        };
        self.logged = Some(run.clone());
        true
    }

    /// Takes what holds of earlier runs that were the same in all, where that is a rejection.
    fn take_rejection(&mut self) -> bool {
        let held = self.history.holds();
        held.is_some_and(|held| held.verdict == TaskVerdict::Reject) && self.take_logged(|_| false)
    }

    fn ended(mut self, run: Run, explanation: Option<String>) -> Self {
        self.decision = run.decision;
        self.explanation = explanation;
        self.run = Some(run);
        self
    }

    fn write(&mut self, round: &Round) {
        if let Err(error) = append(&self.log, round) {
            self.unlogged.get_or_insert(error);
        }
    }

    /// Whether the same was left to a person by the run before, for this reason. Without tries it is the
    /// same whatever the content.
    pub fn was_left(&self, reason: Option<Reason>) -> bool {
        let is_same = |last: &LoggedRun| last.is_same || reason == Some(Reason::Tries);
        let last = self.history.last().filter(|last| last.reason == reason && is_same(last));
        reason.is_some() && last.is_some()
    }

    /// Tries that are left of so many.
    pub fn tries_left(&self, most: u32) -> u32 {
        most.saturating_sub(self.tries)
    }

    /// Whether it is accepted, with an advice.
    pub fn needs_check(&self) -> bool {
        self.decision.verdict == TaskVerdict::AcceptAfterCheck
    }
}
