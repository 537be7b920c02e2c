//! Files of which every byte is vouched for: damage shows when it is read, never in an answer.
//!
//! A sealed file is its body and, behind it, the BLAKE3 of each block of the body. Its *seal*,
//! which stands in the manifest, is the hash of those hashes: it vouches for the whole file, and
//! yet a reader hashes only the blocks that it reads. So a few columns of a large frame cost what
//! their bytes cost.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

/// Bytes of a block, but for the last one.
const BLOCK: usize = 64 << 10;

/// What vouches for a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seal {
    /// Bytes before the hashes.
    body: u64,
    /// BLAKE3 of the hashes of the blocks, hexadecimal.
    hash: String,
}

impl Seal {
    /// Names the bytes: no others have it.
    pub(super) fn name(&self) -> &str {
        &self.hash
    }
}

/// Writes a body and hashes it on the way.
pub(super) struct SealedWriter {
    out: File,
    block: Vec<u8>,
    body: u64,
    hashes: Vec<u8>,
}

impl SealedWriter {
    pub(super) fn new(out: File) -> Self {
        Self { out, block: Vec::with_capacity(BLOCK), body: 0, hashes: Vec::new() }
    }

    fn end_block(&mut self) -> io::Result<()> {
        self.out.write_all(&self.block)?;
        self.hashes.extend_from_slice(blake3::hash(&self.block).as_bytes());
        self.body += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }

    /// Writes the hashes, and gives the seal.
    pub(super) fn finish(mut self) -> io::Result<Seal> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.out.write_all(&self.hashes)?;
        Ok(Seal { body: self.body, hash: blake3::hash(&self.hashes).to_hex().to_string() })
    }
}

impl Write for SealedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.is_empty() && bytes.len() >= BLOCK {
            // Whole blocks need no copy.
            let whole = bytes.len() / BLOCK * BLOCK;
            self.out.write_all(&bytes[..whole])?;
            for block in bytes[..whole].chunks_exact(BLOCK) {
                self.hashes.extend_from_slice(blake3::hash(block).as_bytes());
            }
            self.body += whole as u64;
            return Ok(whole);
        }
        let some = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..some]);
        if self.block.len() == BLOCK {
            self.end_block()?;
        }
        Ok(some)
    }

    /// What is in a block that is not full waits for [`SealedWriter::finish`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a body; bytes that are not those that were written are an error.
pub(super) struct SealedReader {
    file: File,
    body: u64,
    hashes: Vec<u8>,
    at: u64,
    /// The block that was read last, and its number.
    block: Vec<u8>,
    held: Option<u64>,
}

impl SealedReader {
    pub(super) fn open(file: File, seal: &Seal) -> io::Result<Self> {
        let blocks = seal.body.div_ceil(BLOCK as u64) as usize;
        let mut hashes = vec![0; blocks * blake3::OUT_LEN];
        file.read_exact_at(&mut hashes, seal.body)?;
        if blake3::hash(&hashes).to_hex().as_str() != seal.hash {
            return Err(damage());
        }
        Ok(Self { file, body: seal.body, hashes, at: 0, block: Vec::new(), held: None })
    }

    fn hold(&mut self, number: u64) -> io::Result<()> {
        if self.held == Some(number) {
            return Ok(());
        }
        self.held = None;
        let start = number * BLOCK as u64;
        self.block.resize((self.body - start).min(BLOCK as u64) as usize, 0);
        self.file.read_exact_at(&mut self.block, start)?;
        let wanted = self.hashes.chunks_exact(blake3::OUT_LEN).nth(number as usize);
        if wanted != Some(blake3::hash(&self.block).as_bytes().as_slice()) {
            return Err(damage());
        }
        self.held = Some(number);
        Ok(())
    }
}

fn damage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its bytes are not those that were written")
}

impl Read for SealedReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.body || out.is_empty() {
            return Ok(0);
        }
        self.hold(self.at / BLOCK as u64)?;
        let rest = self.block.get((self.at % BLOCK as u64) as usize..).unwrap_or_default();
        let some = rest.len().min(out.len());
        out[..some].copy_from_slice(&rest[..some]);
        self.at += some as u64;
        Ok(some)
    }
}

impl Seek for SealedReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.body.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(bytes: &[u8]) -> (tempfile::NamedTempFile, Seal) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut out = SealedWriter::new(file.reopen().unwrap());
        // A beginning that is no whole block, then all the rest at once.
        let (head, rest) = bytes.split_at(bytes.len().min(100));
        out.write_all(head).unwrap();
        out.write_all(rest).unwrap();
        let seal = out.finish().unwrap();
        (file, seal)
    }

    fn bytes(len: usize) -> Vec<u8> {
        (0..len).map(|n| (n % 251) as u8).collect()
    }

    #[test]
    fn written_bytes_are_readable_at_any_offset() {
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17] {
            let bytes = bytes(len);
            let (file, seal) = sealed(&bytes);
            let mut reader = SealedReader::open(file.reopen().unwrap(), &seal).unwrap();
            for from in [0, len / 3, len.saturating_sub(1), len] {
                reader.seek(SeekFrom::Start(from as u64)).unwrap();
                let mut read = Vec::new();
                reader.read_to_end(&mut read).unwrap();
                assert!(read == bytes[from..], "{len} bytes from {from}");
            }
            assert_eq!(reader.seek(SeekFrom::End(0)).unwrap(), len as u64);
        }
    }

    #[test]
    fn changed_byte_fails_only_reads_that_touch_it() {
        let (file, seal) = sealed(&bytes(2 * BLOCK + 500));
        let whole = std::fs::read(file.path()).unwrap();
        for at in [0, 5, BLOCK - 1, BLOCK, 2 * BLOCK, 2 * BLOCK + 499] {
            let mut other = whole.clone();
            other[at] ^= 64;
            std::fs::write(file.path(), &other).unwrap();
            let mut reader = SealedReader::open(file.reopen().unwrap(), &seal).unwrap();
            for block in 0..3 {
                reader.seek(SeekFrom::Start((block * BLOCK) as u64)).unwrap();
                let good = reader.read(&mut [0; 9]).is_ok();
                assert_eq!(good, at / BLOCK != block, "byte {at}, block {block}");
            }
        }
        for at in 2 * BLOCK + 500..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 1;
            std::fs::write(file.path(), &other).unwrap();
            assert!(SealedReader::open(file.reopen().unwrap(), &seal).is_err(), "hash byte {at}");
        }
        std::fs::write(file.path(), &whole[..whole.len() - 1]).unwrap();
        assert!(SealedReader::open(file.reopen().unwrap(), &seal).is_err());
    }
}
