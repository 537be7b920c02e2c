//! Writing a file that was asked for.

use super::Failure;
use std::io::{self, Write};

/// Lets a writer write a file that is there whole or not at all.
pub(super) fn write(
    path: &std::path::Path,
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
