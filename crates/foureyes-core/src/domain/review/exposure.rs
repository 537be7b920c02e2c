//! An exposure: verdicts were shown to a reviewer who had not labelled their records.

use crate::domain::RecordId;
use serde::{Deserialize, Serialize};

/// Records whose verdicts were shown to the one who writes it before that one labelled them: no label of theirs
/// on such a record is blind from then on, unless it is a repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exposure {
    /// The command or screen that showed them.
    pub shown: String,
    /// Which records, each once.
    pub records: Vec<RecordId>,
}
