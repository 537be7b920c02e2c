//! Many contents judged, some at the same time, within time and money.

use super::{Evaluation, Item, Judge, Ration, evaluate_within};
use crate::engine::cost::{Refused, Reserved, Spend};
use crate::provider::numbered;
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

impl Skipped {
    /// It in words, the same in records, in ledgers and on screens.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Time => "there was no time left",
            Self::Spend(refused) => refused.words(),
            Self::Failed => "a bug of the program ended it",
        }
    }
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
        asked_alone: judge.settings.no_routes,
        judge,
        limits,
        events,
        tasks: JoinSet::new(),
        running: HashMap::new(),
        summary: Summary { spend: Spend::with_cap(limits.cap), ..Summary::default() },
    };
    let mut waiting = items.into_iter().enumerate();
    let mut controlled = true;
    // What waits for money that is set aside for others.
    let mut held: Option<(usize, Item)> = None;
    loop {
        let wanted = if work.events.is_closed() { Control::Drop } else { *control.borrow() };
        if wanted == Control::Drop {
            work.tasks.abort_all();
        }
        if let Some((index, item)) = held.take() {
            held = work.begin(index, item, wanted).await;
        }
        while held.is_none() && work.running.len() < limits.parallel.max(1) {
            let Some((index, item)) = waiting.next() else { break };
            held = work.begin(index, item, wanted).await;
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
    /// Whether the price of the model that is asked for is all that a call may cost.
    asked_alone: bool,
    summary: Summary,
}

impl Work {
    /// Begins an item; gives it back where money may be left for it once others have ended, which
    /// mostly cost less than was set aside.
    async fn begin(&mut self, index: usize, item: Item, wanted: Control) -> Option<(usize, Item)> {
        let now = Instant::now();
        let reserved = if wanted != Control::Go {
            Err(Skipped::Stopped)
        } else if now >= self.limits.until {
            Err(Skipped::Time)
        } else {
            // Without a cap nothing need be reckoned.
            let a_call = self.limits.cap.and_then(|_| self.judge.most_by(&item, self.asked_alone));
            self.summary
                .spend
                .reserve(a_call, self.judge.calls_about(&item))
                .map_err(Skipped::Spend)
        };
        let reserved = match reserved {
            Ok(reserved) => reserved,
            Err(Skipped::Spend(Refused::Cap)) if !self.running.is_empty() => {
                return Some((index, item));
            }
            Err(why) => {
                self.skip(index, why).await;
                return None;
            }
        };
        let until = (now + self.limits.each).min(self.limits.until);
        let judge = Arc::clone(&self.judge);
        let capped = self.limits.cap.is_some();
        let ration = Ration { until, calls: None, capped, again: true };
        let task = self.tasks.spawn(numbered(index, async move {
            evaluate_within(&judge, &item, ration, None).await
        }));
        self.running.insert(task.id(), (index, reserved));
        self.send(Event::Started { index }).await;
        None
    }

    async fn end(&mut self, ended: Result<(Id, Evaluation), JoinError>) {
        let id = match &ended {
            Ok((id, _)) => *id,
            Err(error) => error.id(),
        };
        let (index, reserved) = self.running.remove(&id).unwrap_or_default();
        match ended {
            Ok((_, evaluation)) => {
                self.judge.settle(&mut self.summary.spend, reserved, &evaluation);
                // What was said of the endpoint is not so.
                self.asked_alone &= !self.judge.is_by_another(&evaluation);
                self.summary.done += 1;
                let spent = self.summary.spend.spent;
                let evaluation = Box::new(evaluation);
                self.send(Event::Done { index, evaluation, spent }).await;
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
        self.send(Event::Skipped { index, why }).await;
    }

    /// A listener that is gone is noticed by the loop.
    async fn send(&self, event: Event) {
        let _ = self.events.send(event).await;
    }
}
