//! Where files of our own are.

use std::io;
use std::path::{Path, PathBuf};

/// The one path that a file has, however it is written and from wherever it is named: from the root of the
/// repository that it is in. In none it is from a directory, or absolute where it is not below that. Links
/// are followed.
///
/// # Errors
/// A file that is not there.
pub fn from_root(file: &Path, directory: &Path) -> io::Result<PathBuf> {
    let (file, directory) = (file.canonicalize()?, directory.canonicalize()?);
    let repository = file.ancestors().skip(1).find(|dir| dir.join(".git").exists());
    let root = repository.unwrap_or(&directory);
    Ok(file.strip_prefix(root).unwrap_or(&file).to_owned())
}

/// The directory that holds mirror, cache, session and ledgers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDir {
    root: PathBuf,
    cache: PathBuf,
}

impl DataDir {
    /// Everything under one directory, as `--data-dir` asks.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { cache: root.join("cache"), root }
    }

    /// The platform's own places for data and for what can be made again.
    pub fn split(root: impl Into<PathBuf>, cache: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), cache: cache.into() }
    }

    /// The root of all that must be kept.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Byte-exact copies of the boxes' logs.
    pub fn mirror(&self) -> PathBuf {
        self.root.join("mirror")
    }

    /// What can be made again from mirror and sources.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// What models refused of a question, so that it is found out once.
    pub fn refused(&self) -> PathBuf {
        self.cache.join("refused.json")
    }

    /// Assignments that the store of the operators holds, as of the last question.
    pub fn assignments(&self) -> PathBuf {
        self.cache.join("assignments.json")
    }

    /// What reviewers said, a file a reviewer and machine.
    pub fn ledger(&self) -> PathBuf {
        self.root.join("ledger")
    }

    /// Readiness reports that the console wrote.
    pub fn reports(&self) -> PathBuf {
        self.root.join("reports")
    }

    /// Which overrides were written to which box.
    pub fn overrides(&self) -> PathBuf {
        self.root.join("overrides")
    }

    /// The mode that the hook of this machine was set to, and the report that came with it.
    pub fn hook(&self) -> PathBuf {
        self.root.join("hook")
    }

    /// What the operator has seen, and how the console was left.
    pub fn session(&self) -> PathBuf {
        self.root.join("session")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn file_has_one_path_however_it_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let sub = root.join("repo/sub");
        std::fs::create_dir_all(&sub).unwrap();
        std::fs::create_dir(root.join("repo/.git")).unwrap();
        std::fs::write(sub.join("a.md"), "a").unwrap();
        std::fs::write(root.join("outside.md"), "o").unwrap();
        std::os::unix::fs::symlink(sub.join("a.md"), root.join("repo/link.md")).unwrap();
        let of = |path: &str, from: &Path| from_root(&from.join(path), from).unwrap();
        for path in ["a.md", "./a.md", "../sub/a.md", "../link.md"] {
            assert_eq!(of(path, &sub), Path::new("sub/a.md"), "{path}");
        }
        assert_eq!(
            from_root(&sub.join("a.md"), &root.join("repo")).unwrap(),
            Path::new("sub/a.md")
        );
        let path = from_root(&sub.join("a.md"), Path::new("/")).unwrap();
        assert_eq!(path, Path::new("sub/a.md"), "from elsewhere");
        assert_eq!(of("../../outside.md", &sub), root.join("outside.md"));
        assert_eq!(of("./outside.md", &root), Path::new("outside.md"), "no repository");
        assert!(from_root(&root.join("absent"), &root).is_err());
    }
}
