//! Overrides that people left on this machine, found by the records they answer.

use super::moment::Moment;
use crate::domain::{Timestamp, sort_by_writing};
use crate::jsonl::Settings;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Most bytes of one file that are read.
const MOST_BYTES: u64 = 16 << 20;
/// Most files that are read.
const MOST_FILES: usize = 1000;

/// The override that holds for a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overridden {
    /// Who decided. Text of a file: it may be hostile.
    pub reviewer: String,
    /// Whether the verdict is to do nothing all the same.
    pub accepted: bool,
    at: Timestamp,
}

/// What of a line is looked at. Each line states what holds from then on, also where it takes an
/// earlier one back.
#[derive(Deserialize)]
struct Line {
    human_override: bool,
    record: String,
    verdict: String,
    reviewer: String,
    #[serde(flatten)]
    moment: Moment,
}

/// The newest override of any of these records in the files of a directory. Files and lines that
/// cannot be read are passed over: what is not known lifts nothing.
pub fn overridden(dir: &Path, records: &HashSet<String>) -> Option<Overridden> {
    let mut all = Vec::new();
    for path in files(dir) {
        let Ok(file) = File::open(&path) else { continue };
        for line in lines(file) {
            let Ok(line) = serde_json::from_slice::<Line>(&line) else { continue };
            if !line.human_override || !records.contains(&line.record) {
                continue;
            }
            let accepted = line.verdict == "accept";
            all.push(Overridden { reviewer: line.reviewer, accepted, at: line.moment.exact() });
        }
    }
    newest(all, |one| one.at)
}

/// What was written last. Of two at one moment it is the later line.
fn newest<T>(mut all: Vec<T>, at: impl Fn(&T) -> Timestamp) -> Option<T> {
    sort_by_writing(&mut all, |one| (Some(at(one)), ()));
    all.pop()
}

/// The decision of a person about a commit.
#[derive(Deserialize)]
struct OfCommit {
    human_override: bool,
    commit: Option<String>,
    task_id: Option<String>,
    verdict: String,
    reviewer: Option<String>,
    #[serde(flatten)]
    moment: Moment,
}

/// The commits whose newest override accepts them, with who decided: of the overrides in a directory, and of those at
/// the end of a log of tasks. What cannot be read lifts nothing.
pub fn accepted_commits(
    dir: Option<&Path>,
    log: Option<&Path>,
    commits: &HashSet<String>,
) -> BTreeMap<String, String> {
    if commits.is_empty() {
        return BTreeMap::new();
    }
    let mut all: BTreeMap<String, Vec<(Timestamp, bool, String)>> = BTreeMap::new();
    let files = dir.into_iter().flat_map(files).filter_map(|path| File::open(path).ok());
    for line in files.chain(log.and_then(end)).flat_map(lines) {
        let Ok(line) = serde_json::from_slice::<OfCommit>(&line) else { continue };
        let name = line.commit.or(line.task_id).filter(|name| commits.contains(name));
        let Some(name) = name.filter(|_| line.human_override) else { continue };
        let who = line.reviewer.unwrap_or_else(|| "a person".to_owned());
        let one = (line.moment.exact(), line.verdict == "accept", who);
        all.entry(name).or_default().push(one);
    }
    let newest = all.into_iter().filter_map(|(name, all)| Some((name, newest(all, |one| one.0)?)));
    let accepted = newest.filter(|(_, (_, accepted, _))| *accepted);
    accepted.map(|(commit, (_, _, who))| (commit, who)).collect()
}

/// The files of a directory that may have overrides.
fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().take(MOST_FILES);
    entries.filter_map(|entry| {
        let path = entry.path();
        // No link, pipe or device: opening one may lead elsewhere, or wait for ever.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        (is_file && path.extension().is_some_and(|e| e == "jsonl")).then_some(path)
    })
}

/// The end of a file.
fn end(path: &Path) -> Option<File> {
    let length = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(MOST_BYTES))).ok()?;
    Some(file)
}

fn lines(file: File) -> impl Iterator<Item = Vec<u8>> {
    let limit = Settings::default().line_bytes;
    let lines = BufReader::new(file.take(MOST_BYTES)).split(b'\n');
    lines.map_while(Result::ok).filter(move |line| line.len() <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "r";

    /// A line about the record and the commit `r`; `more` has its further fields.
    fn line(verdict: &str, timestamp: &str, more: &str) -> String {
        format!(
            "{{\"human_override\":true,\"record\":\"{RECORD}\",\"commit\":\"{RECORD}\",\"verdict\":\"{verdict}\",\"reviewer\":\"Ann\",\"timestamp\":\"{timestamp}\"{more}}}\n"
        )
    }

    /// Whether the lines accept it, by its record and by its commit.
    fn accepts(lines: &[String]) -> [bool; 2] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.jsonl"), lines.concat()).unwrap();
        let names = HashSet::from([RECORD.to_owned()]);
        let of_record = overridden(dir.path(), &names).is_some_and(|found| found.accepted);
        let commits = accepted_commits(Some(dir.path()), None, &names);
        [of_record, commits.contains_key(RECORD)]
    }

    #[test]
    fn place_tells_the_order_within_a_second_that_a_line_has_whole() {
        let at = |us: i64| format!(",\"at_us\":{us}");
        let accept = line("accept", "1970-01-01T00:00:05Z", &at(5_300_000));
        let reject = line("reject", "1970-01-01T00:00:05Z", "");
        assert_eq!(accepts(&[accept.clone(), reject.clone()]), [false; 2]);
        assert_eq!(accepts(&[reject.clone(), accept.clone()]), [true; 2]);
        // Where both have their instants, these tell.
        let late = line("reject", "1970-01-01T00:00:05Z", &at(5_900_000));
        assert_eq!(accepts(&[late, accept.clone()]), [false; 2]);
        let next = line("accept", "1970-01-01T00:00:06Z", "");
        assert_eq!(accepts(&[next, reject]), [true; 2]);
    }

    #[test]
    fn instant_that_cannot_be_read_loses_no_override() {
        for odd in ["5300000.5", "\"5300000\"", "null", "{}", "99999999999999999999", "7300000"] {
            let more = format!(",\"at_us\":{odd}");
            let accept = line("accept", "1970-01-01T00:00:05Z", &more);
            assert_eq!(accepts(&[accept]), [true; 2], "{odd}");
        }
    }
}
