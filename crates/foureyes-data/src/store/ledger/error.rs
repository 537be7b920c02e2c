//! How a ledger cannot be read or written.

use super::{Break, LONGEST_NAME, LONGEST_TEXT, Reviewer};
use crate::domain::review::Act;
use std::io;
use std::path::PathBuf;

/// A ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// Reading failed.
    #[error("failed to read {}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Writing failed: nothing was saved.
    #[error("failed to save to {}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is not as it was written, so nothing is appended to it.
    #[error("{} is not as it was written from line {} on", path.display(), broken.line)]
    Broken {
        /// Which file.
        path: PathBuf,
        /// Where, and what is wrong.
        broken: Break,
    },
    /// What was written does not stand there.
    #[error("{} does not hold what was just written to it", path.display())]
    NotThere {
        /// Which file.
        path: PathBuf,
    },
    /// A new file is begun only where the last one is broken.
    #[error("{} is as it was written: no other file is needed", path.display())]
    NotBroken {
        /// Which file.
        path: PathBuf,
    },
    /// The seed of an audit sample must be random.
    #[error("failed to get random numbers from the system")]
    NoRandomness {
        /// Why.
        #[source]
        source: getrandom::Error,
    },
    /// A text that is too long to be kept.
    #[error("the {what} has {bytes} bytes, more than {limit}")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// Its size.
        bytes: usize,
        /// The largest size.
        limit: usize,
    },
    /// A text that must not be empty.
    #[error("the {what} is empty")]
    Empty {
        /// Which text.
        what: &'static str,
    },
}

/// Why nothing was appended, before the path is known.
pub(super) enum Refused {
    Io(io::Error),
    Broken(Break),
    Long(usize),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Refused {
    pub(super) fn at(self, path: PathBuf) -> LedgerError {
        match self {
            Self::Io(source) => LedgerError::Write { path, source },
            Self::Broken(broken) => LedgerError::Broken { path, broken },
            Self::Long(bytes) => {
                LedgerError::TooLong { what: "entry", bytes, limit: super::LONGEST_LINE }
            }
        }
    }
}

/// Refuses texts that are too long, and names and reasons that are empty.
pub(super) fn check(reviewer: &Reviewer, act: &Act) -> Result<(), LedgerError> {
    let short = |what, text: &str, limit| match text.len() {
        bytes if bytes > limit => Err(LedgerError::TooLong { what, bytes, limit }),
        _ => Ok(()),
    };
    let name = |what, text: &str| match text.trim().is_empty() {
        true => Err(LedgerError::Empty { what }),
        false => short(what, text, LONGEST_NAME),
    };
    name("name of the reviewer", &reviewer.name)?;
    name("name of the machine", &reviewer.machine)?;
    for label in act.labels() {
        label.reviewer.as_deref().map_or(Ok(()), |text| name("name of the reviewer", text))?;
        let texts = [("note", &label.note), ("reason", &label.reason)];
        for (what, text) in texts.into_iter().filter_map(|(what, t)| Some((what, t.as_ref()?))) {
            short(what, text, LONGEST_TEXT)?;
        }
    }
    if let Act::Mode(set) = act {
        let waived = set.waiver.iter().flat_map(|w| [&w.name, &w.reason]);
        for text in waived.chain(&set.reason) {
            short("reason", text, LONGEST_TEXT)?;
        }
    }
    if let Act::Assignment(assignment) = act {
        name("name of the reviewer", &assignment.reviewer)?;
    }
    if let Act::Override(word) = act {
        if word.reason.trim().is_empty() {
            return Err(LedgerError::Empty { what: "reason" });
        }
        short("reason", &word.reason, LONGEST_TEXT)?;
    }
    Ok(())
}
