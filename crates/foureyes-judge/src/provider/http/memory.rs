//! What endpoints refused before, kept in a file between processes.
//!
//! It saves a call and is nothing that anybody depends on: what cannot be read is as if it were not
//! there, and what cannot be written is found out anew.

use super::wishes::{Refused, Wish};
use crate::files::atomic;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Name and version of the file's format.
const SCHEMA: &str = "foureyes/refused/1";
/// Largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// Most wishes that are kept; the oldest go first.
const MOST: usize = 500;

/// Where it is kept, and which endpoint this is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The file. It need not be there, nor its directory.
    pub file: PathBuf,
    /// What tells this endpoint from another one of the same address: the box whose loopback it is on.
    pub via: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Whole {
    schema: String,
    refused: Vec<Entry>,
}

/// One wish that a model refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    endpoint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    via: Option<String>,
    model: String,
    wish: Wish,
    /// Seconds since 1970.
    at: i64,
}

impl Memory {
    /// What a model of an endpoint is known to refuse.
    pub(super) fn recall(&self, endpoint: &str, model: &str) -> Refused {
        let mut found = Refused::default();
        let ours = |e: &&Entry| e.endpoint == endpoint && e.via == self.via && e.model == model;
        for entry in read(&self.file).iter().filter(ours) {
            found.note(entry.wish, entry.at);
        }
        found
    }

    /// Keeps what a model was found to refuse, beside what other processes found.
    pub(super) fn keep(&self, endpoint: &str, model: &str, found: Refused, now: i64) {
        let mut all = read(&self.file);
        for (wish, at) in found.all() {
            let (endpoint, model) = (endpoint.to_owned(), model.to_owned());
            let new = Entry { endpoint, via: self.via.clone(), model, wish, at };
            let same = |e: &Entry| Entry { at, ..e.clone() } == new;
            all.retain(|entry| !same(entry));
            all.push(new);
        }
        all.retain(|entry| Refused::holds(entry.at, now));
        all.sort_by_key(|entry| entry.at);
        all.drain(..all.len().saturating_sub(MOST));
        let whole = Whole { schema: SCHEMA.to_owned(), refused: all };
        let Ok(bytes) = serde_json::to_vec(&whole) else { return };
        let Some(dir) = self.file.parent() else { return };
        // The next process finds it out anew.
        let _ = atomic::private_dir(dir).and_then(|()| atomic::write(&self.file, &bytes));
    }
}

/// All that stands there; nothing where it is damaged, or of another version.
fn read(path: &Path) -> Vec<Entry> {
    // Asked before opening: opening a FIFO would wait for a writer.
    if !std::fs::metadata(path).is_ok_and(|meta| meta.is_file()) {
        return Vec::new();
    }
    let mut bytes = Vec::new();
    let taken = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    let whole = taken.ok().and_then(|_| serde_json::from_slice::<Whole>(&bytes).ok());
    whole.filter(|whole| whole.schema == SCHEMA).map(|whole| whole.refused).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_790_000_000;
    const DAY: i64 = 86_400;

    fn memory(dir: &Path) -> Memory {
        Memory { file: dir.join("deep/er/refused.json"), via: None }
    }

    fn found(wish: Wish, at: i64) -> Refused {
        let mut found = Refused::default();
        found.note(wish, at);
        found
    }

    #[test]
    fn memory_is_scoped_to_model_endpoint_and_box() {
        let dir = tempfile::tempdir().unwrap();
        let memory = memory(dir.path());
        assert_eq!(memory.recall("http://a", "m"), Refused::default());
        memory.keep("http://a", "m", found(Wish::Schema, NOW), NOW);
        memory.keep("http://a", "m", found(Wish::Temperature, NOW - DAY), NOW);
        let both = memory.recall("http://a", "m");
        let all: Vec<_> = both.all().collect();
        assert_eq!(all, [(Wish::Schema, NOW), (Wish::Temperature, NOW - DAY)]);
        assert_eq!(memory.recall("http://b", "m"), Refused::default());
        assert_eq!(memory.recall("http://a", "n"), Refused::default());
        let elsewhere = Memory { via: Some("north".to_owned()), ..memory };
        assert_eq!(elsewhere.recall("http://a", "m"), Refused::default());
    }

    #[test]
    fn old_and_excess_memory_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let memory = memory(dir.path());
        memory.keep("http://a", "m", found(Wish::Schema, NOW - 8 * DAY), NOW - 8 * DAY);
        assert_eq!(read(&memory.file).len(), 1);
        memory.keep("http://a", "n", found(Wish::Schema, NOW), NOW);
        assert_eq!(read(&memory.file).len(), 1, "the old one went");
        let many = (0..MOST + 20).map(|i| Entry {
            endpoint: "http://b".to_owned(),
            via: None,
            model: i.to_string(),
            wish: Wish::Schema,
            at: NOW - i as i64,
        });
        let whole = Whole { schema: SCHEMA.to_owned(), refused: many.collect() };
        std::fs::write(&memory.file, serde_json::to_vec(&whole).unwrap()).unwrap();
        memory.keep("http://a", "n", found(Wish::Schema, NOW), NOW);
        let kept = read(&memory.file);
        assert_eq!(kept.len(), MOST);
        assert!(kept.iter().any(|e| e.model == "0") && !kept.iter().any(|e| e.model == "519"));
    }

    #[test]
    fn damaged_memory_file_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let memory = memory(dir.path());
        memory.keep("http://a", "m", found(Wish::Schema, NOW), NOW);
        let right = std::fs::read_to_string(&memory.file).unwrap();
        for wrong in [
            "",
            "null",
            "{\"schema\":\"foureyes/refused/1\"}",
            &right[..right.len() / 2],
            &right.replace("refused/1", "refused/2"),
            &right.replace("\"schema\",\"at\"", "\"beard\",\"at\""),
            &right.replace("1790000000", "1e99"),
        ] {
            std::fs::write(&memory.file, wrong).unwrap();
            assert_eq!(memory.recall("http://a", "m"), Refused::default(), "{wrong}");
        }
        memory.keep("http://a", "m", found(Wish::Schema, NOW), NOW);
        assert_eq!(std::fs::read_to_string(&memory.file).unwrap(), right, "and it is mended");
        std::fs::remove_file(&memory.file).unwrap();
        std::fs::create_dir(&memory.file).unwrap();
        assert_eq!(memory.recall("http://a", "m"), Refused::default());
        memory.keep("http://a", "m", found(Wish::Schema, NOW), NOW);
    }
}
