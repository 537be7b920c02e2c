//! Reading and writing files that are named on the command line.

use super::Failure;
use std::io::{self, Read, Write};
use std::path::Path;

/// Reads a file of limited size; `-` is standard input. `what` is its object in the error.
pub(super) fn read(path: &Path, what: String, most: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(limit).read_to_end(&mut bytes),
        false => std::fs::File::open(path).and_then(|f| f.take(limit).read_to_end(&mut bytes)),
    };
    let too_large =
        || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes"));
    let read = read.and_then(|count| if count > most { Err(too_large()) } else { Ok(bytes) });
    read.map_err(|source| {
        Failure::local(ReadError { what, source })
            .hint("check that the path exists and is readable")
    })
}

/// A file that was named could not be read.
#[derive(Debug, thiserror::Error)]
#[error("failed to read {what}")]
struct ReadError {
    what: String,
    #[source]
    source: io::Error,
}

/// Lets a writer write a file that is there whole or not at all.
pub(super) fn write(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    // A link keeps pointing where it does; a pipe or a device is written to, never replaced.
    let whole = path.canonicalize().or_else(|_| std::path::absolute(path))?;
    let special = whole.metadata().is_ok_and(|m| !m.is_file());
    let put = |bytes: &[u8]| match special {
        true => std::fs::OpenOptions::new().write(true).open(&whole)?.write_all(bytes),
        false => crate::files::atomic::write(&whole, bytes),
    };
    let written = content(&mut bytes).and_then(|()| put(&bytes));
    written.map_err(|source| {
        Failure::local(WriteError { path: path.to_owned(), source })
            .hint("check that its directory exists and is writable")
    })
}

/// A file that was asked for could not be written.
#[derive(Debug, thiserror::Error)]
#[error("failed to write {}", path.display())]
struct WriteError {
    path: std::path::PathBuf,
    #[source]
    source: io::Error,
}
