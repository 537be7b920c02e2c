//! The file of records that a person asked for.

use super::progress;
use crate::cli::Failure;
use crate::engine::record::PushRecord;
use crate::verdict_log::{self, Appended};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// A file that was asked for could not be written.
#[derive(Debug, thiserror::Error)]
#[error("failed to append to {}", path.display())]
struct Unwritten {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// A file that each record goes to as it comes: what was paid for stands there whatever happens
/// afterwards.
pub(super) struct Kept {
    path: PathBuf,
    failed: Option<Failure>,
}

impl Kept {
    /// Opens the file before anything is paid for.
    pub(super) fn open(path: PathBuf) -> Result<Self, Failure> {
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(&path);
        match opened {
            Ok(_) => Ok(Self { path, failed: None }),
            Err(source) => Err(Failure::local(Unwritten { path, source })
                .hint("check that its directory exists and is writable")),
        }
    }

    /// Appends a record, on a thread of its own: the lock of the file may be somebody else's for a
    /// while, and the answers of other calls come meanwhile.
    pub(super) async fn add(&mut self, record: &PushRecord) {
        let line = match record.line() {
            Ok(line) => line,
            Err(error) => return self.fail(Failure::local(error)),
        };
        let path = self.path.clone();
        let append = move || verdict_log::append_to(&path, &[line], Instant::now() + PATIENCE);
        match tokio::task::spawn_blocking(append).await {
            Ok(Ok(Appended { repaired: true, .. })) => {
                progress("the file's last line had no line end; one was added");
            }
            Ok(Ok(_)) => {}
            Ok(Err(error)) => self.fail(Failure::local(error)),
            Err(error) => self.fail(Failure::local(error)),
        }
    }

    /// The first is told: those after it are most likely the same.
    fn fail(&mut self, failure: Failure) {
        self.failed.get_or_insert(failure);
    }

    /// Why not all of it stands there.
    pub(super) fn failed(self) -> Option<Failure> {
        self.failed
    }
}
