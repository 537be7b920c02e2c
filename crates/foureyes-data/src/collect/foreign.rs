//! Files that are no log by their first bytes, whatever they are called.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// First bytes, and what a file is that has them.
const SIGNATURES: [(&[u8], &str); 9] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\xfd7zXZ\0", "compressed with xz"),
    (b"BZh", "compressed with bzip2"),
    (b"\x04\x22\x4d\x18", "compressed with lz4"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x1f\x8b", "compressed with gzip, but not named *.gz"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd, but not named *.zst"),
    (b"SQLite format 3\0", "a database of SQLite"),
    (b"PAR1", "a Parquet file"),
];

/// Tells what a file is that is no log.
///
/// # Errors
/// What is not a regular file, or cannot be opened or read: no log can be read from it.
pub(super) fn foreign(path: &Path) -> io::Result<Option<&'static str>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut first = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut first)?;
    let known = SIGNATURES.iter().find(|(bytes, _)| first.starts_with(bytes));
    Ok(known.map(|(_, what)| *what))
}
