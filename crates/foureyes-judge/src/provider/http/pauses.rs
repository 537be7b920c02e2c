//! Endpoints that asked to wait: until then no question of this process is sent to them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The end of the pause, and how long it was, by endpoint.
static PAUSES: Mutex<BTreeMap<String, (Instant, Duration)>> = Mutex::new(BTreeMap::new());

/// Pauses all questions to an endpoint until then.
pub(super) fn set(endpoint: &str, end: Instant) {
    let mut pauses = PAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    let length = end.saturating_duration_since(Instant::now());
    let pause = pauses.entry(endpoint.to_owned()).or_insert((end, length));
    if pause.0 < end {
        *pause = (end, length);
    }
}

/// When a question may be sent to an endpoint that has asked to wait; nothing where it may be at once.
///
/// `jitter` is a random number from 0 up to 1: questions come back up to a tenth of the pause later, so that
/// they do not all come back at once.
pub(super) fn of(endpoint: &str, jitter: f64) -> Option<Instant> {
    let mut pauses = PAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    let (end, length) = *pauses.get(endpoint)?;
    if end <= Instant::now() {
        pauses.remove(endpoint);
        return None;
    }
    Some(end + length.mul_f64(jitter / 10.0))
}
