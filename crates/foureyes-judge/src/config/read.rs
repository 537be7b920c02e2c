//! Bytes of a configuration file.

use super::{Error, Warning};
use crate::files::atomic;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

/// Largest configuration file that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// Reads a file that is one, of a size that is sane; a symbolic link is followed.
pub fn bytes(path: &Path) -> Result<(Vec<u8>, Vec<Warning>), Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    // Asked before opening: opening a FIFO would wait for a writer.
    let meta = std::fs::metadata(path).map_err(failed)?;
    if !meta.is_file() {
        return Err(Error::NotAFile { path: path.to_owned(), found: kind(&meta) });
    }
    let bytes = read_up_to(path, LIMIT + 1).map_err(failed)?;
    if bytes.len() as u64 > LIMIT {
        let bytes = meta.len().max(bytes.len() as u64);
        return Err(Error::TooLarge { path: path.to_owned(), bytes, limit: LIMIT });
    }
    Ok((bytes, warnings(path, &meta)))
}

fn read_up_to(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What every user can change: the file, and the directory, in which another file can take its place. One with the
/// sticky bit lets nobody else replace it.
fn warnings(path: &Path, meta: &Metadata) -> Vec<Warning> {
    let is_open = |mode: u32| mode & 0o002 != 0;
    let mode = meta.permissions().mode() & 0o7777;
    let file = is_open(mode).then(|| Warning::WorldWritable { path: path.to_owned(), mode });
    let dir = atomic::dir_of(path);
    let mode = std::fs::metadata(dir).map_or(0, |meta| meta.permissions().mode() & 0o7777);
    let is_open = is_open(mode) && mode & 0o1000 == 0;
    let dir = is_open.then(|| Warning::DirectoryWritable { path: dir.to_owned(), mode });
    file.into_iter().chain(dir).collect()
}

fn kind(meta: &Metadata) -> &'static str {
    let kind = meta.file_type();
    if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}
