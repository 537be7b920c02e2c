//! Writing the frames of a segment, and reading them again.

use super::checksummed::{SealedReader, SealedWriter};
use super::manifest::Stored;
use super::stamp::Stamp;
use super::{CacheError, Cached};
use crate::files::atomic;
use crate::frame::{self, Frame, FrameError, PackedColumn};
use std::fs::File;
use std::path::Path;

/// Writes a frame under a new name.
pub(super) fn write_frame(dir: &Path, name: &str, frame: &Frame) -> Cached<Stored> {
    write_columns(dir, name, |out| frame::write(frame, out))
}

/// Writes the columns of a frame under a new name.
pub(super) fn write_columns(
    dir: &Path,
    name: &str,
    fill: impl FnOnce(&mut SealedWriter) -> Result<(), FrameError>,
) -> Cached<Stored> {
    write(dir, name, |out| fill(out).map_err(CacheError::frame(&dir.join(name))))
}

/// Writes a sealed file under a new name.
///
/// No fsync: a file that a crash left short has another stamp than the manifest says, and the
/// manifest itself is synced after all files are closed.
pub(super) fn write(
    dir: &Path,
    name: &str,
    fill: impl FnOnce(&mut SealedWriter) -> Cached<()>,
) -> Cached<Stored> {
    let path = dir.join(name);
    let file = atomic::private_file(&path).map_err(CacheError::file("write", &path))?;
    let mut out = SealedWriter::new(file);
    fill(&mut out)?;
    let seal = out.finish().map_err(CacheError::file("write", &path))?;
    Ok(Stored { name: name.to_owned(), stamp: Stamp::sealed(&path)?, seal })
}

/// Opens a sealed file.
pub(super) fn open(dir: &Path, stored: &Stored) -> Cached<SealedReader> {
    let path = dir.join(&stored.name);
    let file = File::open(&path).map_err(CacheError::file("read", &path))?;
    SealedReader::open(file, &stored.seal).map_err(CacheError::damaged(&path))
}

/// Reads a frame, or some of its columns.
pub(super) fn read_frame(dir: &Path, stored: &Stored, columns: Option<&[&str]>) -> Cached<Frame> {
    let reader = open(dir, stored)?;
    frame::read(reader, columns).map_err(CacheError::frame(&dir.join(&stored.name)))
}

/// Reads some columns of a frame as they are written.
pub(super) fn read_packed(
    dir: &Path,
    stored: &Stored,
    columns: &[&str],
) -> Cached<Vec<PackedColumn>> {
    let reader = open(dir, stored)?;
    frame::read_packed(reader, columns).map_err(CacheError::frame(&dir.join(&stored.name)))
}
