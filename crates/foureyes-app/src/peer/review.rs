//! A peer is asked, and every answer is in the ledger before it is reported.

use crate::domain::Timestamp;
use crate::domain::review::{
    Act, EntryId, Evaluated, ItemLeft, PeerDraw, PromptUsed, Reviewer, RunBegun, RunEnded, RunItem,
};
use crate::judging::{Control, Evaluation, Event, Item, Judge, RunLimits, run};
use crate::store::ledger::{Ledger, LedgerError, fresh_id, id_of};
use std::sync::Arc;
use tokio::sync::{mpsc, watch};

/// Events that may wait.
const EVENTS: usize = 16;

/// Whom to ask about what.
#[derive(Debug)]
pub struct Plan {
    /// The peer.
    pub judge: Judge,
    /// Its prompt.
    pub prompt: PromptUsed,
    /// How the items were drawn.
    pub draw: PeerDraw,
    /// What it may take.
    pub limits: RunLimits,
    /// What is reviewed, and its content.
    pub items: Vec<(RunItem, Item)>,
}

/// A step of a review.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// A verdict was reviewed: which item, and what came of it.
    Reviewed(usize, Box<Evaluation>),
    /// A verdict was not reviewed: which item, and why.
    Left(usize, &'static str),
}

/// Asks about each item; gives the id of the run.
///
/// # Errors
/// A ledger that cannot be written: nothing further is asked then.
pub async fn review(
    ledgers: &mut Ledger,
    reviewer: &Reviewer,
    plan: Plan,
    clock: impl Fn() -> Timestamp,
    control: watch::Receiver<Control>,
    mut notify: impl FnMut(Progress),
) -> Result<EntryId, LedgerError> {
    let (rows, items): (Vec<RunItem>, Vec<Item>) = plan.items.into_iter().unzip();
    let begun = RunBegun {
        model: plan.judge.model.clone(),
        prompt: plan.prompt.clone(),
        cap: plan.limits.cap,
        peer: Some(plan.draw),
        items: rows.clone(),
        ..RunBegun::default()
    };
    let run_id = fresh_id(clock());
    ledgers.append(reviewer, run_id, clock(), &Act::Run(Box::new(begun)))?;
    let mut keeper =
        Keeper { ledgers, reviewer, run: run_id, prompt: plan.prompt, left: Vec::new() };
    let (sender, mut events) = mpsc::channel(EVENTS);
    let work = run(Arc::new(plan.judge), items.clone(), plan.limits, sender, control);
    let handle = async {
        let mut failed = None;
        while let Some(event) = events.recv().await {
            if failed.is_some() {
                continue;
            }
            match keeper.keep(event, (&rows, &items), &clock) {
                Ok(step) => step.into_iter().for_each(&mut notify),
                Err(error) => {
                    failed = Some(error);
                    // Where nothing can be kept, nothing more is asked.
                    events.close();
                }
            }
        }
        failed
    };
    let (_, failed) = tokio::join!(work, handle);
    failed.map_or(Ok(()), Err)?;
    keeper.end(clock())?;
    Ok(run_id)
}

/// Writes down what comes of a review.
struct Keeper<'a> {
    ledgers: &'a mut Ledger,
    reviewer: &'a Reviewer,
    run: EntryId,
    prompt: PromptUsed,
    left: Vec<ItemLeft>,
}

impl Keeper<'_> {
    fn keep(
        &mut self,
        event: Event,
        (rows, items): (&[RunItem], &[Item]),
        clock: &impl Fn() -> Timestamp,
    ) -> Result<Option<Progress>, LedgerError> {
        let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        match event {
            Event::Started { .. } => Ok(None),
            Event::Done { index, evaluation, .. } => {
                let (Some(row), Some(item)) = (rows.get(index), items.get(index)) else {
                    return Ok(None);
                };
                // As precise as other records.
                let time = Timestamp(clock().0 / 1000 * 1000);
                let line = evaluation.record(item, time, None).line().ok();
                let evaluated = Evaluated {
                    run: self.run,
                    item: number(index),
                    record: row.record,
                    prompt: self.prompt.clone(),
                    cost: evaluation.cost,
                    family: super::family(),
                    // As it would be in a log, secrets masked.
                    evaluation: line
                        .and_then(|line| serde_json::from_str(&line).ok())
                        .unwrap_or_default(),
                };
                let name = [&self.run.0[..], b"item", &number(index).to_be_bytes()].concat();
                let act = Act::Evaluation(Box::new(evaluated));
                self.ledgers.append(self.reviewer, id_of(&name), time, &act)?;
                Ok(Some(Progress::Reviewed(index, evaluation)))
            }
            Event::Skipped { index, why } => {
                self.left.push(ItemLeft { item: number(index), why: why.words().to_owned() });
                Ok(Some(Progress::Left(index, why.words())))
            }
        }
    }

    fn end(self, now: Timestamp) -> Result<(), LedgerError> {
        let entry = id_of(&[&self.run.0[..], b"end"].concat());
        let act = Act::RunEnd(RunEnded { run: self.run, left: self.left });
        self.ledgers.append(self.reviewer, entry, now, &act).map(drop)
    }
}
