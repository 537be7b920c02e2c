//! What a compressed log holds: members of gzip and frames of zstd, one after the other.

use std::io::{self, BufRead, BufReader, Read};

/// First byte of a frame of zstd, and of one that is to be skipped.
const ZSTD: [u8; 17] = [
    0x28, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e,
    0x5f,
];

/// Reads what a log that was compressed with gzip or zstd holds; which of them, its bytes tell.
///
/// Zeros behind a member are padding: tapes, disks and backup programs leave them there.
pub struct Unpacked<R: Read>(At<R>);

enum At<R: Read> {
    Start(BufReader<R>),
    Behind(BufReader<R>),
    Gzip(flate2::bufread::GzDecoder<BufReader<R>>),
    Zstd(zstd::stream::read::Decoder<'static, BufReader<R>>),
    End,
}

/// Whether a log begins like one that was compressed, whatever it is called.
pub fn is_packed(first: &[u8]) -> bool {
    first.starts_with(b"\x1f\x8b") || first.starts_with(b"\x28\xb5\x2f\xfd")
}

impl<R: Read> Unpacked<R> {
    /// Of these bytes.
    pub fn new(bytes: R) -> Self {
        Self(At::Start(BufReader::with_capacity(32 << 10, bytes)))
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        loop {
            // What fails is not gone on with.
            self.0 = match std::mem::replace(&mut self.0, At::End) {
                At::End => return Ok(0),
                At::Start(bytes) => member(bytes)?,
                At::Behind(mut bytes) => {
                    skip_zeros(&mut bytes)?;
                    member(bytes)?
                }
                At::Gzip(mut decoder) => match decoder.read(room)? {
                    0 => At::Behind(decoder.into_inner()),
                    got => {
                        self.0 = At::Gzip(decoder);
                        return Ok(got);
                    }
                },
                At::Zstd(mut decoder) => match decoder.read(room)? {
                    0 => At::Behind(decoder.finish()),
                    got => {
                        self.0 = At::Zstd(decoder);
                        return Ok(got);
                    }
                },
            };
        }
    }
}

/// The next member. What is neither is taken for gzip, which says what is wrong with it.
fn member<R: Read>(mut bytes: BufReader<R>) -> io::Result<At<R>> {
    Ok(match bytes.fill_buf()?.first() {
        None => At::End,
        Some(first) if ZSTD.contains(first) => {
            At::Zstd(zstd::stream::read::Decoder::with_buffer(bytes)?.single_frame())
        }
        Some(_) => At::Gzip(flate2::bufread::GzDecoder::new(bytes)),
    })
}

fn skip_zeros(bytes: &mut impl BufRead) -> io::Result<()> {
    loop {
        let there = bytes.fill_buf()?;
        let zeros = there.iter().take_while(|b| **b == 0).count();
        let more = zeros > 0 && zeros == there.len();
        bytes.consume(zeros);
        if !more {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    fn zstd(text: &str) -> Vec<u8> {
        zstd::encode_all(text.as_bytes(), 1).unwrap()
    }

    fn read(bytes: &[u8]) -> (String, Option<io::Error>) {
        let (mut text, mut part, mut from) = (Vec::new(), [0; 7], Unpacked::new(bytes));
        let error = loop {
            match from.read(&mut part) {
                Ok(0) => break None,
                Ok(got) => text.extend_from_slice(&part[..got]),
                Err(error) => break Some(error),
            }
        };
        assert_eq!(from.read(&mut part).unwrap(), 0, "it goes on behind its end");
        (String::from_utf8(text).unwrap(), error)
    }

    #[test]
    fn members_of_both_kinds_are_read_one_after_the_other() {
        for pack in [gzip as fn(&str) -> Vec<u8>, zstd] {
            let (text, error) = read(&[pack("one\n"), pack(""), pack("two\n")].concat());
            assert!(error.is_none(), "{error:?}");
            assert_eq!(text, "one\ntwo\n");
        }
        assert_eq!(read(&[gzip("a"), zstd("b")].concat()).0, "ab");
        assert!(matches!(read(b""), (text, None) if text.is_empty()));
    }

    #[test]
    fn zeros_behind_a_member_are_padding() {
        for pack in [gzip as fn(&str) -> Vec<u8>, zstd] {
            for zeros in [1, 512, 100_000] {
                let padded = [pack("one\n"), vec![0; zeros]].concat();
                let (text, error) = read(&padded);
                assert!(error.is_none(), "{zeros}: {error:?}");
                assert_eq!(text, "one\n");
                let (text, error) = read(&[padded, pack("two\n")].concat());
                assert!(error.is_none() && text == "one\ntwo\n", "{zeros}: {error:?}");
            }
        }
    }

    #[test]
    fn damage_shows_behind_what_could_be_read() {
        let long: String = (0..2000).map(|n| format!("{n}\n")).collect();
        for pack in [gzip as fn(&str) -> Vec<u8>, zstd] {
            let whole = pack(&long);
            let cut = &whole[..whole.len() - 9];
            for bad in [cut.to_vec(), [pack("a\n"), vec![0; 9], b"no member".to_vec()].concat()] {
                let (text, error) = read(&bad);
                let error = error.unwrap();
                assert!(error.raw_os_error().is_none(), "{error:?}");
                assert!(long.starts_with(&text) || text == "a\n");
            }
        }
        for start in [&b"\0\0\0\0"[..], b"plain text\n", b"("] {
            assert!(read(start).1.is_some(), "{start:?}");
        }
    }
}
