//! Commits and blobs, through the git program.
//!
//! A repository is foreign ground: its configuration may name programs to run, its refs may look
//! like options, its names may be any bytes. So nothing here goes through a shell, refs reach git
//! only as object ids, and everything that would start another program is switched off.

mod ask;
mod batch;
mod call;
mod changes;
mod fetch;
mod history;
mod id;
mod links;
mod object;
mod outgoing;
mod recent;
mod repository;
mod scratch;
mod selection;
mod streams;
mod watching;

pub use ask::{Ask, Reply};
pub use call::{Beginning, Call, Surroundings};
pub use changes::{Change, Kind as ChangeKind, changes};
pub use history::{Commit, History};
pub use id::{CommitId, ObjectId, Prefix};
pub use links::{Leads, Links, WatchedLink};
pub use object::{CommitObject, Entry, Mode, Object, ObjectKind, commit, object, tree};
pub use outgoing::{
    Arriving, Blob, Header, Known, Outgoing, Paths, Push, Pushed, PushedFile, Side as PathSide,
    Text as BlobText, Touched,
};
pub use recent::{Recent, recent};
pub use repository::Repository;
pub use scratch::{Attempt, Scratch};
pub use selection::Selection;
pub use watching::Watching;

use std::path::PathBuf;
use std::time::Duration;

/// Why something could not be learned from git.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program is missing or could not be started.
    #[error("starting the git program")]
    Start {
        /// Why.
        source: std::io::Error,
    },
    /// The program said no.
    #[error("git {call} failed with {code}: {stderr}")]
    Failed {
        /// The subcommand.
        call: String,
        /// Its exit code, or that a signal ended it.
        code: String,
        /// What it wrote to stderr; hostile text, escape it on output.
        stderr: String,
    },
    /// The program took too long, and was ended.
    #[error("git {call} was not done after {after:?}")]
    TimedOut {
        /// The subcommand.
        call: String,
        /// The time it was given.
        after: Duration,
    },
    /// Nobody waits for it any more; it was ended.
    #[error("git {call} was cancelled")]
    Cancelled {
        /// The subcommand.
        call: String,
    },
    /// A clone has no remote to fetch from.
    #[error("finding a remote of {}", path.display())]
    NoRemote {
        /// The clone.
        path: PathBuf,
    },
    /// A clone's own configuration names a program that fetching would start.
    #[error("its configuration names a program that fetching starts: {key}")]
    OwnProgram {
        /// The key; hostile text.
        key: String,
    },
    /// Its output is longer than any that is held.
    #[error("git {call} wrote more than {limit} bytes")]
    TooLong {
        /// The subcommand.
        call: String,
        /// The most that is held.
        limit: u64,
    },
    /// Its output broke off or could not be waited for.
    #[error("failed to read what git {call} writes")]
    Read {
        /// The subcommand.
        call: String,
        /// Why.
        source: std::io::Error,
    },
    /// Its output has not the promised form.
    #[error("git {call} wrote something else than {expected}")]
    Odd {
        /// The subcommand.
        call: String,
        /// What was promised.
        expected: &'static str,
    },
    /// A file of a repository of our own could not be written.
    #[error("failed to write {}", path.display())]
    Scratch {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A directory is no repository, or git refuses it.
    #[error("failed to open the repository {}", path.display())]
    Open {
        /// The directory.
        path: PathBuf,
        /// What git said.
        source: Box<Error>,
    },
    /// No ref has that name.
    #[error("finding the ref {name:?} in {}", path.display())]
    NoSuchRef {
        /// The name as configured.
        name: String,
        /// The repository.
        path: PathBuf,
    },
}
