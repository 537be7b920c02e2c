//! What is known of a change.

use super::AuthorRate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether something is so.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// It is not.
    #[default]
    No,
    /// It is not known.
    Maybe,
    /// It is.
    Yes,
}

impl From<bool> for Certainty {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// What happens to a file.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// Its content is another.
    Modified,
    /// Its content was, or is from now on, under another name. The path before and the one after are both
    /// touched.
    Renamed,
    /// It has bytes that are no text.
    Binary,
    /// Its mode is another, as where it becomes a program.
    Mode,
    /// It is, or was, a symbolic link or a submodule.
    Link,
}

impl ChangeKind {
    /// All of them.
    pub const ALL: [Self; 7] = crate::domain::variants();

    /// Its name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Modified => "modified",
            Self::Renamed => "renamed",
            Self::Binary => "binary",
            Self::Mode => "mode",
            Self::Link => "link",
        }
    }
}

/// A path that a change touches. Hostile text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedPath {
    /// The path; what is no UTF-8 in it is replaced.
    pub path: String,
    /// What happens to it.
    pub kinds: Vec<ChangeKind>,
    /// What may happen to it besides.
    pub maybe: Vec<ChangeKind>,
    /// Lines that are added or removed; `None` where that is not known.
    pub lines: Option<u64>,
}

impl ChangedPath {
    /// A path of which nothing else is known.
    pub fn unknown(path: impl Into<String>) -> Self {
        let maybe = ChangeKind::ALL.to_vec();
        Self { path: path.into(), kinds: Vec::new(), maybe, lines: None }
    }
}

/// What an author changed before, in the time in which changes are added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Earlier {
    /// Lines.
    pub lines: u64,
    /// Files.
    pub files: u64,
}

/// What is known of a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// The paths that it touches, before and after.
    pub paths: Vec<ChangedPath>,
    /// Whether these are all of them.
    pub is_complete: bool,
    /// What all files of it come to, where that is known without each of them.
    pub total: Option<Earlier>,
    /// Whether it is sensitive.
    pub sensitive: Certainty,
    /// The word or path that makes it so, as it is configured.
    pub sensitive_by: Option<String>,
    /// What its author changed before; `None` where that is not known.
    pub earlier: Option<Earlier>,
    /// The record of its author; `None` of an unknown one.
    pub author: Option<AuthorRate>,
}

impl Change {
    /// Lines that are added or removed; `None` where that is not known.
    pub fn lines(&self) -> Option<u64> {
        let own = self.paths.iter().map(|path| path.lines);
        let all: Option<u64> = own.sum();
        all.filter(|_| self.is_complete).or(self.total.map(|total| total.lines))
    }
}
