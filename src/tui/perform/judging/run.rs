//! A run: every answer is in the ledger before it is reported.

use super::journal::Journal;
use super::{connection, prompts};
use crate::domain::review::{Evaluated, ItemLeft};
use crate::domain::{JudgementKind, Timestamp};
use crate::engine::verdict::PUSH;
use crate::judging::{
    Control, Evaluation, Event, Judge, RunLimits, Skipped, configured, run as judge_all,
};
use crate::source::ssh::Link;
use crate::tui::judging::{JudgingEvent, RunPlan};
use crate::tui::model::Problem;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::channel;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Events of a run that may wait.
const EVENTS: usize = 64;

/// Judges what a plan says, and reports it.
pub(super) async fn run(journal: Journal, plan: Arc<RunPlan>, control: watch::Receiver<Control>) {
    let (left, positions, in_flight) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut task = RunTask { journal, plan, left, positions, in_flight };
    let run = task.plan.run;
    let (result, ledger) = match task.begin(control.clone()).await {
        Ok((judge, link)) => {
            task.journal.send(JudgingEvent::Began { run }).await;
            task.judge(judge, control).await;
            drop(link);
            let left = std::mem::take(&mut task.left);
            task.journal.end(left).await
        }
        Err(problem) => (Err(problem), None),
    };
    task.journal.send(JudgingEvent::Ended { run, result, ledger }).await;
}

struct RunTask {
    journal: Journal,
    plan: Arc<RunPlan>,
    left: Vec<ItemLeft>,
    /// Which items of the plan are asked about, in the order of the questions.
    positions: Vec<usize>,
    /// Items that are asked about.
    in_flight: BTreeSet<usize>,
}

impl RunTask {
    /// Opens the way and writes down that the run begins.
    async fn begin(
        &self,
        mut control: watch::Receiver<Control>,
    ) -> Result<(Judge, Option<Link>), Problem> {
        let made = self.configure();
        tokio::pin!(made);
        let made = tokio::select! {
            made = &mut made => made?,
            _ = control.wait_for(|wanted| *wanted != Control::Go) => {
                return Err(Problem::new("the run was ended before anything was asked", ""));
            }
        };
        self.journal.begin(&self.plan.begun).await?;
        Ok(made)
    }

    async fn configure(&self) -> Result<(Judge, Option<Link>), Problem> {
        let (services, plan) = (&self.journal.services, &self.plan);
        // What the form showed is what is asked, whatever became of its files since.
        let (template, rubric) = prompts::cached(services, &plan.begun.prompt)
            .ok_or_else(|| Problem::new("the prompt is gone", "open the form again"))?;
        let connection::Connection { provider, link } = connection::open(services).await?;
        let judge = Judge {
            kind: &PUSH,
            sections: &[],
            provider,
            model: plan.begun.model.clone(),
            rubric,
            template,
            families: configured::families_of_pushes(&services.config),
            prices: services.config.prices.clone(),
            settings: configured::settings(&services.config.judge),
        };
        Ok((judge, link))
    }

    async fn judge(&mut self, judge: Judge, control: watch::Receiver<Control>) {
        let (sender, mut events) = channel(EVENTS);
        let plan = Arc::clone(&self.plan);
        let mut items = Vec::new();
        for (at, item) in plan.items.iter().enumerate() {
            match item {
                Ok(item) => {
                    self.positions.push(at);
                    items.push(item.clone());
                }
                Err(why) => self.skip(at, Cow::Owned(why.clone())).await,
            }
        }
        let limits = self.limits(items.len());
        let work = judge_all(Arc::new(judge), items, limits, sender, control);
        let (journal, positions) = (self.journal.clone(), self.positions.clone());
        let work = journal.followed(move |index| position(&positions, index), work);
        tokio::pin!(work);
        let mut seconds = interval(Duration::from_secs(1));
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut over = false;
        loop {
            tokio::select! {
                biased;
                event = events.recv() => match event {
                    Some(event) => self.handle(event).await,
                    None => break,
                },
                _ = &mut work, if !over => over = true,
                // What a run took so far is seen going up.
                _ = seconds.tick(), if !over => self.journal.tick(),
            }
            if over && events.is_empty() {
                break;
            }
        }
    }

    fn limits(&self, items: usize) -> RunLimits {
        let config = &self.journal.services.config.judge;
        let rounds = items.div_ceil(config.parallel.max(1)).max(1);
        let whole = config.budget.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX));
        let now = Instant::now();
        let until = now.checked_add(whole).unwrap_or_else(|| now + config.budget);
        let cap = self.plan.begun.cap;
        RunLimits { parallel: config.parallel, each: config.budget, until, cap }
    }

    async fn handle(&mut self, event: Event) {
        let run = self.plan.run;
        match event {
            Event::Started { index } => {
                let item = position(&self.positions, index);
                self.in_flight.insert(item);
                self.journal.send(JudgingEvent::ItemStarted { run, item }).await;
            }
            Event::Done { index, evaluation, spent } => {
                let item = position(&self.positions, index);
                self.in_flight.remove(&item);
                self.save_evaluation(item, *evaluation, spent).await;
            }
            Event::Skipped { index, why } => {
                let item = position(&self.positions, index);
                let cut = self.in_flight.remove(&item) && why == Skipped::Stopped;
                let why = if cut { ItemLeft::CUT } else { why.words() };
                self.skip(item, Cow::Borrowed(why)).await;
            }
        }
    }

    /// Notes why an item is not judged; it is in the ledger when the run ends.
    async fn skip(&mut self, item: usize, why: Cow<'static, str>) {
        let at = u32::try_from(item).unwrap_or(u32::MAX);
        self.left.push(ItemLeft { item: at, why: why.clone().into_owned() });
        self.journal.send(JudgingEvent::ItemSkipped { run: self.plan.run, item, why }).await;
    }

    async fn save_evaluation(&self, index: usize, evaluation: Evaluation, spent: f64) {
        let (run, plan) = (self.plan.run, &self.plan);
        // As precise as other records.
        let time = Timestamp((self.journal.services.clock)().0 / 1000 * 1000);
        let Some(Ok(item)) = plan.items.get(index) else { return };
        let record = evaluation.record(item, time, None);
        // As it would be in a log, secrets masked.
        let line = record.line().ok().and_then(|line| serde_json::from_str(&line).ok());
        let evaluated = Evaluated {
            run,
            item: u32::try_from(index).unwrap_or(u32::MAX),
            record: plan.begun.items.get(index).and_then(|item| item.record),
            prompt: plan.begun.prompt.clone(),
            cost: evaluation.cost,
            family: JudgementKind::Push,
            evaluation: line.unwrap_or_default(),
        };
        self.journal.keep(b"item", index as u64, evaluated, spent).await;
    }
}

/// Which item of the run is asked about by its question with this number.
fn position(positions: &[usize], index: usize) -> usize {
    positions.get(index).copied().unwrap_or(usize::MAX)
}
