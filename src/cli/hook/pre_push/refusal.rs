//! Whether a push is refused of which something could not be judged, also where the program fails.

use super::super::message;
use super::{Args, blocked};
use crate::cli::watchdog::Watchdog;
use crate::config::{HookMode, OnCut};
use crate::hook::{Outcome, Side};
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What holds of it, as far as is known by now.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    is_on: Arc<AtomicBool>,
    word: Option<String>,
}

impl Refusal {
    pub(super) fn new(side: Side, args: &Args) -> Self {
        let is_on = side == Side::Receiver && args.unjudged.is_some();
        Self { is_on: Arc::new(AtomicBool::new(is_on)), word: args.word.clone() }
    }

    /// The configuration can ask for it, too.
    pub(super) fn configure(&self, side: Side, unjudged: OnCut) {
        if side == Side::Receiver && unjudged == OnCut::Stop {
            self.is_on.store(true, Ordering::SeqCst);
        }
    }

    /// In the advisory mode nothing is refused.
    pub(super) fn in_mode(&self, mode: HookMode) {
        if mode == HookMode::Advisory {
            self.is_on.store(false, Ordering::SeqCst);
        }
    }

    pub(super) fn is_on(&self) -> bool {
        self.is_on.load(Ordering::SeqCst)
    }

    /// What becomes of a push of which nothing is known.
    pub(super) fn of_unseen(&self) -> Outcome {
        if self.is_on() { Outcome::Blocked } else { Outcome::Passes }
    }

    fn then(&self) -> &'static str {
        if self.is_on() { "the push is refused" } else { "the push continues" }
    }

    /// Ends the process when its time is up.
    pub(super) fn watchdog(&self, until: Instant) -> Watchdog {
        let (first, last) = (self.clone(), self.clone());
        let end = move || {
            let text = "foureyes: time limit reached; the rest is not judged, and";
            // Whoever reads it may be gone.
            let _ = writeln!(io::stderr(), "{text} {}", first.then());
            if first.is_on() {
                let _ = blocked(first.word.as_deref());
            }
        };
        Watchdog::with_code(until, end, move || i32::from(last.is_on()))
    }

    /// Decides where a bug ends the work.
    pub(super) fn guarded(&self, work: impl FnOnce() -> Outcome) -> Outcome {
        panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            message::line(&format!("this is a bug; nothing more is judged, and {}", self.then()));
            self.of_unseen()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_lets_the_push_go_on_unless_that_is_to_be_refused() {
        let refusal = |is_on| Refusal { is_on: Arc::new(AtomicBool::new(is_on)), word: None };
        assert_eq!(refusal(false).guarded(|| Outcome::Blocked), Outcome::Blocked);
        assert_eq!(refusal(false).guarded(|| panic!("a bug")), Outcome::Passes);
        assert_eq!(refusal(true).guarded(|| panic!("a bug")), Outcome::Blocked);
        assert_eq!(refusal(true).guarded(|| Outcome::Passes), Outcome::Passes);
    }
}
