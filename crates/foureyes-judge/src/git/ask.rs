//! Questions about objects, asked by name alone: no path, ref or text of a log is among them.
//!
//! The same questions are answered by a clone here and by one on a box.

use super::{Beginning, Call, Error, ObjectId, Prefix, Repository, Surroundings};
use std::time::Duration;

/// Longest header of an object, in bytes: id, kind, size.
const HEADER: u64 = 128;
/// Most that is read of a list of names.
const NAMES: u64 = 64 << 10;
/// For one answer.
const LIMIT: Duration = Duration::from_secs(30);

/// A question about objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// The names of all objects that begin so, a line each.
    Find(Prefix),
    /// One object as [`super::object`] reads it, and at most so many bytes of its content.
    Object {
        /// Which.
        id: ObjectId,
        /// Most bytes of content.
        most: u64,
    },
    /// What differs between the trees of two commits, as [`super::changes`] reads it.
    Changes {
        /// The commit before.
        old: ObjectId,
        /// The commit after.
        new: ObjectId,
        /// Most bytes of the list.
        most: u64,
    },
    /// The difference of two texts in git's unified form.
    Diff {
        /// The blob before.
        old: ObjectId,
        /// The blob after.
        new: ObjectId,
        /// Most bytes of it.
        most: u64,
    },
}

/// What was answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The bytes, at most as many as were asked for.
    pub bytes: Vec<u8>,
    /// Tells whether there was more.
    pub cut: bool,
    /// What git said where it failed; often nothing. Hostile text.
    pub failed: Option<String>,
}

impl Ask {
    fn compares(&self) -> bool {
        matches!(self, Self::Changes { .. } | Self::Diff { .. })
    }

    /// Most bytes of an answer.
    pub fn most(&self) -> u64 {
        match self {
            Self::Find(_) => NAMES,
            Self::Object { most, .. } => most.saturating_add(HEADER),
            Self::Changes { most, .. } | Self::Diff { most, .. } => *most,
        }
    }
}

/// The tree against the tree, as raw as git gives it. Config of a taste has no say in it.
const CHANGES: [&str; 8] =
    ["-r", "-z", "--raw", "--no-abbrev", "-M", "-l400", "--no-ext-diff", "--no-textconv"];

/// One text against the other. Whether they are texts is known before. Of git's algorithms this one
/// gives up on a perfect answer in time; histogram takes a minute for 200,000 lines.
const DIFF: [&str; 11] = [
    "--text",
    "--patch",
    "-U3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--ws-error-highlight=none",
];

impl Repository {
    /// Answers a question. Asks `cancel` now and then whether nobody waits any more.
    ///
    /// # Errors
    /// When git cannot be run or is not done in time; not when it fails, which is an answer.
    pub fn ask(&self, ask: &Ask, cancel: &dyn Fn() -> bool) -> Result<Reply, Error> {
        let call = |name| Call::new(self.path(), name, Surroundings::User);
        let call = match ask {
            Ask::Find(prefix) => {
                call("rev-parse").arg(format!("--disambiguate={}", prefix.as_str()))
            }
            Ask::Object { id, .. } => {
                call("cat-file").arg("--batch").input(format!("{id}\n").into_bytes())
            }
            Ask::Changes { old, new, .. } => {
                call("diff-tree").args(CHANGES).args([old.as_str(), new.as_str()])
            }
            Ask::Diff { old, new, .. } => {
                call("diff").args(DIFF).args([old.as_str(), new.as_str()])
            }
        };
        match call.most(ask.most()).limit(LIMIT).beginning(cancel) {
            Ok(Beginning { bytes, cut }) => Ok(Reply { bytes, cut, failed: None }),
            Err(Error::Failed { stderr, .. }) => Ok(failed(stderr)),
            // A comparison that takes too long is one thing less to show, not the end.
            Err(error @ Error::TimedOut { .. }) if ask.compares() => Ok(failed(error.to_string())),
            Err(error) => Err(error),
        }
    }
}

fn failed(message: String) -> Reply {
    Reply { failed: Some(message), ..Reply::default() }
}
