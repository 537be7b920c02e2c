//! The calls of one question: counted, timed, made again or given up.

use crate::domain::Usage;
use crate::engine::retry::{Decision, Policy, Trouble, Why};
use crate::provider::{Failure, FailureKind};
use std::time::Duration;
use tokio::time::Instant;

/// One call that brought no answer.
pub(super) struct Fault {
    pub(super) kind: FailureKind,
    pub(super) what: String,
    pub(super) beginning: Option<String>,
    pub(super) usage: Option<Usage>,
    /// Whether it may have cost something: a model may have been asked.
    pub(super) may_cost: bool,
    /// Whether another call may help; nothing where that is out of the question.
    pub(super) trouble: Option<Trouble>,
}

impl Fault {
    pub(super) fn new(kind: FailureKind, what: String) -> Self {
        Self { kind, what, beginning: None, usage: None, may_cost: true, trouble: None }
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

/// What was done so far for one question.
pub(super) struct Tries {
    policy: Policy,
    began: Instant,
    until: Instant,
    /// Requests sent, also those that asked without something.
    calls: u32,
    /// Calls that failed.
    failed: u32,
    /// Calls before the last that may have cost something.
    uncounted: u32,
}

impl Tries {
    pub(super) fn new(policy: Policy, until: Instant) -> Self {
        Self { policy, began: Instant::now(), until, calls: 0, failed: 0, uncounted: 0 }
    }

    pub(super) fn calls(&self) -> u32 {
        self.calls
    }

    /// Calls that failed and may have cost something, of which nobody said how much.
    pub(super) fn uncounted(&self) -> u32 {
        self.uncounted
    }

    pub(super) fn latency(&self) -> Duration {
        self.began.elapsed()
    }

    /// Counts a call that begins now; there is none where the time is over.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        if Instant::now() >= self.until {
            let what = "no time was left to ask".to_owned();
            return Err(self.failure(Fault::new(FailureKind::Timeout, what).free()));
        }
        self.calls += 1;
        crate::provider::calls::begins();
        Ok(())
    }

    /// Waits until another call is to be made, or gives up.
    pub(super) async fn after(&mut self, mut fault: Fault) -> Result<(), Failure> {
        self.failed += 1;
        let Some(trouble) = fault.trouble else { return Err(self.failure(fault)) };
        let left = self.until.saturating_duration_since(Instant::now());
        match self.policy.decide(self.failed, &trouble, random(), left) {
            Decision::After(wait) => {
                self.uncounted += fault.uncounted();
                tokio::time::sleep(wait).await;
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

    fn failure(&self, fault: Fault) -> Failure {
        let uncounted = self.uncounted + fault.uncounted();
        Failure {
            kind: fault.kind,
            what: fault.what,
            beginning: fault.beginning,
            attempts: self.calls,
            uncounted,
            latency: self.latency(),
            usage: fault.usage,
        }
    }
}

/// A number from 0 up to 1. Without randomness, callers only come less far apart.
fn random() -> f64 {
    // The 53 bits that a float holds exactly.
    getrandom::u64().map_or(0.5, |bits| (bits >> 11) as f64 / (1_u64 << 53) as f64)
}
