//! Calls that are counted while they are made, for whoever shows how far it is.

use tokio::sync::watch;

tokio::task_local! {
    static COUNTER: watch::Sender<u32>;
}

/// Runs a future, and counts up with each call that begins in it.
pub async fn counted<F: Future>(counter: watch::Sender<u32>, future: F) -> F::Output {
    COUNTER.scope(counter, future).await
}

/// Notes that a call begins.
pub(super) fn begins() {
    // Where nobody counts there is no counter.
    let _ = COUNTER.try_with(|counter| counter.send_modify(|calls| *calls += 1));
}
