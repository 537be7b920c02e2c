//! Where a record stands.

use serde::{Deserialize, Serialize};

/// The place of a record's bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Origin {
    /// The box it came from, or the name given to a local source.
    #[serde(rename = "box")]
    pub box_name: String,
    /// Path of the file: as on the box for a box, as given for a local source.
    pub file: String,
    /// First line of the record, from 1.
    pub line: u64,
    /// Byte offset of its first byte, from 0.
    pub byte: u64,
    /// Length in bytes.
    pub len: u64,
}
