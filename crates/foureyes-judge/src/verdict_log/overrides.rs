//! Overrides that people left on this machine, found by the records they answer.

use crate::domain::Timestamp;
use crate::jsonl::Settings;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

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
    timestamp: Timestamp,
}

/// The newest override of any of these records in the files of a directory. Files and lines that
/// cannot be read are passed over: what is not known lifts nothing.
pub fn overridden(dir: &Path, records: &HashSet<String>) -> Option<Overridden> {
    let entries = fs::read_dir(dir).ok()?;
    let mut newest: Option<Overridden> = None;
    for entry in entries.flatten().take(MOST_FILES) {
        let path = entry.path();
        // No link, pipe or device: opening one may lead elsewhere, or wait for ever.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || path.extension().is_none_or(|e| e != "jsonl") {
            continue;
        }
        let Ok(file) = File::open(&path) else { continue };
        for line in lines(file) {
            let Ok(line) = serde_json::from_slice::<Line>(&line) else { continue };
            if !line.human_override || !records.contains(&line.record) {
                continue;
            }
            let accepted = line.verdict == "accept";
            let one = Overridden { reviewer: line.reviewer, accepted, at: line.timestamp };
            // Of two at one moment the later line.
            if newest.as_ref().is_none_or(|n| n.at <= one.at) {
                newest = Some(one);
            }
        }
    }
    newest
}

fn lines(file: File) -> impl Iterator<Item = Vec<u8>> {
    let limit = Settings::default().line_bytes;
    let lines = BufReader::new(file.take(MOST_BYTES)).split(b'\n');
    lines.map_while(Result::ok).filter(move |line| line.len() <= limit)
}
