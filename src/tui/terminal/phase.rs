//! What the process is about to do, as far as it decides who may have the terminal.

use std::sync::atomic::{AtomicBool, Ordering};

/// The loop stopped the process, and takes the terminal back itself.
static STOPPING: AtomicBool = AtomicBool::new(false);

static ENDING: AtomicBool = AtomicBool::new(false);

/// Whether the loop itself stopped the process and will take the terminal back.
pub(super) fn is_stopping() -> bool {
    STOPPING.load(Ordering::SeqCst)
}

/// Notes that the loop stops the process, or that this is over.
pub(super) fn set_stopping(stopping: bool) {
    STOPPING.store(stopping, Ordering::SeqCst);
}

/// Whether the process is about to end.
pub(super) fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// Notes that the process is about to end; returns whether it was already.
pub(super) fn set_ending() -> bool {
    ENDING.swap(true, Ordering::SeqCst)
}
