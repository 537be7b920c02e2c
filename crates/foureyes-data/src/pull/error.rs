//! How pulling a box fails.

use crate::source::client::{Broken, in_parentheses};
use crate::source::listing::MOST_FILES;
use crate::source::{session, ssh};
use crate::store::cursor::RemotePath;
use crate::store::mirror;
use crate::text::counted;
use std::time::Duration;

/// Pulling a box that did not come to its end. What had arrived is kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No connection.
    #[error("connecting failed")]
    Connect(#[source] ssh::Error),
    /// The connection stands, but the session failed.
    #[error("the pull was broken off{}", in_parentheses(.output))]
    RemoteSession {
        /// How.
        #[source]
        source: session::Error,
        /// Messages of ssh or the box, raw; often nothing.
        output: String,
    },
    /// It took longer than a box may take.
    #[error("the pull took longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
    /// Nothing of what is configured can be read there.
    #[error("none of the configured paths can be read on the box")]
    NothingThere,
    /// A bound was reached; what came before is kept.
    #[error("{} with {bytes} bytes left out by `{}`: {}", counted(*files, "file", "files"), bound.key(), named(first, *files))]
    Beyond {
        /// Which.
        bound: Bound,
        /// Files of which something is left out.
        files: usize,
        /// Bytes that are.
        bytes: u64,
        /// The first of the files and the bytes of each; raw.
        first: Vec<(String, u64)>,
    },
    /// More files than are listed; what was listed is kept.
    #[error(
        "{left_out} of the box's files that look like logs are left out: of one box, {MOST_FILES} are listed"
    )]
    TooManyFiles {
        /// How many were not listed.
        left_out: u64,
    },
    /// The mirror has as many copies as it may have of one box.
    #[error(
        "the mirror has {copies} copies of files of the box, and no more than {MOST_COPIES} are made"
    )]
    TooManyCopies {
        /// How many there are.
        copies: usize,
    },
    /// The mirror failed.
    #[error("the mirror failed")]
    Mirror(#[from] mirror::Error),
    /// The task that pulled it ended by itself.
    #[error("the task that pulled the box died")]
    Task,
}

/// So many copies of files of one box are kept, earlier contents among them.
pub(super) const MOST_COPIES: usize = 100_000;

/// What bounds a pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The bytes of all copies of a box.
    Box,
    /// The new bytes of one pull.
    Pull,
    /// What stays free on the disk.
    Disk,
}

impl Bound {
    /// Its key in `[pull]` of the configuration.
    pub fn key(self) -> &'static str {
        match self {
            Self::Box => "max_box_bytes",
            Self::Pull => "max_pull_bytes",
            Self::Disk => "min_free_bytes",
        }
    }
}

impl From<Broken> for Error {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Connect(error) => Self::Connect(error),
            Broken::RemoteSession { source, output } => Self::RemoteSession { source, output },
        }
    }
}

/// So many files are named.
const NAMED: usize = 3;

fn named(first: &[(String, u64)], files: usize) -> String {
    let names: Vec<String> =
        first.iter().map(|(path, bytes)| format!("{path} ({bytes} bytes)")).collect();
    match files.saturating_sub(first.len()) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

impl Error {
    /// A bound that leaves these files out, each with its bytes.
    pub(super) fn beyond(bound: Bound, lacking: Vec<(RemotePath, u64)>) -> Self {
        let bytes = lacking.iter().map(|(_, bytes)| bytes).sum();
        let first = lacking.iter().take(NAMED).map(|(path, bytes)| (path.lossy(), *bytes));
        Self::Beyond { bound, files: lacking.len(), bytes, first: first.collect() }
    }

    /// The error and its causes in one text, raw.
    pub fn full(&self) -> String {
        crate::domain::chain(self)
    }

    /// Whether the connection was lost in the middle, so that another one may go on.
    pub(super) fn is_cut(&self) -> bool {
        matches!(
            self,
            Self::RemoteSession { source: session::Error::Cut | session::Error::Read(_), .. }
        )
    }

    /// Whether no byte came for too long.
    pub(super) fn is_silence(&self) -> bool {
        matches!(self, Self::RemoteSession { source: session::Error::Idle(_), .. })
    }
}
