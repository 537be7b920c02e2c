//! The calls of one question: counted, timed, made again or given up.

use super::pauses;
use crate::domain::Usage;
use crate::engine::retry::{Decision, Policy, Trouble, Why};
use crate::provider::{Failure, FailureKind};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// One call that brought no answer.
pub(super) struct Fault {
    pub(super) kind: FailureKind,
    pub(super) what: String,
    pub(super) beginning: Option<String>,
    /// What came of an answer.
    pub(super) partial: Option<String>,
    /// Whether the reply calls itself an error.
    pub(super) is_error: bool,
    pub(super) usage: Option<Usage>,
    /// Whether it may have cost something: a model may have been asked.
    pub(super) may_cost: bool,
    /// Whether another call may help; nothing where that is out of the question.
    pub(super) trouble: Option<Trouble>,
}

impl Fault {
    pub(super) fn new(kind: FailureKind, what: String) -> Self {
        Self {
            kind,
            what,
            beginning: None,
            partial: None,
            is_error: false,
            usage: None,
            may_cost: true,
            trouble: None,
        }
    }

    /// The same of a call that cost nothing.
    pub(super) fn free(self) -> Self {
        Self { may_cost: false, ..self }
    }

    fn uncounted(&self) -> u32 {
        u32::from(self.may_cost && !self.usage.is_some_and(|usage| usage.is_whole()))
    }

    pub(super) fn showing(self, beginning: Option<String>) -> Self {
        Self { beginning, ..self }
    }
}

/// What one question may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    pub(super) policy: Policy,
    pub(super) until: Instant,
    /// Most calls of a model.
    pub(super) calls: u32,
    /// Most requests that may cost something.
    pub(super) paid: u32,
}

/// What was done so far for one question.
pub(super) struct Tries {
    allowance: Allowance,
    /// What is asked, as one name: questions to the same endpoint pause together.
    endpoint: String,
    began: Instant,
    waited: Duration,
    /// Requests sent, also those that asked without something.
    calls: u32,
    /// Requests to which nothing was answered.
    unanswered: u32,
    /// Requests whose connection ended without a reply.
    ended: u32,
    /// Requests that failed and may have cost something, and those of them of which nobody said how much.
    paid: u32,
    uncounted: u32,
    /// What came of answers in replies that failed.
    failed: Vec<String>,
}

/// What a question took.
pub(super) struct Taken {
    pub(super) attempts: u32,
    pub(super) unanswered: u32,
    pub(super) ended: u32,
    pub(super) uncounted: u32,
    pub(super) waited: Duration,
    pub(super) latency: Duration,
    pub(super) failed: Vec<String>,
}

impl Tries {
    pub(super) fn new(allowance: Allowance, endpoint: String) -> Self {
        Self {
            allowance,
            endpoint,
            began: Instant::now(),
            waited: Duration::ZERO,
            calls: 0,
            unanswered: 0,
            ended: 0,
            paid: 0,
            uncounted: 0,
            failed: Vec::new(),
        }
    }

    pub(super) fn taken(self) -> Taken {
        Taken {
            attempts: self.calls,
            unanswered: self.unanswered,
            ended: self.ended,
            uncounted: self.uncounted,
            waited: self.waited,
            latency: self.began.elapsed(),
            failed: self.failed,
        }
    }

    /// Counts a call that begins now, once the endpoint takes questions; there is none where the time is
    /// over, or will be by then.
    pub(super) async fn begin(&mut self) -> Result<(), Failure> {
        let until = self.allowance.until;
        while let Some(end) = pauses::of(&self.endpoint, random()) {
            if end >= until {
                let what = "the endpoint asks to wait longer than there is time".to_owned();
                return Err(self.failure(Fault::new(FailureKind::RateLimited, what).free()));
            }
            self.wait(end).await;
        }
        if Instant::now() >= until {
            let what = "no time was left to ask".to_owned();
            return Err(self.failure(Fault::new(FailureKind::Timeout, what).free()));
        }
        self.calls += 1;
        crate::provider::calls::begins();
        Ok(())
    }

    /// Waits until another call is to be made, or gives up.
    pub(super) async fn after(&mut self, mut fault: Fault) -> Result<(), Failure> {
        let Some(trouble) = fault.trouble else { return Err(self.failure(fault)) };
        self.failed.extend(fault.partial.take());
        let count = if trouble.ended { &mut self.ended } else { &mut self.unanswered };
        *count += 1;
        let failed = *count;
        self.paid += u32::from(fault.may_cost);
        let left = self.allowance.until.saturating_duration_since(Instant::now());
        let decision = match self.allowance.policy.decide(failed, &trouble, random(), left) {
            Decision::After(_) if trouble.ended && self.ended >= self.allowance.calls => {
                Decision::GiveUp(Why::Attempts { calls: self.calls })
            }
            Decision::After(_) if self.paid >= self.allowance.paid => Decision::GiveUp(Why::Cap),
            Decision::GiveUp(Why::Attempts { .. }) => {
                Decision::GiveUp(Why::Attempts { calls: self.calls })
            }
            decision => decision,
        };
        match decision {
            Decision::After(wait) => {
                self.uncounted += fault.uncounted();
                let end = Instant::now() + wait;
                if trouble.status == Some(429) {
                    pauses::set(&self.endpoint, end);
                }
                self.wait(end).await;
                Ok(())
            }
            Decision::GiveUp(why) => {
                if why != Why::Lasting {
                    fault.what = format!("{}; {why}", fault.what);
                }
                Err(self.failure(fault))
            }
        }
    }

    /// Notes what came of an answer in a reply that is followed by another question.
    pub(super) fn note(&mut self, fault: Fault) {
        self.failed.extend(fault.partial);
    }

    async fn wait(&mut self, end: Instant) {
        let began = Instant::now();
        sleep_until(end).await;
        self.waited += began.elapsed();
    }

    fn failure(&mut self, mut fault: Fault) -> Failure {
        let mut failed = std::mem::take(&mut self.failed);
        failed.extend(fault.partial.take());
        let uncounted = self.uncounted + fault.uncounted();
        Failure {
            kind: fault.kind,
            what: fault.what,
            beginning: fault.beginning,
            failed,
            attempts: self.calls,
            unanswered: self.unanswered,
            ended: self.ended,
            uncounted,
            waited: self.waited,
            latency: self.began.elapsed(),
            usage: fault.usage,
        }
    }
}

/// A number from 0 up to 1. Without randomness, callers only come less far apart.
fn random() -> f64 {
    // The 53 bits that a float holds exactly.
    getrandom::u64().map_or(0.5, |bits| (bits >> 11) as f64 / (1_u64 << 53) as f64)
}
