//! The run of a task: each round is in the ledger before it is reported.

use super::super::services::Services;
use super::journal::Journal;
use crate::domain::review::{Evaluated, ItemLeft, PromptUsed};
use crate::domain::{JudgementKind, Timestamp};
use crate::engine::panel::Tier;
use crate::engine::record::TaskRecord;
use crate::judging::task::{Before, Event, Judges, Round, Run, TaskAsk, judge_controlled};
use crate::judging::{Control, Skipped};
use crate::report::Masking;
use crate::tui::judging::{JudgingEvent, TaskPlan};
use crate::tui::model::{Problem, ShownRecord};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

/// Judges a task, and reports it.
pub(super) async fn run(journal: Journal, plan: Arc<TaskPlan>, control: watch::Receiver<Control>) {
    let (run, in_flight) = (plan.run, BTreeSet::new());
    let mut task = TaskRun { journal, plan, in_flight, rounds: 0, spent: 0.0 };
    let (result, ledger) = match task.begin(control.clone()).await {
        Ok(judges) => {
            task.journal.send(JudgingEvent::Began { run }).await;
            let left = task.judge(&judges, control).await;
            task.journal.end(left).await
        }
        Err(problem) => (Err(problem), None),
    };
    task.journal.send(JudgingEvent::Ended { run, result, ledger }).await;
}

struct TaskRun {
    journal: Journal,
    plan: Arc<TaskPlan>,
    /// Tiers that are asked and have not answered.
    in_flight: BTreeSet<Tier>,
    /// Rounds that are over.
    rounds: u64,
    /// What they cost, as far as that is known.
    spent: f64,
}

impl TaskRun {
    /// Makes the judges and writes down that the run begins.
    async fn begin(&self, mut control: watch::Receiver<Control>) -> Result<Judges, Problem> {
        let services = Arc::clone(&self.journal.services);
        // A command that prints a key takes its time.
        let made =
            tokio::task::spawn_blocking(move || (services.endpoint.judges.make)(&services.config));
        let made = tokio::select! {
            made = made => made.map_err(|_| Problem::new("the judges could not be made ready", ""))??,
            _ = control.wait_for(|wanted| *wanted != Control::Go) => {
                return Err(Problem::new("the run was ended before anything was asked", ""));
            }
        };
        // What the form showed is what is asked.
        let is_shown = |tier: Tier| {
            let (judge, shown) = (made.get(tier), self.plan.judges.get(tier as usize));
            shown.is_some_and(|shown| {
                (&shown.model, &shown.prompt.sha) == (&judge.model, &judge.prompt_sha())
            })
        };
        if !Tier::ALL.into_iter().all(is_shown) {
            let text = "a judge or its prompt changed since the form was opened";
            return Err(Problem::new(text, "open the form again"));
        }
        self.journal.begin(&self.plan.begun).await?;
        Ok(made)
    }

    /// Asks; gives why nothing was decided, where that is so.
    async fn judge(&mut self, judges: &Judges, control: watch::Receiver<Control>) -> Vec<ItemLeft> {
        let (plan, services) = (Arc::clone(&self.plan), Arc::clone(&self.journal.services));
        let config = &services.config;
        let person = crate::task::person_for_accept(&config.task, plan.is_sensitive, None);
        let rules = crate::task::rules(config, plan.depth, person, None);
        let run_sha = judges.run_sha(&plan.task);
        let (sender, mut events) = unbounded_channel();
        let before = Before::default();
        let ask = TaskAsk { judges, task: &plan.task, rules, run_sha: &run_sha, before };
        let work = judge_controlled(
            ask,
            control,
            || precise(&services),
            move |event| {
                // It is read until the run is over.
                let _ = sender.send(event);
            },
        );
        let journal = self.journal.clone();
        let work = journal.followed(|tier| tier, work);
        tokio::pin!(work);
        let mut seconds = interval(Duration::from_secs(1));
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ended: Option<Run> = None;
        loop {
            tokio::select! {
                biased;
                event = events.recv() => match event {
                    Some(event) => self.handle(event).await,
                    None => break,
                },
                run = &mut work, if ended.is_none() => ended = Some(run),
                _ = seconds.tick(), if ended.is_none() => self.journal.tick(),
            }
            if ended.is_some() && events.is_empty() {
                break;
            }
        }
        match ended.is_none_or(|run| run.stopped) {
            true => self.stopped().await,
            false => Vec::new(),
        }
    }

    /// Why nothing was decided: a call that was cut may have been charged.
    async fn stopped(&self) -> Vec<ItemLeft> {
        let cut = self.in_flight.len();
        let why = if cut > 0 { ItemLeft::CUT } else { Skipped::Stopped.words() };
        for _ in 0..cut.max(1) {
            let (run, why) = (self.plan.run, Cow::Borrowed(why));
            self.journal.send(JudgingEvent::ItemSkipped { run, item: 0, why }).await;
        }
        vec![ItemLeft { item: 0, why: why.to_owned() }; cut.max(1)]
    }

    async fn handle(&mut self, event: Event) {
        let run = self.plan.run;
        match event {
            Event::Asking { tier, again } => {
                self.in_flight.insert(tier);
                self.journal.send(JudgingEvent::Asking { run, tier, again }).await;
            }
            Event::Answered { tier, record } => {
                self.in_flight.remove(&tier);
                if let Some(record) = shown(&record) {
                    let record = Arc::new(record);
                    self.journal.send(JudgingEvent::Answered { run, tier, record }).await;
                }
            }
            Event::Round(round) => self.keep(*round).await,
        }
    }

    /// Keeps a round.
    async fn keep(&mut self, round: Round) {
        if let Some(tier) = round.tier {
            self.in_flight.remove(&tier);
        }
        self.spent += round.cost.unwrap_or(0.0);
        let judge = round.tier.and_then(|tier| self.plan.judges.get(tier as usize));
        let evaluated = Evaluated {
            run: self.plan.run,
            item: 0,
            record: self.plan.begun.items.first().and_then(|item| item.record),
            prompt: judge.map_or_else(PromptUsed::default, |judge| judge.prompt.clone()),
            cost: round.cost,
            family: JudgementKind::Task,
            evaluation: line(&round.record).unwrap_or_default(),
        };
        self.rounds += 1;
        self.journal.keep(b"round", self.rounds, evaluated, self.spent).await;
    }
}

/// The time, as precise as that of other records.
fn precise(services: &Services) -> Timestamp {
    Timestamp((services.clock)().0 / 1000 * 1000)
}

/// A record as it would be in a log, secrets masked.
fn line(record: &TaskRecord) -> Option<Value> {
    serde_json::from_str(&record.line().ok()?).ok()
}

/// A record as any is shown: read by the same reader.
fn shown(record: &TaskRecord) -> Option<ShownRecord> {
    let raw = record.line().ok()?;
    let read = crate::jsonl::read_one(raw.as_bytes(), &crate::jsonl::Settings::default())?;
    Some(ShownRecord::new(&read, Masking::On))
}
