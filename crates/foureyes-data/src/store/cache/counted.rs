//! What was counted of a segment, in a file beside it: a later run that has the segment in its window need not
//! look at its columns.
//!
//! Such a file begins with a hash of its bytes and of all that they depend on: the build of the program, how
//! logs are read, and the seals of the segment's columns and flags. One that is absent, damaged, or of another
//! build or segment is as good as none, and so is one that cannot be written. So it needs no lock, whoever
//! writes it meanwhile.

use super::coded::{Coded, coded, put_sorted, take_sorted};
use super::manifest::{self, SegmentEntry};
use super::stamp::Stamp;
use crate::domain::{
    Accounting, ByKind, Counts, EvaluationTally, JudgementKind, RecordId, Timestamp,
};
use crate::files::atomic;
use crate::frame::{Configured, Place, Tally, VerdictOn};
use crate::jsonl::Settings;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// What a file had, or was counted since.
pub(super) struct Remembered<T> {
    pub(super) value: T,
    /// The file does not have it all.
    pub(super) changed: bool,
}

/// So many of the newest flagged rows are kept of each segment.
const NEWEST: usize = 128;
/// So many places of rows are kept of each segment.
pub(super) const PLACES: usize = 1024;
/// So many configurations of judges are kept of each segment, where there are no more.
const CONFIGURED: usize = 1024;
/// So many verdicts on contents that passed later are kept, where there are no more.
const VERDICTS: usize = 1 << 16;
/// Bytes of the longest file that is read.
const MOST: u64 = 64 << 20;

/// What was counted of a segment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Counted {
    /// Of all its rows.
    pub(super) all: Part,
    /// Of those with a time, where some have none.
    pub(super) dated: Part,
    /// Where the bytes of rows are that were looked up.
    pub(super) places: BTreeMap<u32, Place>,
}

/// What was counted of some rows of a segment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Part {
    /// Its flagged rows are the newest ones.
    pub(super) tally: Option<Arc<Tally>>,
    /// By the text of the filter.
    pub(super) filters: BTreeMap<String, u64>,
    pub(super) configured: Option<Vec<Configured>>,
    pub(super) questions: Option<Vec<Configured>>,
}

/// The verdicts on contents that were NO-GO and GO later, in any span, of some segments.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Passed {
    /// These segments, by the seals of their slim columns, and how many of their rows.
    pub(super) of: BTreeMap<String, u64>,
    pub(super) verdicts: Vec<VerdictOn>,
}

impl Passed {
    /// Takes note that segments were made one: rows of those that are known come first, and the others again.
    pub(super) fn merge(&mut self, parts: &[SegmentEntry], whole: &SegmentEntry) {
        let name = |entry: &SegmentEntry| entry.slim.seal.name().to_owned();
        let is_known = |part: &&SegmentEntry| self.of.get(&name(part)) == Some(&part.rows);
        let known = parts.iter().take_while(is_known).map(|part| part.rows).sum();
        for part in parts {
            self.of.remove(&name(part));
        }
        if known > 0 {
            self.of.insert(name(whole), known);
        }
    }
}

impl Part {
    /// Takes a tally, with the newest of its flagged rows: all that are newer than the first one left out.
    pub(super) fn put_tally(&mut self, tally: &Tally) {
        let mut tally = tally.clone();
        if tally.flagged.len() > NEWEST {
            let order = |row: &(i64, u32)| Reverse(row.0);
            let last = tally.flagged.select_nth_unstable_by_key(NEWEST, order).1.0;
            tally.flagged.retain(|(time, _)| *time > last);
            tally.flagged.shrink_to_fit();
        }
        for kind in JudgementKind::ALL {
            tally.units.get_mut(kind).latencies_ms.sort_unstable();
        }
        self.tally = Some(Arc::new(tally));
    }

    /// The tally, where the first `most` of the flagged rows are among those that it has.
    pub(super) fn tally(&self, most: usize) -> Option<Arc<Tally>> {
        let has = |tally: &&Arc<Tally>| {
            let rows = tally.flagged.len();
            rows >= most || rows as u64 == tally.flagged_total
        };
        self.tally.as_ref().filter(has).map(Arc::clone)
    }

    /// Takes what another one has.
    pub(super) fn extend(&mut self, more: Self) {
        self.tally = more.tally.or(self.tally.take());
        self.filters.extend(more.filters);
        self.configured = more.configured.or(self.configured.take());
        self.questions = more.questions.or(self.questions.take());
    }

    pub(super) fn put_configured(&mut self, configured: &[Configured]) {
        self.configured = (configured.len() <= CONFIGURED).then(|| configured.to_vec());
    }

    pub(super) fn put_questions(&mut self, questions: &[Configured]) {
        self.questions = (questions.len() <= CONFIGURED).then(|| questions.to_vec());
    }
}

/// What all that is counted depends on beside the segment, as a text; `None` where the program cannot be told
/// from another build of it.
pub(super) fn counter(settings: &Settings) -> Option<String> {
    let program = std::fs::metadata(std::env::current_exe().ok()?).ok()?;
    let program = Stamp::new(&program);
    let version = env!("CARGO_PKG_VERSION");
    Some(format!("{version} {program:?} {}", manifest::reading_of(settings)))
}

/// Reads what was counted of a segment.
pub(super) fn read(dir: &Path, counter: &str, entry: &SegmentEntry) -> Option<Counted> {
    read_file(&dir.join(entry.counts()), &key(counter, entry))
}

/// Writes what was counted of a segment.
pub(super) fn write(
    dir: &Path,
    counter: &str,
    entry: &SegmentEntry,
    counted: &Counted,
) -> io::Result<()> {
    write_file(&dir.join(entry.counts()), &key(counter, entry), counted)
}

/// The file of [`Passed`].
const PASSED: &str = "passed";

/// Reads the verdicts on contents that passed later.
pub(super) fn read_passed(dir: &Path, counter: &str) -> Option<Passed> {
    read_file(&dir.join(PASSED), counter)
}

/// Writes them, unless they are too many.
pub(super) fn write_passed(dir: &Path, counter: &str, passed: &Passed) -> io::Result<()> {
    if passed.verdicts.len() > VERDICTS {
        return Ok(());
    }
    write_file(&dir.join(PASSED), counter, passed)
}

/// Takes note of a merge in the file of verdicts; where that fails, they are looked for again.
pub(super) fn merge_passed(
    dir: &Path,
    settings: &Settings,
    parts: &[SegmentEntry],
    whole: &SegmentEntry,
) {
    let Some(counter) = counter(settings) else { return };
    if let Some(mut passed) = read_passed(dir, &counter) {
        passed.merge(parts, whole);
        let _ = write_passed(dir, &counter, &passed);
    }
}

fn key(counter: &str, entry: &SegmentEntry) -> String {
    let seals = [&entry.slim, &entry.text, &entry.flags].map(|stored| stored.seal.name());
    format!("{counter} {seals:?}")
}

fn vouch(key: &str, body: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(blake3::hash(key.as_bytes()).as_bytes()).update(body);
    hasher.finalize()
}

fn read_file<T: Coded>(path: &Path, key: &str) -> Option<T> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.metadata().ok().filter(|meta| meta.is_file() && meta.len() <= MOST)?;
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    let (hash, mut body) = bytes.split_first_chunk::<{ blake3::OUT_LEN }>()?;
    if vouch(key, body) != *hash {
        return None;
    }
    T::take(&mut body).filter(|_| body.is_empty())
}

/// No fsync: a file that a crash left short is as good as none.
fn write_file(path: &Path, key: &str, value: &impl Coded) -> io::Result<()> {
    let mut body = Vec::new();
    value.put(&mut body);
    let mut file =
        tempfile::Builder::new().prefix(atomic::TEMPORARY).tempfile_in(atomic::dir_of(path))?;
    file.write_all(vouch(key, &body).as_bytes())?;
    file.write_all(&body)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

coded!(Counted { all, dated, places });
coded!(Part { tally, filters, configured, questions });
coded!(Passed { of, verdicts });
coded!(VerdictOn { content, by, passed, time });
coded!(Tally { counts, units, unfinished, flagged_total, flagged });
coded!(Place { id, part, line, byte, len, ts });
coded!(Configured { box_index, judge, records, first, last });
coded!(Accounting {
    lines,
    split,
    records,
    duplicates,
    rejected,
    foreign,
    incomplete,
    joined,
    blank,
});
coded!(Counts {
    accounting,
    undated,
    in_window,
    go,
    no_go,
    undetermined,
    overrides,
    picks,
    prompts,
    bypassed,
    history,
    scripted,
    empty,
    repeats,
    earlier_rounds,
});

impl Coded for EvaluationTally {
    fn put(&self, out: &mut Vec<u8>) {
        let Self { evaluations, go, undetermined, reporting, outages, latencies_ms } = self;
        for count in [evaluations, go, undetermined, reporting, outages] {
            count.put(out);
        }
        put_sorted(latencies_ms, out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut count = || u64::take(from);
        Some(Self {
            evaluations: count()?,
            go: count()?,
            undetermined: count()?,
            reporting: count()?,
            outages: count()?,
            latencies_ms: take_sorted(from)?,
        })
    }
}

impl<T: Coded + Default> Coded for ByKind<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|(_, value)| value.put(out));
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut all = Self::default();
        for kind in JudgementKind::ALL {
            *all.get_mut(kind) = T::take(from)?;
        }
        Some(all)
    }
}

impl Coded for RecordId {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Coded::take(from).map(Self)
    }
}

impl Coded for Timestamp {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Coded::take(from).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tally of flagged rows at these times.
    fn tally(times: impl Iterator<Item = i64>) -> Tally {
        let flagged: Vec<(i64, u32)> = times.zip(0..).collect();
        Tally { flagged_total: flagged.len() as u64, flagged, ..Tally::default() }
    }

    fn kept(tally: &Tally) -> (Part, usize) {
        let mut part = Part::default();
        part.put_tally(tally);
        let rows = part.tally.as_ref().map_or(0, |tally| tally.flagged.len());
        (part, rows)
    }

    #[test]
    fn newest_flagged_rows_are_kept_and_asked_for_no_more_than_there_are() {
        let many = NEWEST as i64 * 3;
        let (part, rows) = kept(&tally((0..many).map(|n| n * 7 % many)));
        assert_eq!(rows, NEWEST);
        assert!(part.tally(NEWEST).is_some() && part.tally(NEWEST + 1).is_none());
        let oldest = part.tally.unwrap().flagged.iter().map(|(time, _)| *time).min();
        assert_eq!(oldest, Some(many - NEWEST as i64));
        let (part, _) = kept(&tally(0..9));
        assert!(part.tally(usize::MAX).is_some(), "they are all of them");
    }

    #[test]
    fn of_rows_of_one_time_all_are_kept_or_none() {
        let (part, rows) = kept(&tally((0..NEWEST as i64 * 2).map(|n| n / 100)));
        assert_eq!(rows, 56, "the newest time has 56 rows and the one before 100");
        assert!(part.tally(56).is_some() && part.tally(57).is_none());
        let (part, rows) = kept(&tally((0..NEWEST as i64 + 1).map(|_| i64::MIN)));
        assert!(rows == 0 && part.tally(0).is_some() && part.tally(1).is_none());
    }

    #[test]
    fn file_is_of_one_segment_and_one_counter() {
        let dir = tempfile::tempdir().unwrap();
        let mut entry = SegmentEntry::default();
        entry.flags.name = "00000007.flags.columns".to_owned();
        let (all, _) = kept(&tally(0..9));
        let counted = Counted { all, ..Counted::default() };
        write(dir.path(), "counter", &entry, &counted).unwrap();
        assert!(dir.path().join("00000007.counts").exists());
        assert_eq!(read(dir.path(), "counter", &entry), Some(counted));
        assert_eq!(read(dir.path(), "another", &entry), None);
        for which in 0..3 {
            let mut other = entry.clone();
            let stored = [&mut other.slim, &mut other.text, &mut other.flags];
            stored.into_iter().nth(which).unwrap().seal =
                serde_json::from_str("{\"body\":0,\"hash\":\"0\"}").unwrap();
            assert_eq!(read(dir.path(), "counter", &other), None, "{which}");
        }
    }

    #[test]
    fn build_of_the_program_is_part_of_what_counts() {
        let counter = counter(&Settings::default()).unwrap();
        let other = Settings { depth: 7, ..Settings::default() };
        assert_ne!(Some(&counter), super::counter(&other).as_ref());
        assert!(
            counter.contains(env!("CARGO_PKG_VERSION")) && counter.contains("inode"),
            "{counter}"
        );
    }
}
