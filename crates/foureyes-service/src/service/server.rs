//! What all requests share.

use super::flights::Flights;
use super::log::Log;
use super::metrics::Metrics;
use super::refusal::Refusal;
use super::setup::Setup;
use super::token::{Token, Tokens};
use crate::domain::Timestamp;
use hyper::header::{AUTHORIZATION, HeaderMap};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Bytes of one unit of memory.
const UNIT: usize = 1024;
/// Longest time that a client is asked to wait before it tries again.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Everything that requests share.
#[derive(Debug)]
pub(super) struct Server {
    setup: RwLock<Arc<Setup>>,
    pub(super) tokens: Tokens,
    pub(super) log: Log,
    pub(super) flights: Arc<Flights>,
    pub(super) metrics: Metrics,
    /// Memory for requests, in units of [`UNIT`].
    pub(super) memory: Arc<Semaphore>,
    pub(super) open: AtomicUsize,
}

impl Server {
    pub(super) fn new(setup: Arc<Setup>, tokens: Tokens, log: Log) -> Self {
        let units = units(setup.settings.memory_bytes) as usize;
        Self {
            memory: Arc::new(Semaphore::new(units)),
            setup: RwLock::new(setup),
            tokens,
            log,
            flights: Arc::new(Flights::new()),
            metrics: Metrics::default(),
            open: AtomicUsize::new(0),
        }
    }

    /// What holds now.
    pub(super) fn setup(&self) -> Arc<Setup> {
        Arc::clone(&self.setup.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has another setup hold from here on. What is under way ends as it began.
    pub(super) fn replace(&self, setup: Arc<Setup>) {
        *self.setup.write().unwrap_or_else(PoisonError::into_inner) = setup;
    }

    /// The time.
    pub(super) fn now(&self) -> Timestamp {
        now()
    }

    /// How long it takes until there may be room in the queue.
    pub(super) fn wait_for_room(&self) -> Duration {
        let (waiting, _) = self.flights.counts();
        let workers = self.setup().settings.workers.max(1);
        let rounds = u32::try_from(waiting / workers + 1).unwrap_or(u32::MAX);
        let wait = self.metrics.mean().saturating_mul(rounds);
        wait.clamp(Duration::from_secs(1), LONGEST_WAIT)
    }

    /// Why new contents are not taken.
    pub(super) fn problem(&self) -> Option<String> {
        if self.flights.is_draining() {
            return Some("the service is shutting down".to_owned());
        }
        self.tokens.problem().map(|_| "the file of tokens cannot be used".to_owned())
    }

    pub(super) fn token(&self, headers: &HeaderMap) -> Result<Token, Refusal> {
        let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let sent = sent.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        let found = self.tokens.find(sent).map_err(|_| Refusal::no_tokens())?;
        found.filter(|token| !token.is_expired(self.now())).ok_or_else(Refusal::no_token)
    }
}

/// The time by the clock of this machine.
pub(super) fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

/// So many bytes in units, at least one.
pub(super) fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT).max(1)).unwrap_or(u32::MAX)
}
