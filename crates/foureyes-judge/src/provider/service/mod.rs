//! Asking a service of this program, which asks the judges: `POST /v1/judgements`.
//!
//! What it answers counts only with a signature of a pinned key, and only for the question and the nonce
//! that were sent.

mod verify;

pub use super::http::{Error, Settings};
pub use verify::{ServiceKeys, Unverified};

use super::follow::Follower;
use super::http::{
    Completion, Endpoint, KeyHeader, Posted, Protocol, Wish, Without, Wrong, is_final, last_event,
};
use super::{Ask, Failure, FailureKind};
use crate::engine::judgements::{
    Judgement, JudgementRequest, JudgementStage, RelevanceJudgement, RelevanceRequest,
    SignedJudgement,
};
use std::time::Duration;
use tokio::time::Instant;

/// Where judgements are asked for, below the base.
const RESOURCE: &str = "judgements";

static PROTOCOL: Protocol = Protocol {
    name: "service ",
    resource: RESOURCE,
    models: "models",
    key: KeyHeader { header: "authorization", before: "Bearer " },
    headers: &[],
    body: no_question,
    read: no_answer,
    ended: |_| false,
    unwanted: no_wish,
};

/// A service of this program.
#[derive(Debug)]
pub struct Service {
    endpoint: Endpoint,
    keys: ServiceKeys,
    /// For whom judgements must be made, where that is known.
    client: Option<String>,
}

/// A judgement whose signature, nonce and question were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Received<T = Judgement> {
    /// It.
    pub judgement: T,
    /// Calls of the service.
    pub attempts: u32,
    /// Those of them to which nothing was answered.
    pub unanswered: u32,
    /// From the first of them to the last byte.
    pub latency: Duration,
}

impl Service {
    /// Checks the settings and the pinned public keys. Nothing is connected or looked up yet.
    ///
    /// # Errors
    /// When the address, the token or a public key cannot be used.
    pub fn new(settings: Settings, keys: &[String]) -> Result<Self, Error> {
        let keys = ServiceKeys::pinned(keys).ok_or(Error::ServiceKey)?;
        Ok(Self { endpoint: Endpoint::new(&PROTOCOL, settings)?, keys, client: None })
    }

    /// The same, whose judgements must be made for this client.
    pub fn of_client(self, client: Option<String>) -> Self {
        Self { client, ..self }
    }

    /// The whole address of the service: it holds no secret.
    pub fn base(&self) -> String {
        self.endpoint.base()
    }

    /// Calls that are made for one judgement at most.
    pub fn calls(&self) -> u32 {
        self.endpoint.calls()
    }

    /// The models of its judges.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn models(&self, until: Instant) -> Result<Vec<String>, Failure> {
        self.endpoint.models(until).await
    }

    /// Asks for a judgement of the content with this hash. The service is told how long is waited, and reports
    /// how far it is where somebody follows that.
    ///
    /// # Errors
    /// Every way of getting no judgement; one that cannot be verified is an invalid answer.
    pub async fn judge(
        &self,
        mut request: JudgementRequest,
        content_sha: &str,
        calls: Option<u32>,
        until: Instant,
    ) -> Result<Received, Failure> {
        let follower = Follower::present();
        let is_followed = follower.is_some();
        let look = move |events: &[u8]| {
            let Some((name, data)) = last_event(events) else { return false };
            if let (Some(follower), Some(stage)) = (&follower, JudgementStage::read(name, data)) {
                follower.report(stage);
            }
            is_final(name)
        };
        let events = is_followed.then_some(&look as _);
        let posted = self.endpoint.post(RESOURCE, calls, until, events, |left| {
            request.deadline_ms = Some(milliseconds(left));
            serde_json::to_vec(&request).unwrap_or_default()
        });
        let posted = posted.await?;
        self.received(posted, |signed| {
            let judgement = self.keys.verified(signed, &request, content_sha)?;
            self.check_client(&judgement.client).map(|()| judgement)
        })
    }

    /// Asks which memories help.
    ///
    /// # Errors
    /// As [`Service::judge`].
    pub async fn choose(
        &self,
        mut request: RelevanceRequest,
        until: Instant,
    ) -> Result<Received<RelevanceJudgement>, Failure> {
        let posted = self.endpoint.post(RESOURCE, None, until, None, |left| {
            request.deadline_ms = Some(milliseconds(left));
            serde_json::to_vec(&request).unwrap_or_default()
        });
        let posted = posted.await?;
        self.received(posted, |signed| {
            let judgement = self.keys.chosen(signed, &request)?;
            self.check_client(&judgement.client).map(|()| judgement)
        })
    }

    /// Checks for whom a judgement was made: something on the way may have asked with another client's token, for
    /// whose families four eyes are decided then.
    fn check_client(&self, client: &str) -> Result<(), Unverified> {
        match self.client.as_deref().is_none_or(|pinned| pinned == client) {
            true => Ok(()),
            false => Err(Unverified::Client),
        }
    }

    fn received<T>(
        &self,
        posted: Posted,
        verify: impl FnOnce(&SignedJudgement) -> Result<T, Unverified>,
    ) -> Result<Received<T>, Failure> {
        let signed = serde_json::from_slice::<SignedJudgement>(&posted.body);
        let verified = signed.map_err(|_| Unverified::Unsigned).and_then(|signed| verify(&signed));
        let Posted { attempts, unanswered, latency, .. } = posted;
        match verified {
            Ok(judgement) => Ok(Received { judgement, attempts, unanswered, latency }),
            Err(why) => {
                let what = format!("failed to verify the judgement of {}: {why}", self.base());
                let failure = Failure::new(FailureKind::InvalidAnswer, what);
                Err(Failure { attempts, unanswered, latency, uncounted: 0, ..failure })
            }
        }
    }

    /// What a question gets that is no judgement.
    pub(super) fn no_questions() -> Failure {
        let what = "a service judges pushes, tasks and memories, and answers no other questions";
        Failure { attempts: 0, ..Failure::new(FailureKind::Unavailable, what) }
    }
}

fn milliseconds(left: Duration) -> u64 {
    u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
}

// A service is never asked a question: `Provider::ask` ends before.
fn no_question(_: &Ask, _: Without) -> Vec<u8> {
    Vec::new()
}

fn no_answer(_: &[u8], _: &str) -> Result<Completion, Wrong> {
    Err(Wrong::Shape("a service answers no questions", None))
}

fn no_wish(_: &str) -> Option<Wish> {
    None
}
