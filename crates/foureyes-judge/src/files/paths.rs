//! Where files of our own are.

use std::path::{Path, PathBuf};

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
