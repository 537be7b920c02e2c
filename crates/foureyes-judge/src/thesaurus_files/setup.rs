//! Puts the files that come with the program into a directory.

use super::read;
use crate::files::atomic;
use crate::thesaurus::BUILT_IN;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was written.
    Written,
    /// It was there, the same.
    Unchanged,
    /// It was there, other than ours, and was left as it is.
    Changed,
    /// A link of that name was left as it is.
    Link,
    /// Something else of that name was left as it is.
    NoFile,
}

impl Outcome {
    /// The word in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Link => "link",
            Self::NoFile => "no_file",
        }
    }

    /// Whether the file of the directory is not ours.
    pub fn is_kept(self) -> bool {
        matches!(self, Self::Changed | Self::Link | Self::NoFile)
    }
}

/// A file or directory that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("failed to write {}", path.display())]
pub struct SetupError {
    /// The file or directory.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub source: io::Error,
}

/// Writes each file whole, and only where nothing is of its name.
///
/// # Errors
/// The first file or directory that could not be written or compared; files before it are there.
pub fn setup(directory: &Path) -> Result<Vec<(&'static str, Outcome)>, SetupError> {
    atomic::private_dir(directory)
        .map_err(|source| SetupError { path: directory.to_owned(), source })?;
    let one = |file: crate::thesaurus::BuiltIn| {
        let path = directory.join(file.name);
        let outcome = place(&path, file.text.as_bytes());
        outcome
            .map(|outcome| (file.name, outcome))
            .map_err(|source| SetupError { path: path.clone(), source })
    };
    BUILT_IN.into_iter().map(one).collect()
}

fn place(path: &Path, bytes: &[u8]) -> io::Result<Outcome> {
    match atomic::create(path, bytes) {
        Ok(()) => return Ok(Outcome::Written),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_symlink() {
        return Ok(Outcome::Link);
    }
    if !kind.is_file() {
        return Ok(Outcome::NoFile);
    }
    let same = read(path)? == bytes;
    Ok(if same { Outcome::Unchanged } else { Outcome::Changed })
}
