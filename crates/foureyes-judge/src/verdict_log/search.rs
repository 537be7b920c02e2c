//! Verdicts that stand in the log, found by what was judged.

use super::index::Index;
use super::{Error, VerdictLog, chain};
use crate::domain::{Cause, Family, Outcome, Record, Timestamp};
use crate::engine::{PushVerdict, Verdict as _};
use crate::jsonl::{self, Settings};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

/// Bytes read at a time.
const BLOCK: u64 = 1 << 20;
/// So many contents are searched for each by itself: that is faster than a look at every line.
const FEW: usize = 4;
/// What stands before a content's hash in a line of ours.
const KEY: &[u8] = b"\"content_sha\"";
/// Digits of a hash.
const DIGITS: usize = 64;

/// Bytes of a file that are read without an index, before one is made.
const UNINDEXED: u64 = 256 << 10;

/// What is looked for, by its content.
type Wanted<'a> = HashMap<&'a [u8], &'a Sought>;

/// What a judge was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// Hash of the content.
    pub content_sha: String,
    /// Hash of the prompt.
    pub prompt_sha: String,
    /// The judge that was asked for.
    pub judge_model: String,
    /// Hash of how it is asked. A record that has none counts too.
    pub judge_sha: String,
}

/// A verdict that stands in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The record of it.
    pub record: Record,
    /// The id of the record of the evaluation it goes back to: its own, or that which it names.
    pub original: String,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The verdicts on each content, the oldest first.
    pub verdicts: HashMap<String, Vec<Verdict>>,
    /// Files that are there and could not be read.
    pub unread: Vec<Error>,
}

impl Verdict {
    /// Whether it was asked for by name although there was a verdict, on the UTC day of this moment.
    pub fn is_fresh_on(&self, day: Timestamp) -> bool {
        self.record.extra::<u32>("fresh").is_some()
            && self.record.timestamp.is_some_and(|time| time.day() == day.day())
    }

    /// How it compares with others on the same content: the highest stands.
    fn strictness(&self) -> u8 {
        let word = self.record.verdict.as_deref().and_then(PushVerdict::of_word);
        word.unwrap_or(PushVerdict::Undetermined).strictness()
    }

    /// Whether it is a NO-GO.
    fn is_no_go(&self) -> bool {
        self.record.outcome == Some(Outcome::NoGo)
    }

    /// Tells whether it is that of another record.
    pub fn is_repeat(&self) -> bool {
        self.original != self.record.id.to_string()
    }
}

/// The verdict that stands: the strictest among those that count, of equal ones the newest evaluation.
/// A repeat makes what it repeats no newer; it stands for an evaluation that is no longer looked at.
pub fn strictest(verdicts: &[Verdict], counts: impl Fn(&Record) -> bool) -> Option<&Verdict> {
    let counting = verdicts.iter().filter(|v| counts(&v.record));
    counting.max_by_key(|v| (v.strictness(), !v.is_repeat()))
}

/// The number of the next evaluation that is asked for by name, counted from 1.
pub fn next_fresh(verdicts: &[Verdict]) -> u32 {
    let highest = verdicts.iter().filter_map(|v| v.record.extra::<u32>("fresh")).max();
    highest.unwrap_or(0).saturating_add(1)
}

/// What was read of the log, so that a second look reads no more than what came since.
#[derive(Debug, Default)]
pub(super) struct Looked {
    files: HashMap<PathBuf, Scanned>,
    /// Bytes read in all.
    read: u64,
}

/// A file that was searched.
#[derive(Debug, Default)]
struct Scanned {
    identity: (u64, u64),
    /// Where the last whole line ends.
    end: u64,
    asked: Vec<Sought>,
    found: Located,
}

/// Verdicts by their content, each with the byte where its line begins.
type Located = HashMap<String, Vec<(u64, Verdict)>>;

impl VerdictLog {
    /// Bytes that all searches have read.
    pub fn searched(&self) -> u64 {
        self.looked().read
    }

    fn looked(&self) -> MutexGuard<'_, Looked> {
        self.looked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches one file; what an earlier search for the same has found there is not read again.
    fn search(&self, path: &Path, asked: &[Sought]) -> io::Result<HashMap<String, Vec<Verdict>>> {
        let wanted: Wanted<'_> = asked.iter().map(|a| (a.content_sha.as_bytes(), a)).collect();
        let meta = std::fs::metadata(path)?;
        let identity = super::identity(&meta);
        let mut looked = self.looked();
        let before = looked.files.remove(path).filter(|before| {
            let same = before.identity == identity && before.end <= meta.len();
            same && asked.iter().all(|one| before.asked.contains(one))
        });
        let mut file = open(path)?;
        let (mut scanned, index) = match before {
            Some(before) => (before, None),
            None => {
                let (index, found, read) = by_index(path, &mut file, identity, &wanted)?;
                looked.read += read;
                let (end, asked) = (index.end, asked.to_vec());
                (Scanned { identity, end, asked, found }, Some(index))
            }
        };
        let mut index = index.filter(|index| meta.len().saturating_sub(index.end) >= UNINDEXED);
        let mut more = Located::new();
        let finders = finders(&wanted, index.is_some());
        let (end, read) = scan(&mut file, scanned.end, &finders, &mut |line, at, whole| {
            if let Some(index) = index.as_mut().filter(|_| whole) {
                contents(line).for_each(|content| index.add(content, at));
            }
            let found = if whole { &mut scanned.found } else { &mut more };
            take(line, at, &wanted, found);
        })?;
        if let Some(mut index) = index {
            index.end = end;
            // Without one the next search takes longer, and finds the same.
            let _ = index.write(path, &mut file);
        }
        scanned.end = end;
        looked.read += read;
        let mut found: HashMap<String, Vec<Verdict>> = HashMap::new();
        for sha in wanted.values().map(|asked| &asked.content_sha) {
            let known = scanned.found.get(sha).into_iter().chain(more.get(sha)).flatten();
            let mut all = Vec::new();
            for (at, verdict) in known {
                if verdict.is_no_go() || !chain::is_changed(&mut file, *at)? {
                    all.push(verdict.clone());
                }
            }
            if !all.is_empty() {
                found.insert(sha.clone(), all);
            }
        }
        looked.files.insert(path.to_owned(), scanned);
        Ok(found)
    }

    /// The verdicts on contents by the same prompt and judge, among the files of the last `days` UTC
    /// days. Only what a judge said is a verdict: failures and bypasses are none. Lines that are no
    /// records are passed over, and so are those that were changed, but for a NO-GO. A file that cannot be
    /// read hides no other.
    pub fn verdicts(&self, asked: &[Sought], now: Timestamp, days: u32) -> Found {
        let mut found = Found::default();
        if asked.is_empty() {
            return found;
        }
        // The oldest day first. A clock may have been ahead.
        for back in (0..=i64::from(days)).rev() {
            let day = Timestamp(now.plus_days(1).0 - back * 86_400_000_000);
            let path = self.file(day);
            match self.search(&path, asked) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => found.unread.push(Error::Read { path, source }),
                Ok(more) => {
                    for (sha, verdicts) in more {
                        found.verdicts.entry(sha).or_default().extend(verdicts);
                    }
                }
            }
        }
        found
    }
}

/// Opens a file. A pipe or a device never ends, and opening one may not either.
pub(super) fn open(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    File::open(path)
}

/// The index of a file, what it leads to, and how many bytes of the file were read for that. Where a
/// line names none of what it should, the file was changed, and the index is that of nothing.
fn by_index(
    path: &Path,
    file: &mut File,
    identity: (u64, u64),
    wanted: &Wanted<'_>,
) -> io::Result<(Index, Located, u64)> {
    let (mut found, mut read, mut line) = (Located::new(), 0, Vec::new());
    let Some(index) = Index::read(path, file, identity) else {
        return Ok((Index::new(identity), found, read));
    };
    for at in index.lines(wanted.keys().copied()) {
        line.clear();
        file.seek(SeekFrom::Start(at))?;
        let limit = Settings::default().line_bytes as u64;
        read += BufReader::new(&*file).take(limit).read_until(b'\n', &mut line)? as u64;
        if !contents(&line).any(|content| index.names(at, content)) {
            return Ok((Index::new(identity), Located::new(), read));
        }
        take(&line, at, wanted, &mut found);
    }
    Ok((index, found, read))
}

/// What is looked for in a file: each content by itself, or every line about any, where there are many or
/// all are to be known.
fn finders(wanted: &Wanted<'_>, all: bool) -> Vec<memchr::memmem::Finder<'static>> {
    let of = |needle: &[u8]| memchr::memmem::Finder::new(needle).into_owned();
    if all || wanted.len() > FEW {
        return vec![of(KEY)];
    }
    wanted.keys().map(|sha| of(sha)).collect()
}

/// Gives each line of a file from a byte on in which one of some texts is, with where it begins; a last
/// line without its end counts where it is whole, and is told apart. Gives where the last whole line
/// ends, and how many bytes were read.
fn scan(
    file: &mut File,
    from: u64,
    finders: &[memchr::memmem::Finder<'_>],
    each: &mut dyn FnMut(&[u8], u64, bool),
) -> io::Result<(u64, u64)> {
    file.seek(SeekFrom::Start(from))?;
    let limit = Settings::default().line_bytes;
    let (mut held, mut end, mut read) = (Vec::new(), from, 0);
    loop {
        let count = Read::by_ref(file).take(BLOCK).read_to_end(&mut held)? as u64;
        read += count;
        let whole = memchr::memrchr(b'\n', &held).map_or(0, |at| at + 1);
        lines_with(&held[..whole], finders, &mut |line, at| each(line, end + at as u64, true));
        if count == 0 {
            let rest = end + whole as u64;
            lines_with(&held[whole..], finders, &mut |line, at| {
                each(line, rest + at as u64, false)
            });
            return Ok((rest, read));
        }
        held.drain(..whole);
        end += whole as u64;
        if held.len() > limit {
            // No record is so long: its rest is found to be none.
            end += held.len() as u64;
            held.clear();
        }
    }
}

/// Gives each line in which one of the texts is, and where it begins, in their order and once.
pub(super) fn lines_with(
    bytes: &[u8],
    finders: &[memchr::memmem::Finder<'_>],
    each: &mut dyn FnMut(&[u8], usize),
) {
    let mut lines = BTreeMap::new();
    for finder in finders {
        let mut from = 0;
        while let Some(at) = bytes.get(from..).and_then(|rest| finder.find(rest)) {
            let at = from + at;
            let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |n| n + 1);
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
            lines.insert(start, end);
            from = end;
        }
    }
    for (start, end) in lines {
        each(&bytes[start..end], start);
    }
}

/// The contents that a line names.
fn contents(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memmem::find_iter(line, KEY).filter_map(|at| {
        let rest = line.get(at + KEY.len()..)?;
        let quote = memchr::memchr(b'"', rest)?;
        rest.get(quote + 1..quote + 1 + DIGITS)
    })
}

/// Takes a line that begins at a byte, where it is a verdict that is looked for.
fn take(line: &[u8], at: u64, wanted: &Wanted<'_>, found: &mut Located) {
    // Most lines are about other contents, and are not read any further.
    if !contents(line).any(|sha| wanted.contains_key(sha)) {
        return;
    }
    for one in jsonl::read(line, &Settings::default()).found {
        let record = one.record;
        let sha = record.content_sha.clone().unwrap_or_default();
        let Some(asked) = wanted.get(sha.as_bytes()) else { continue };
        if !is_verdict(&record) || !is_of(&record, asked) {
            continue;
        }
        let original: Option<String> = record.extra("reused");
        let original = original.unwrap_or_else(|| record.id.to_string());
        found.entry(sha).or_default().push((at, Verdict { record, original }));
    }
}

fn is_of(record: &Record, asked: &Sought) -> bool {
    record.prompt_sha.as_deref() == Some(asked.prompt_sha.as_str())
        && record.model.as_deref() == Some(asked.judge_model.as_str())
        && match record.extra::<String>("judge_sha") {
            Some(sha) => sha == asked.judge_sha,
            // How much it was shown is not known: by now that may be more.
            None => !(record.outcome == Some(Outcome::Undetermined) && is_cut(record)),
        }
}

/// Tells whether the judge did not see all of the content.
fn is_cut(record: &Record) -> bool {
    let caveats: Vec<String> = record.extra("caveats").unwrap_or_default();
    caveats.iter().any(|caveat| caveat == "content_cut")
}

/// Tells whether a judge said it: GO, NO-GO, that it does not know, or both GO and NO-GO.
fn is_verdict(record: &Record) -> bool {
    let contradicted = record.cause == Some(Cause::ContradictedAnswer);
    // What a file of answers said is no evidence, and stands here all the same.
    let is_judged = record.cause.is_none_or(|c| matches!(c, Cause::NoConfidence | Cause::Scripted));
    let counts = contradicted || (is_judged && record.error.is_none());
    record.family == Family::Push && record.outcome.is_some() && counts
}
