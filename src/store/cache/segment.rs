//! Writing the files of a segment, and reading them again.

use super::manifest::Stored;
use super::stamp::Stamp;
use super::{CacheError, Cached};
use crate::domain::Reject;
use crate::frame::{self, Frame};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// A reject and the index of its file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FiledReject {
    pub(super) file: u32,
    #[serde(flatten)]
    pub(super) reject: Reject,
}

/// Writes a frame under a new name.
///
/// No fsync: a file that a crash left short has another stamp than the manifest says, and the
/// manifest itself is synced after all files are closed.
pub(super) fn write_frame(
    dir: &Path,
    name: &str,
    frame: &mut Frame,
    compressed: bool,
) -> Cached<Stored> {
    let path = dir.join(name);
    let file = File::create(&path).map_err(CacheError::file("write", &path))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    frame::write(frame, &mut out, compressed).map_err(CacheError::frame(&path))?;
    out.flush().map_err(CacheError::file("write", &path))?;
    stored(dir, name)
}

fn stored(dir: &Path, name: &str) -> Cached<Stored> {
    Ok(Stored { name: name.to_owned(), stamp: Stamp::at(&dir.join(name))? })
}

/// Reads a frame, or some of its columns.
pub(super) fn read_frame(dir: &Path, stored: &Stored, columns: Option<&[&str]>) -> Cached<Frame> {
    let path = dir.join(&stored.name);
    let file = File::open(&path).map_err(CacheError::file("read", &path))?;
    frame::read(file, columns).map_err(CacheError::frame(&path))
}

/// Writes rejects, one JSON object a line.
pub(super) fn write_rejects(dir: &Path, name: &str, rejects: &[FiledReject]) -> Cached<Stored> {
    let path = dir.join(name);
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(&path)?);
        for reject in rejects {
            serde_json::to_writer(&mut out, reject)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    write().map_err(CacheError::file("write", &path))?;
    stored(dir, name)
}

/// Reads at most `most` rejects.
pub(super) fn read_rejects(dir: &Path, stored: &Stored, most: usize) -> Cached<Vec<FiledReject>> {
    let path = dir.join(&stored.name);
    let read = || -> std::io::Result<Vec<FiledReject>> {
        let file = BufReader::new(File::open(&path)?);
        file.lines().take(most).map(|l| Ok(serde_json::from_str(&l?)?)).collect()
    };
    read().map_err(CacheError::file("read", &path))
}
