//! The directory that is written to, and the list of what is ours in it.

use super::Error;
use crate::domain::log_name::GENERATED;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The first line of the marker.
const TITLE: &str =
    "Made by `foureyes generate`, which removes exactly these files when it is run again:";

/// A directory that is ours to fill.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Takes an absent or empty directory, or one of an earlier run, whose files are removed.
    ///
    /// Nothing that an earlier run did not make is touched.
    pub(super) fn prepare(root: &Path) -> Result<Self, Error> {
        let io = |source| Error::Prepare { path: root.to_owned(), source };
        fs::create_dir_all(root).map_err(io)?;
        let root = root.canonicalize().map_err(io)?;
        let folder = Self { root };
        if folder.read_marker()?.is_none() {
            if fs::read_dir(&folder.root).map_err(io)?.next().is_some() {
                return Err(Error::Occupied { path: folder.root });
            }
            return Ok(folder);
        }
        folder.clear()?;
        Ok(folder)
    }

    /// The directory, absolute.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The files of the earlier run; `None` where there was none.
    fn read_marker(&self) -> Result<Option<BTreeSet<PathBuf>>, Error> {
        let path = self.root.join(GENERATED);
        let text = match fs::read_to_string(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|source| Error::Read { path: path.clone(), source })?,
        };
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(Error::Occupied { path: self.root.clone() });
        }
        let inside = |p: &PathBuf| p.components().all(|c| matches!(c, Component::Normal(_)));
        Ok(Some(lines.map(PathBuf::from).filter(inside).collect()))
    }

    /// Removes what an earlier run made.
    fn clear(&self) -> Result<(), Error> {
        let ours = self.read_marker()?.unwrap_or_default();
        // git would build on what it finds in a repository, so there nothing foreign may be.
        for file in files(&self.root.join("repository"))? {
            if file.strip_prefix(&self.root).is_ok_and(|f| !ours.contains(f)) {
                return Err(Error::Foreign { path: file });
            }
        }
        for file in ours.iter().filter(|f| self.is_plain(f)) {
            let path = self.root.join(file);
            match fs::remove_file(&path) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                other => other.map_err(|source| Error::Write { path, source })?,
            }
        }
        let parents: BTreeSet<&Path> = ours.iter().flat_map(|f| f.ancestors().skip(1)).collect();
        for parent in parents.into_iter().rev().filter(|p| !p.as_os_str().is_empty()) {
            // A directory that still holds something is not ours alone.
            let _ = fs::remove_dir(self.root.join(parent));
        }
        Ok(())
    }

    /// Tells whether no link stands between the root and a file.
    fn is_plain(&self, file: &Path) -> bool {
        let mut above = file.ancestors().skip(1);
        above.all(|dir| fs::symlink_metadata(self.root.join(dir)).is_ok_and(|m| m.is_dir()))
    }

    /// Says before anything is written what will be ours.
    pub(super) fn claim(&self, planned: &[PathBuf]) -> Result<(), Error> {
        self.mark(planned.iter().cloned())
    }

    /// Lists everything that is ours, git's files among it, now that all is written.
    pub(super) fn seal(&self, planned: &[PathBuf]) -> Result<(), Error> {
        let git = files(&self.root.join("repository"))?.into_iter();
        let git = git.filter_map(|f| f.strip_prefix(&self.root).ok().map(Path::to_owned));
        self.mark(planned.iter().cloned().chain(git))
    }

    fn mark(&self, files: impl Iterator<Item = PathBuf>) -> Result<(), Error> {
        let names: BTreeSet<String> =
            files.filter_map(|f| f.to_str().map(ToOwned::to_owned)).collect();
        let mut text = format!("{TITLE}\n");
        names.iter().for_each(|name| text.extend([name.as_str(), "\n"]));
        let path = self.root.join(GENERATED);
        fs::write(&path, text).map_err(|source| Error::Write { path, source })
    }

    /// The place of a file, its directory made.
    pub(super) fn place(&self, file: &Path) -> Result<PathBuf, Error> {
        let path = self.root.join(file);
        let parent = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(parent)
            .map_err(|source| Error::Prepare { path: parent.to_owned(), source })?;
        Ok(path)
    }
}

/// All files below a directory; links are files here. None where there is no such directory.
fn files(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        let read = |source| Error::Read { path: dir.clone(), source };
        let entries = match fs::read_dir(&dir) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            other => other.map_err(read)?,
        };
        for entry in entries {
            let entry = entry.map_err(read)?;
            let is_dir = entry.file_type().map_err(read)?.is_dir();
            if is_dir { &mut open } else { &mut found }.push(entry.path());
        }
    }
    Ok(found)
}
