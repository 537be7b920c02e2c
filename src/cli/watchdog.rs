//! Ends the process when its time is up, whatever hangs.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long what is done last may take: it may hang too.
const LAST: Duration = Duration::from_millis(50);

/// Ends the process at some instant, unless it is dropped before.
#[derive(Debug)]
pub(in crate::cli) struct Watchdog {
    until: mpsc::Sender<Instant>,
}

impl Watchdog {
    /// Begins to watch; `last` is done before the process ends with exit code 0. Where no thread can be made nothing
    /// is watched, but by who started it.
    pub(in crate::cli) fn start(until: Instant, last: impl FnOnce() + Send + 'static) -> Self {
        Self::with_code(until, last, || 0)
    }

    /// The same with another exit code, which is asked for at the end.
    pub(in crate::cli) fn with_code(
        until: Instant,
        last: impl FnOnce() + Send + 'static,
        code: impl FnOnce() -> i32 + Send + 'static,
    ) -> Self {
        let (send, receive) = mpsc::channel();
        let _ = thread::Builder::new().spawn(move || watch(&receive, until, last, code));
        Self { until: send }
    }

    /// Sets another instant.
    pub(in crate::cli) fn set(&self, until: Instant) {
        // Where it is gone, so is the process.
        let _ = self.until.send(until);
    }
}

fn watch(
    changes: &mpsc::Receiver<Instant>,
    mut until: Instant,
    last: impl FnOnce() + Send + 'static,
    code: impl FnOnce() -> i32,
) {
    loop {
        match changes.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(other) => until = other,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => break,
        }
    }
    let _ = thread::Builder::new().spawn(last);
    thread::sleep(LAST);
    std::process::exit(code());
}
