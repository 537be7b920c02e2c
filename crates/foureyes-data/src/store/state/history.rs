//! How the last pulls of a box went, one a line, the oldest first.

use super::Notice;
use crate::domain::Timestamp;
use crate::store::mirror::Error;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The file's name in the box's directory.
const NAME: &str = "pulls.jsonl";
/// Pulls that are remembered.
const KEPT: usize = 50;
/// Notices that are remembered of one pull.
const NOTICES: usize = 20;
/// Characters that are remembered of an error.
const ERROR: usize = 4_000;

/// How a pull of a box went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullEntry {
    /// When the run began that the pull was a part of.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// New bytes of logs in the mirror.
    pub bytes: u64,
    /// Files that got new bytes, or another name.
    pub files: u64,
    /// Bytes that came over the connection.
    pub received: u64,
    /// Questions the box was asked.
    pub round_trips: u32,
    /// What was noticed, the first twenty. Raw text: escape it to print it.
    pub notices: Vec<Notice>,
    /// How many notices there were.
    pub noticed: u64,
    /// Why it failed; `None` where it did not. Raw text, at most 4000 characters.
    pub error: Option<String>,
}

/// Reads them, the newest first; none where nothing was pulled yet. A line that is no entry, as a
/// later version may write it, is left out.
pub(in crate::store) fn read(dir: &Path) -> Result<Vec<PullEntry>, Error> {
    let mut entries = oldest_first(dir)?;
    entries.reverse();
    Ok(entries)
}

fn oldest_first(dir: &Path) -> Result<Vec<PullEntry>, Error> {
    let path = dir.join(NAME);
    match fs::read(&path) {
        Ok(bytes) => Ok(bytes
            .split(|b| *b == b'\n')
            .filter_map(|l| serde_json::from_slice(l).ok())
            .collect()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(Error::Read { path, source }),
    }
}

/// Adds one and forgets the oldest beyond the last fifty. Whoever calls holds the box's lock.
pub(in crate::store) fn add(dir: &Path, mut entry: PullEntry) -> Result<(), Error> {
    entry.notices.truncate(NOTICES);
    entry.error = entry.error.map(|text| text.chars().take(ERROR).collect());
    let mut entries = oldest_first(dir)?;
    entries.push(entry);
    let surplus = entries.len().saturating_sub(KEPT);
    let path = dir.join(NAME);
    let write = || -> io::Result<()> {
        // Of a crash nothing is left: the mirror sweeps files of this name.
        let mut file = tempfile::Builder::new().prefix(".state-").tempfile_in(dir)?;
        let mut out = io::BufWriter::new(file.as_file_mut());
        for entry in entries.iter().skip(surplus) {
            serde_json::to_writer(&mut out, entry)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
        drop(out);
        file.as_file().sync_all()?;
        file.persist(&path)?;
        File::open(dir)?.sync_all()
    };
    write().map_err(|source| Error::Write { path: path.clone(), source })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::Fact;
    use super::*;

    fn entry(n: i64) -> PullEntry {
        PullEntry {
            at: Timestamp(n * 1_000_000),
            took_ms: 12,
            bytes: 3,
            files: 1,
            received: 99,
            round_trips: 2,
            notices: vec![Notice { at: Timestamp(n), fact: Fact::Recovered }; 25],
            noticed: 25,
            error: Some("é".repeat(5_000)),
        }
    }

    #[test]
    fn the_last_fifty_pulls_are_remembered_the_newest_first() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read(dir.path()).unwrap(), []);
        for n in 0..53 {
            add(dir.path(), entry(n)).unwrap();
        }
        let entries = read(dir.path()).unwrap();
        assert_eq!(entries.len(), KEPT);
        assert_eq!(entries.first().map(|e| e.at.0), Some(52_000_000));
        assert_eq!(entries.last().map(|e| e.at.0), Some(3_000_000));
    }

    #[test]
    fn history_entry_is_bounded_and_states_its_full_size() {
        let dir = tempfile::tempdir().unwrap();
        add(dir.path(), entry(1)).unwrap();
        let kept = read(dir.path()).unwrap().remove(0);
        assert_eq!((kept.notices.len(), kept.noticed), (20, 25));
        assert_eq!(kept.error.map(|e| e.chars().count()), Some(4_000));
    }

    #[test]
    fn a_torn_or_foreign_line_hides_no_other() {
        let dir = tempfile::tempdir().unwrap();
        add(dir.path(), entry(1)).unwrap();
        let path = dir.path().join(NAME);
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"future\":1}\n\xff\n{\"at\":\"19");
        fs::write(&path, text).unwrap();
        assert_eq!(read(dir.path()).unwrap().len(), 1);
        add(dir.path(), entry(2)).unwrap();
        assert_eq!(read(dir.path()).unwrap().len(), 2);
    }
}
