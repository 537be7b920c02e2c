//! A run: every answer is in the ledger before it is reported.

use super::journal::Journal;
use super::{connection, prompts};
use crate::domain::JudgementKind;
use crate::domain::review::{Evaluated, ItemLeft, PromptUsed};
use crate::engine::panel::Tier;
use crate::engine::record::TaskRecord;
use crate::engine::verdict::PUSH;
use crate::judging::task::{self, Before, Judges, Round, TaskAsk, judge_controlled};
use crate::judging::{
    Control, Evaluation, Event, Item, Judge, RunLimits, Skipped, configured, run as judge_all,
};
use crate::report::Masking;
use crate::source::ssh::Link;
use crate::tui::judging::{JudgingEvent, RunPlan, RunWork, TaskPlan};
use crate::tui::model::{Problem, ShownRecord};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc::{channel, unbounded_channel};
use tokio::sync::watch;

/// Events of a run that may wait: of answers that were paid for, few may be in no ledger yet.
const EVENTS: usize = 1;

/// Judges what a plan says, and reports it.
pub(super) async fn run(journal: Journal, plan: Arc<RunPlan>, control: watch::Receiver<Control>) {
    let (run, left, in_flight) = (plan.run, Vec::new(), BTreeSet::new());
    let mut task = RunTask { journal, plan: &plan, left, in_flight, kept: 0, spent: 0.0 };
    let (result, ledger) = match task.begin(control.clone()).await {
        Ok(asked) => {
            task.journal.send(JudgingEvent::Began { run }).await;
            match asked {
                // The way to the judge ends with its connection.
                Asked::Judge(judge, items, _link) => task.judge(*judge, items, control).await,
                Asked::Judges(judges, plan) => task.judge_task(&judges, plan, control).await,
            }
            let left = std::mem::take(&mut task.left);
            task.journal.end(left).await
        }
        Err(problem) => (Err(problem), None),
    };
    task.journal.send(JudgingEvent::Ended { run, result, ledger }).await;
}

/// Whoever is asked, and about what.
enum Asked<'a> {
    Judge(Box<Judge>, &'a [Result<Item, String>], Option<Link>),
    Judges(Judges, &'a TaskPlan),
}

struct RunTask<'a> {
    journal: Journal,
    plan: &'a RunPlan,
    left: Vec<ItemLeft>,
    /// Items that are asked about; of a task, its tiers that are asked and have not answered.
    in_flight: BTreeSet<usize>,
    /// Rounds of a task that are over.
    kept: u64,
    /// What they cost, as far as that is known.
    spent: f64,
}

impl<'a> RunTask<'a> {
    /// Makes the judges and writes down that the run begins.
    async fn begin(&self, mut control: watch::Receiver<Control>) -> Result<Asked<'a>, Problem> {
        let made = tokio::select! {
            made = self.configure() => made?,
            _ = control.wait_for(|wanted| *wanted != Control::Go) => {
                return Err(Problem::new("the run ended before anything was sent", ""));
            }
        };
        self.journal.begin(&self.plan.begun).await?;
        Ok(made)
    }

    /// What the form showed is what is asked, whatever became of its files since.
    async fn configure(&self) -> Result<Asked<'a>, Problem> {
        let (services, begun) = (&self.journal.services, &self.plan.begun);
        let items = match &self.plan.work {
            RunWork::Contents(items) => items,
            RunWork::Task(plan) => return Ok(Asked::Judges(self.judges(plan).await?, plan)),
        };
        let (template, rubric) = prompts::cached(services, &begun.prompt)
            .ok_or_else(|| Problem::new("the prompt is gone", "open the form again"))?;
        let connection::Connection { provider, link } = connection::open(services).await?;
        let judge = Judge {
            kind: &PUSH,
            sections: &[],
            provider,
            model: begun.model.clone(),
            rubric,
            template,
            families: configured::families_of_pushes(&services.config),
            prices: services.config.prices.clone(),
            settings: configured::settings(&services.config.judge),
        };
        Ok(Asked::Judge(Box::new(judge), items, link))
    }

    async fn judges(&self, plan: &TaskPlan) -> Result<Judges, Problem> {
        let services = Arc::clone(&self.journal.services);
        // A command that prints a key takes its time.
        let made =
            tokio::task::spawn_blocking(move || (services.endpoint.judges.make)(&services.config));
        let made = made.await.map_err(|_| Problem::new("the judges could not be set up", ""))?;
        let made = made?;
        let is_shown = |tier: Tier| {
            let (judge, shown) = (made.get(tier), plan.judges.get(tier as usize));
            shown.is_some_and(|shown| {
                (&shown.model, &shown.prompt.sha) == (&judge.model, &judge.prompt_sha())
            })
        };
        if !Tier::ALL.into_iter().all(is_shown) {
            let text = "a judge or its prompt changed since the form was opened";
            return Err(Problem::new(text, "open the form again"));
        }
        Ok(made)
    }

    /// Asks one judge about each content that there is.
    async fn judge(
        &mut self,
        judge: Judge,
        contents: &[Result<Item, String>],
        control: watch::Receiver<Control>,
    ) {
        let (mut positions, mut items) = (Vec::new(), Vec::new());
        for (at, item) in contents.iter().enumerate() {
            match item {
                Ok(item) => {
                    positions.push(at);
                    items.push(item.clone());
                }
                Err(why) => self.skip(at, Cow::Owned(why.clone())).await,
            }
        }
        let positions: Arc<[usize]> = positions.into();
        let (sender, mut events) = channel(EVENTS);
        let limits = self.limits(items.len());
        let work = judge_all(Arc::new(judge), items, limits, sender, control);
        let (journal, of) = (self.journal.clone(), Arc::clone(&positions));
        let handle = async {
            while let Some(event) = events.recv().await {
                self.handle(&positions, event).await;
            }
        };
        let work = async { tokio::join!(work, handle) };
        journal.followed(move |index| position(&of, index), work).await;
    }

    fn limits(&self, items: usize) -> RunLimits {
        let config = &self.journal.services.config.judge;
        RunLimits { cap: self.plan.begun.cap, ..configured::run_limits(config, items) }
    }

    async fn handle(&mut self, positions: &[usize], event: Event) {
        let run = self.plan.run;
        match event {
            Event::Started { index } => {
                let item = position(positions, index);
                self.in_flight.insert(item);
                self.journal.send(JudgingEvent::ItemStarted { run, item }).await;
            }
            Event::Done { index, evaluation, spent } => {
                let item = position(positions, index);
                self.in_flight.remove(&item);
                self.keep_evaluation(item, *evaluation, spent).await;
            }
            Event::Skipped { index, why } => {
                let item = position(positions, index);
                let cut = self.in_flight.remove(&item) && why == Skipped::Stopped;
                let why = if cut { ItemLeft::CUT } else { why.words() };
                self.skip(item, Cow::Borrowed(why)).await;
            }
        }
    }

    async fn keep_evaluation(&self, index: usize, evaluation: Evaluation, spent: f64) {
        let RunWork::Contents(contents) = &self.plan.work else { return };
        let Some(Ok(item)) = contents.get(index) else { return };
        let record = evaluation.record(item, self.journal.time(), None);
        let line = record.line().ok();
        let prompt = self.plan.begun.prompt.clone();
        let evaluated = self.evaluated(index, JudgementKind::Push, (prompt, evaluation.cost), line);
        self.journal.keep(b"item", index as u64, evaluated, spent).await;
    }

    /// Asks the judges of tasks about the task.
    async fn judge_task(
        &mut self,
        judges: &Judges,
        plan: &TaskPlan,
        control: watch::Receiver<Control>,
    ) {
        let (journal, now) = (self.journal.clone(), self.journal.clone());
        let config = &journal.services.config;
        let person = crate::task::person_for_accept(&config.task, plan.is_sensitive, None);
        let rules = crate::task::rules(config, plan.depth, person, None);
        let run_sha = judges.run_sha(&plan.task);
        let before = Before::default();
        let ask = TaskAsk { judges, task: &plan.task, rules, run_sha: &run_sha, before };
        let (sender, mut events) = unbounded_channel();
        let send = move |event| {
            // It is read until the run is over.
            let _ = sender.send(event);
        };
        let work = judge_controlled(ask, control, || now.time(), send);
        let handle = async {
            while let Some(event) = events.recv().await {
                self.handle_task(plan, event).await;
            }
        };
        let work = async { tokio::join!(work, handle) };
        let (ended, ()) = journal.followed(|tier| tier, work).await;
        if ended.stopped {
            // A call that was cut may have been charged.
            let cut = self.in_flight.len();
            let why = if cut > 0 { ItemLeft::CUT } else { Skipped::Stopped.words() };
            for _ in 0..cut.max(1) {
                self.skip(0, Cow::Borrowed(why)).await;
            }
        }
    }

    async fn handle_task(&mut self, plan: &TaskPlan, event: task::Event) {
        let run = self.plan.run;
        match event {
            task::Event::Asking { tier, again } => {
                self.in_flight.insert(tier as usize);
                self.journal.send(JudgingEvent::Asking { run, tier, again }).await;
            }
            task::Event::Answered { tier, record } => {
                self.in_flight.remove(&(tier as usize));
                if let Some(record) = reread(&record) {
                    let record = Arc::new(record);
                    self.journal.send(JudgingEvent::Answered { run, tier, record }).await;
                }
            }
            task::Event::Round(round) => self.keep_round(plan, *round).await,
        }
    }

    async fn keep_round(&mut self, plan: &TaskPlan, round: Round) {
        if let Some(tier) = round.tier {
            self.in_flight.remove(&(tier as usize));
        }
        self.kept += 1;
        self.spent += round.cost.unwrap_or(0.0);
        let judge = round.tier.and_then(|tier| plan.judges.get(tier as usize));
        let prompt = judge.map_or_else(PromptUsed::default, |judge| judge.prompt.clone());
        let line = round.record.line().ok();
        let evaluated = self.evaluated(0, JudgementKind::Task, (prompt, round.cost), line);
        self.journal.keep(b"round", self.kept, evaluated, self.spent).await;
    }

    /// What came of an item, with its record as it would be in a log, secrets masked.
    fn evaluated(
        &self,
        index: usize,
        family: JudgementKind,
        (prompt, cost): (PromptUsed, Option<f64>),
        line: Option<String>,
    ) -> Evaluated {
        let RunPlan { run, begun, .. } = self.plan;
        let record = begun.items.get(index).and_then(|item| item.record);
        let evaluation = line.and_then(|line| serde_json::from_str(&line).ok()).unwrap_or_default();
        let item = u32::try_from(index).unwrap_or(u32::MAX);
        Evaluated { run: *run, item, record, prompt, cost, family, evaluation }
    }

    /// Notes why an item is not judged; it is in the ledger when the run ends.
    async fn skip(&mut self, item: usize, why: Cow<'static, str>) {
        let at = u32::try_from(item).unwrap_or(u32::MAX);
        self.left.push(ItemLeft { item: at, why: why.clone().into_owned() });
        self.journal.send(JudgingEvent::ItemSkipped { run: self.plan.run, item, why }).await;
    }
}

/// Which item of the run is asked about by its question with this number.
fn position(positions: &[usize], index: usize) -> usize {
    positions.get(index).copied().unwrap_or(usize::MAX)
}

/// A record as the reader of logs reads its line.
fn reread(record: &TaskRecord) -> Option<ShownRecord> {
    let raw = record.line().ok()?;
    let read = crate::jsonl::read_one(raw.as_bytes(), &crate::jsonl::Settings::default())?;
    Some(ShownRecord::new(&read, Masking::On))
}
