//! Overrides that people left on this machine, found by the records they answer.

use crate::domain::Timestamp;
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
    time: Time,
}

/// When a line was written.
#[derive(Deserialize)]
struct Time {
    timestamp: Timestamp,
    at_us: Option<i64>,
}

impl Time {
    /// The instant, where the line has it beside its whole second; one of another second says nothing.
    fn exact(&self) -> Timestamp {
        let second = self.timestamp.whole_second();
        let exact = self.at_us.map(Timestamp).filter(|at| at.whole_second() == second);
        exact.unwrap_or(self.timestamp)
    }
}

/// The newest override of any of these records in the files of a directory. Files and lines that
/// cannot be read are passed over: what is not known lifts nothing.
pub fn overridden(dir: &Path, records: &HashSet<String>) -> Option<Overridden> {
    let mut newest: Option<Overridden> = None;
    for path in files(dir) {
        let Ok(file) = File::open(&path) else { continue };
        for line in lines(file) {
            let Ok(line) = serde_json::from_slice::<Line>(&line) else { continue };
            if !line.human_override || !records.contains(&line.record) {
                continue;
            }
            let accepted = line.verdict == "accept";
            let one = Overridden { reviewer: line.reviewer, accepted, at: line.time.exact() };
            // Of two at one moment the later line.
            if newest.as_ref().is_none_or(|n| n.at <= one.at) {
                newest = Some(one);
            }
        }
    }
    newest
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
    time: Time,
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
    let mut newest: BTreeMap<String, (Timestamp, bool, String)> = BTreeMap::new();
    let files = dir.into_iter().flat_map(files).filter_map(|path| File::open(path).ok());
    for line in files.chain(log.and_then(end)).flat_map(lines) {
        let Ok(line) = serde_json::from_slice::<OfCommit>(&line) else { continue };
        let name = line.commit.or(line.task_id).filter(|name| commits.contains(name));
        let Some(name) = name.filter(|_| line.human_override) else { continue };
        let who = line.reviewer.unwrap_or_else(|| "a person".to_owned());
        let one = (line.time.exact(), line.verdict == "accept", who);
        match newest.get_mut(&name) {
            Some(known) if known.0 > one.0 => {}
            Some(known) => *known = one,
            None => drop(newest.insert(name, one)),
        }
    }
    let accepted = newest.into_iter().filter(|(_, (_, accepted, _))| *accepted);
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
