//! What a pull noticed on a box.

use crate::domain::Timestamp;
use crate::store::cursor::RemotePath;
use serde::{Deserialize, Serialize};
use std::fmt;

/// So many files are named that are not read; of more only the number is kept.
pub const NAMED: usize = 50;

/// Something noticed, and when. Its text is raw: escape it to print it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Start of the pull that noticed it.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub fact: Fact,
}

/// What can be noticed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum Fact {
    /// A file is shorter than what was copied of it.
    Truncated {
        /// Its path.
        path: RemotePath,
    },
    /// A file's bytes before the cursor are others than were copied.
    Changed {
        /// Its path.
        path: RemotePath,
    },
    /// Another file stands under the name.
    Replaced {
        /// The name.
        path: RemotePath,
    },
    /// A file was rotated away more than once between two pulls, or into nowhere.
    Gap {
        /// The name it had.
        path: RemotePath,
    },
    /// A file stands under another name now.
    Rotated {
        /// The name it had.
        from: RemotePath,
        /// The name it has.
        to: RemotePath,
    },
    /// A file is not there any more.
    Deleted {
        /// Its path.
        path: RemotePath,
    },
    /// A copy here is not what it was; the file is fetched again.
    MirrorDamaged {
        /// The path of the file on the box.
        path: RemotePath,
    },
    /// What is remembered of the box was missing or damaged, and made again from the copies.
    Recovered,
    /// Bytes came that are not those of the file; they were dropped.
    Garbled {
        /// Its path.
        path: RemotePath,
    },
    /// Fewer bytes of a file came than it had in the listing, or another file was in its place before all had come.
    Incomplete {
        /// Its path.
        path: RemotePath,
    },
    /// Nothing stands under a configured path.
    Missing {
        /// The path.
        path: RemotePath,
    },
    /// A configured directory, or a file, cannot be read there.
    Unreadable {
        /// Its path.
        path: RemotePath,
    },
    /// A name stands for something that is never read.
    Refused {
        /// The path.
        path: RemotePath,
        /// What it is.
        what: String,
    },
    /// More files look like logs and are not read.
    AlsoUnread {
        /// How many.
        files: u64,
    },
    /// A question of a task, or several, may be on the box and were not taken.
    QuestionNotTaken {
        /// Which, or how many: the hash that a log has, or a number.
        what: String,
        /// Why.
        why: String,
    },
    /// More was noticed than is kept.
    AlsoNoticed {
        /// How many facts.
        facts: u64,
    },
    /// A file is larger than the limit.
    TooLarge {
        /// Its path.
        path: RemotePath,
        /// Its size in bytes.
        bytes: u64,
    },
    /// The box's clock differs from this machine's by more than [`crate::domain::AHEAD`].
    ClockOff {
        /// Seconds that it is ahead, negative where it is behind.
        ahead_s: i64,
    },
    /// The box lacks something, and what that costs.
    Degraded {
        /// What it lacks.
        lacks: String,
        /// What cannot be told without it.
        cost: String,
    },
}

/// What stands behind the path of a file that is not there.
const MISSING: &str = " does not exist";

impl Fact {
    /// Whether a text says that nothing stands under a configured path.
    pub fn is_missing(text: &str) -> bool {
        text.ends_with(MISSING)
    }

    /// Whether bytes may be lost: such a notice outlives the next quiet pull.
    pub fn must_be_seen(&self) -> bool {
        self.is_loss() || matches!(self, Self::MirrorDamaged { .. } | Self::Recovered)
    }

    /// Whether bytes of a log may be missing: written on the box, and not here.
    pub fn is_loss(&self) -> bool {
        matches!(
            self,
            Self::Truncated { .. }
                | Self::Changed { .. }
                | Self::Replaced { .. }
                | Self::Gap { .. }
                | Self::Incomplete { .. }
        )
    }

    /// Whether what may be lost by an earlier notice has been found.
    pub fn resolves(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Rotated { from, .. }, Self::Incomplete { path }) => from == path,
            _ => false,
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { path } => write!(
                f,
                "{} was truncated; the earlier copy is kept, what was written between the last pull and then is lost",
                path.lossy()
            ),
            Self::Changed { path } => write!(
                f,
                "{} was changed in place, or truncated and rewritten; the earlier copy is kept, what was written after the last pull may be missing",
                path.lossy()
            ),
            Self::Replaced { path } => {
                write!(
                    f,
                    "{} is another file now; the copy of the earlier one is kept, what was written to it after the last pull may be missing",
                    path.lossy()
                )
            }
            Self::Gap { path } => write!(
                f,
                "{} was rotated away and its end cannot be found: what was written to it after the last pull is missing",
                path.lossy()
            ),
            Self::Rotated { from, to } => write!(f, "{} is {} now", from.lossy(), to.lossy()),
            Self::Deleted { path } => write!(f, "{} is gone; its copy is kept", path.lossy()),
            Self::MirrorDamaged { path } => {
                write!(f, "the copy of {} was damaged here; it is fetched again", path.lossy())
            }
            Self::Recovered => f.write_str(
                "the state of the mirror was missing or damaged and was made again from its files",
            ),
            Self::Garbled { path } => {
                write!(f, "{} arrived damaged and will be fetched again", path.lossy())
            }
            Self::Incomplete { path } => write!(
                f,
                "{} was truncated or replaced during the pull, or cannot be read to its end; what came is kept",
                path.lossy()
            ),
            Self::Missing { path } => write!(f, "{}{MISSING}", path.lossy()),
            Self::Unreadable { path } => write!(f, "{} cannot be read there", path.lossy()),
            Self::Refused { path, what } => write!(f, "{} is {what} and is not read", path.lossy()),
            Self::AlsoUnread { files: 1 } => f.write_str("1 more file is not read"),
            Self::AlsoUnread { files } => write!(f, "{files} more files are not read"),
            Self::QuestionNotTaken { what, why } => write!(f, "{what} not taken: {why}"),
            Self::AlsoNoticed { facts: 1 } => f.write_str("1 more notice is left out"),
            Self::AlsoNoticed { facts } => write!(f, "{facts} more notices are left out"),
            Self::TooLarge { path, bytes } => {
                write!(f, "{} has {bytes} bytes, more than the limit", path.lossy())
            }
            Self::ClockOff { ahead_s } => {
                let way = if *ahead_s < 0 { "behind" } else { "ahead of" };
                let minutes = ahead_s.unsigned_abs() / 60;
                write!(f, "its clock is {minutes} min {way} this machine's")
            }
            Self::Degraded { lacks, cost } => write!(f, "the box has no {lacks}: {cost}"),
        }
    }
}
