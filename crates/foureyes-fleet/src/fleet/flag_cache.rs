//! What was decided of lines of tasks, so that it is fetched once.

use super::filter::TaskFlags;
use crate::domain::RecordId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The first half of an id.
pub(super) type Short = [u8; 16];

/// What other lines decide of lines.
#[derive(Debug, Default)]
pub(super) struct AllFlags {
    /// Whether there are lines on which others could decide.
    pub(super) is_any: bool,
    /// Lines on which something is decided.
    decided: HashMap<Short, TaskFlags>,
}

impl AllFlags {
    /// Adds what is decided of a line.
    pub(super) fn add(&mut self, id: RecordId, flags: TaskFlags) {
        self.is_any = true;
        if flags != TaskFlags::default() {
            self.decided.insert(short(id), flags);
        }
    }

    /// What is decided of a line: nothing where there is no other of its task, or where it came later.
    pub(super) fn of(&self, id: &Short) -> TaskFlags {
        self.decided.get(id).copied().unwrap_or_default()
    }
}

/// The first half of an id.
pub(super) fn short(id: RecordId) -> Short {
    let mut short = Short::default();
    short.copy_from_slice(id.0.split_at(16).0);
    short
}

/// What was decided of lines of tasks, by the condition that was asked for: a command and an edition of the
/// console fetch each once.
#[derive(Debug, Default)]
pub(super) struct FlagCache(Mutex<Vec<(String, Arc<AllFlags>)>>);

/// So many answers are kept.
const KEPT: usize = 8;

impl FlagCache {
    pub(super) fn get(&self, condition: &str) -> Option<Arc<AllFlags>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|(of, _)| of == condition)?;
        // What is asked for often is the last to go.
        let found = known.remove(at);
        let flags = Arc::clone(&found.1);
        known.push(found);
        Some(flags)
    }

    pub(super) fn put(&self, condition: &str, flags: &Arc<AllFlags>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() == KEPT {
            known.remove(0);
        }
        known.push((condition.to_owned(), Arc::clone(flags)));
    }
}
