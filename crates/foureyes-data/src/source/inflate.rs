//! Undoing the compression of a stream as it comes, in bounded memory.

use super::listing::Compression;
use std::io::{self, Write};

/// Most that a step may unpack to before it is handed on.
const SLICE: usize = 4 << 10;
/// Largest window a box may ask us to hold: 8 MiB; `zstd -1` uses half of one.
const WINDOW_LOG: u32 = 23;

/// One compressed stream.
pub(super) enum Inflate {
    Raw,
    Zstd(Box<zstd::stream::write::Decoder<'static, Vec<u8>>>),
    Gzip(Box<flate2::write::GzDecoder<Vec<u8>>>),
}

impl Inflate {
    pub(super) fn new(compression: Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::Raw => Self::Raw,
            Compression::Gzip => Self::Gzip(Box::new(flate2::write::GzDecoder::new(Vec::new()))),
            Compression::Zstd => {
                let mut decoder = zstd::stream::write::Decoder::new(Vec::new())?;
                decoder.window_log_max(WINDOW_LOG)?;
                Self::Zstd(Box::new(decoder))
            }
        })
    }

    /// Unpacks `bytes` and hands on what they give, a little at a time.
    pub(super) fn feed<E: From<io::Error>>(
        &mut self,
        mut bytes: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if matches!(self, Self::Raw) {
            return take(bytes);
        }
        while !bytes.is_empty() {
            let used = self.step(&bytes[..bytes.len().min(SLICE)], &mut take)?;
            if used == 0 {
                return Err(io::Error::from(io::ErrorKind::InvalidData).into());
            }
            bytes = &bytes[used..];
        }
        self.drain(&mut take)
    }

    /// One write, not `write_all`: a hostile stream may unpack to a thousand times its size.
    fn step<E: From<io::Error>>(
        &mut self,
        bytes: &[u8],
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<usize, E> {
        let used = match self {
            Self::Raw => bytes.len(),
            Self::Zstd(d) => d.write(bytes)?,
            Self::Gzip(d) => d.write(bytes)?,
        };
        self.hand_on(take)?;
        Ok(used)
    }

    /// What a decoder still holds of the bytes it was given.
    fn drain<E: From<io::Error>>(
        &mut self,
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Raw => {}
            Self::Zstd(d) => d.flush()?,
            Self::Gzip(d) => d.flush()?,
        }
        self.hand_on(take)
    }

    fn hand_on<E>(&mut self, take: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let out = match self {
            Self::Raw => return Ok(()),
            Self::Zstd(d) => d.get_mut(),
            Self::Gzip(d) => d.get_mut(),
        };
        if !out.is_empty() {
            take(out)?;
            out.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(compression: Compression, packed: &[u8], step: usize) -> (Vec<u8>, usize) {
        let mut inflate = Inflate::new(compression).unwrap();
        let (mut all, mut largest) = (Vec::new(), 0);
        for part in packed.chunks(step) {
            let done: io::Result<()> = inflate.feed(part, |bytes| {
                largest = largest.max(bytes.len());
                all.extend_from_slice(bytes);
                Ok(())
            });
            done.unwrap();
        }
        (all, largest)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn gzip_and_zstd_decode_for_any_read_sizes() {
        let text: Vec<u8> = (0..200_000u32).flat_map(|n| format!("{n},").into_bytes()).collect();
        for step in [1, 7, 4096, 100_000] {
            let zstd = zstd::encode_all(text.as_slice(), 1).unwrap();
            assert!(unpack(Compression::Zstd, &zstd, step).0 == text, "zstd by {step}");
            assert!(unpack(Compression::Gzip, &gzip(&text), step).0 == text, "gzip by {step}");
        }
    }

    #[test]
    fn a_bomb_is_handed_on_in_small_parts() {
        let bomb = vec![0; 64 << 20];
        let zstd = zstd::encode_all(bomb.as_slice(), 1).unwrap();
        let (all, largest) = unpack(Compression::Zstd, &zstd, 1 << 20);
        assert_eq!(all.len(), bomb.len());
        assert!(largest <= 1 << 20, "{largest}");
        let (all, largest) = unpack(Compression::Gzip, &gzip(&bomb), 1 << 20);
        assert_eq!(all.len(), bomb.len());
        assert!(largest <= 1 << 20, "{largest}");
    }

    #[test]
    fn noise_in_the_stream_is_an_error() {
        for compression in [Compression::Zstd, Compression::Gzip] {
            let mut inflate = Inflate::new(compression).unwrap();
            let done: io::Result<()> = inflate.feed(b"this is not a compressed stream", |_| Ok(()));
            assert!(done.is_err());
        }
    }
}
