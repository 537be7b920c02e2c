//! The ends of logs.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The files of a directory with a file a day, the newest first.
pub(super) fn days(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "jsonl"))
        .collect();
    files.sort();
    files.reverse();
    files
}

/// What a file ends with; its first line may be torn.
pub(super) fn end(path: &Path, most: u64) -> Option<Vec<u8>> {
    // Asked before opening: opening a pipe would wait for a writer.
    let meta = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(meta.len().saturating_sub(most))).ok()?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
