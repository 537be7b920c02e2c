//! Judgements that are on their way: each once, however many wait for it.

use super::admission::{Full, Held, Reservation};
use super::log::{Key, Line};
use super::queue::FairQueue;
use super::subject::Subject;
use crate::engine::judgements::JudgementStage;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

/// What came of one: the line of the log, or why there is none.
pub(super) type Outcome = Result<Arc<Line>, Ended>;

/// Why there is no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ended {
    /// The service ends.
    Draining,
    /// The log could not be written, and the judge was not asked.
    Unwritable,
    /// The judge was asked, and its line could not be written.
    Unlogged(String),
    /// A bug.
    Failed,
}

/// What is to be judged.
#[derive(Debug)]
pub(super) struct Job {
    /// The line of the log, without what came of it.
    pub(super) line: Line,
    pub(super) subject: Subject,
    /// What it takes of its client's contents of a day.
    pub(super) reservation: Reservation,
    /// What its request takes of the memory.
    pub(super) _memory: Held,
}

/// One judgement on its way.
#[derive(Debug)]
pub(super) struct Flight {
    key: Key,
    pub(super) job: Job,
    outcome: watch::Sender<Option<Outcome>>,
    /// Calls of the judge that began.
    pub(super) calls: watch::Sender<u32>,
}

/// How many may wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) queue: usize,
    pub(super) client: usize,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Flights {
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Debug)]
struct State {
    open: HashMap<Key, Open>,
    queue: FairQueue<Arc<Flight>>,
    draining: bool,
}

#[derive(Debug)]
struct Open {
    flight: Arc<Flight>,
    waiters: usize,
    /// The judge is asked, or about to be: it goes on to its end, whoever waits for it.
    asked: bool,
}

/// Why a request is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// The queue is.
    Full(Full),
    /// The service ends.
    Draining,
    /// The client's contents of the day are used up.
    Cap,
    /// What it comes to could not be written.
    Unwritable,
}

/// What a request finds.
pub(super) enum Entered<T> {
    /// What is known already.
    Known(T),
    /// A judgement on its way; whether this request began it.
    Waiting(Ticket, bool),
}

/// A place among those who wait for one judgement. Where the last one goes before the judge is asked, it is not.
#[derive(Debug)]
pub(super) struct Ticket {
    flights: Arc<Flights>,
    key: Key,
    outcome: watch::Receiver<Option<Outcome>>,
    calls: watch::Receiver<u32>,
}

impl Flights {
    pub(super) fn new() -> Self {
        let state = State { open: HashMap::new(), queue: FairQueue::new(), draining: false };
        Self { state: Mutex::new(state), wake: Notify::new() }
    }

    /// Contents that wait, and such as are judged.
    pub(super) fn counts(&self) -> (usize, usize) {
        let state = self.state();
        (state.queue.length(), state.open.len() - state.queue.length())
    }

    /// Takes a request: joins the judgement that is on its way, or finds what is `known`, or begins one, where the
    /// client may have one more.
    pub(super) fn enter<T>(
        self: &Arc<Self>,
        (key, client, room): (Key, &str, Room),
        known: impl FnOnce() -> Option<T>,
        reserve: impl FnOnce() -> Result<Reservation, NotTaken>,
        job: impl FnOnce(Reservation) -> Job,
    ) -> Result<Entered<T>, NotTaken> {
        let mut state = self.state();
        let ticket = |flight: &Flight| Ticket {
            flights: Arc::clone(self),
            key,
            outcome: flight.outcome.subscribe(),
            calls: flight.calls.subscribe(),
        };
        if let Some(open) = state.open.get_mut(&key) {
            open.waiters += 1;
            return Ok(Entered::Waiting(ticket(&open.flight), false));
        }
        // What is being logged is open until it is known: one of both finds it.
        if let Some(known) = known() {
            return Ok(Entered::Known(known));
        }
        if state.draining {
            return Err(NotTaken::Draining);
        }
        let job = job(reserve()?);
        let (outcome, calls) = (watch::Sender::new(None), watch::Sender::new(0));
        let flight = Arc::new(Flight { key, job, outcome, calls });
        let pushed = state.queue.push(client, Arc::clone(&flight), (room.queue, room.client));
        pushed.map_err(NotTaken::Full)?;
        // Only now: a ticket that is dropped waits for the lock that is held here.
        let own = ticket(&flight);
        state.open.insert(key, Open { flight, waiters: 1, asked: false });
        drop(state);
        self.wake.notify_one();
        Ok(Entered::Waiting(own, true))
    }

    /// The next one to be judged; none once the service ends.
    pub(super) async fn next(&self) -> Option<Arc<Flight>> {
        loop {
            let woken = self.wake.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            {
                let mut state = self.state();
                if let Some(flight) = state.queue.pop() {
                    if let Some(open) = state.open.get_mut(&flight.key) {
                        open.asked = true;
                    }
                    return Some(flight);
                }
                if state.draining {
                    return None;
                }
            }
            woken.await;
        }
    }

    /// Ends one: all who wait are told. Tells whether anybody did.
    pub(super) fn end(&self, flight: &Flight, outcome: Outcome) -> bool {
        let mut state = self.state();
        let open = state.open.remove(&flight.key);
        flight.outcome.send_replace(Some(outcome));
        open.is_some_and(|open| open.waiters > 0)
    }

    /// Takes nothing new any more, and sends away what waits.
    pub(super) fn drain(&self) {
        let mut state = self.state();
        state.draining = true;
        for flight in state.queue.drain() {
            state.open.remove(&flight.key);
            flight.outcome.send_replace(Some(Err(Ended::Draining)));
        }
        drop(state);
        self.wake.notify_waiters();
    }

    /// Whether nothing new is taken.
    pub(super) fn is_draining(&self) -> bool {
        self.state().draining
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Waits for what comes of it.
    pub(super) async fn wait(&mut self) -> Outcome {
        arrived(&mut self.outcome).await
    }

    /// Waits for it, until the judge is called again, or for so long.
    pub(super) async fn moved(&mut self, most: Duration) -> Option<Outcome> {
        tokio::select! {
            biased;
            outcome = arrived(&mut self.outcome) => Some(outcome),
            _ = self.calls.changed() => None,
            () = sleep(most) => None,
        }
    }

    fn is_of(&self, flight: &Flight) -> bool {
        flight.outcome.subscribe().same_channel(&self.outcome)
    }

    /// How far it is; none of what has ended.
    pub(super) fn stage(&self) -> Option<JudgementStage> {
        let state = self.flights.state();
        // Another one with the same key may be open, where this one has ended.
        let flight = &state.open.get(&self.key).filter(|open| self.is_of(&open.flight))?.flight;
        if let Some(place) = state.queue.place(|queued| Arc::ptr_eq(queued, flight)) {
            return Some(JudgementStage::Queued { place });
        }
        let model = flight.job.subject.model().to_owned();
        Some(JudgementStage::Judging { attempt: (*flight.calls.borrow()).max(1), model })
    }
}

async fn arrived(outcome: &mut watch::Receiver<Option<Outcome>>) -> Outcome {
    let outcome = outcome.wait_for(Option::is_some).await;
    outcome.map_or(Err(Ended::Failed), |outcome| outcome.clone().unwrap_or(Err(Ended::Failed)))
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.flights.state();
        let Some(open) = state.open.get_mut(&self.key) else { return };
        if !self.is_of(&open.flight) {
            return;
        }
        open.waiters -= 1;
        if open.waiters > 0 || open.asked {
            return;
        }
        if let Some(Open { flight, .. }) = state.open.remove(&self.key) {
            state.queue.remove(|queued| Arc::ptr_eq(queued, &flight));
        }
    }
}
