//! Why there is no theme.

use crate::config::error::listed;
use crate::config::{Error, Problem};
use std::io;
use std::path::PathBuf;

/// How loading a theme fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThemeError {
    /// No theme has that name.
    #[error("there is no theme {name}{}", nearest(near.as_deref()))]
    Unknown {
        /// The name, quoted.
        name: String,
        /// The name of a theme that is spelt most like it.
        near: Option<String>,
    },
    /// A name that could lead out of the folder of themes, or could not be shown.
    #[error("{name} is not a valid theme name")]
    Name {
        /// The name, quoted.
        name: String,
    },
    /// The file could not be read.
    #[error("failed to load the theme {name}")]
    Read {
        /// The name, quoted.
        name: String,
        /// Error of the operating system.
        #[source]
        source: Error,
    },
    /// The folder of themes could not be listed.
    #[error("failed to list the themes in {}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The file was read and says something wrong; one line a problem, each with its place.
    #[error("{}", listed(path, problems))]
    Invalid {
        /// The file; one that comes with the program is below `themes/`.
        path: PathBuf,
        /// All that is wrong, in the order of the file; never empty.
        problems: Vec<Problem>,
    },
}

impl ThemeError {
    /// What is wrong inside the file, in its order; empty for other errors.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Invalid { problems, .. } => problems,
            _ => &[],
        }
    }
}

fn nearest(near: Option<&str>) -> String {
    near.map(|n| format!("; the nearest is `{n}`")).unwrap_or_default()
}
