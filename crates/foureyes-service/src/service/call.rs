//! From a request that was checked to its line in the log.

use super::admission::Held;
use super::flights::{Ended, Entered, Job, NotTaken, Outcome, Room, Ticket};
use super::log::{FourEyes, Key, Line};
use super::refusal::Refusal;
use super::server::{Server, now};
use super::setup::Setup;
use super::subject::Subject;
use super::token::Token;
use crate::engine::judgements::{JudgementStage, RequestKind, SignedJudgement};
use crate::engine::panel::Tier;
use crate::text::hex;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// Where it is reported how far a judgement is; nothing but the latest is kept.
type Progress = watch::Sender<Option<JudgementStage>>;

/// How often a place in the queue is looked up for a client that follows it.
const LOOK: Duration = Duration::from_secs(1);

/// A request that is well-formed and allowed, without what it is about.
pub(super) struct Call {
    pub(super) kind: RequestKind,
    pub(super) tier: Option<Tier>,
    pub(super) nonce: String,
    pub(super) content_sha: String,
    pub(super) question_sha: String,
    pub(super) token: Token,
    pub(super) until: Instant,
    pub(super) memory: Held,
    /// Where it is reported how far it is, for a client that follows it.
    pub(super) progress: Option<Progress>,
}

impl Call {
    /// The line of the log that it gets, without what came of it.
    pub(super) fn line(&self, key: &Key, four_eyes: FourEyes) -> Result<Line, Refusal> {
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|_| Refusal::bug())?;
        Ok(Line {
            schema: Default::default(),
            id: hex::encode(&id),
            at_us: now().0,
            client: self.token.client.clone(),
            kind: self.kind,
            tier: self.tier,
            question_sha: self.question_sha.clone(),
            content_sha: self.content_sha.clone(),
            judged_sha: hex::encode(key),
            four_eyes,
            of: None,
            evaluation: None,
            choice: None,
        })
    }

    /// Finds the judgement of the same question, or waits for it, and begins it where nobody has: its line,
    /// and whether this request began it.
    pub(super) async fn judged(
        self,
        server: &Server,
        setup: &Setup,
        (key, line): (Key, &Line),
        subject: Subject,
    ) -> Result<(Arc<Line>, bool), Refusal> {
        let Self { token, until, memory, progress, .. } = self;
        let client = &token.client;
        let job = |reservation| Job { line: line.clone(), subject, reservation, _memory: memory };
        let is_writable = server.is_writable().await;
        let reserve = || match server.admission.account.reserve(client, token.per_day) {
            _ if !is_writable => Err(NotTaken::Unwritable),
            Err(_) => Err(NotTaken::Unwritable),
            Ok(reservation) => reservation.ok_or(NotTaken::Cap),
        };
        let room = Room { queue: setup.settings.queue, client: setup.settings.client_queue };
        let known = || server.log.find(&key);
        let entered = server.flights.enter((key, client, room), known, reserve, job);
        match entered.map_err(|why| not_taken(server, why))? {
            // A line that is damaged is as good as none, but nobody else may be asked for it.
            Entered::Known(entry) => {
                let line = server.log.read(entry).ok_or_else(Refusal::damaged)?;
                Ok((Arc::new(line), false))
            }
            Entered::Waiting(ticket, began) => {
                let outcome = timeout_at(until, followed(ticket, progress)).await;
                Ok((logged(server, outcome.map_err(|_| Refusal::late())?)?, began))
            }
        }
    }
}

/// Waits for a judgement, and reports how far it is.
async fn followed(mut ticket: Ticket, progress: Option<Progress>) -> Outcome {
    let Some(progress) = progress else { return ticket.wait().await };
    loop {
        let stage = ticket.stage();
        progress.send_if_modified(|latest| {
            let is_other = stage.is_some() && *latest != stage;
            if is_other {
                *latest = stage;
            }
            is_other
        });
        if let Some(outcome) = ticket.moved(LOOK).await {
            return outcome;
        }
    }
}

fn logged(server: &Server, outcome: Outcome) -> Result<Arc<Line>, Refusal> {
    match outcome {
        Ok(line) => Ok(line),
        Err(Ended::Draining) => Err(Refusal::draining()),
        Err(Ended::Unwritable) => Err(Refusal::unwritable()),
        Err(Ended::Unlogged(why)) => Err(Refusal::unlogged(&why)),
        Err(Ended::Failed) => {
            server.metrics.verdict("failed");
            Err(Refusal::bug())
        }
    }
}

fn not_taken(server: &Server, why: NotTaken) -> Refusal {
    match why {
        NotTaken::Draining => Refusal::draining(),
        NotTaken::Cap => Refusal::cap(server.now()),
        NotTaken::Unwritable => Refusal::unwritable(),
        NotTaken::Full(full) => Refusal::full(full, server.wait_for_room()),
    }
}

/// A judgement, signed.
pub(super) fn signed(
    setup: &Setup,
    judgement: &impl Serialize,
) -> Result<SignedJudgement, Refusal> {
    let judgement = serde_json::to_string(judgement).map_err(|_| Refusal::bug())?;
    let signature = setup.signer.sign(&SignedJudgement::signed_bytes(&judgement));
    Ok(SignedJudgement { judgement, signature, key: setup.public_key().to_owned() })
}
