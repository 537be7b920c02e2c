//! What was judged: the files of a record at its commit, and what the commit changed in them.
//!
//! A record names a commit and files in texts that anybody may have written. The commit reaches
//! git as hexadecimal digits or not at all; the files never do: their paths are looked up here, in
//! the trees of the commit. So the same few questions about objects are asked of a clone on this
//! machine and, where no clone has the commit, of the repository on the record's own box.
//!
//! [`load`] blocks: it starts git, may fetch, and may connect to a box.

mod absence;
mod diff;
mod hash;
pub mod highlight;
mod object_source;
mod path;
mod places;
mod read;
mod shown;
mod ssh_repository;
mod text;
mod walk;

pub use absence::Absence;
pub use diff::{Diff, DiffLine, LineKind, parse as parse_diff};

use crate::config::Config;
use crate::domain::Timestamp;
use crate::files::paths::DataDir;
use crate::git::CommitId;
use std::path::PathBuf;

/// What is wanted. The texts are as the record has them, and nothing is trusted of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The commit, in full or abbreviated to 7 digits or more.
    pub commit: String,
    /// Paths in the repository.
    pub files: Vec<String>,
    /// The box that the record came from: its name in the configuration.
    pub box_name: String,
}

/// The judged content. All its texts are hostile: make them visible before they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Where it was found.
    pub source: Where,
    /// The commit's full id.
    pub commit: CommitId,
    /// First line of its message.
    pub subject: String,
    /// Its author's name.
    pub author: String,
    /// Its committer's name.
    pub committer: String,
    /// Its committer date.
    pub time: Option<Timestamp>,
    /// What the differences are against.
    pub base: Base,
    /// The files, in the order of the request, each once.
    pub files: Vec<FileContent>,
    /// How many more files were asked for than are read at once ([`MOST_FILES`]).
    pub left_out: usize,
}

/// A place where commits are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Where {
    /// A local clone that had it.
    Clone(PathBuf),
    /// A local clone into which it was fetched.
    Fetched {
        /// The clone.
        path: PathBuf,
        /// The name of its remote.
        remote: String,
    },
    /// The repository on a box.
    Box {
        /// The box.
        name: String,
        /// The path there.
        path: String,
    },
}

/// What a commit is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// Nothing: it is a first commit, and all in it is new.
    Root,
    /// Its one parent.
    Parent(CommitId),
    /// The first of several parents: what the merge brought to the branch it was made on.
    FirstOf {
        /// That parent.
        parent: CommitId,
        /// How many there are.
        parents: usize,
    },
    /// Its parent is not where the commit is, so there is no difference to show.
    Cut,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// Its path as the record has it.
    pub path: String,
    /// What it is at the commit.
    pub state: State,
    /// What the commit changed in it.
    pub diff: Diff,
}

/// What a file is at the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// A text.
    Text {
        /// It, or its beginning.
        text: String,
        /// Its whole size in bytes.
        size: u64,
        /// Whether only the beginning is here; [`State::absence`] says how much that is.
        cut: bool,
        /// Whether bytes that are no UTF-8 were replaced.
        lossy: bool,
    },
    /// No text: it holds NUL in its beginning.
    Binary {
        /// Its size in bytes.
        size: u64,
    },
    /// A symbolic link.
    Link {
        /// Where it points; it is not followed.
        target: String,
    },
    /// Gone at the commit, which deleted it (or gave it another name). The difference shows what
    /// it was.
    Deleted,
    /// Not shown, for a reason.
    Absent(Absence),
}

impl State {
    /// What is not here, where something is not.
    pub fn absence(&self) -> Option<Absence> {
        match self {
            Self::Text { text, size, cut: true, .. } => {
                Some(Absence::TooLarge { shown: text.len() as u64, size: *size })
            }
            Self::Binary { size } => Some(Absence::Binary { size: *size }),
            Self::Deleted => Some(Absence::Deleted),
            Self::Absent(absence) => Some(absence.clone()),
            Self::Text { .. } | Self::Link { .. } => None,
        }
    }
}

/// The commit was found nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nowhere {
    /// The most telling reason.
    pub why: Absence,
    /// Each place that was looked at, and why it is not from there.
    pub tried: Vec<(Where, Absence)>,
}

/// Most bytes of one file that are shown.
pub const MOST_BYTES: u64 = 1 << 20;
/// Most files of one request that are read.
pub const MOST_FILES: usize = 64;

/// Finds the judged content: in the clones that are configured, then in their remotes (where
/// `fetch` is not off), then on the record's box (where `remote_path` is given). Where no clone is
/// configured, in the one around the working directory.
///
/// It blocks, for up to two minutes where a remote and a box hang; `cancel` is asked every few
/// hundredths of a second whether nobody waits any more. `data` is where sockets of a connection
/// are kept. Nothing is written but objects fetched into a clone, which no ref names.
///
/// # Errors
/// [`Nowhere`], with what was tried.
pub fn load(
    request: &Request,
    config: &Config,
    data: &DataDir,
    cancel: &dyn Fn() -> bool,
) -> Result<Content, Nowhere> {
    places::load(request, config, data, cancel)
}
