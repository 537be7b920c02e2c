//! Ends the process when its time is up, whatever hangs.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long its last words may take: whoever reads them may hang too.
const WORDS: Duration = Duration::from_millis(50);

/// Ends the process with exit code 0 at some instant, unless it is dropped before.
#[derive(Debug)]
pub(super) struct Watchdog {
    until: mpsc::Sender<Instant>,
}

impl Watchdog {
    /// Begins to watch. Where no thread can be made nothing is watched, but by who started it.
    pub(super) fn start(until: Instant) -> Self {
        let (send, receive) = mpsc::channel();
        let _ = thread::Builder::new().spawn(move || watch(&receive, until));
        Self { until: send }
    }

    /// Sets another instant.
    pub(super) fn set(&self, until: Instant) {
        // Where it is gone, so is the process.
        let _ = self.until.send(until);
    }
}

fn watch(changes: &mpsc::Receiver<Instant>, mut until: Instant) {
    loop {
        match changes.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(other) => until = other,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => break,
        }
    }
    let _ = thread::Builder::new().spawn(|| {
        let text = "foureyes: time limit reached; the rest is not judged, and the push continues";
        let _ = writeln!(std::io::stderr(), "{text}");
    });
    thread::sleep(WORDS);
    std::process::exit(0);
}
