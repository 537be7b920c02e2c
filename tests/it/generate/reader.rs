//! A slow reader of generated logs; nothing in it is shared with the program.

use foureyes::domain::{Accounting, Family, Outcome};
use serde_json::Value;
use std::collections::HashSet;

/// What the slow reader finds.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) counts: Accounting,
    pub(super) records: Vec<Value>,
    seen: HashSet<String>,
}

impl Found {
    pub(super) fn new<'a>(files: impl IntoIterator<Item = &'a Vec<u8>>) -> Self {
        let mut found = Self::default();
        files.into_iter().for_each(|text| found.file(text));
        found
    }

    /// Reads a file line by line.
    fn file(&mut self, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() {
            let upto = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |i| i + 1);
            let (line, ended) = (&rest[..upto], rest[..upto].ends_with(b"\n"));
            self.counts.lines += 1;
            if line.trim_ascii().is_empty() {
                self.counts.blank += 1;
            } else if line.trim_ascii() == b"{" {
                // An indented record ends where a brace stands alone at the start of a line.
                let end = find(rest, b"\n}\n").expect("an indented record ends") + 3;
                let lines = rest[..end].iter().filter(|b| **b == b'\n').count() as u64;
                self.counts.lines += lines - 1;
                self.counts.joined += lines - 1;
                assert!(self.piece(&rest[..end]), "an indented record is one object");
                rest = &rest[end..];
                continue;
            } else if !self.line(line) {
                *if ended { &mut self.counts.rejected } else { &mut self.counts.incomplete } += 1;
            }
            rest = &rest[upto..];
        }
    }

    /// Reads the records of a line; false where there is none.
    fn line(&mut self, line: &[u8]) -> bool {
        if self.piece(line) {
            return true;
        }
        for start in [&b"{\"commit\""[..], b"{\"task_id\""] {
            if let Some(at) = find(&line[1..], start).map(|i| i + 1) {
                let (head, tail) = line.split_at(at);
                if self.piece(tail) {
                    self.counts.split += 1;
                    if !self.piece(head) {
                        self.counts.rejected += 1;
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Reads one object without a key given twice.
    fn piece(&mut self, text: &[u8]) -> bool {
        let Ok(value @ Value::Object(_)) = serde_json::from_slice::<Value>(text) else {
            return false;
        };
        let verdicts = text.windows(10).filter(|w| w == b"\"verdict\":").count();
        let nested = value["previous_rounds"].as_array().map_or(0, Vec::len);
        if verdicts > nested + 1 {
            return false;
        }
        // serde_json sorts keys here, so equal content is equal text.
        if self.seen.insert(value.to_string()) {
            self.counts.records += 1;
            self.records.push(value);
        } else {
            self.counts.duplicates += 1;
        }
        true
    }

    fn outcome(record: &Value) -> Option<Outcome> {
        let schema = record["schema"].as_str().unwrap_or_default();
        if record["mode"] == "override" || schema.starts_with("foureyes/pick") {
            return None;
        }
        let word = record["verdict"].as_str().unwrap_or_default();
        let family = Family::of_verdict(word);
        Some(family.and_then(|f| f.outcome(word)).unwrap_or(Outcome::Undetermined))
    }

    /// Records in which the judge could not be asked: by their error, else by their words.
    pub(super) fn outages(&self) -> u64 {
        let errors = ["timeout", "unavailable", "unauthorized", "rate_limited", "server_error"];
        let outage = |r: &&Value| match r["error"].as_str() {
            Some(error) => errors.contains(&error),
            None => {
                let words = r["findings"].as_str().unwrap_or_default().to_lowercase();
                let said = words.contains("timeout") || words.contains("unavailable");
                r["verdict"] == "UNDETERMINED" && said
            }
        };
        self.records.iter().filter(outage).count() as u64
    }

    pub(super) fn outcomes(&self, wanted: Outcome) -> u64 {
        self.records.iter().filter(|r| Self::outcome(r) == Some(wanted)).count() as u64
    }
}

pub(super) fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|w| w == wanted)
}
