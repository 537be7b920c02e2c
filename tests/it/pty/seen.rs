//! What came of a program, and waiting for it.

use super::frames::Frames;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// What came from the program.
pub(super) struct Seen {
    pub(super) state: Mutex<State>,
    changed: Condvar,
    /// Nothing more is read.
    pub(super) stop: AtomicBool,
}

pub(super) struct State {
    pub(super) frames: Frames,
    pub(super) bytes: Vec<u8>,
    pub(super) closed: bool,
}

impl Seen {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let frames = Frames::new(width, height);
        let state = State { frames, bytes: Vec::new(), closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), stop: AtomicBool::new(false) }
    }

    pub(super) fn read(&self, mut reader: Box<dyn Read + Send>) {
        let mut buffer = [0; 8192];
        while !self.stop.load(Ordering::SeqCst) {
            let read = reader.read(&mut buffer).unwrap_or(0);
            if read == 0 {
                break;
            }
            let mut state = self.state.lock().unwrap();
            state.frames.take(&buffer[..read]);
            state.bytes.extend_from_slice(&buffer[..read]);
            self.changed.notify_all();
        }
        let mut state = self.state.lock().unwrap();
        state.frames.close();
        state.closed = true;
        self.changed.notify_all();
    }

    /// Waits until something is found, and gives it; `None` where it did not come.
    pub(super) fn wait<T>(
        &self,
        limit: Duration,
        mut find: impl FnMut(&State) -> Option<T>,
    ) -> Option<T> {
        let start = Instant::now();
        let mut state = self.state.lock().unwrap();
        loop {
            let found = find(&state);
            let left = limit.saturating_sub(start.elapsed());
            // After the end nothing more comes.
            if found.is_some() || left.is_zero() || state.closed {
                return found;
            }
            state = self.changed.wait_timeout(state, left).unwrap().0;
        }
    }
}

/// What is looked for on a screen: whether it is there, or what it is.
pub(crate) trait Found {
    type Value;

    fn value(self) -> Option<Self::Value>;
}

impl Found for bool {
    type Value = ();

    fn value(self) -> Option<()> {
        self.then_some(())
    }
}

impl<T> Found for Option<T> {
    type Value = T;

    fn value(self) -> Option<T> {
        self
    }
}
