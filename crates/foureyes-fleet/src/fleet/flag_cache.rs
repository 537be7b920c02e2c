//! What was decided of lines of tasks, so that it is fetched once.

use super::filter::TaskFlags;
use crate::domain::RecordId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The flags of lines.
pub(super) type AllFlags = HashMap<RecordId, TaskFlags>;

/// What was decided of lines of tasks, by the condition that was asked for: a command and an edition of the
/// console fetch each once.
#[derive(Debug, Default)]
pub(super) struct FlagCache(Mutex<Vec<(String, Arc<AllFlags>)>>);

/// So many answers are kept.
const KEPT: usize = 8;

impl FlagCache {
    pub(super) fn get(&self, condition: &str) -> Option<Arc<AllFlags>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(of, _)| of == condition).map(|(_, flags)| Arc::clone(flags))
    }

    pub(super) fn put(&self, condition: &str, flags: &Arc<AllFlags>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() == KEPT {
            known.remove(0);
        }
        known.push((condition.to_owned(), Arc::clone(flags)));
    }
}
