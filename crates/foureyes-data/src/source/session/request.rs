//! Requests to a box about a file, and how responses are separated.

use super::error::{Error, Flow};
use crate::source::framing::{Damaged, Piece};
use crate::source::listing::Compression;
use std::fmt::Write;

/// A file to send, from where the mirror has it already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The file's number in the listing.
    pub number: usize,
    /// First byte that is not wanted.
    pub end: u64,
    /// Most bytes to send.
    pub most: u64,
    /// What in the mirror it may be the rest of; the first that fits is taken.
    pub candidates: Vec<Candidate>,
}

/// Bytes in the mirror that a file may begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Whatever the asker calls it. No two files are answered with the same.
    pub id: usize,
    /// Whether the file is to be unzipped first.
    pub unzipped: bool,
    /// How many bytes the mirror has.
    pub offset: u64,
    /// Length and hash of its beginning.
    pub head: (u64, String),
    /// Start, length and hash of its end; length 0 where the beginning is all.
    pub block: (u64, u64, String),
}

/// What a file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The rest of that candidate: its bytes follow from the candidate's end.
    Known(usize),
    /// None of the candidates: its bytes follow from the beginning.
    New,
    /// Not there any more, or not to be read.
    Unreadable,
}

/// A piece of an answer.
#[derive(Debug, PartialEq, Eq)]
pub enum ResponsePart<'a> {
    /// The next request's answer begins.
    Start(Answer),
    /// Bytes of the file.
    Data(&'a [u8]),
    /// All was sent.
    End,
}

/// The requests as the script reads them: numbers and hashes, nothing else.
pub(super) fn text(requests: &[Request], compression: Compression) -> Vec<u8> {
    let mut text = String::from(match compression {
        Compression::Raw => "B raw\n",
        Compression::Zstd => "B zstd\n",
        Compression::Gzip => "B gzip\n",
    });
    for r in requests {
        let (number, end, most, n) = (r.number, r.end, r.most, r.candidates.len());
        let _ = writeln!(text, "G {number} {end} {most} {n}");
        for c in &r.candidates {
            let way = if c.unzipped { 'z' } else { 'p' };
            let ((a, ha), (b, bl, hb)) = (&c.head, &c.block);
            let _ = writeln!(text, "{} {way} {} {a} {ha} {} {bl} {hb}", c.id, c.offset, b + 1);
        }
    }
    text.push_str(".\n");
    text.into_bytes()
}

/// Separates the responses.
#[derive(Default)]
pub(super) struct Items {
    open: bool,
    whole: bool,
}

impl Items {
    /// Whether the last mark came.
    pub(super) fn whole(&self) -> bool {
        self.whole
    }

    pub(super) fn take<E>(
        &mut self,
        piece: Piece<'_>,
        take: &mut impl FnMut(ResponsePart<'_>) -> Result<(), E>,
    ) -> Result<(), Flow<E>> {
        let part = match piece {
            Piece::Data(data) if self.open => ResponsePart::Data(data),
            Piece::Data(_) => return Err(Error::TooMuch.into()),
            Piece::Mark("I .") => {
                self.whole = true;
                return Ok(());
            }
            Piece::Mark("I E") => {
                self.open = false;
                ResponsePart::End
            }
            Piece::Mark(mark) => {
                self.open = true;
                ResponsePart::Start(answer(mark)?)
            }
        };
        take(part).map_err(Flow::Taker)
    }
}

/// The word of the marks inside what is compressed: a compressor may leave them as they are.
pub(super) fn inner(word: &str) -> String {
    word.replacen('@', "%", 1)
}

fn answer(mark: &str) -> Result<Answer, Damaged> {
    match mark.strip_prefix("I D ").ok_or(Damaged)? {
        "-" => Ok(Answer::New),
        "x" => Ok(Answer::Unreadable),
        id => id.parse().map(Answer::Known).map_err(|_| Damaged),
    }
}
