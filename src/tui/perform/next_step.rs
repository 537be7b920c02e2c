//! What to do where the logs or the store failed.

use crate::fleet::FleetError;
use crate::store::cache::CacheError;
use crate::tui::model::Problem;

/// What to do where the cache or a log failed.
pub(super) const AGAIN: &str = "the logs may have changed meanwhile: pull, or start again";

/// The same where the store does not answer.
const RETRIED: &str =
    "start the servers that are down: an answer without them would be wrong; the console retries";

/// An error of the store, as it is shown.
pub fn store_problem(error: FleetError) -> Problem {
    let error = CacheError::of_store(error);
    Problem::from_error(&error, next_step(&error))
}

/// What to do where the logs failed.
pub(super) fn next_step(error: &CacheError) -> &'static str {
    match error {
        CacheError::Store(_) if is_down(error) => RETRIED,
        CacheError::Store(_) => "R reads the store again",
        _ => AGAIN,
    }
}

/// Whether nodes of the store do not answer: it is opened anew until they do.
pub(super) fn is_down(error: &CacheError) -> bool {
    let CacheError::Store(error) = error else { return false };
    matches!(error.downcast_ref(), Some(FleetError::Down { .. }))
}
