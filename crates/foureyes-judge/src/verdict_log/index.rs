//! Where in a day's file the verdicts on a content are, so that a search need not read all of it.
//!
//! A file beside the log: bytes that are no lines of it, and nothing that it could not be made anew
//! from. What it names is read and looked at like any other line; where a line is not what it should
//! be, the index is of another file, and the whole file is searched.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What it begins with.
const MAGIC: &[u8; 8] = b"4eyesix1";
/// Bytes of the file before `end` that are hashed: another file with the same name has others.
const TAIL: u64 = 4096;
/// Bytes of magic, checksum, device, inode, end and the tail's hash.
const HEAD: usize = 8 + 32 + 3 * 8 + 32;
/// Bytes of an entry.
const ENTRY: usize = 16;
/// Bytes of the longest index that is read: that of 64 million lines.
const LONGEST: u64 = 1 << 30;
/// How names of index files end.
const SUFFIX: &str = "index";

/// Which lines of a file name which contents, from its beginning up to some byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Index {
    /// Device and number of the file.
    pub(super) identity: (u64, u64),
    /// Where the last line ends that is in it.
    pub(super) end: u64,
    /// The beginning of a content's hash, and where a line begins that names it; in the file's order.
    pub(super) entries: Vec<(u64, u64)>,
}

impl Index {
    /// One of nothing yet.
    pub(super) fn new(identity: (u64, u64)) -> Self {
        Self { identity, end: 0, entries: Vec::new() }
    }

    /// The index of a file, where there is one and it is of this file.
    pub(super) fn read(log: &Path, file: &mut File, identity: (u64, u64)) -> Option<Self> {
        let mut bytes = Vec::new();
        let opened = File::open(path(log)?).ok()?;
        opened.take(LONGEST).read_to_end(&mut bytes).ok()?;
        let body = bytes.strip_prefix(MAGIC)?;
        let (checksum, body) = body.split_at_checked(32)?;
        if blake3::hash(body).as_bytes() != checksum {
            return None;
        }
        let number = |at: usize| Some(u64::from_le_bytes(body.get(at..at + 8)?.try_into().ok()?));
        let (of, end) = ((number(0)?, number(8)?), number(16)?);
        if of != identity || tail(file, end).ok()?.as_bytes() != body.get(24..56)? {
            return None;
        }
        let entries = (HEAD - 40..body.len()).step_by(ENTRY);
        let entries = entries.map(|at| Some((number(at)?, number(at + 8)?)));
        Some(Self { identity, end, entries: entries.collect::<Option<_>>()? })
    }

    /// Adds a line that names a content.
    pub(super) fn add(&mut self, content: &[u8], at: u64) {
        if let Some(key) = key(content) {
            self.entries.push((key, at));
        }
    }

    /// Where the lines are that may name one of some contents, in the file's order.
    pub(super) fn lines<'a>(&self, contents: impl Iterator<Item = &'a [u8]>) -> Vec<u64> {
        let keys: Vec<u64> = contents.filter_map(key).collect();
        let of_one = self.entries.iter().filter(|(key, _)| keys.contains(key));
        let mut lines: Vec<u64> = of_one.map(|(_, at)| *at).collect();
        lines.dedup();
        lines
    }

    /// Tells whether a line is in it as one that names a content.
    pub(super) fn names(&self, at: u64, content: &[u8]) -> bool {
        key(content).is_some_and(|key| self.entries.contains(&(key, at)))
    }

    /// Writes it beside the log. It is not waited for: one that is lost is made anew.
    ///
    /// # Errors
    /// A directory that takes no files.
    pub(super) fn write(&self, log: &Path, file: &mut File) -> io::Result<()> {
        let none = || io::Error::from(io::ErrorKind::InvalidInput);
        let path = path(log).ok_or_else(none)?;
        let dir = path.parent().ok_or_else(none)?;
        let mut body = Vec::with_capacity(HEAD + self.entries.len() * ENTRY);
        for number in [self.identity.0, self.identity.1, self.end] {
            body.extend(number.to_le_bytes());
        }
        body.extend(tail(file, self.end)?.as_bytes());
        for (key, at) in &self.entries {
            body.extend(key.to_le_bytes());
            body.extend(at.to_le_bytes());
        }
        let mut temp =
            tempfile::Builder::new().prefix(crate::files::atomic::TEMPORARY).tempfile_in(dir)?;
        temp.write_all(MAGIC)?;
        temp.write_all(blake3::hash(&body).as_bytes())?;
        temp.write_all(&body)?;
        temp.persist(path).map_err(|e| e.error)?;
        Ok(())
    }
}

/// The index file of a day's file: hidden, so that nobody takes it for a log.
fn path(log: &Path) -> Option<PathBuf> {
    let name = log.file_stem()?.to_str()?;
    Some(log.with_file_name(format!(".{name}.{SUFFIX}")))
}

/// The hash of the last bytes before some byte of a file.
fn tail(file: &mut File, end: u64) -> io::Result<blake3::Hash> {
    let from = end.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    let count = Read::by_ref(file).take(end - from).read_to_end(&mut bytes)? as u64;
    if count < end - from {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(blake3::hash(&bytes))
}

/// The beginning of a hash in hexadecimal digits.
fn key(content: &[u8]) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(content.get(..16)?).ok()?, 16).ok()
}
