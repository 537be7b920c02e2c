//! How far a service is with what it was asked, for whoever follows it.

use crate::engine::judgements::JudgementStage;
use std::sync::Arc;

/// Receives how far a judgement is, with the number of what is judged.
pub type OnStage = Arc<dyn Fn(usize, JudgementStage) + Send + Sync>;

tokio::task_local! {
    static FOLLOWER: Follower;
}

/// Whoever follows one judgement.
#[derive(Clone)]
pub(super) struct Follower {
    of: usize,
    on: OnStage,
}

impl Follower {
    /// Whoever follows the judgements of this task; services are asked for their progress only then.
    pub(super) fn present() -> Option<Self> {
        FOLLOWER.try_with(Clone::clone).ok()
    }

    /// Reports how far it is.
    pub(super) fn report(&self, stage: JudgementStage) {
        (self.on)(self.of, stage);
    }
}

/// Runs a future, and reports how far services are with what they are asked in it.
pub async fn followed<F: Future>(on: OnStage, future: F) -> F::Output {
    FOLLOWER.scope(Follower { of: 0, on }, future).await
}

/// A future for a task of its own, followed under this number by whoever follows the present one.
pub fn numbered<F: Future>(of: usize, future: F) -> impl Future<Output = F::Output> {
    let follower = Follower::present().map(|follower| Follower { of, ..follower });
    async move {
        match follower {
            Some(follower) => FOLLOWER.scope(follower, future).await,
            None => future.await,
        }
    }
}
