//! A reader that counts and hashes what passes.

use super::manifest::Entry;
use std::io::{self, Read};

pub(super) struct Hashed<R> {
    inner: R,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl<R: Read> Hashed<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, hasher: blake3::Hasher::new(), bytes: 0 }
    }

    /// What was read, as a file of this name.
    pub(super) fn entry(self, path: String) -> Entry {
        let blake3 = self.hasher.finalize().to_hex().to_string();
        Entry { path, bytes: self.bytes, blake3 }
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.hasher.update(buffer.get(..length).unwrap_or_default());
        self.bytes += length as u64;
        Ok(length)
    }
}
