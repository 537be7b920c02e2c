//! Bytes of logs to records: pure, tolerant, and every line accounted for.
//!
//! [`Reader`] takes bytes in any portions and gives each record and each reject to a [`Sink`];
//! how the bytes were portioned never shows in the result. Three steps, a file each: `plan`
//! finds the pieces of a line (and records that run over several), `scan` checks one JSON value
//! and lays it out flat, `decode` reads the fields of whatever family out of it.
//!
//! A general JSON library reads most logs, but it cannot tell a torn record from one that goes
//! on in the next line, keeps the last of two equal keys without a word, and turns long numbers
//! into floats. All three would falsify evidence, so the scanner is our own; a property holds it
//! against `serde_json` byte for byte.

mod canonical;
mod cursor;
mod decode;
mod draft;
mod enriched;
mod expected_keys;
mod fields;
mod ids;
mod improvements;
mod lines;
mod ownership;
mod plan;
mod scan;

pub use draft::Draft;
pub use ids::Forms;
pub use lines::{Checkpoint, Reader, Sink, Span};
pub use ownership::Named;

use crate::domain::{Accounting, Record, Reject};
use crate::thesaurus::Thesaurus;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bounds on reading, and words of other writers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Longest line or record in bytes.
    pub line_bytes: usize,
    /// Deepest nesting of a record; the record itself is 1.
    pub depth: usize,
    /// Most bytes that are read of what one compressed log unpacks to.
    pub unpacked_bytes: u64,
    /// Verdict words of other writers, each with the exact word it stands for.
    pub aliases: BTreeMap<String, String>,
    /// Terms that are sought in the words of judges; `None` where none are.
    pub thesaurus: Option<Arc<Thesaurus>>,
    /// Records that ledgers name.
    pub named: Named,
    /// Bytes of a disk that what is kept of logs leaves free.
    pub min_free_bytes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            line_bytes: 16 << 20,
            depth: 128,
            unpacked_bytes: 4 << 30,
            aliases: BTreeMap::new(),
            thesaurus: None,
            named: Named::default(),
            min_free_bytes: 0,
        }
    }
}

/// A record and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What it says.
    pub record: Record,
    /// First line, from 1.
    pub line: u64,
    /// Offset of its first byte, from 0.
    pub byte: u64,
    /// Length in bytes.
    pub len: u64,
}

/// Everything that some bytes hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Records in the order of the bytes, doubles among them.
    pub found: Vec<Found>,
    /// Pieces that are no record.
    pub rejects: Vec<Reject>,
    /// Where every line went; no duplicates yet, they are found across files.
    pub accounting: Accounting,
}

impl Sink for Reading {
    fn record(&mut self, draft: &Draft<'_>, span: Span) {
        let Span { line, byte, len } = span;
        self.found.push(Found { record: draft.to_record(), line, byte, len });
    }

    fn reject(&mut self, reject: Reject) {
        self.rejects.push(reject);
    }
}

/// Reads a whole log.
pub fn read(bytes: &[u8], settings: &Settings) -> Reading {
    let mut reading = Reading::default();
    let mut reader = Reader::new(settings);
    reader.push(bytes, &mut reading);
    reading.accounting = reader.finish(&mut reading);
    reading
}

/// Reads the one record that these bytes are, as an origin names them.
pub fn read_one(bytes: &[u8], settings: &Settings) -> Option<Record> {
    let mut reading = Reading::default();
    let mut reader = Reader::of_named(settings);
    reader.push(bytes, &mut reading);
    reader.finish(&mut reading);
    reading.found.into_iter().next().map(|f| f.record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Cause, Family, Outcome};
    use proptest::prelude::*;

    const GOOD: &str = r#"{"commit":"abc","timestamp":"2026-02-15T10:30:00Z","verdict":"GO"}"#;

    fn counts(text: &str) -> (Accounting, Vec<String>) {
        let reading = read(text.as_bytes(), &Settings::default());
        assert!(reading.accounting.balances(), "{text:?}: {:?}", reading.accounting);
        (reading.accounting, reading.rejects.into_iter().map(|r| r.reason).collect())
    }

    #[test]
    fn every_line_has_its_place() {
        let indented = GOOD.replace(',', ",\n  ");
        let text = format!("{GOOD}\n\n{indented}\n{GOOD}{GOOD}\ngarbage\n{{\"a\":\"x{GOOD}\n{{\"a");
        let (got, reasons) = counts(&text);
        let want = Accounting {
            lines: 9,
            split: 2,
            records: 5,
            duplicates: 0,
            rejected: 2,
            foreign: 0,
            incomplete: 1,
            joined: 2,
            blank: 1,
        };
        assert_eq!(got, want, "{reasons:?}");
    }

    #[test]
    fn a_torn_line_swallows_no_good_one() {
        for torn in ["{\"a\":", "{\"a\":1,", "{\"a\":[", "{", "{\"a\":\"x"] {
            let (got, reasons) = counts(&format!("{torn}\n{GOOD}\n}}\n{GOOD}\n"));
            assert_eq!((got.records, got.rejected), (2, 2), "{torn}: {reasons:?}");
        }
    }

    #[test]
    fn a_key_given_twice_is_ambiguous_at_any_depth() {
        for text in [
            r#"{"verdict":"NO-GO","verdict":"GO"}"#,
            r#"{"verdict":"GO","scores":{"semantic":1,"semantic":5}}"#,
        ] {
            let (got, reasons) = counts(text);
            assert_eq!((got.records, got.rejected), (0, 1));
            assert!(reasons[0].contains("ambiguous"), "{reasons:?}");
        }
    }

    #[test]
    fn only_exact_words_count() {
        let one = |json: &str| {
            read_one(json.as_bytes(), &Settings::default()).map(|r| (r.family, r.outcome, r.cause))
        };
        let unknown =
            Some((Family::Push, Some(Outcome::Undetermined), Some(Cause::UnknownVerdict)));
        for word in ["go", " GO ", "NO GO", "", "APPROVED", "G\u{41e}", "accept"] {
            assert_eq!(
                one(&format!("{{\"commit\":\"a\",\"verdict\":\"{word}\"}}")),
                unknown,
                "{word}"
            );
        }
        for json in [
            r#"{"commit":"a","verdict":null}"#,
            r#"{"commit":"a","verdict":["GO"]}"#,
            r#"{"commit":"a"}"#,
        ] {
            assert_eq!(
                one(json),
                Some((Family::Push, Some(Outcome::Undetermined), Some(Cause::MissingVerdict)))
            );
        }
    }

    #[test]
    fn the_id_is_of_the_content_not_of_its_writing() {
        let id = |json: &str| read_one(json.as_bytes(), &Settings::default()).map(|r| r.id);
        let one = id(r#"{"verdict":"GO","commit":"\u00e9","average":4.0}"#);
        assert_eq!(id("{ \"commit\" : \"é\",\n\"average\":4, \"verdict\":\"GO\"}"), one);
        assert_ne!(id(r#"{"verdict":"GO","commit":"é","average":"4"}"#), one);
    }

    #[test]
    fn a_long_line_is_dropped_and_counted_once() {
        let settings = Settings { line_bytes: 100, ..Settings::default() };
        let text = format!("{}\n{GOOD}\n{}", "x".repeat(1000), "y".repeat(101));
        let whole = read(text.as_bytes(), &settings);
        assert_eq!(whole.found.len(), 1);
        assert_eq!(whole.rejects.iter().map(|r| r.len).collect::<Vec<_>>(), [1000, 101]);
        assert_eq!(in_pushes_of(7, text.as_bytes(), &settings), whole);
    }

    fn in_pushes_of(size: usize, bytes: &[u8], settings: &Settings) -> Reading {
        let (mut reader, mut reading) = (Reader::new(settings), Reading::default());
        bytes.chunks(size).for_each(|chunk| reader.push(chunk, &mut reading));
        reading.accounting = reader.finish(&mut reading);
        reading
    }

    /// A line of some of the keys that a writer gives, maybe the first of them twice.
    fn line(of: u8, twice: bool) -> String {
        let members = [
            "\"commit\":\"a\"",
            "\"verdict\":\"GO\"",
            "\"scores\":{\"semantic\":4,\"pragmatic\":2}",
            "\"findings\":\"x\"",
            "\"model\":[{\"verdict\":1}]",
        ];
        let mut some: Vec<&str> = (0..5).filter(|n| of >> n & 1 == 1).map(|n| members[n]).collect();
        some.extend(some.first().copied().filter(|_| twice));
        format!("{{{}}}", some.join(","))
    }

    proptest! {
        /// What is remembered of the lines before changes nothing.
        #[test]
        fn record_is_read_the_same_whatever_came_before(
            lines in prop::collection::vec((prop_oneof![3 => Just(31), 1 => 0..32_u8], prop::bool::weighted(0.2)), 1..20),
        ) {
            let lines: Vec<String> = lines.into_iter().map(|(of, twice)| line(of, twice)).collect();
            let settings = Settings::default();
            let whole = read(lines.join("\n").as_bytes(), &settings);
            let (mut records, mut reasons) = (Vec::new(), Vec::new());
            for line in &lines {
                let alone = read(line.as_bytes(), &settings);
                records.extend(alone.found.into_iter().map(|found| found.record));
                reasons.extend(alone.rejects.into_iter().map(|reject| reject.reason));
            }
            prop_assert_eq!(whole.found.into_iter().map(|f| f.record).collect::<Vec<_>>(), records);
            prop_assert_eq!(whole.rejects.into_iter().map(|r| r.reason).collect::<Vec<_>>(), reasons);
        }
    }

    #[test]
    fn a_fault_near_the_limit_is_the_same_however_the_bytes_come() {
        let settings = Settings { line_bytes: 100, ..Settings::default() };
        // Behind a line that ends in a bracket: a control character in a text whose end is far away,
        // words, escapes and numbers that are none, before, at and behind the limit.
        let tails =
            ["\"\u{1}", "trux", "falsy", "nulk", "\"\\q", "\"\\u12x", "-x", "1.x", "1ex", "]"];
        for tail in tails {
            for blanks in 80..110 {
                let rest = "y".repeat(90);
                let text = format!("{{\n\"a\":{}\n{tail}{rest}\n{GOOD}\n", " ".repeat(blanks));
                let whole = read(text.as_bytes(), &settings);
                for size in [1, 3, 64] {
                    let pieces = in_pushes_of(size, text.as_bytes(), &settings);
                    assert_eq!(pieces, whole, "{text:?} in pushes of {size}");
                }
            }
        }
    }

    #[test]
    fn a_form_feed_alone_is_a_piece_with_a_length() {
        let whole = read(b"\x0c\n\x0b \r\n\r\x1e", &Settings::default());
        let places: Vec<_> = whole.rejects.iter().map(|r| (r.line, r.byte, r.len)).collect();
        assert_eq!(places, [(1, 0, 1), (2, 2, 1)]);
    }
}
