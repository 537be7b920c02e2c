//! The list at the end of an archive, and the names of its entries.

use super::{SCHEMA, Summary};
use crate::domain::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Name of the manifest's entry.
pub(super) const MANIFEST: &str = "manifest.json";
/// Name of the configuration's entry.
pub(super) const CONFIG: &str = "config.toml";
/// Directory of the data directory's files.
pub(super) const DATA: &str = "data/";

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its name in the archive.
    pub(super) path: String,
    /// Its length.
    pub(super) bytes: u64,
    /// BLAKE3 of its bytes, in hex.
    pub(super) blake3: String,
}

/// All files of an archive, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) schema: String,
    /// Version of the program that made it.
    pub(super) version: String,
    pub(super) created: Timestamp,
    pub(super) files: Vec<Entry>,
}

impl Manifest {
    pub(super) fn new(created: Timestamp) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { schema: SCHEMA.to_owned(), version, created, files: Vec::new() }
    }

    pub(super) fn summary(&self) -> Summary {
        let below = |top: &str| {
            let prefix = format!("{DATA}{top}/");
            self.files
                .iter()
                .filter_map(|file| file.path.strip_prefix(&prefix)?.split('/').next())
                .collect::<BTreeSet<_>>()
                .len()
        };
        Summary {
            files: self.files.len(),
            bytes: self.files.iter().map(|file| file.bytes).sum(),
            ledgers: below("ledger"),
            boxes: below("mirror"),
            has_config: self.files.iter().any(|file| file.path == CONFIG),
            created: self.created,
            left_out: Vec::new(),
        }
    }
}

/// Whether a name is that of an entry: relative, without `..`, and nothing that leads out of the
/// directory in which it is unpacked.
pub(super) fn is_entry(name: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0', ':']);
    name == CONFIG
        || name == MANIFEST
        || name.strip_prefix(DATA).is_some_and(|path| path.split('/').all(plain))
}
