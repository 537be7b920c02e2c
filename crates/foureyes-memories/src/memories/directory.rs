//! A directory of memories, from which nothing leads out.

use super::file;
use super::listing;
use super::memory::{Listed, Memory, Problem};
use rustix::fs::OFlags;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Longest listing, in bytes.
const MOST_LISTING: u64 = 32 << 20;
/// Longest file of a memory, in bytes.
const MOST_FILE: u64 = 1 << 20;

/// Why a directory cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory is not there or cannot be opened.
    #[error("failed to open the directory of memories {}", path.display())]
    Open {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its listing cannot be read.
    #[error("failed to read {}", path.display())]
    Listing {
        /// The listing.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// When a file was changed last, as far as the file system knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Its bytes.
    pub size: u64,
    /// The time of the change, in nanoseconds since 1970.
    pub modified: i64,
}

impl Stamp {
    fn of(meta: &Metadata) -> Self {
        let modified = meta.mtime().saturating_mul(1_000_000_000).saturating_add(meta.mtime_nsec());
        Self { size: meta.size(), modified }
    }
}

/// What a directory lists.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// The memories, in the order of the listing.
    pub listed: Vec<Listed>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// When it was changed last.
    pub stamp: Stamp,
}

/// A directory of memories.
#[derive(Debug, Clone)]
pub struct Directory {
    /// Without links.
    root: PathBuf,
}

impl Directory {
    /// Opens a directory.
    ///
    /// # Errors
    /// It is not there, or is none.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::Open { path: path.to_owned(), source };
        let root = path.canonicalize().map_err(failed)?;
        match root.is_dir() {
            true => Ok(Self { root }),
            false => Err(failed(io::ErrorKind::NotADirectory.into())),
        }
    }

    /// Where it is, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads the listing.
    ///
    /// # Errors
    /// It is not there or cannot be read. What is wrong in it is a problem of the listing.
    pub fn listing(&self) -> Result<Listing, Error> {
        let path = self.root.join(listing::NAME);
        let failed = |source| Error::Listing { path: path.clone(), source };
        let (bytes, stamp) = self.bytes(&path, MOST_LISTING).map_err(failed)?;
        let (listed, problems) = listing::parse(&String::from_utf8_lossy(&bytes));
        Ok(Listing { listed, problems, stamp })
    }

    /// When the listing was changed last; `None` where it is not there.
    pub fn listing_stamp(&self) -> Option<Stamp> {
        self.stamp(listing::NAME)
    }

    /// When a file was changed last; `None` where it is not there.
    pub(super) fn stamp(&self, path: &str) -> Option<Stamp> {
        let meta = fs::metadata(self.root.join(path)).ok()?;
        meta.is_file().then(|| Stamp::of(&meta))
    }

    /// Reads the memory of a path that a listing or the index had.
    ///
    /// # Errors
    /// What is wrong with its file.
    pub fn read(&self, listed: &Listed) -> Result<Memory, Problem> {
        self.read_with_stamp(listed).map(|(memory, ..)| memory)
    }

    /// The same with the hash of the file's bytes, and when it was changed last.
    pub(super) fn read_with_stamp(
        &self,
        listed: &Listed,
    ) -> Result<(Memory, blake3::Hash, Stamp), Problem> {
        let failed = |error: io::Error| {
            let what = match error.kind() {
                io::ErrorKind::NotFound => "the file is not there".to_owned(),
                _ => error.to_string(),
            };
            Problem::of_file(&listed.path, what)
        };
        let (bytes, stamp) =
            self.bytes(&self.root.join(&listed.path), MOST_FILE).map_err(failed)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = memchr::memchr_iter(b'\n', before).count() + 1;
            Problem::at(&listed.path, line, "it is not UTF-8")
        })?;
        let fields = file::parse(&listed.path, text)?;
        Ok((Memory::new(listed, fields), blake3::hash(&bytes), stamp))
    }

    /// The bytes of a file in the directory, so many at most.
    fn bytes(&self, path: &Path, most: u64) -> io::Result<(Vec<u8>, Stamp)> {
        let other = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let path = path.canonicalize()?;
        if !path.starts_with(&self.root) {
            return Err(other("a link leads out of the directory"));
        }
        // Opening a pipe would else wait for somebody at its other end.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
        let file =
            File::options().read(true).custom_flags(flags.bits().cast_signed()).open(&path)?;
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Err(other("it is not a file"));
        }
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > most {
            true => Err(other(&format!("it has more than {most} bytes"))),
            false => Ok((bytes, Stamp::of(&meta))),
        }
    }
}
