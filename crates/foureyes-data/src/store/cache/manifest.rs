//! What a collection holds, as one file that is replaced whole.

use super::checksummed::Seal;
use super::stamp::Stamp;
use super::{CacheError, Cached};
use crate::domain::RecordId;
use crate::files::atomic;
use crate::frame::schema;
use crate::jsonl::{Checkpoint, Settings};
use crate::store::blocks::Blocks;
use crate::store::fingerprint::Fingerprint;
use crate::verdict_log::Follower;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};

/// Raised with every change of what a column holds or of how a log is read. A further text column needs
/// no raise: the names of those are part of what a collection is recognized by.
const VERSION: u32 = 22;

/// A collection.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    version: u32,
    settings: String,
    pub(super) boxes: Vec<String>,
    pub(super) files: Vec<FileEntry>,
    pub(super) segments: Vec<SegmentEntry>,
    /// The rejects that are kept.
    pub(super) rejects: Option<Stored>,
    /// Rejects that were counted and are not kept.
    pub(super) unkept: u64,
    /// Heads of the ids of foreign objects that would be records where a ledger names them, in order.
    pub(super) foreign: Vec<u64>,
    /// Number of the next file of the cache.
    pub(super) next: u64,
}

/// A log, and how far it was read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct FileEntry {
    pub(super) box_index: u32,
    /// Where it stands in the order of the logs; new ones may come between.
    pub(super) rank: u32,
    pub(super) name: String,
    /// Names are bytes: JSON has them as text where they are text.
    #[serde(with = "path_bytes")]
    pub(super) path: PathBuf,
    pub(super) gzip: bool,
    /// How it was at the last look, before any limit.
    pub(super) stamp: Stamp,
    /// Bytes that may be read: its length, or the limit.
    pub(super) len: u64,
    pub(super) print: Fingerprint,
    /// Of the bytes that are read for good, unpacked; caches of earlier versions have none of a compressed log.
    pub(super) blocks: Blocks,
    pub(super) done: Checkpoint,
    /// It unpacks to more than is read of it.
    pub(super) cut: bool,
    /// Records equal to one that stands shortly before them in the same log. They have no row.
    pub(super) repeated: u64,
    /// How its lines follow each other.
    pub(super) chain: Follower,
}

/// A run of rows, in files that never change.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct SegmentEntry {
    pub(super) slim: Stored,
    pub(super) text: Stored,
    pub(super) flags: Stored,
    pub(super) rows: u64,
    /// What its rows take in memory, in bytes.
    pub(super) bytes: u64,
    pub(super) duplicates: u64,
    /// Rows that are no duplicates.
    pub(super) distinct: u64,
    /// Distinct records without a time.
    pub(super) undated: u64,
    /// First and last time in microseconds since 1970.
    pub(super) span: Option<(i64, i64)>,
    /// Distinct records seen on each box, by its index.
    pub(super) seen: Vec<(u32, u64)>,
}

/// A file of the cache.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stored {
    pub(super) name: String,
    pub(super) stamp: Stamp,
    pub(super) seal: Seal,
}

/// The manifest as it stands in its file: with the BLAKE3 of its text.
#[derive(Serialize, Deserialize)]
struct Vouched<'a> {
    hash: String,
    #[serde(borrow)]
    manifest: &'a RawValue,
}

impl SegmentEntry {
    /// Its files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Stored> {
        [&self.slim, &self.text, &self.flags].into_iter()
    }

    /// The file of what was counted of it, which is none of [`Self::files`]: it has the number of the flags.
    pub(super) fn counts(&self) -> String {
        let number = self.flags.name.split('.').next().unwrap_or_default();
        format!("{number}{COUNTS}")
    }

    /// Whether it may hold a record of that span, or an undated one where that is asked.
    pub(super) fn touches(&self, span: Option<(i64, i64)>, undated: bool) -> bool {
        let overlap = |(a, b): (i64, i64), (c, d): (i64, i64)| a <= d && c <= b;
        (undated && self.undated > 0)
            || self.span.zip(span).is_some_and(|(ours, theirs)| overlap(ours, theirs))
    }
}

impl Manifest {
    /// The manifest of nothing. Numbers that stand in the directory are not used again: somebody
    /// may still read those files.
    pub(super) fn empty(dir: &Path, settings: &Settings) -> Self {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let last = entries.filter_map(|e| e.file_name().to_str().and_then(number)).max();
        let next = last.map_or(0, |n| n.saturating_add(1));
        Self { version: VERSION, settings: name_of(settings), next, ..Self::default() }
    }

    /// The manifest of a collection, where it is there, of this version and settings, and all its
    /// files stand as they were written.
    pub(super) fn load(dir: &Path, settings: &Settings) -> Option<Self> {
        let text = std::fs::read(dir.join(NAME)).ok()?;
        let vouched: Vouched<'_> = serde_json::from_slice(&text).ok()?;
        if vouched.hash != hash(vouched.manifest.get()) {
            return None;
        }
        let manifest: Self = serde_json::from_str(vouched.manifest.get()).ok()?;
        let ours = manifest.version == VERSION && manifest.settings == name_of(settings);
        // A ledger names what was read as foreign: it is read anew, as a record.
        let named = |id: RecordId| manifest.foreign.binary_search(&id.head()).is_ok();
        let ours = ours && (manifest.foreign.is_empty() || !settings.named.ids().any(named));
        let whole = |s: &Stored| Stamp::sealed(&dir.join(&s.name)).is_ok_and(|now| now == s.stamp);
        (ours && manifest.files_of_cache().all(whole)).then_some(manifest)
    }

    fn files_of_cache(&self) -> impl Iterator<Item = &Stored> {
        self.segments.iter().flat_map(SegmentEntry::files).chain(&self.rejects)
    }

    pub(super) fn save(&self, dir: &Path) -> Cached<()> {
        let path = dir.join(NAME);
        let write = || -> std::io::Result<()> {
            let manifest = serde_json::value::to_raw_value(self)?;
            let vouched = Vouched { hash: hash(manifest.get()), manifest: &manifest };
            atomic::write(&path, &serde_json::to_vec(&vouched)?)
        };
        write().map_err(CacheError::file("write", &path))
    }

    /// Removes files of the collection that no segment names, and what a killed run left; nothing
    /// while somebody reads the collection as it was.
    pub(super) fn sweep(&self, dir: &Path) {
        let readers = readers(dir);
        if !readers.is_ok_and(|file| file.try_lock().is_ok()) {
            return;
        }
        let files = self.files_of_cache().map(|s| s.name.clone());
        let counts = self.segments.iter().map(SegmentEntry::counts);
        let named: std::collections::HashSet<String> = files.chain(counts).collect();
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let ends = [".columns", ".rejects", COUNTS, OLD];
            let made = |n: &&str| ends.iter().any(|end| n.ends_with(end));
            let ours = name.to_str().filter(|n| made(n) || n.starts_with(atomic::TEMPORARY));
            if ours.is_some_and(|n| !named.contains(n)) {
                // What cannot be removed now is swept the next time.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Removes the files that a run made which did not come to its end: all from a number on.
    /// Nobody reads them, since no manifest ever named them.
    pub(super) fn undo(dir: &Path, from: u64) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.file_name().to_str().and_then(number).is_some_and(|n| n >= from) {
                // What cannot be removed now is swept the next time.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// The index of a box, new names at the end.
    pub(super) fn box_index(&mut self, name: &str) -> u32 {
        let at = self.boxes.iter().position(|b| b == name).unwrap_or_else(|| {
            self.boxes.push(name.to_owned());
            self.boxes.len() - 1
        });
        at as u32
    }

    /// Where the files stand in the order of the logs, by their index.
    pub(super) fn ranks(&self) -> Vec<u32> {
        self.files.iter().map(|entry| entry.rank).collect()
    }

    /// Where the files stand in the order in which they own records, by their index: by the names of their
    /// boxes, and as the logs of each box are in order. Whoever has the logs of these boxes says the same of
    /// which box a record is, in whatever order they are configured.
    pub(super) fn owners(&self) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        let key = |at: &usize| self.files.get(*at).map(|f| (self.box_name(f.box_index), f.rank));
        order.sort_by(|a, b| key(a).cmp(&key(b)));
        let mut owners = vec![u32::MAX; self.files.len()];
        for (rank, at) in (0..).zip(order) {
            owners[at] = rank;
        }
        owners
    }

    /// Where a file stands in the order of the logs.
    pub(super) fn rank(&self, index: u32) -> u32 {
        self.files.get(index as usize).map_or(u32::MAX, |entry| entry.rank)
    }

    /// The name of a box.
    pub(super) fn box_name(&self, index: u32) -> &str {
        self.boxes.get(index as usize).map_or("", String::as_str)
    }
}

/// The number that the name of a file of the cache begins with.
fn number(name: &str) -> Option<u64> {
    name.split('.').next().and_then(|n| n.parse().ok())
}

/// How names of files end that have what was counted of a segment.
const COUNTS: &str = ".counts";

/// How names of columns ended up to version 0.2.
const OLD: &str = ".arrow";

/// The file of the manifest.
pub(super) const NAME: &str = "manifest.json";

/// The file that readers of a collection hold a shared lock on, as long as they read segments.
pub(super) fn readers(dir: &Path) -> std::io::Result<std::fs::File> {
    atomic::private().append(true).open(dir.join("readers"))
}

/// Names the text columns, and the settings on which the rows depend.
fn name_of(settings: &Settings) -> String {
    let Settings { line_bytes, depth, unpacked_bytes, aliases, thesaurus, .. } = settings;
    let columns = schema::TEXTS;
    let terms = thesaurus.as_ref().map(|thesaurus| thesaurus.fingerprint());
    let text = format!("{line_bytes} {depth} {unpacked_bytes} {aliases:?} {terms:?} {columns:?}");
    hash(&text).chars().take(16).collect()
}

/// Names how logs are read: this version of columns, and the settings. Where two are equal, the same log has
/// the same rows.
pub(super) fn reading_of(settings: &Settings) -> String {
    format!("{VERSION}-{}", name_of(settings))
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// A path in JSON.
mod path_bytes {
    use crate::store::cursor::RemotePath;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    pub(super) fn serialize<S: Serializer>(path: &Path, s: S) -> Result<S::Ok, S::Error> {
        RemotePath(path.as_os_str().as_bytes().to_vec()).serialize(s)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<PathBuf, D::Error> {
        Ok(OsString::from_vec(RemotePath::deserialize(d)?.0).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_owned_by_name_of_box_and_then_order_of_logs() {
        let file = |box_index, rank| FileEntry { box_index, rank, ..Default::default() };
        let manifest = Manifest {
            boxes: vec!["cellar".to_owned(), "attic".to_owned()],
            files: vec![file(0, 0), file(1, 3), file(0, 2), file(1, 1)],
            ..Manifest::default()
        };
        assert_eq!(manifest.owners(), [2, 1, 3, 0]);
    }
}
