//! The files of the log, a file for each UTC day, in one chain.

use super::index::{Entry, Index};
use super::line::{Line, hash};
use super::{Error, Found};
use crate::domain::Timestamp;
use crate::files::atomic;
use crate::service::SigningKey;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Longest line that is read.
const LONGEST: u32 = 64 << 20;

/// The files of a directory, and the end of the newest.
#[derive(Debug)]
pub(super) struct Files {
    dir: PathBuf,
    /// Days since 1970 of the newest file.
    newest: Option<i32>,
    /// The newest file, and its length.
    open: Option<(File, u64)>,
    /// Whether a write failed, and what it left is not known.
    unsure: bool,
    /// Hash of the last line; empty before the first.
    previous: String,
    pub(super) found: Found,
}

impl Files {
    /// Reads the last so many files, and closes a line that has no end. Which these are does not depend on a clock:
    /// that may be wrong now.
    pub(super) fn open(dir: &Path, most: usize, index: &mut Index) -> Result<Self, Error> {
        let failed = |source| Error::Log { path: dir.to_owned(), source };
        let mut days = days(dir).map_err(failed)?;
        days.sort_unstable();
        let newest = days.last().copied();
        let mut files = Self {
            dir: dir.to_owned(),
            newest,
            open: None,
            unsure: false,
            previous: String::new(),
            found: Found::default(),
        };
        // At least one: the chain goes on from its end.
        let skipped = days.len().saturating_sub(most.max(1));
        for day in days.into_iter().skip(skipped) {
            let path = path(dir, day);
            let failed = |source| Error::Log { path: path.clone(), source };
            files.scan(day, index).map_err(failed)?;
        }
        Ok(files)
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Appends lines to the file of their day, in one write and one fsync; gives their places. Where that
    /// fails the file is read again before the next line.
    pub(super) fn append(&mut self, lines: &[&Line], key: &SigningKey) -> io::Result<Vec<Entry>> {
        let appended = self.try_append(lines, key);
        if appended.is_err() {
            (self.open, self.unsure) = (None, true);
        }
        appended
    }

    fn try_append(&mut self, lines: &[&Line], key: &SigningKey) -> io::Result<Vec<Entry>> {
        let latest = lines.iter().map(|line| Timestamp(line.at_us).day()).max();
        // A clock that is set back leads to no earlier file: the chain has one direction.
        let day = latest.into_iter().chain(self.newest).max().unwrap_or_default();
        let mut length = self.ready(day)?;
        let (mut bytes, mut entries, mut previous) =
            (Vec::new(), Vec::new(), self.previous.clone());
        for line in lines {
            let text = line.text(&previous, key).map_err(io::Error::other)?;
            let size = u32::try_from(text.len()).map_err(io::Error::other)?;
            entries.push(Entry { day, offset: length, length: size });
            length += u64::from(size) + 1;
            previous = hash(text.as_bytes());
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(b'\n');
        }
        let Some((file, end)) = &mut self.open else {
            return Err(io::Error::other("the file is not open"));
        };
        file.write_all(&bytes)?;
        file.sync_data()?;
        *end = length;
        self.previous = previous;
        Ok(entries)
    }

    /// Has the file of a day open, and gives its length.
    fn ready(&mut self, day: i32) -> io::Result<u64> {
        if let Some((_, length)) = self.open.as_ref().filter(|_| self.newest == Some(day)) {
            return Ok(*length);
        }
        if let Some(newest) = self.newest.filter(|_| self.unsure) {
            // What a write that failed left there is closed, and the chain goes on behind it.
            self.scan(newest, &mut Index::new(0))?;
            self.unsure = false;
        }
        let path = path(&self.dir, day);
        let file = atomic::private().append(true).open(&path)?;
        atomic::sync_dir(&self.dir)?;
        let length = file.metadata()?.len();
        self.newest = Some(day);
        self.open = Some((file, length));
        Ok(length)
    }

    /// Reads a file to its end: finds its lines, and ends the last one where it has no end.
    fn scan(&mut self, day: i32, index: &mut Index) -> io::Result<()> {
        let path = path(&self.dir, day);
        let mut reader = BufReader::with_capacity(1 << 16, File::open(&path)?);
        let (mut line, mut offset) = (Vec::new(), 0);
        loop {
            line.clear();
            let limit = u64::from(LONGEST) + 1;
            let read = reader.by_ref().take(limit).read_until(b'\n', &mut line)? as u64;
            if read == 0 {
                return Ok(());
            }
            let has_end = line.last() == Some(&b'\n');
            if has_end {
                line.pop();
            }
            let at = Entry { day, offset, length: u32::try_from(line.len()).unwrap_or(LONGEST) };
            self.take(&line, at, index);
            offset += read;
            if !has_end && read < limit {
                let mut file = atomic::private().append(true).open(&path)?;
                file.write_all(b"\n")?;
                file.sync_data()?;
                return Ok(());
            }
        }
    }

    fn take(&mut self, line: &[u8], at: Entry, index: &mut Index) {
        self.found.lines += 1;
        match serde_json::from_slice::<Line>(line) {
            Ok(parsed) => {
                let follows = Line::previous(line) == Some(self.previous.as_str());
                // What is before the first file that is read is not known.
                let is_known = self.found.lines > 1;
                self.found.broken += u64::from(is_known && !follows);
                index.insert(&parsed, at);
            }
            Err(_) => self.found.torn += 1,
        }
        self.previous = hash(line);
    }
}

/// The bytes of a line.
pub(super) fn read(dir: &Path, entry: Entry) -> io::Result<Vec<u8>> {
    let mut file = File::open(path(dir, entry.day))?;
    file.seek(SeekFrom::Start(entry.offset))?;
    let mut bytes = vec![0; entry.length as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn path(dir: &Path, day: i32) -> PathBuf {
    dir.join(format!("{}.jsonl", Timestamp::of_day(day).day_text()))
}

/// The days of which there are files.
fn days(dir: &Path) -> io::Result<Vec<i32>> {
    let mut days = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let name = entry?.file_name();
        let day = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
        days.extend(day.and_then(Timestamp::parse_day).map(Timestamp::day));
    }
    Ok(days)
}
