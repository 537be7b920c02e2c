//! What was made of some bytes, in the shape in which the reader and the reference are compared.

use foureyes::domain::{Accounting, Record, Reject};
use foureyes::jsonl::{self, Reader, Reading, Settings, Sink};
use std::collections::BTreeMap;

/// Records with their places, rejects and counts.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) found: Vec<Piece>,
    pub(super) rejects: Vec<Reject>,
    pub(super) accounting: Accounting,
}

/// A record, its place, and what tells equal contents from different ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    pub(super) place: Place,
    pub(super) identity: String,
    pub(super) record: Record,
}

/// Line from 1, byte from 0, length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) byte: u64,
    pub(super) len: u64,
}

/// The reader under test, all bytes at once.
pub(super) fn read(bytes: &[u8], settings: &Settings) -> Seen {
    jsonl::read(bytes, settings).into()
}

/// The reader under test, given the bytes in pushes of these sizes over and over.
pub(super) fn read_in_pushes(bytes: &[u8], sizes: &[usize], settings: &Settings) -> Seen {
    let (mut reader, mut reading) = (Reader::new(settings), Reading::default());
    push_all(&mut reader, bytes, sizes, &mut reading);
    reading.accounting = reader.finish(&mut reading);
    reading.into()
}

fn push_all(reader: &mut Reader<'_>, bytes: &[u8], sizes: &[usize], sink: &mut impl Sink) {
    let mut rest = bytes;
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (head, tail) = rest.split_at((*size).clamp(1, rest.len()));
        reader.push(head, sink);
        rest = tail;
    }
}

/// The reader under test, stopped at `at` and taken up by another one at its checkpoint.
pub(super) fn read_resumed(bytes: &[u8], at: usize, settings: &Settings) -> Seen {
    let (mut first, mut reading) = (Reader::new(settings), Reading::default());
    first.push(&bytes[..at], &mut reading);
    let done = first.checkpoint();
    assert!(done.byte <= at as u64, "{done:?} is past {at}");
    let early = Seen { accounting: done.accounting, ..reading.into() };
    early.check(&bytes[..done.byte as usize]);
    let (mut second, mut rest) = (Reader::resume(settings, done), Reading::default());
    second.push(&bytes[done.byte as usize..], &mut rest);
    rest.accounting = second.finish(&mut rest);
    let mut all: Seen = rest.into();
    all.found.splice(..0, early.found);
    all.rejects.splice(..0, early.rejects);
    all
}

impl From<Reading> for Seen {
    fn from(reading: Reading) -> Self {
        let found = reading.found.into_iter().map(|f| Piece {
            place: Place { line: f.line, byte: f.byte, len: f.len },
            identity: f.record.id.to_string(),
            record: f.record,
        });
        Self { found: found.collect(), rejects: reading.rejects, accounting: reading.accounting }
    }
}

impl Seen {
    /// Panics unless the counts agree with the lists, the equation holds, and every piece is
    /// within the bytes, in their order, on the line it names, and over no other piece.
    pub(super) fn check(&self, bytes: &[u8]) {
        let a = self.accounting;
        assert!(a.balances(), "{a:?}");
        assert_eq!(a.records, self.found.len() as u64, "records");
        assert_eq!(a.rejected, self.rejects.len() as u64, "rejects");
        assert_eq!(a.duplicates, 0, "duplicates are found across files, not by the reader");
        assert!(a.incomplete <= 1, "{a:?}");
        let ended = newlines(bytes);
        assert!((ended..=ended + 1).contains(&a.lines), "{} of {ended}", a.lines);
        let mut places: Vec<_> = self.found.iter().map(|p| p.place).collect();
        assert!(places.is_sorted_by_key(|p| p.byte), "records in the order of their bytes");
        places.extend(self.rejects.iter().map(place));
        places.sort_by_key(|p| p.byte);
        let (mut end, mut line) = (0, 1);
        for p in places {
            assert!(p.byte + p.len <= bytes.len() as u64, "{p:?} is outside");
            assert!(end <= p.byte && p.len > 0, "{p:?} overlaps or is empty");
            let gap = &bytes[end as usize..p.byte as usize];
            line += newlines(gap);
            assert_eq!(p.line, line, "{p:?} is on another line");
            end = p.byte + p.len;
            line += newlines(&bytes[p.byte as usize..end as usize]);
        }
        for reject in &self.rejects {
            assert!(!reject.reason.trim().is_empty(), "{reject:?}");
        }
    }

    /// Panics unless both saw the same pieces with the same meaning.
    ///
    /// White space at the ends of a reject, and the mark before an overlong first line, may belong
    /// to it or not; reasons are only asked for
    /// where the corpus names one.
    pub(super) fn agrees(&self, reference: &Self, bytes: &[u8]) {
        let places = |s: &Self| s.found.iter().map(|p| p.place).collect::<Vec<_>>();
        let rejects = |s: &Self| {
            let mut all: Vec<_> = s.rejects.iter().map(|r| trimmed(place(r), bytes)).collect();
            all.sort();
            all
        };
        assert_eq!(places(self), places(reference), "places of records");
        assert_eq!(rejects(self), rejects(reference), "places of rejects");
        assert_eq!(self.accounting, reference.accounting);
        let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
        for (mine, theirs) in self.found.iter().zip(&reference.found) {
            same_meaning(&mine.record, &theirs.record, mine.place);
            let known = there.entry(&mine.identity).or_insert(&theirs.identity);
            assert_eq!(*known, &theirs.identity, "one id for two contents");
            let known = back.entry(&theirs.identity).or_insert(&mine.identity);
            assert_eq!(*known, &mine.identity, "two ids for {}", theirs.identity);
        }
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|b| **b == b'\n').count() as u64
}

fn place(reject: &Reject) -> Place {
    Place { line: reject.line, byte: reject.byte, len: reject.len }
}

fn trimmed(mut place: Place, bytes: &[u8]) -> Place {
    let white = |at: u64| b" \t\r\n\0".contains(&bytes[at as usize]);
    while place.len > 0 && white(place.byte + place.len - 1) {
        place.len -= 1;
    }
    if place.byte == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
        place = Place { byte: 3, len: place.len.saturating_sub(3), ..place };
    }
    while place.len > 0 && white(place.byte) {
        place.byte += 1;
        place.len -= 1;
    }
    place
}

fn same_meaning(mine: &Record, theirs: &Record, at: Place) {
    assert_eq!(mine.family, theirs.family, "family at {at:?}");
    assert_eq!(mine.outcome, theirs.outcome, "outcome at {at:?}");
    assert_eq!(mine.cause, theirs.cause, "cause at {at:?}");
    assert_eq!(mine.verdict, theirs.verdict, "verdict at {at:?}");
    assert_eq!(mine.timestamp, theirs.timestamp, "timestamp at {at:?}");
    // How a value that is no text is shown where one belongs is left to the reader.
    let same = |mine: &Option<String>, theirs: &Option<String>| theirs.is_none() || mine == theirs;
    assert!(same(&mine.commit, &theirs.commit), "commit at {at:?}");
    assert!(same(&mine.task_id, &theirs.task_id), "task at {at:?}");
    assert_eq!(mine.scores, theirs.scores, "scores at {at:?}");
    assert!(same(&mine.findings, &theirs.findings), "findings at {at:?}");
    assert!(theirs.files.iter().all(|f| mine.files.contains(f)), "files at {at:?}");
}
