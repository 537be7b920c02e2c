//! Lines with NUL bytes in them, and lines of every kind mixed.

use super::super::{Reading, Settings, read};
use super::{Reader, Sink, Span};
use crate::domain::{Accounting, RecordId, Reject};
use crate::jsonl::Draft;
use proptest::prelude::*;

const GOOD: &str = r#"{"commit":"abc","timestamp":"2026-02-15T10:30:00Z","verdict":"NO-GO"}"#;

/// A reader whose lines are at most a hundred bytes long.
fn short() -> Settings {
    Settings { line_bytes: 100, ..Settings::default() }
}

fn in_pushes_of(size: usize, bytes: &[u8], settings: &Settings) -> Reading {
    let (mut reader, mut reading) = (Reader::new(settings), Reading::default());
    bytes.chunks(size).for_each(|chunk| reader.push(chunk, &mut reading));
    reading.accounting = reader.finish(&mut reading);
    reading
}

#[test]
fn padding_of_any_length_swallows_no_record() {
    for nuls in [1, 7, 8, 99, 100, 101, 5_000] {
        let pad = "\0".repeat(nuls);
        for (text, records) in [
            (format!("{pad}{GOOD}\n{GOOD}\n"), 2),
            (format!("{GOOD}\n{pad}{GOOD}\n"), 2),
            (format!("{GOOD}{pad}\n{GOOD}"), 2),
            (format!("{GOOD}\n{pad}\n{GOOD}"), 2),
            (format!("{GOOD}\n{pad}"), 1),
            (format!("\u{feff}{pad}{GOOD}\n{pad}"), 1),
            (format!("  {pad} {pad}\t{GOOD}"), 1),
        ] {
            let reading = read(text.as_bytes(), &short());
            let counts = reading.accounting;
            assert!(counts.balances(), "{nuls} {text:?}: {counts:?}");
            assert_eq!((counts.records, counts.rejected), (records, 0), "{nuls} {text:?}");
            for size in [1, 3, 64, 130] {
                assert_eq!(in_pushes_of(size, text.as_bytes(), &short()), reading, "{nuls} {size}");
            }
        }
    }
}

#[test]
fn padding_inside_a_torn_record_costs_only_its_head() {
    for nuls in [8, 101, 5_000] {
        let pad = "\0".repeat(nuls);
        for head in ["{\"commit\":\"a", "{\"commit\":", "{\"a\":1,", "garbage", "{\"a\":[tru"] {
            let text = format!("{head}{pad}{GOOD}\n{GOOD}\n");
            let reading = read(text.as_bytes(), &short());
            let counts = reading.accounting;
            assert_eq!((counts.lines, counts.records, counts.rejected), (2, 2, 1), "{head} {nuls}");
            assert!(counts.balances(), "{counts:?}");
            for size in [1, 3, 64, 130] {
                assert_eq!(in_pushes_of(size, text.as_bytes(), &short()), reading, "{head} {size}");
            }
        }
    }
    // Behind a line that is too long there may be padding, too.
    let text = format!("{}{}{GOOD}\n{GOOD}", "x".repeat(500), "\0".repeat(500));
    let reading = read(text.as_bytes(), &short());
    assert_eq!((reading.accounting.records, reading.accounting.rejected), (2, 1));
    assert_eq!((reading.rejects[0].byte, reading.rejects[0].len), (0, 500));
    assert!(reading.accounting.balances());
}

#[test]
fn padding_takes_no_memory() {
    let settings = short();
    let (mut reader, mut reading) = (Reader::new(&settings), Reading::default());
    for _ in 0..1_000 {
        reader.push(&[0; 4096], &mut reading);
        assert!(reader.buffer.len() <= 4097 && reader.buffer.capacity() <= 16_384);
    }
    reader.push(GOOD.as_bytes(), &mut reading);
    let counts = reader.finish(&mut reading);
    assert_eq!((counts.lines, counts.records), (1, 1));
    assert_eq!(reading.found[0].byte, 1_000 * 4096);
}

#[test]
fn a_document_with_a_number_that_is_none_is_one_piece() {
    for word in ["NaN", "Infinity", "-Infinity"] {
        let inner = "{\"commit\":\"a\",\n\"scores\":{\"semantic\":4}}";
        let document = format!("{{\n\"samples\":[\n{inner},\n{{\"score\":{word}}}\n]\n}}");
        for (text, rejected, foreign) in [
            (format!("{document}\n{GOOD}\n"), 0, 1),
            (format!("{}\n{GOOD}\n", document.replace("samples", "verdict")), 1, 0),
            (format!("{{\"commit\":\"a\",\"verdict\":\"GO\",\"average\":{word}}}\n{GOOD}"), 1, 0),
        ] {
            let counts = read(text.as_bytes(), &Settings::default()).accounting;
            assert_eq!((counts.records, counts.rejected), (1, rejected), "{text}");
            assert_eq!(counts.foreign, foreign, "{text}");
            assert!(counts.balances());
        }
        // What only begins like it tears the object, as any other word does.
        let text = format!("{{\"a\":\n{}x}}\n{GOOD}", word.replace('y', "i").replace("NaN", "Nan"));
        let counts = read(text.as_bytes(), &Settings::default()).accounting;
        assert_eq!((counts.records, counts.rejected), (1, 2), "{text}");
    }
}

/// Counts what it is handed.
#[derive(Default)]
struct Handed {
    records: u64,
    rejects: u64,
    foreign: u64,
}

impl Sink for Handed {
    fn record(&mut self, _: &Draft<'_>, _: Span) {
        self.records += 1;
    }

    fn reject(&mut self, _: Reject) {
        self.rejects += 1;
    }

    fn foreign(&mut self, _: Option<RecordId>) {
        self.foreign += 1;
    }
}

/// A line, and what of it must be counted where.
fn line(kind: u8, n: u8) -> (String, Accounting) {
    let good = GOOD.replace("abc", &format!("c{n}"));
    let pad = "\0".repeat(usize::from(n) + 1);
    let one = Accounting { lines: 1, ..Accounting::default() };
    let record = Accounting { records: 1, ..one };
    let rejected = Accounting { rejected: 1, ..one };
    let blank = Accounting { blank: 1, ..one };
    match kind {
        0 => ("not a record".to_owned(), rejected),
        1 => (good.split_at(good.len() - 9).0.to_owned(), rejected),
        2 => {
            (format!("{{\"commit\":\"{n}\",\"job\":\"build\"}}"), Accounting { foreign: 1, ..one })
        }
        3 => (format!("{{\"level\":{n}}}"), Accounting { foreign: 1, ..one }),
        4 => (String::new(), blank),
        5 => (" \t\r".to_owned(), blank),
        6 => (pad, blank),
        7 => (format!("{pad}{good}"), record),
        8 => (good.replace(',', ",\n "), Accounting { lines: 3, joined: 2, ..record }),
        9 => (format!("{good}{good}"), Accounting { split: 1, records: 2, ..one }),
        10 => (format!("{{\"a\":1,{good}"), Accounting { split: 1, records: 1, ..rejected }),
        11 => (format!("{{\"a\":1}} {good}"), Accounting { split: 1, foreign: 1, ..record }),
        12 => (format!("{{\"verdict\":1,\"verdict\":{n}}}"), rejected),
        _ => (good, record),
    }
}

proptest! {
    /// Each term is known of each line, and is counted where the line goes.
    #[test]
    fn every_line_goes_where_it_belongs(
        kinds in prop::collection::vec((0..16_u8, any::<u8>()), 1..30),
        size in 1..200_usize,
        is_open in any::<bool>(),
    ) {
        let (mut text, mut wanted) = (String::new(), Accounting::default());
        for (kind, n) in kinds {
            let (line, counts) = line(kind, n);
            text.extend([line.as_str(), "\n"]);
            wanted.add(&counts);
        }
        if is_open {
            text += "{\"commit\":\"begun";
            wanted.add(&Accounting { lines: 1, incomplete: 1, ..Accounting::default() });
        }
        let settings = Settings::default();
        let (mut reader, mut handed) = (Reader::new(&settings), Handed::default());
        text.as_bytes().chunks(size).for_each(|chunk| reader.push(chunk, &mut handed));
        let counts = reader.finish(&mut handed);
        prop_assert_eq!(counts, wanted);
        prop_assert!(counts.balances());
        let Handed { records, rejects, foreign } = handed;
        prop_assert_eq!([records, rejects, foreign], [counts.records, counts.rejected, counts.foreign]);
    }
}
