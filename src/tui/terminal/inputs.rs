//! The way of an input from the threads to the loop.

use crate::tui::input::Input;
use tokio::sync::mpsc::{self, error::TryRecvError};

/// Keys that may wait for the loop; the terminal keeps what is beyond.
const KEYS: usize = 1024;

/// Where the loop takes its inputs from.
///
/// Signals and resizes come before keys that wait, so that none is behind a long paste.
#[derive(Debug)]
pub struct Inputs {
    keys: mpsc::Receiver<Input>,
    system: mpsc::UnboundedReceiver<Input>,
}

impl Inputs {
    /// Waits for the next input. It may be dropped and called again without losing one.
    pub async fn next(&mut self) -> Input {
        tokio::select! {
            biased;
            Some(input) = self.system.recv() => input,
            Some(input) = self.keys.recv() => input,
            // Both ends are kept for the life of the process, so this is not reached.
            else => std::future::pending().await,
        }
    }

    /// Takes an input that is there already.
    pub fn try_next(&mut self) -> Option<Input> {
        let taken: Result<Input, TryRecvError> =
            self.system.try_recv().or_else(|_| self.keys.try_recv());
        taken.ok()
    }
}

/// Where the threads put them.
#[derive(Debug, Clone)]
pub(super) struct Outlet {
    keys: mpsc::Sender<Input>,
    system: mpsc::UnboundedSender<Input>,
}

impl Outlet {
    /// Delivers keys, and waits while the loop is behind; false where the loop is gone.
    pub(super) fn keys(&self, input: Input) -> bool {
        self.keys.blocking_send(input).is_ok()
    }

    /// Delivers what the operating system reports, at once.
    pub(super) fn system(&self, input: Input) {
        // Where the loop is gone nobody needs it.
        let _ = self.system.send(input);
    }
}

pub(super) fn channel() -> (Outlet, Inputs) {
    let (key_sender, keys) = mpsc::channel(KEYS);
    let (system_sender, system) = mpsc::unbounded_channel();
    (Outlet { keys: key_sender, system: system_sender }, Inputs { keys, system })
}
