//! Hashes that a box can make too, over a range of a local file.

use crc::{CRC_32_CKSUM, Crc};
use sha2::{Digest, Sha256};
use std::io::{self, Read, Seek, SeekFrom};

/// What a box can hash with, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// SHA-256, through whichever program makes it.
    Sha256,
    /// The CRC and length of POSIX `cksum`: finds accidents, not intent.
    Cksum,
    /// Nothing: sizes and inodes are all there is.
    None,
}

static CKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_CKSUM);

/// Hashes `len` bytes from `start`, written as the box writes it.
///
/// Fails where the file is shorter.
pub fn of_range(
    algorithm: Algorithm,
    file: &mut (impl Read + Seek),
    start: u64,
    len: u64,
) -> io::Result<String> {
    file.seek(SeekFrom::Start(start))?;
    match algorithm {
        Algorithm::None => Ok("-".to_owned()),
        Algorithm::Sha256 => {
            let mut hash = Sha256::new();
            each_block(file, len, |block| hash.update(block))?;
            Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
        }
        Algorithm::Cksum => {
            let mut crc = CKSUM.digest();
            each_block(file, len, |block| crc.update(block))?;
            // POSIX: the length follows the content, low byte first, without leading zeros.
            let bytes = len.to_le_bytes();
            let used = 8 - usize::try_from(len.leading_zeros() / 8).unwrap_or(0);
            crc.update(&bytes[..used]);
            Ok(format!("{}-{len}", crc.finalize()))
        }
    }
}

fn each_block(file: &mut impl Read, len: u64, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut block = vec![0; 64 << 10];
    let mut left = len;
    while left > 0 {
        let want = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
        file.read_exact(&mut block[..want])?;
        take(&block[..want]);
        left -= want as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn hashes_are_those_the_programs_print() {
        let of = |algorithm| of_range(algorithm, &mut Cursor::new(b"xabcx"), 1, 3).unwrap();
        assert_eq!(
            of(Algorithm::Sha256),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(of(Algorithm::Cksum), "1219131554-3");
        assert_eq!(of(Algorithm::None), "-");
        let long = vec![7; 300];
        let run = of_range(Algorithm::Cksum, &mut Cursor::new(&long), 0, 300).unwrap();
        assert_eq!(run, "2871065992-300", "as `cksum` prints it");
    }

    #[test]
    fn a_range_past_the_end_is_an_error() {
        for algorithm in [Algorithm::Sha256, Algorithm::Cksum] {
            assert!(of_range(algorithm, &mut Cursor::new(b"abc"), 1, 3).is_err());
        }
    }
}
