//! How much each author changed lately, as records say: a change may be split over many pushes.

use super::Error;
use super::moment::Moment;
use super::search::lines_with;
use crate::domain::Timestamp;
use crate::engine::risk::{Earlier, author_key};
use memchr::memmem::Finder;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Most bytes at the end of a file that are read.
const MOST: u64 = 32 << 20;
/// What a line has that says how much was changed.
const KEY: &[u8] = b"\"risk\":{";

/// How much each author changed, by its folded name and by commit.
#[derive(Debug, Default)]
pub struct ChangedBefore {
    authors: HashMap<String, HashMap<String, Option<Earlier>>>,
    /// Whether there may be more: a file is longer than what is read of it.
    is_cut: bool,
}

/// What is read of a line.
#[derive(Deserialize)]
struct Line {
    #[serde(flatten)]
    moment: Moment,
    author: Option<String>,
    commit: Option<String>,
    risk: Size,
}

/// What is read of a line's [`RiskNote`](crate::engine::risk::RiskNote).
#[derive(Deserialize)]
struct Size {
    lines: Option<u64>,
    files: Option<u64>,
}

/// Reads what files of a log say of changes since a moment. A file that is not there says nothing.
///
/// # Errors
/// A file that is there and cannot be read.
pub fn changed_before(files: &[&Path], since: Timestamp) -> Result<ChangedBefore, Error> {
    let mut before = ChangedBefore::default();
    // Few people have written all lines: each name is folded once.
    let mut folded: HashMap<String, String> = HashMap::new();
    let mut fold =
        |name: String| folded.entry(name).or_insert_with_key(|name| author_key(name)).clone();
    for file in files {
        let failed = |source| Error::Read { path: (*file).to_owned(), source };
        let bytes = match end(file, MOST) {
            Ok((bytes, is_whole)) => {
                before.is_cut |= !is_whole && begins_after(&bytes, since);
                bytes
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
        };
        lines_with(&bytes, &[Finder::new(KEY)], &mut |line, _| before.read(line, since, &mut fold));
    }
    Ok(before)
}

impl ChangedBefore {
    fn read(&mut self, line: &[u8], since: Timestamp, fold: &mut impl FnMut(String) -> String) {
        let Ok(line) = serde_json::from_slice::<Line>(line) else { return };
        if line.moment.exact() < since {
            return;
        }
        let Some(commit) = line.commit else { return };
        let author = fold(line.author.unwrap_or_default());
        let size = line.risk.lines.zip(line.risk.files);
        let size = size.map(|(lines, files)| Earlier { lines, files });
        self.authors.entry(author).or_default().insert(commit, size);
    }

    /// What these people changed in other commits than some; `None` where that is not known.
    pub fn by<'a>(
        &self,
        people: impl Iterator<Item = &'a str>,
        without: impl Fn(&str) -> bool,
    ) -> Option<Earlier> {
        let mut commits: HashMap<&str, Option<Earlier>> = HashMap::new();
        for name in people {
            let own = self.authors.get(&author_key(name)).into_iter().flatten();
            commits.extend(own.map(|(commit, size)| (commit.as_str(), *size)));
        }
        let others = commits.into_iter().filter(|(commit, _)| !without(commit));
        let all: Option<Vec<Earlier>> = others.map(|(_, size)| size).collect();
        let sum = |a: Earlier, b: Earlier| Earlier {
            lines: a.lines.saturating_add(b.lines),
            files: a.files.saturating_add(b.files),
        };
        all.filter(|_| !self.is_cut).map(|all| all.into_iter().fold(Earlier::default(), sum))
    }
}

/// The end of a file, from its first whole line on, and whether that is all of it.
fn end(path: &Path, most: u64) -> std::io::Result<(Vec<u8>, bool)> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let from = length.saturating_sub(most);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    if from > 0 {
        let start = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |at| at + 1);
        bytes.drain(..start);
    }
    Ok((bytes, from == 0))
}

/// Whether the first line that has a time is after a moment: then lines before it may be, too.
fn begins_after(bytes: &[u8], since: Timestamp) -> bool {
    let time = |line: &[u8]| {
        #[derive(Deserialize)]
        struct Timed {
            timestamp: String,
        }
        let timed = serde_json::from_slice::<Timed>(line).ok()?;
        Timestamp::parse(&timed.timestamp)
    };
    let first = bytes.split(|b| *b == b'\n').find_map(time);
    first.is_none_or(|first| first >= since)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::risk::RiskNote;

    fn line(author: &str, commit: &str, at: i64, lines: Option<u64>) -> String {
        let risk = RiskNote { depth: Default::default(), rules: vec![], lines, files: Some(2) };
        let line = serde_json::json!({"author": author, "commit": commit, "timestamp": Timestamp(0),
            "at_us": at, "risk": risk});
        line.to_string()
    }

    #[test]
    fn changes_of_an_author_are_added_up_once_per_commit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.jsonl");
        let lines = [
            line("An Agent", "a", 10, Some(5)),
            line("an  agent", "b", 20, Some(7)),
            line("An Agent", "b", 30, Some(7)),
            line("Other", "c", 20, Some(100)),
            line("An Agent", "old", 1, Some(50)),
            "torn {\"risk\":{".to_owned(),
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let before = changed_before(&[&path, &dir.path().join("none")], Timestamp(5)).unwrap();
        let by = |names: &[&str], skip: &str| before.by(names.iter().copied(), |id| id == skip);
        assert_eq!(by(&["An Agent"], ""), Some(Earlier { lines: 12, files: 4 }));
        assert_eq!(by(&["An Agent"], "b"), Some(Earlier { lines: 5, files: 2 }));
        assert_eq!(by(&["An Agent", "Other"], ""), Some(Earlier { lines: 112, files: 6 }));
        assert_eq!(by(&["nobody"], ""), Some(Earlier::default()));
        // An instant of another second than the line's is none.
        let other = line("An Agent", "a", 90_000_000, Some(5));
        std::fs::write(&path, other).unwrap();
        let before = changed_before(&[&path], Timestamp(5)).unwrap();
        assert_eq!(before.by(["An Agent"].into_iter(), |_| false), Some(Earlier::default()));
        std::fs::write(&path, line("An Agent", "a", 10, None)).unwrap();
        let before = changed_before(&[&path], Timestamp(5)).unwrap();
        assert_eq!(before.by(["An Agent"].into_iter(), |_| false), None, "of an unknown size");
    }
}
