//! Why something is not shown, and what could be done about it.

use std::path::PathBuf;

/// Why a commit, a file or a difference is not shown. Texts in it are hostile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absence {
    /// No clone is configured for the box, and no repository on it.
    NoRepository {
        /// The box.
        box_name: String,
    },
    /// The record names no commit that could be one.
    NoCommitId {
        /// What it has in its place.
        text: String,
    },
    /// An abbreviation fits several commits.
    Ambiguous {
        /// How many.
        commits: usize,
    },
    /// The commit is not there.
    Unknown {
        /// Whether it was looked for in a remote too.
        fetched: bool,
    },
    /// The commit is not there, in a clone whose history is cut off.
    Shallow,
    /// The commit is not there, and fetching is switched off.
    FetchOff,
    /// The commit is not there, and the clone has no remote.
    NoRemote,
    /// The clone's own configuration names a program that fetching would start.
    OwnProgram {
        /// The key.
        key: String,
    },
    /// Fetching failed.
    FetchFailed {
        /// What git said.
        reason: String,
    },
    /// What is configured is no clone, or git refuses it.
    NoClone {
        /// The path.
        path: PathBuf,
        /// What git said.
        reason: String,
    },
    /// There is no git on this machine.
    NoGit,
    /// There is no git on the box.
    NoGitOnBox,
    /// The path on the box is no repository.
    NoRepositoryOnBox,
    /// The box could not be reached, or the connection broke off.
    BoxUnreachable {
        /// Why.
        reason: String,
    },
    /// Nobody waits for it any more.
    Cancelled,
    /// git failed.
    Failed {
        /// What it said.
        reason: String,
    },
    /// A path that leads out of the repository.
    PathLeaves,
    /// A text that can be no path in a repository.
    NoPath,
    /// The commit deleted the file.
    Deleted,
    /// The commit's tree does not have the file.
    NotAtCommit,
    /// The path is a directory.
    Directory,
    /// The path is another repository's commit.
    Submodule,
    /// The repository has the commit and not this object of it.
    NotHere,
    /// No text.
    Binary {
        /// Bytes.
        size: u64,
    },
    /// Only the beginning is shown.
    TooLarge {
        /// Bytes that are shown.
        shown: u64,
        /// Bytes in all.
        size: u64,
    },
    /// The commit's parent is not where the commit is.
    ParentCut,
}

impl Absence {
    /// What is so, in one sentence. It may hold hostile text.
    pub fn sentence(&self) -> String {
        match self {
            Self::NoRepository { box_name } => {
                format!("No repository is configured for the box {box_name}.")
            }
            Self::NoCommitId { text } if text.is_empty() => "The record names no commit.".into(),
            Self::NoCommitId { text } => {
                let head: String = text.chars().take(80).collect();
                format!("The record's commit is not a commit id: {head:?}.")
            }
            Self::Ambiguous { commits } => {
                format!("The abbreviated commit id fits {commits} commits.")
            }
            Self::Unknown { fetched: false } => "The commit is not here.".into(),
            Self::Unknown { fetched: true } => {
                "The commit is not here, and was not in the remote either.".into()
            }
            Self::Shallow => "The clone is shallow: its history ends after the commit.".into(),
            Self::FetchOff => "The commit is not here, and fetching is off.".into(),
            Self::NoRemote => "The commit is not here, and the clone has no remote.".into(),
            Self::OwnProgram { key } => format!(
                "The commit is not here, and is not fetched: the clone's own configuration names a program in {key}."
            ),
            Self::FetchFailed { reason } => format!("The commit could not be fetched: {reason}"),
            Self::NoClone { path, reason } => {
                format!("{} cannot be used as a clone: {reason}", path.display())
            }
            Self::NoGit => "The git program could not be started.".into(),
            Self::NoGitOnBox => "There is no git on the box.".into(),
            Self::NoRepositoryOnBox => {
                "The path on the box is not a repository of its user.".into()
            }
            Self::BoxUnreachable { reason } => format!("The box could not be asked: {reason}"),
            Self::Cancelled => "Looking for it was cancelled.".into(),
            Self::Failed { reason } => format!("git failed: {reason}"),
            Self::PathLeaves => "The path in the record leads out of the repository.".into(),
            Self::NoPath => "The text in the record is not a path in a repository.".into(),
            Self::Deleted => "The commit deleted the file.".into(),
            Self::NotAtCommit => "The file is not in the commit.".into(),
            Self::Directory => "The path is a directory.".into(),
            Self::Submodule => "The path is a commit of another repository.".into(),
            Self::NotHere => "The repository has the commit, and not this content.".into(),
            Self::Binary { size } => format!("The file is not text; it has {size} bytes."),
            Self::TooLarge { shown, size } => format!("Truncated, {shown} of {size} bytes."),
            Self::ParentCut => "The commit's parent is not here: no difference to show.".into(),
        }
    }

    /// What could be done, in one sentence; none where there is nothing to do.
    pub fn next_step(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoRepository { .. } => {
                "Start foureyes in a clone that has the commit, or add a [[repository]] to the configuration."
            }
            Self::NoCommitId { .. } | Self::PathLeaves | Self::NoPath => {
                "Look at the record as it was written; whoever writes the log must correct it."
            }
            Self::Ambiguous { .. } => "Have the hook write full commit ids.",
            Self::Unknown { fetched: false } => "Look whether this is the right repository.",
            Self::Unknown { fetched: true } | Self::NoRemote => {
                "It may have stayed on the box: give `remote_path` for the [[repository]]."
            }
            Self::Shallow => "Run `git fetch --unshallow` in the clone.",
            Self::FetchOff => "Run `git fetch` in the clone, or set `fetch = true` for it.",
            Self::OwnProgram { .. } => {
                "Run `git fetch` in the clone, or name the key in `programs` of the [[repository]]."
            }
            Self::FetchFailed { .. } => {
                "Run `git fetch` in the clone by hand: it must work without a question."
            }
            Self::NoClone { .. } => "Correct `path` of the [[repository]], or clone it there.",
            Self::NoGit => "Install git, or put it on the PATH.",
            Self::NoGitOnBox => "Install git on the box, or clone the repository here.",
            Self::NoRepositoryOnBox => "Correct `remote_path` of the [[repository]].",
            Self::BoxUnreachable { .. } => "Run `foureyes doctor`, then try again.",
            Self::Cancelled => "Open the record again.",
            Self::Failed { .. } => "Run `git fsck` in the repository.",
            Self::NotAtCommit => "An earlier commit of the same push may have it.",
            Self::NotHere => "The clone is partial: run `git fetch --refetch` in it.",
            Self::ParentCut => "Run `git fetch --deepen=1` in the clone.",
            Self::TooLarge { .. } | Self::Binary { .. } => "Open it with `git show` in a clone.",
            Self::Deleted | Self::Directory | Self::Submodule => return None,
        })
    }

    /// How much a reason tells, beside others.
    pub(super) fn weight(&self) -> u8 {
        match self {
            Self::Cancelled => 9,
            Self::NoGit => 8,
            Self::Ambiguous { .. } => 7,
            Self::Failed { .. } => 6,
            Self::BoxUnreachable { .. } | Self::NoGitOnBox | Self::NoRepositoryOnBox => 5,
            Self::FetchFailed { .. } | Self::OwnProgram { .. } => 4,
            Self::NoClone { .. } => 3,
            Self::Shallow | Self::FetchOff | Self::NoRemote => 2,
            Self::Unknown { fetched: true } => 1,
            _ => 0,
        }
    }
}
