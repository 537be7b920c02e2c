//! One run at a time of a task, and of what is the same in all: who comes second finds the verdict of the
//! first in the log, and its try.

use crate::engine::panel::{Decision, Reason};
use crate::files::lock::{self, Named, Tried};
use crate::judging::task::Task;
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
    /// Nobody else makes such a run, until this is dropped.
    Own(#[allow(dead_code)] [Named; 2]),
    /// Nobody can tell: there are no locks.
    Unlocked,
    /// Another process makes such a run, and is not done.
    Busy,
}

impl Turn {
    /// Waits until nobody else makes a run of this task or with this hash, until an instant at most. All
    /// take the lock of the task first, so that none waits for another one for ever.
    pub(super) async fn of(log: &Path, task: &Task, run_sha: &str, until: Instant) -> Self {
        let dir = locks(log);
        let of_task = match taken(&dir, &task.id_sha(), until).await {
            Tried::Held(held) => held,
            Tried::Unlocked => return Self::Unlocked,
            Tried::Busy => return Self::Busy,
        };
        match taken(&dir, run_sha, until).await {
            Tried::Held(of_run) => Self::Own([of_task, of_run]),
            Tried::Unlocked => Self::Unlocked,
            Tried::Busy => Self::Busy,
        }
    }

    /// Whether there are no locks.
    pub(super) fn is_unlocked(&self) -> bool {
        matches!(self, Self::Unlocked)
    }

    /// Why nobody is asked.
    pub(super) fn refused(&self) -> Option<(Decision, String)> {
        let why = "Another run of the same task or content did not end in time.";
        matches!(self, Self::Busy).then(|| (Decision::person(Reason::Budget), why.to_owned()))
    }
}

/// Waits for the lock that is named by a hash.
async fn taken(dir: &Path, sha: &str, until: Instant) -> Tried {
    let name = sha.get(..DIGITS).unwrap_or(sha);
    loop {
        match lock::by_name(dir, name) {
            Tried::Busy if Instant::now() < until => tokio::time::sleep(STEP).await,
            tried => return tried,
        }
    }
}

/// The directory of the locks of a log, beside it.
fn locks(log: &Path) -> PathBuf {
    let mut name = log.file_name().map(OsString::from).unwrap_or_default();
    name.push(".locks");
    log.with_file_name(name)
}
