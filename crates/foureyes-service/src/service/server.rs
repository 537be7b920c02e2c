//! What all requests share.

use super::admission::{Account, Admission, Place};
use super::flights::Flights;
use super::log::{Line, Log};
use super::metrics::Metrics;
use super::refusal::Refusal;
use super::setup::Setup;
use super::token::{Token, Tokens};
use crate::domain::{Timestamp, chain};
use hyper::header::{AUTHORIZATION, HeaderMap};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

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
    pub(super) admission: Admission,
}

impl Server {
    pub(super) fn new(setup: Arc<Setup>, tokens: Tokens, log: Log, account: Account) -> Self {
        Self {
            admission: Admission::new(&setup.settings, account),
            setup: RwLock::new(setup),
            tokens,
            log,
            flights: Arc::new(Flights::new()),
            metrics: Metrics::default(),
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

    /// Whether log and account can be written, after a try where they could not.
    pub(super) async fn is_writable(&self) -> bool {
        self.log.recover().await;
        self.admission.account.recover().await;
        !self.log.is_failing() && !self.admission.account.is_failing()
    }

    /// Writes a line to the log for an answer that costs nothing. A log that cannot be written is not tried for each.
    pub(super) async fn log_line(&self, line: Line) -> Result<Line, Refusal> {
        if !self.is_writable().await {
            return Err(Refusal::unwritable());
        }
        let written = self.log.append(line.clone()).await;
        written.map_err(|error| Refusal::unlogged(&chain(&error)))?;
        Ok(line)
    }

    /// Why new contents are not taken.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.flights.is_draining() {
            return Some("the service is shutting down");
        }
        if self.log.is_failing() || self.admission.account.is_failing() {
            return Some("the log cannot be written");
        }
        self.tokens.problem().map(|_| "the file of tokens cannot be used")
    }

    /// The token of a request, whose client has room for its connection.
    pub(super) fn token(&self, headers: &HeaderMap, place: &Place) -> Result<Token, Refusal> {
        let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let found = self.tokens.find(sent.and_then(bearer).unwrap_or_default());
        let found = found.map_err(|_| Refusal::no_tokens())?;
        let token = found.filter(|token| !token.is_expired(self.now()));
        let token = token.ok_or_else(Refusal::no_token)?;
        match place.admit(&token.client) {
            true => Ok(token),
            false => Err(Refusal::connections(self.wait_for_room())),
        }
    }
}

/// The token in the value of a header. Its scheme is written in any case (RFC 9110, 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' '))
}

/// The time by the clock of this machine.
pub(super) fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}
