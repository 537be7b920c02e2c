//! Hashes of the blocks of a log or its copy, so that a change in its middle is noticed.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Bytes of a block.
const BLOCK: u64 = 1 << 20;
/// So many blocks of a log that grew are compared at the most.
const MOST: usize = 64;
/// Hexadecimal digits that are kept of a hash.
const DIGITS: usize = 32;

/// Hashes of the first bytes of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// Of each whole block.
    whole: Vec<String>,
    /// Of what is behind them.
    rest: String,
    upto: u64,
}

impl Blocks {
    /// Whether a log still begins as it did: all of it up to 64 MiB, of more than that an
    /// even choice of blocks that `turn` shifts.
    pub(crate) fn hold(&self, path: &Path, turn: u64) -> io::Result<bool> {
        let step = self.whole.len().div_ceil(MOST).max(1);
        let first = usize::try_from(turn % step as u64).unwrap_or_default();
        self.hold_each(path, (first..self.whole.len()).step_by(step).collect())
    }

    /// Whether what is behind the whole blocks still is what it was.
    pub(crate) fn hold_rest(&self, path: &Path) -> io::Result<bool> {
        self.hold_each(path, Vec::new())
    }

    /// Whether all of a log still is what it was.
    ///
    /// # Errors
    /// A log that cannot be read; one that is shorter is none.
    pub fn hold_all(&self, path: &Path) -> io::Result<bool> {
        self.hold_each(path, (0..self.whole.len()).collect())
    }

    /// Whether the rest and some of the whole blocks still are what they were.
    fn hold_each(&self, path: &Path, chosen: Vec<usize>) -> io::Result<bool> {
        let file = File::open(path)?;
        let same = |at: usize| -> io::Result<bool> {
            Ok(self.whole.get(at) == Some(&hash(&piece(&file, at as u64 * BLOCK, BLOCK)?)))
        };
        let sound = |result: io::Result<bool>| match result {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            other => other,
        };
        let rest = || -> io::Result<bool> {
            let start = self.whole.len() as u64 * BLOCK;
            Ok(self.rest == hash(&piece(&file, start, self.upto - start)?))
        };
        if !sound(rest())? {
            return Ok(false);
        }
        let all: Vec<bool> =
            chosen.into_par_iter().map(|at| sound(same(at))).collect::<io::Result<_>>()?;
        Ok(all.into_iter().all(|same| same))
    }
}

impl Blocks {
    /// How many bytes they are of.
    pub(crate) fn upto(&self) -> u64 {
        self.upto
    }

    /// One hash of all of these bytes: the same wherever they are, and however they were read.
    pub(crate) fn digest(&self) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.upto.to_le_bytes());
        // Of no bytes there may be no hash.
        let rest = Some(&self.rest).filter(|_| self.upto > 0);
        self.whole.iter().chain(rest).for_each(|hash| {
            hasher.update(hash.as_bytes());
        });
        let mut digest = [0; 16];
        hasher.finalize_xof().fill(&mut digest);
        digest
    }

    /// The hashes of the first `upto` bytes of a file.
    ///
    /// # Errors
    /// A file that cannot be read, or is shorter.
    pub fn of(path: &Path, upto: u64) -> io::Result<Self> {
        Hashing::resume(path, &Self::default(), upto)?.finish(upto)
    }
}

/// Hashes a log while it is read, or its copy while it is written.
pub(crate) struct Hashing {
    file: File,
    whole: Vec<String>,
    hasher: blake3::Hasher,
    /// Bytes in the hasher.
    held: u64,
}

impl Hashing {
    /// Goes on behind the first `from` bytes; blocks of them that are not known are read.
    pub(crate) fn resume(path: &Path, known: &Blocks, from: u64) -> io::Result<Self> {
        let count = usize::try_from(from / BLOCK).unwrap_or(usize::MAX).min(known.whole.len());
        let whole = known.whole[..count].to_vec();
        let mut hashing =
            Self { file: File::open(path)?, whole, hasher: blake3::Hasher::new(), held: 0 };
        while hashing.upto() < from {
            let len = (from - hashing.upto()).min(BLOCK);
            hashing.push(&piece(&hashing.file, hashing.upto(), len)?);
        }
        Ok(hashing)
    }

    /// Bytes taken in so far.
    fn upto(&self) -> u64 {
        self.whole.len() as u64 * BLOCK + self.held
    }

    /// Takes in what was read next.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = usize::try_from(BLOCK - self.held).unwrap_or(bytes.len());
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.hasher.update(now);
            self.held += now.len() as u64;
            bytes = later;
            if self.held == BLOCK {
                self.whole.push(text(&self.hasher.finalize()));
                self.hasher.reset();
                self.held = 0;
            }
        }
    }

    /// The hashes of the first `upto` bytes, which were all pushed.
    pub(crate) fn finish(mut self, upto: u64) -> io::Result<Blocks> {
        if self.upto() == upto {
            return Ok(Blocks { whole: self.whole, rest: text(&self.hasher.finalize()), upto });
        }
        let whole = upto / BLOCK;
        self.whole.truncate(usize::try_from(whole).unwrap_or(usize::MAX));
        let rest = hash(&piece(&self.file, whole * BLOCK, upto % BLOCK)?);
        Ok(Blocks { whole: self.whole, rest, upto })
    }
}

fn piece(file: &File, start: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, start)?;
    Ok(bytes)
}

fn hash(bytes: &[u8]) -> String {
    text(&blake3::hash(bytes))
}

fn text(hash: &blake3::Hash) -> String {
    hash.to_hex().chars().take(DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &Path, known: &Blocks, bytes: &[u8], upto: u64) -> Blocks {
        let mut hashing = Hashing::resume(path, known, known.upto).unwrap();
        for portion in bytes[known.upto as usize..].chunks(700_001) {
            hashing.push(portion);
        }
        hashing.finish(upto).unwrap()
    }

    #[test]
    fn changed_byte_in_large_log_is_detected_and_growth_is_not_a_change() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let bytes: Vec<u8> = (0..3 * BLOCK as usize + 5000).map(|n| (n % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let mut blocks = Blocks::default();
        for upto in [0, 10, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 4999] {
            blocks = of(&path, &blocks, &bytes, upto);
            assert_eq!(blocks, of(&path, &Blocks::default(), &bytes, upto), "{upto} at once");
            assert!(blocks.hold(&path, 7).unwrap(), "{upto}");
        }
        for at in [0, BLOCK - 1, BLOCK, 2 * BLOCK + 77, 3 * BLOCK, 3 * BLOCK + 4998] {
            let mut other = bytes.clone();
            other[at as usize] ^= 1;
            std::fs::write(&path, &other).unwrap();
            assert!(!blocks.hold(&path, 7).unwrap(), "byte {at}");
            assert_eq!(blocks.hold_rest(&path).unwrap(), at < 3 * BLOCK, "byte {at}");
        }
        std::fs::write(&path, &bytes[..bytes.len() - 2]).unwrap();
        assert!(!blocks.hold(&path, 7).unwrap(), "shorter");
    }

    #[test]
    fn hashes_are_of_what_was_pushed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let bytes = vec![7; BLOCK as usize + 5000];
        std::fs::write(&path, "").unwrap();
        let mut hashing = Hashing::resume(&path, &Blocks::default(), 0).unwrap();
        hashing.push(&bytes);
        let hashes = hashing.finish(bytes.len() as u64).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(hashes, Blocks::of(&path, bytes.len() as u64).unwrap());
        assert!(hashes.hold_all(&path).unwrap());
        for from in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1] {
            let mut hashing = Hashing::resume(&path, &hashes, from).unwrap();
            hashing.push(&bytes[from as usize..]);
            assert_eq!(hashing.finish(hashes.upto).unwrap(), hashes, "known further than {from}");
        }
    }

    #[test]
    fn of_a_large_log_every_block_is_looked_at_in_turn() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        // A sparse file: 150 blocks that take no room.
        let file = File::create(&path).unwrap();
        file.set_len(150 * BLOCK).unwrap();
        let zero = hash(&vec![0; BLOCK as usize]);
        let (whole, rest) = (vec![zero; 150], hash(&[]));
        let blocks = Blocks { whole, rest, upto: 150 * BLOCK };
        file.write_all_at(b"x", 76 * BLOCK).unwrap();
        let noticed = (0..3).filter(|turn| !blocks.hold(&path, *turn).unwrap()).count();
        assert_eq!(noticed, 1);
    }
}
