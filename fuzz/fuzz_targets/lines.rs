//! However the bytes of a log arrive, and wherever reading stops and goes on, it says the same.

#![no_main]

use foureyes::jsonl::{Reader, Reading, Settings, read};
use libfuzzer_sys::fuzz_target;

fn settings() -> Settings {
    // Small bounds, so that they are reached.
    Settings { line_bytes: 200, depth: 6, ..Settings::default() }
}

fn assert_same(a: &Reading, b: &Reading) {
    assert_eq!(a.accounting, b.accounting);
    assert_eq!(a.rejects, b.rejects);
    assert_eq!(a.found.len(), b.found.len());
    for (a, b) in a.found.iter().zip(&b.found) {
        assert_eq!((a.line, a.byte, a.len), (b.line, b.byte, b.len));
        assert_eq!(a.record, b.record);
    }
}

fn in_pushes(bytes: &[u8], size: usize, settings: &Settings) -> Reading {
    let (mut reader, mut reading) = (Reader::new(settings), Reading::default());
    bytes.chunks(size).for_each(|chunk| reader.push(chunk, &mut reading));
    reading.accounting = reader.finish(&mut reading);
    reading
}

fn resumed(bytes: &[u8], at: usize, settings: &Settings) -> Reading {
    let (mut reader, mut reading) = (Reader::new(settings), Reading::default());
    reader.push(&bytes[..at], &mut reading);
    let done = reader.checkpoint();
    assert!(done.accounting.balances());
    let mut reader = Reader::resume(settings, done);
    reader.push(&bytes[done.byte as usize..], &mut reading);
    reading.accounting = reader.finish(&mut reading);
    reading
}

fuzz_target!(|input: (u8, u16, &[u8])| {
    let (size, at, bytes) = input;
    let settings = settings();
    let whole = read(bytes, &settings);
    assert_same(&in_pushes(bytes, usize::from(size) + 1, &settings), &whole);
    assert_same(&in_pushes(bytes, 1, &settings), &whole);
    let at = usize::from(at) % (bytes.len() + 1);
    assert_same(&resumed(bytes, at, &settings), &whole);
});
