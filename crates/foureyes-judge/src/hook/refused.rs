//! What could not be judged of a push, and what is said of it.

use crate::git::CommitId;
use std::collections::{BTreeMap, HashMap};

/// What of a push could not be judged, as far as is known.
#[derive(Debug, Default)]
pub(super) struct Unjudged {
    /// Commits that were not judged: why.
    pub(super) commits: BTreeMap<CommitId, String>,
    /// What went wrong that is of no one commit.
    pub(super) causes: Vec<String>,
    /// The newest record of each commit.
    pub(super) records: HashMap<String, String>,
    /// There are more commits than one push may have.
    pub(super) too_many: bool,
}

/// A push that is refused since something could not be judged. Texts are hostile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refused {
    /// The commits: why, and the record that a person can accept, where there is one.
    pub commits: Vec<(CommitId, String, Option<String>)>,
    /// What went wrong beyond single commits.
    pub causes: Vec<String>,
    /// The most commits that one push may have, where it has more.
    pub most: Option<usize>,
}
