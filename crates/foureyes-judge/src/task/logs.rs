//! Where runs of tasks are logged.

use crate::verdict_log::{self, Error};
use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
use std::path::Path;

/// Where runs of tasks are logged.
#[derive(Debug, Clone, Copy)]
pub struct Logs<'a> {
    /// The log that new lines go to.
    pub written: &'a Path,
    /// The log that is configured, where that is another: what it holds counts too.
    pub configured: Option<&'a Path>,
}

impl<'a> Logs<'a> {
    /// One log, read and written.
    pub fn one(log: &'a Path) -> Self {
        Self { written: log, configured: None }
    }

    /// The log beside which locks are: one place for all that decide by the same configuration.
    pub(super) fn first(&self) -> &'a Path {
        self.configured.unwrap_or(self.written)
    }

    /// Makes the directories of the logs. A configured log that is not written, and for whose directory there is
    /// no permission, was never there; in the way of one that was there may be a disk that is not mounted.
    pub(super) fn make_directories(&self) -> Result<(), Error> {
        self.each_directory(verdict_log::make_directory)
    }

    /// Looks whether that could be done, and makes nothing.
    pub(super) fn check_directories(&self) -> Result<(), Error> {
        self.each_directory(verdict_log::check_directory)
    }

    fn each_directory(&self, step: fn(&Path) -> Result<(), Error>) -> Result<(), Error> {
        for log in self.all() {
            match step(log) {
                Err(Error::Directory { source, .. })
                    if log != self.written
                        && [PermissionDenied, ReadOnlyFilesystem].contains(&source.kind()) => {}
                done => done?,
            }
        }
        Ok(())
    }

    pub(super) fn all(&self) -> Vec<&'a Path> {
        self.configured.into_iter().chain([self.written]).collect()
    }
}
