//! One run at a time of what is the same in all: who comes second finds the verdict of the first in the
//! log.

use crate::engine::panel::{Decision, Reason};
use crate::files::lock::{self, Named, Tried};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// Time between two tries.
const STEP: Duration = Duration::from_millis(20);
/// Digits of the hash that name a lock.
const DIGITS: usize = 32;

/// Whether it is this run's turn.
#[derive(Debug)]
pub(super) enum Turn {
    /// Nobody else makes the same run, until this is dropped.
    Own(#[allow(dead_code)] Named),
    /// Nobody can tell: there are no locks.
    Unlocked,
    /// Another process makes the same run, and is not done.
    Busy,
}

impl Turn {
    /// Waits until nobody else makes the run with this hash, until an instant at most.
    pub(super) async fn of(log: &Path, run_sha: &str, until: Instant) -> Self {
        let (dir, name) = (locks(log), run_sha.get(..DIGITS).unwrap_or(run_sha));
        loop {
            match lock::by_name(&dir, name) {
                Tried::Held(held) => return Self::Own(held),
                Tried::Unlocked => return Self::Unlocked,
                Tried::Busy if Instant::now() >= until => return Self::Busy,
                Tried::Busy => tokio::time::sleep(STEP).await,
            }
        }
    }

    /// Whether there are no locks.
    pub(super) fn is_unlocked(&self) -> bool {
        matches!(self, Self::Unlocked)
    }

    /// Why nobody is asked.
    pub(super) fn refused(&self) -> Option<(Decision, String)> {
        let why = "Another run of the same content did not end in time.";
        matches!(self, Self::Busy).then(|| (Decision::person(Reason::Budget), why.to_owned()))
    }
}

/// The directory of the locks of a log, beside it.
fn locks(log: &Path) -> PathBuf {
    let mut name = log.file_name().map(OsString::from).unwrap_or_default();
    name.push(".locks");
    log.with_file_name(name)
}
