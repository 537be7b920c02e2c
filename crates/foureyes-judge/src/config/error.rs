//! How loading a configuration fails, and what is only worth a word.

use super::Problem;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read.
    #[error("failed to read the configuration file {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The path leads to something that is no file.
    #[error("the configuration file {} is {found}, not a file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// The file is larger than any configuration.
    #[error("the configuration file {} has {bytes} bytes, more than {limit}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The largest size that is read.
        limit: u64,
    },
    /// The file was read and says something wrong; one line a problem, each with its place.
    #[error("{}", listed(path, problems))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// All that is wrong, in the order of the file; never empty.
        problems: Vec<Problem>,
    },
    /// An environment variable has a value that cannot be used.
    #[error("the environment variable {name} is {value}: {reason}")]
    Variable {
        /// Its name.
        name: &'static str,
        /// Its value, quoted.
        value: String,
        /// Why not.
        reason: String,
    },
    /// Neither `HOME` nor the system says where the home directory is.
    #[error("the home directory is not known")]
    NoHome,
}

impl Error {
    /// What is wrong inside the file, in its order; empty for other errors.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Invalid { problems, .. } => problems,
            _ => &[],
        }
    }
}

/// One line a problem, each with path and place.
pub fn listed(path: &std::path::Path, problems: &[Problem]) -> String {
    let mut text = String::new();
    for (i, problem) in problems.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = write!(text, "{gap}{}:{problem}", path.display());
    }
    text
}

/// What does not stop the program but should be known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// Every user of the machine can change the file, hence where `ssh` connects to.
    #[error("every user can write the configuration file {} (mode {mode:03o})", path.display())]
    WorldWritable {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// Every user of the machine can put another file in its place.
    #[error("every user can replace files in the configuration directory {} (mode {mode:03o})", path.display())]
    DirectoryWritable {
        /// The directory.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The key of one endpoint is sent to another.
    #[error(
        "[judges.{judge}] has an endpoint of its own and is sent the key of [judge]: set its `key_env`"
    )]
    BorrowedKey {
        /// The name of the judge.
        judge: String,
    },
    /// Another judge of memories is asked than before.
    #[error("memories are judged by {now}, and no longer by {before} of [judge]. {lines}")]
    MovedRelevanceJudge {
        /// Who is asked.
        now: String,
        /// Who was.
        before: String,
        /// The lines that keep it, and what to do with them.
        lines: String,
    },
    /// Who is asked was chosen without saying for which model.
    #[error("[{section}] sets `kind` and no `model`, so {what} by {model}, the model of [judge]")]
    InheritedModel {
        /// The section that has the kind.
        section: String,
        /// What is judged by it, with its verb.
        what: &'static str,
        /// The model.
        model: String,
    },
}

impl Warning {
    /// What to do, where the sentence does not say it.
    pub fn advice(&self) -> Option<String> {
        match self {
            Self::WorldWritable { .. } | Self::DirectoryWritable { .. } => {
                Some("revoke write access for others: chmod go-w".to_owned())
            }
            Self::InheritedModel { section, .. } => Some(format!("set `model` in [{section}]")),
            Self::BorrowedKey { .. } | Self::MovedRelevanceJudge { .. } => None,
        }
    }

    /// Whether each run reports it, and not only a check of the configuration: what others could do to
    /// this file, and not what its owner chose.
    pub fn is_for_every_run(&self) -> bool {
        match self {
            Self::WorldWritable { .. } | Self::DirectoryWritable { .. } => true,
            Self::BorrowedKey { .. }
            | Self::MovedRelevanceJudge { .. }
            | Self::InheritedModel { .. } => false,
        }
    }
}
