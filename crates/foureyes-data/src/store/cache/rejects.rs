//! Pieces of logs that are no record: written in the order of the logs, and read no further than
//! they are asked for.

use super::checksummed::SealedReader;
use super::collection::Collection;
use super::manifest::{RejectsEntry, Stored};
use super::segment;
use super::{CacheError, Cached};
use crate::domain::{Reject, RejectRow};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};

/// A reject and the index of its file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FiledReject {
    pub(super) file: u32,
    #[serde(flatten)]
    pub(super) reject: Reject,
}

/// Where a reject stands among all logs.
type Key = (u32, u64);

/// Puts the rejects of files, which come one file after the other, in the order of their bytes.
pub(super) fn sort(rejects: &mut [FiledReject]) {
    for of_file in rejects.chunk_by_mut(|a, b| a.file == b.file) {
        of_file.sort_by_key(|r| r.reject.byte);
    }
}

/// Writes rejects that come in the order of the logs, one JSON object a line; `None` for none.
pub(super) fn write(
    dir: &Path,
    name: &str,
    rejects: impl Iterator<Item = Cached<FiledReject>>,
) -> Cached<Option<RejectsEntry>> {
    let mut rejects = rejects.peekable();
    let first = match rejects.peek() {
        None => return Ok(None),
        Some(Ok(first)) => (first.file, first.reject.byte),
        // The error itself comes below.
        Some(Err(_)) => (0, 0),
    };
    let (path, mut count) = (dir.join(name), 0);
    let stored = segment::write(dir, name, |out| {
        for reject in rejects {
            let mut line = serde_json::to_vec(&reject?)
                .map_err(|e| CacheError::file("write", &path)(e.into()))?;
            line.push(b'\n');
            out.write_all(&line).map_err(CacheError::file("write", &path))?;
            count += 1;
        }
        Ok(())
    })?;
    Ok(Some(RejectsEntry { stored, count, first }))
}

/// Rejects of several files in the order of the logs. A file is opened when its first reject is
/// next, and closed behind its last one.
pub(super) struct InOrder<'a> {
    dir: &'a Path,
    ranks: &'a [u32],
    sources: Vec<Source<'a>>,
    next: BinaryHeap<Reverse<(Key, usize)>>,
}

enum Source<'a> {
    Closed(&'a Stored),
    Open(PathBuf, Lines<BufReader<SealedReader>>, FiledReject),
    Held(std::slice::Iter<'a, FiledReject>),
}

impl<'a> InOrder<'a> {
    /// `held` are rejects in no file, in the order of the logs.
    pub(super) fn new(
        dir: &'a Path,
        ranks: &'a [u32],
        files: impl Iterator<Item = &'a RejectsEntry>,
        held: &'a [FiledReject],
    ) -> Self {
        let mut all = Self { dir, ranks, sources: Vec::new(), next: BinaryHeap::new() };
        for entry in files {
            all.add(Some(entry.first), Source::Closed(&entry.stored));
        }
        let first = held.first().map(|r| (r.file, r.reject.byte));
        all.add(first, Source::Held(held.iter()));
        all
    }

    fn add(&mut self, first: Option<(u32, u64)>, source: Source<'a>) {
        self.wait(self.sources.len(), first);
        self.sources.push(source);
    }

    /// Enters where the next reject of a source stands.
    fn wait(&mut self, at: usize, place: Option<(u32, u64)>) {
        let rank = |file: u32| self.ranks.get(file as usize).copied().unwrap_or(u32::MAX);
        self.next.extend(place.map(|(file, byte)| Reverse(((rank(file), byte), at))));
    }

    /// Takes the next reject of a source, and enters the one behind it.
    fn take(&mut self, at: usize) -> Cached<Option<FiledReject>> {
        let Some(source) = self.sources.get_mut(at) else { return Ok(None) };
        if let Source::Closed(stored) = source {
            let path = self.dir.join(&stored.name);
            let mut lines = BufReader::new(segment::open(self.dir, stored)?).lines();
            let none = || CacheError::damaged(&path)(io::ErrorKind::UnexpectedEof.into());
            let first = read(&mut lines, &path)?.ok_or_else(none)?;
            *source = Source::Open(path, lines, first);
        }
        let (taken, place) = match source {
            Source::Closed(_) => (None, None),
            Source::Held(rest) => {
                let taken = rest.next().cloned();
                (taken, rest.as_slice().first().map(|r| (r.file, r.reject.byte)))
            }
            Source::Open(path, lines, head) => match read(lines, path)? {
                Some(next) => {
                    let place = (next.file, next.reject.byte);
                    (Some(std::mem::replace(head, next)), Some(place))
                }
                None => {
                    let last = head.clone();
                    *source = Source::Held([].iter());
                    (Some(last), None)
                }
            },
        };
        self.wait(at, place);
        Ok(taken)
    }
}

fn read(lines: &mut Lines<BufReader<SealedReader>>, path: &Path) -> Cached<Option<FiledReject>> {
    let Some(line) = lines.next() else { return Ok(None) };
    let line = line.and_then(|line| Ok(serde_json::from_str(&line)?));
    line.map(Some).map_err(CacheError::damaged(path))
}

impl Iterator for InOrder<'_> {
    type Item = Cached<FiledReject>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((_, at)) = self.next.pop()?;
        self.take(at).transpose()
    }
}

impl Collection {
    /// Pieces of logs that are no record, at most so many, in the order of the logs. Those beyond
    /// are not read.
    ///
    /// # Errors
    /// A file of the cache that cannot be read.
    pub fn rejects(&self, most: usize) -> Cached<Vec<RejectRow>> {
        self.each_reject().take(most).collect()
    }

    /// Does what [`Collection::rejects`] does, one at a time and all of them: each is read when it
    /// is asked for, and none is kept. Behind an error nothing of use comes.
    pub fn each_reject(&self) -> impl Iterator<Item = Cached<RejectRow>> + '_ {
        self.rejects_of_files().map(|filed| filed.map(|(_, row)| row))
    }

    /// Does what [`Collection::each_reject`] does, each with the index of its log.
    pub fn rejects_of_files(&self) -> impl Iterator<Item = Cached<(u32, RejectRow)>> + '_ {
        let files = self.segments.iter().filter_map(|s| s.entry.rejects.as_ref());
        let all = InOrder::new(&self.dir, &self.ranks, files, &self.tail_rejects);
        all.map(|filed| filed.map(|filed| (filed.file, self.reject_row(filed))))
    }

    fn reject_row(&self, filed: FiledReject) -> RejectRow {
        let file = self.files.get(filed.file as usize);
        RejectRow {
            box_name: file.map(|f| f.box_name.clone()).unwrap_or_default(),
            file: file.map(|f| f.name.clone()).unwrap_or_default(),
            line: filed.reject.line,
            byte: filed.reject.byte,
            len: filed.reject.len,
            reason: filed.reject.reason,
        }
    }
}
