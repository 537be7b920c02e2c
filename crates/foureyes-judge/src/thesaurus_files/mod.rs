//! Files of terms in a directory, and the program that finds terms by them.

mod external;
mod setup;

pub use external::{ExternalMatch, Unanswered, find};
pub use setup::{Outcome, SetupError, setup};

use crate::config::{Config, Environment};
use crate::thesaurus::{BUILT_IN, MAX_FILE, Problem, Source, Thesaurus};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most files of a directory that are read.
const MAX_FILES: usize = 500;

/// The terms that hold, and what is wrong with their files.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The terms.
    pub thesaurus: Arc<Thesaurus>,
    /// What is wrong in files that were read.
    pub problems: Vec<Problem>,
    /// Files and directories that could not be read.
    pub unread: Vec<Unread>,
}

/// Something that could not be read.
#[derive(Debug, Clone)]
pub struct Unread {
    /// The file or directory.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl Loaded {
    /// Everything that is wrong, a line each. Names of files are raw text.
    pub fn warnings(&self) -> Vec<String> {
        let problems = self.problems.iter().map(ToString::to_string);
        let unread = self
            .unread
            .iter()
            .map(|unread| format!("failed to read {}: {}", unread.path.display(), unread.reason));
        problems.chain(unread).collect()
    }
}

/// The terms that a configuration asks for; `None` where words of judges are not compared with scores.
pub fn configured(config: &Config, environment: &Environment) -> Option<Loaded> {
    config.kg.enabled.then(|| load(config.kg.directory(environment).as_deref()))
}

/// Reads the files of a directory beside those that come with the program. A file of the same name takes
/// the place of one of those. A directory that is not there has no files.
pub fn load(directory: Option<&Path>) -> Loaded {
    let mut unread = Vec::new();
    let mut files = directory.map(|dir| read_all(dir, &mut unread)).unwrap_or_default();
    let ours = BUILT_IN.map(|file| {
        let own = files.remove(file.name);
        (file.name.to_owned(), own.unwrap_or_else(|| file.text.as_bytes().to_vec()))
    });
    let all: Vec<_> = ours.into_iter().chain(files).collect();
    let sources: Vec<_> =
        all.iter().map(|(name, bytes)| Source { name: name.as_str(), bytes }).collect();
    let (thesaurus, problems) = Thesaurus::new(&sources);
    Loaded { thesaurus: Arc::new(thesaurus), problems, unread }
}

/// The files of a directory by name.
fn read_all(directory: &Path, unread: &mut Vec<Unread>) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut failed = |path: &Path, error: &io::Error| {
        unread.push(Unread { path: path.to_owned(), reason: error.to_string() });
    };
    let paths = match paths(directory) {
        Ok(paths) => paths,
        Err(error) => {
            failed(directory, &error);
            return files;
        }
    };
    for (number, path) in paths.iter().enumerate() {
        let Some(name) = path.file_name() else { continue };
        if number == MAX_FILES {
            failed(directory, &io::Error::other(format!("it has more than {MAX_FILES} files")));
            break;
        }
        match read(path) {
            Ok(bytes) => drop(files.insert(name.to_string_lossy().into_owned(), bytes)),
            Err(error) => failed(path, &error),
        }
    }
    files
}

/// The Markdown files of a directory, hidden ones left out, in order.
fn paths(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        if !hidden && path.extension().is_some_and(|end| end == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Reads a file, a byte more than it may have at most. Links are followed.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Asked before opening: opening a named pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
