//! How each log of a collection was read.

use super::CacheError;
use crate::domain::Accounting;
use crate::store::fingerprint::Fingerprint;
use crate::verdict_log::Chain;
use std::path::PathBuf;

/// One log of the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// Its box or local source.
    pub box_name: String,
    /// Its name for people.
    pub name: String,
    /// Where its bytes are on this machine.
    pub path: PathBuf,
    /// Bytes read, the end for now among them; of a compressed log those it holds.
    pub bytes: u64,
    /// Bytes read for good: what is behind them may be read anew once more follows.
    pub done: u64,
    /// Compressed, with gzip or zstd.
    pub gzip: bool,
    /// Bytes before the line that is not complete yet, where there is one; else all.
    pub settled: u64,
    /// Where its lines went; doubles count as records here.
    pub accounting: Accounting,
    /// Of its settled bytes; of a compressed log of all its own.
    pub print: Fingerprint,
    /// A compressed log that unpacks to more bytes than are read of it.
    pub cut: bool,
    /// How its lines follow each other.
    pub chain: Chain,
}

impl FileReport {
    /// Whether the log still begins with the bytes that a print was taken of.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn begins_as(&self, print: &Fingerprint) -> Result<bool, CacheError> {
        Ok(self.print == *print || print.holds(&self.path).map_err(CacheError::log(&self.path))?)
    }

    /// What of the log lies beyond a bound and is not read, as a sentence. Raw text.
    pub fn beyond_bounds(&self) -> Option<String> {
        self.cut.then(|| {
            format!(
                "{}: {} unpacks to more than {} bytes (`unpacked_bytes`): no more of it is read",
                self.box_name, self.name, self.bytes
            )
        })
    }
}
