//! Many contents judged, some at the same time, within time and money.

use super::{Evaluation, Item, Judge, evaluate};
use crate::engine::cost::{Refused, Reserved, Spend};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunLimits {
    /// Contents judged at the same time, at least 1.
    pub parallel: usize,
    /// Time for one content, repeated calls included.
    pub each: Duration,
    /// When all of it ends.
    pub until: Instant,
    /// Most that it may cost.
    pub cap: Option<f64>,
}

/// What is asked of a run while it runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Control {
    /// Goes on.
    #[default]
    Go,
    /// Begins nothing new, and finishes what was begun.
    Stop,
    /// Ends at once; calls are cut.
    Drop,
}

/// Why an item was not judged. There is no record of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// It was to stop, or to end at once.
    Stopped,
    /// There was no time left.
    Time,
    /// There was no money left, or it is not known what the call would cost.
    Spend(Refused),
    /// The judging of it ended by a bug.
    Failed,
}

/// What happens in a run. Items are told by their place in the list.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// An item is asked about.
    Started {
        /// Which.
        index: usize,
    },
    /// An item was judged.
    Done {
        /// Which.
        index: usize,
        /// What came of it.
        evaluation: Box<Evaluation>,
        /// What was spent so far.
        spent: f64,
    },
    /// An item was not judged.
    Skipped {
        /// Which.
        index: usize,
        /// Why.
        why: Skipped,
    },
}

/// How a run ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Items judged.
    pub done: usize,
    /// Items not judged.
    pub skipped: usize,
    /// What was spent.
    pub spend: Spend,
}

/// Judges items; tells each step as an event, every item ending in one.
///
/// Where nobody listens any more, it ends as if it were dropped. Dropping the future ends all calls.
pub async fn run(
    judge: Arc<Judge>,
    items: Vec<Item>,
    limits: RunLimits,
    events: mpsc::Sender<Event>,
    mut control: watch::Receiver<Control>,
) -> Summary {
    let mut work = Work {
        judge,
        limits,
        events,
        tasks: JoinSet::new(),
        running: HashMap::new(),
        summary: Summary { spend: Spend::with_cap(limits.cap), ..Summary::default() },
    };
    let mut waiting = items.into_iter().enumerate();
    let mut controlled = true;
    loop {
        let wanted = if work.events.is_closed() { Control::Drop } else { *control.borrow() };
        if wanted == Control::Drop {
            work.tasks.abort_all();
        }
        while work.running.len() < limits.parallel.max(1) {
            let Some((index, item)) = waiting.next() else { break };
            work.begin(index, item, wanted).await;
        }
        tokio::select! {
            changed = control.changed(), if controlled => controlled = changed.is_ok(),
            () = work.events.closed(), if wanted != Control::Drop => {}
            ended = work.tasks.join_next_with_id() => match ended {
                Some(ended) => work.end(ended).await,
                None => return work.summary,
            },
        }
    }
}

struct Work {
    judge: Arc<Judge>,
    limits: RunLimits,
    events: mpsc::Sender<Event>,
    tasks: JoinSet<Evaluation>,
    /// Which item a task judges, and what was set aside for it.
    running: HashMap<Id, (usize, Reserved)>,
    summary: Summary,
}

impl Work {
    async fn begin(&mut self, index: usize, item: Item, wanted: Control) {
        let now = Instant::now();
        let reserved = if wanted != Control::Go {
            Err(Skipped::Stopped)
        } else if now >= self.limits.until {
            Err(Skipped::Time)
        } else {
            // Without a cap nothing need be reckoned.
            let a_call = self.limits.cap.and_then(|_| self.judge.most(&item));
            self.summary.spend.reserve(a_call, self.judge.calls()).map_err(Skipped::Spend)
        };
        let reserved = match reserved {
            Ok(reserved) => reserved,
            Err(why) => return self.skip(index, why).await,
        };
        let until = (now + self.limits.each).min(self.limits.until);
        let judge = Arc::clone(&self.judge);
        let task = self.tasks.spawn(async move { evaluate(&judge, &item, until).await });
        self.running.insert(task.id(), (index, reserved));
        self.tell(Event::Started { index }).await;
    }

    async fn end(&mut self, ended: Result<(Id, Evaluation), JoinError>) {
        let id = match &ended {
            Ok((id, _)) => *id,
            Err(error) => error.id(),
        };
        let (index, reserved) = self.running.remove(&id).unwrap_or_default();
        match ended {
            Ok((_, evaluation)) => {
                let unpriced = evaluation.cost.is_none() && evaluation.usage.is_some();
                let uncounted = evaluation.uncounted.max(u32::from(unpriced));
                let counted = evaluation.cost.unwrap_or(0.0);
                self.summary.spend.settle(reserved, counted, uncounted);
                self.summary.done += 1;
                let spent = self.summary.spend.spent;
                let evaluation = Box::new(evaluation);
                self.tell(Event::Done { index, evaluation, spent }).await;
            }
            Err(error) => {
                self.summary.spend.lose(reserved);
                let why = if error.is_panic() { Skipped::Failed } else { Skipped::Stopped };
                self.skip(index, why).await;
            }
        }
    }

    async fn skip(&mut self, index: usize, why: Skipped) {
        self.summary.skipped += 1;
        self.tell(Event::Skipped { index, why }).await;
    }

    /// A listener that is gone is noticed by the loop.
    async fn tell(&self, event: Event) {
        let _ = self.events.send(event).await;
    }
}
