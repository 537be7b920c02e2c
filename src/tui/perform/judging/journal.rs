//! What a run writes down and reports: its beginning, what came of it, its end.

use super::super::review;
use super::super::services::Services;
use crate::domain::Timestamp;
use crate::domain::review::{Act, Dated, EntryId, Evaluated, ItemLeft, RunBegun, RunEnded};
use crate::store::ledger::id_of;
use crate::tui::judging::JudgingEvent;
use crate::tui::message::Message;
use crate::tui::model::{LedgerSnapshot, Problem};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio::time::{MissedTickBehavior, interval};

/// What an append came to, and the ledgers as they are then.
pub(super) type Appended = (Result<(), Problem>, Option<Arc<LedgerSnapshot>>);

/// The entries of one run in the ledger, and its events.
#[derive(Clone)]
pub(super) struct Journal {
    pub(super) services: Arc<Services>,
    pub(super) messages: Sender<Message>,
    pub(super) run: EntryId,
}

impl Journal {
    pub(super) async fn send(&self, event: JudgingEvent) {
        // Where nobody listens any more, nobody misses it.
        let _ = self.messages.send(Message::Judging(event)).await;
    }

    /// Runs a future. Reports how far services are with what they are asked in it, and that time goes on,
    /// as far as there is room for messages. `place` gives the place that a number has in the run.
    pub(super) async fn followed<F: Future>(
        &self,
        place: impl Fn(usize) -> usize + Send + Sync + 'static,
        future: F,
    ) -> F::Output {
        let (messages, run) = (self.messages.clone(), self.run);
        let on = Arc::new(move |number, stage| {
            let of = place(number);
            let _ = messages.try_send(Message::Judging(JudgingEvent::Stage { run, of, stage }));
        });
        let followed = crate::provider::followed(on, future);
        tokio::pin!(followed);
        let mut seconds = interval(Duration::from_secs(1));
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                output = &mut followed => return output,
                _ = seconds.tick() => {
                    let _ = self.messages.try_send(Message::Clock((self.services.clock)()));
                }
            }
        }
    }

    /// The time, as precise as that of other records.
    pub(super) fn time(&self) -> Timestamp {
        Timestamp((self.services.clock)().0 / 1000 * 1000)
    }

    /// Writes down that the run begins.
    pub(super) async fn begin(&self, begun: &RunBegun) -> Result<(), Problem> {
        self.append(self.run, Act::Run(Box::new(begun.clone()))).await.0
    }

    /// Writes down what came of an item or of a round, and reports it. The name of the entry is the
    /// same however often it is tried.
    pub(super) async fn keep(&self, kind: &[u8], number: u64, evaluated: Evaluated, spent: f64) {
        let entry = id_of(&[&self.run.0[..], kind, &number.to_be_bytes()].concat());
        let time = self.time();
        let act = Act::Evaluation(Box::new(evaluated.clone()));
        let (kept, _) = self.append(entry, act).await;
        let reviewer = self.services.reviewer.as_ref().map(|who| who.name.clone());
        let reviewer = reviewer.unwrap_or_default();
        let evaluation = Arc::new(Dated { entry, time, reviewer, what: evaluated });
        let (run, unkept) = (self.run, kept.err());
        self.send(JudgingEvent::ItemJudged { run, evaluation, spent, unkept }).await;
    }

    /// Writes down that the run ended.
    pub(super) async fn end(&self, left: Vec<ItemLeft>) -> Appended {
        let entry = id_of(&[&self.run.0[..], b"end"].concat());
        self.append(entry, Act::RunEnd(RunEnded { run: self.run, left })).await
    }

    /// Appends an entry; it is on the disk when this returns.
    async fn append(&self, entry: EntryId, act: Act) -> Appended {
        let services = Arc::clone(&self.services);
        let written =
            tokio::task::spawn_blocking(move || review::write(&services, entry, act, &[])).await;
        match written {
            Ok(Message::Saved { result, ledger, .. }) => (result, ledger),
            _ => (Err(Problem::new("failed to write it to the ledger", "")), None),
        }
    }
}
