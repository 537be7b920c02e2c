//! Hashes of both ends of what was read of a file, so that another file in its place is noticed.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes of the blocks at both ends that are hashed.
pub const BLOCK: u64 = 4096;

/// Hashes of the head of a file and of the last block before some offset.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// BLAKE3 of the first block, hexadecimal.
    pub head: String,
    /// BLAKE3 of the last block before the offset, hexadecimal.
    pub last: String,
    /// The offset in bytes: how far the file was read.
    pub upto: u64,
}

impl Fingerprint {
    /// Takes the print of the first `upto` bytes.
    ///
    /// # Errors
    /// A file that cannot be read, or that is shorter ([`io::ErrorKind::UnexpectedEof`]).
    pub fn new(file: &mut File, upto: u64) -> io::Result<Self> {
        let len = upto.min(BLOCK);
        let head = block(file, 0, len)?;
        let last = if upto > len { block(file, upto - len, len)? } else { head.clone() };
        Ok(Self { head, last, upto })
    }

    /// Takes the print of the first `upto` bytes of the file at a path.
    ///
    /// # Errors
    /// As [`Fingerprint::new`].
    pub fn take(path: &Path, upto: u64) -> io::Result<Self> {
        Self::new(&mut File::open(path)?, upto)
    }

    /// Whether a file still begins as it did; one that is shorter does not.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn holds(&self, path: &Path) -> io::Result<bool> {
        match Self::take(path, self.upto) {
            Ok(now) => Ok(now == *self),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn block(file: &mut File, start: u64, len: u64) -> io::Result<String> {
    let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(blake3::hash(&bytes).to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_holds_while_both_ends_match_and_file_grows() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let bytes: Vec<u8> = (0..20_000_u32).map(|n| (n % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        for upto in [0, 1, 4095, 4096, 4097, 8191, 9000, 20_000] {
            let print = Fingerprint::take(&path, upto).unwrap();
            assert!(print.holds(&path).unwrap(), "{upto}");
            for at in [0, upto.saturating_sub(1)] {
                let mut other = [&bytes[..], b"more"].concat();
                std::fs::write(&path, &other).unwrap();
                assert!(print.holds(&path).unwrap(), "{upto}: a file may grow");
                other[at as usize] ^= 1;
                std::fs::write(&path, &other).unwrap();
                assert_eq!(print.holds(&path).unwrap(), upto == 0, "{upto}: changed at {at}");
            }
            std::fs::write(&path, &bytes[..bytes.len().min(upto as usize).saturating_sub(1)])
                .unwrap();
            assert_eq!(print.holds(&path).unwrap(), upto == 0, "{upto}: cut");
            std::fs::write(&path, &bytes).unwrap();
        }
    }
}
