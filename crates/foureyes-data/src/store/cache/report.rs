//! How each log of a collection was read.

use super::CacheError;
use super::reading::PORTION;
use crate::domain::Accounting;
use crate::store::blocks::{Blocks, Hashing};
use crate::store::fingerprint::Fingerprint;
use crate::store::unpacked::Unpacked;
use crate::verdict_log::Chain;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// One log of the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// Its box or local source.
    pub box_name: String,
    /// Its name for people.
    pub name: String,
    /// Where its bytes are on this machine.
    pub path: PathBuf,
    /// Bytes read, the end for now among them; of a compressed log those it holds.
    pub bytes: u64,
    /// Bytes read for good: what is behind them may be read anew once more follows.
    pub done: u64,
    /// Compressed, with gzip or zstd.
    pub gzip: bool,
    /// Bytes before the line that is not complete yet, where there is one; else all.
    pub settled: u64,
    /// Where its lines went; doubles count as records here.
    pub accounting: Accounting,
    /// Of its settled bytes; of a compressed log of all its own.
    pub print: Fingerprint,
    /// A compressed log that unpacks to more bytes than are read of it.
    pub cut: bool,
    /// How its lines follow each other.
    pub chain: Chain,
    /// Records equal to one that stands shortly before them in the same compressed log. They have no row.
    pub repeated: u64,
    /// Of its first bytes, unpacked; of none where the cache is of an earlier version.
    pub blocks: Blocks,
}

impl FileReport {
    /// Whether the log still begins with the bytes that a print was taken of.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn begins_as(&self, print: &Fingerprint) -> Result<bool, CacheError> {
        Ok(self.print == *print || print.holds(&self.path).map_err(CacheError::log(&self.path))?)
    }

    /// A hash of the first `upto` bytes of the log, unpacked; `None` where it has fewer.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn digest(&self, upto: u64) -> Result<Option<[u8; 16]>, CacheError> {
        if upto > self.bytes {
            return Ok(None);
        }
        if self.blocks.upto() == upto {
            return Ok(Some(self.blocks.digest()));
        }
        let hash = || -> io::Result<Blocks> {
            if !self.gzip {
                return Hashing::resume(&self.path, &self.blocks, upto)?.finish(upto);
            }
            let mut hashing = Hashing::resume(&self.path, &Blocks::default(), 0)?;
            let packed = File::open(&self.path)?;
            let mut log = Unpacked::new(packed).take(upto);
            let mut portion = vec![0; PORTION];
            loop {
                match log.read(&mut portion)? {
                    0 => return hashing.finish(upto),
                    got => hashing.push(portion.get(..got).unwrap_or_default()),
                }
            }
        };
        hash().map(|blocks| Some(blocks.digest())).map_err(CacheError::log(&self.path))
    }

    /// What of the log lies beyond a bound and is not read, as a sentence. Raw text.
    pub fn beyond_bounds(&self) -> Option<String> {
        self.cut.then(|| {
            format!(
                "{}: {} unpacks to more than {} bytes (`unpacked_bytes`): no more of it is read",
                self.box_name, self.name, self.bytes
            )
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Write;

    fn report(path: PathBuf, bytes: u64, gzip: bool, blocks: Blocks) -> FileReport {
        FileReport {
            box_name: String::new(),
            name: String::new(),
            path,
            bytes,
            done: bytes,
            gzip,
            settled: bytes,
            accounting: Accounting::default(),
            print: Fingerprint::default(),
            cut: false,
            chain: Chain::default(),
            repeated: 0,
            blocks,
        }
    }

    #[test]
    fn digest_is_of_the_content_however_it_was_read() {
        let dir = tempfile::tempdir().unwrap();
        let whole: Vec<u8> = (0..2_500_000_u32).map(|n| (n % 249) as u8).collect();
        let (plain, packed) = (dir.path().join("log"), dir.path().join("log.gz"));
        std::fs::write(&plain, &whole).unwrap();
        let fast = flate2::Compression::fast();
        let mut writer = flate2::write::GzEncoder::new(File::create(&packed).unwrap(), fast);
        writer.write_all(&whole).unwrap();
        writer.finish().unwrap();
        let bytes = whole.len() as u64;
        for upto in [0, 1, 1 << 20, (1 << 20) + 1, 2_000_000, bytes] {
            let digest = Blocks::of(&plain, upto).unwrap().digest();
            for known in [0, 1, 1 << 20, 2_100_000, bytes] {
                let blocks = Blocks::of(&plain, known).unwrap();
                let ours = report(plain.clone(), bytes, false, blocks.clone());
                assert_eq!(ours.digest(upto).unwrap(), Some(digest), "{upto} of {known}");
                let ours = report(packed.clone(), bytes, true, blocks);
                assert_eq!(ours.digest(upto).unwrap(), Some(digest), "{upto} of {known}, packed");
            }
            let ours = report(plain.clone(), bytes, false, Blocks::default());
            assert_eq!(ours.digest(upto).unwrap(), Some(digest), "{upto} of what is not known");
        }
        let ours = report(plain.clone(), bytes, false, Blocks::default());
        assert_eq!(ours.digest(bytes + 1).unwrap(), None);
        // Another byte anywhere, or another length, is another content.
        let digest = ours.digest(bytes).unwrap();
        for at in [0, 1 << 20, whole.len() - 1] {
            let mut other = whole.clone();
            other[at] ^= 1;
            std::fs::write(&plain, other).unwrap();
            let ours = report(plain.clone(), bytes, false, Blocks::default());
            assert_ne!(ours.digest(bytes).unwrap(), digest, "{at}");
        }
        assert_ne!(ours.digest(bytes - 1).unwrap(), digest);
    }
}
