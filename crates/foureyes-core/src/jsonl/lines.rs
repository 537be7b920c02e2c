//! Bytes to pieces: lines, records spread over lines, several records on one line, torn heads.

use super::decode::{Decoder, NoRecord};
use super::plan::{Piece, Plan, Why};
use super::scan::{Line, Stop};
use super::{Draft, Settings};
use crate::domain::{Accounting, RecordId, Reject};
use memchr::{memchr, memchr_iter, memchr2, memmem};
use serde::{Deserialize, Serialize};

/// The place of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First line, from 1.
    pub line: u64,
    /// Offset of its first byte, from 0.
    pub byte: u64,
    /// Length in bytes.
    pub len: u64,
}

/// Takes what a [`Reader`] finds.
pub trait Sink {
    /// A record, in the order of the bytes.
    fn record(&mut self, draft: &Draft<'_>, span: Span);
    /// A piece that is no record.
    fn reject(&mut self, reject: Reject);
    /// An object of another program, which is counted; with the id of the record that it is where somebody names it.
    fn foreign(&mut self, _id: Option<RecordId>) {}
}

/// How far a log has been read for good: what lies before it never changes its meaning,
/// whatever is appended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Bytes read.
    pub byte: u64,
    /// Lines read.
    pub line: u64,
    /// Where those lines went.
    pub accounting: Accounting,
}

/// Reads a log in portions of any size.
pub struct Reader<'s> {
    pub(super) settings: &'s Settings,
    pub(super) decoder: Decoder,
    pub(super) buffer: Vec<u8>,
    /// Begin of what is not yet read for good, in `buffer`.
    start: usize,
    done: Checkpoint,
    /// Bytes already dropped of a line that is longer than the limit.
    dropped: Option<u64>,
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Where a line is padded.
enum Padding {
    /// From that index of the buffer on.
    At(usize),
    /// Nowhere within the limit.
    None,
    /// More bytes are needed to tell.
    Unknown,
}

/// So many NULs in a row cut a line that is longer than the limit: one may be half of a character.
const PADDING: usize = 2;

/// What stands before a piece and behind it. NULs are what a copy leaves that is emptied while its writer goes on.
fn is_blank(byte: u8) -> bool {
    b" \t\r\0".contains(&byte)
}

impl<'s> Reader<'s> {
    /// Begins at the start of a log.
    pub fn new(settings: &'s Settings) -> Self {
        Self::resume(settings, Checkpoint::default())
    }

    /// Goes on where an earlier reader's [`Reader::checkpoint`] was.
    pub fn resume(settings: &'s Settings, done: Checkpoint) -> Self {
        Self {
            settings,
            decoder: Decoder::default(),
            buffer: Vec::new(),
            start: 0,
            done,
            dropped: None,
        }
    }

    /// Reads what somebody names as a record.
    pub(super) fn of_named(settings: &'s Settings) -> Self {
        let mut reader = Self::new(settings);
        reader.decoder.is_named = true;
        reader
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8], sink: &mut impl Sink) {
        self.drop_done();
        self.buffer.extend_from_slice(bytes);
        self.run(false, sink);
    }

    /// Has at most so many bytes read to where [`Reader::take`] takes them in, so that they need not be copied;
    /// `read` gives how many there are. Gives these.
    ///
    /// # Errors
    /// That of `read`; then there are none.
    pub fn fill<E>(
        &mut self,
        most: usize,
        read: impl FnOnce(&mut [u8]) -> Result<usize, E>,
    ) -> Result<&[u8], E> {
        self.drop_done();
        let from = self.buffer.len();
        self.buffer.resize(from + most, 0);
        let got = read(self.buffer.get_mut(from..).unwrap_or_default());
        self.buffer.truncate(from + got.as_ref().map_or(0, |got| (*got).min(most)));
        got.map(|_| self.buffer.get(from..).unwrap_or_default())
    }

    /// Takes in what [`Reader::fill`] gave.
    pub fn take(&mut self, sink: &mut impl Sink) {
        self.run(false, sink);
    }

    fn drop_done(&mut self) {
        self.buffer.drain(..self.start);
        self.start = 0;
    }

    /// How far it has read for good.
    pub fn checkpoint(&self) -> Checkpoint {
        self.done
    }

    /// Reads what is left as the end of the log; gives the accounting of the whole.
    ///
    /// What it finds here may read differently once more bytes are appended.
    pub fn finish(mut self, sink: &mut impl Sink) -> Accounting {
        self.run(true, sink);
        self.done.accounting
    }

    fn run(&mut self, last: bool, sink: &mut impl Sink) {
        while self.start < self.buffer.len() || (last && self.dropped.is_some()) {
            if self.dropped.is_some() {
                if !self.drop_long_line(0, last, sink) {
                    return;
                }
                continue;
            }
            self.skip_padding();
            let rest = self.buffer.get(self.start..).unwrap_or_default();
            let newline = memchr(b'\n', rest);
            let length = newline.unwrap_or(rest.len());
            if length > self.settings.line_bytes {
                let goes_on = match self.padding(length, last || newline.is_some()) {
                    Padding::Unknown => false,
                    Padding::At(end) => self.read_up_to(end, sink),
                    Padding::None => self.drop_long_line(self.settings.line_bytes + 1, last, sink),
                };
                if !goes_on {
                    return;
                }
                continue;
            }
            if newline.is_none() && !last {
                return;
            }
            let end = self.start + length;
            if self.plain_line(end, newline.is_some(), sink) {
                continue;
            }
            let Some(plan) = self.plan(end, last) else { return };
            self.carry_out(&plan, sink);
            self.end_line(&plan);
        }
    }

    /// Passes over NULs at the beginning of a line. One stays where nothing follows yet: it is a line.
    fn skip_padding(&mut self) {
        let at = self.first_byte();
        let rest = self.buffer.get(at..).unwrap_or_default();
        let nuls = rest.iter().take_while(|b| **b == 0).count().min(rest.len().saturating_sub(1));
        if nuls > 0 {
            self.advance(at + nuls, 0);
        }
    }

    /// Looks for padding within the limit in a line that is longer, of which so many bytes are here.
    fn padding(&self, length: usize, is_whole: bool) -> Padding {
        let most = self.settings.line_bytes.saturating_add(PADDING);
        let line = self.buffer.get(self.start..self.start + length.min(most)).unwrap_or_default();
        match memmem::find(line, &[0; PADDING]) {
            Some(at) => Padding::At(self.start + at),
            None if is_whole || length >= most => Padding::None,
            None => Padding::Unknown,
        }
    }

    /// Reads the pieces of a line up to padding. All count as further pieces of the line, whatever follows.
    fn read_up_to(&mut self, end: usize, sink: &mut impl Sink) -> bool {
        let Some(plan) = self.plan(end, false) else { return false };
        self.done.accounting.split += self.carry_out(&plan, sink);
        self.advance(end, 0);
        true
    }

    /// Drops what is here of a line that is too long, at least so many bytes of it, and rejects it once it ends or
    /// padding begins; tells whether it did.
    fn drop_long_line(&mut self, least: usize, last: bool, sink: &mut impl Sink) -> bool {
        let rest = self.buffer.get(self.start..).unwrap_or_default();
        let behind = rest.get(least..).unwrap_or_default();
        let end = memchr2(b'\n', 0, behind).map(|at| least + at);
        let ends_line = end.is_none_or(|at| rest.get(at) == Some(&b'\n'));
        let length = end.unwrap_or(rest.len());
        let whole = self.dropped.unwrap_or(0) + length as u64;
        self.start += length;
        if end.is_none() && !last {
            self.dropped = Some(whole);
            return false;
        }
        self.dropped = None;
        let limit = self.settings.line_bytes;
        let reason = format!("a line of {whole} bytes is longer than the limit of {limit}");
        sink.reject(Reject { line: self.done.line + 1, byte: self.done.byte, len: whole, reason });
        self.done.byte += whole;
        self.done.accounting.rejected += 1;
        if ends_line {
            self.done.accounting.lines += 1;
            self.advance(self.start + usize::from(end.is_some()), 1);
        } else {
            self.done.accounting.split += 1;
        }
        true
    }

    /// Reads a line that is one record or blank; leaves every other to [`Reader::plan`].
    fn plain_line(&mut self, end: usize, terminated: bool, sink: &mut impl Sink) -> bool {
        let first = self.first_byte();
        let at = self.skip_white(first, end);
        if at < end {
            if self.buffer.get(at) != Some(&b'{') {
                return false;
            }
            let line = Line::to(&self.buffer, at, end);
            let Ok(stop) = self.decoder.scan(&self.buffer, at, line, self.settings.depth) else {
                return false;
            };
            if stop > end || self.skip_white(stop, end) < end || !self.emit(at, stop, 0, sink) {
                return false;
            }
        } else {
            self.done.accounting.blank += 1;
        }
        self.done.accounting.lines += 1;
        self.advance(end + usize::from(terminated), 1);
        true
    }

    fn advance(&mut self, to: usize, lines: u64) {
        self.done.byte += (to - self.start) as u64;
        self.done.line += lines;
        self.start = to;
    }

    /// Where the text of the line begins: behind a byte order mark at the start of the log.
    pub(super) fn first_byte(&self) -> usize {
        let rest = self.buffer.get(self.start..).unwrap_or_default();
        let bom = self.done.byte == 0 && rest.starts_with(BOM);
        self.start + if bom { BOM.len() } else { 0 }
    }

    pub(super) fn skip_white(&self, from: usize, end: usize) -> usize {
        let line = self.buffer.get(from..end).unwrap_or_default();
        from + line.iter().position(|b| !is_blank(*b)).unwrap_or(line.len())
    }

    /// Decodes the object scanned last; `false`, and nothing done, where it is no UTF-8.
    fn emit(&mut self, at: usize, end: usize, line: u64, sink: &mut impl Sink) -> bool {
        let bytes = self.buffer.get(at..end).unwrap_or_default();
        let Ok(source) = simdutf8::basic::from_utf8(bytes) else { return false };
        let byte = self.done.byte + (at - self.start) as u64;
        let span = Span { line: self.done.line + 1 + line, byte, len: bytes.len() as u64 };
        match self.decoder.decode(source, self.settings) {
            Ok(draft) => {
                sink.record(&draft, span);
                self.done.accounting.records += 1;
            }
            Err(NoRecord::Foreign(id)) => {
                sink.foreign(id);
                self.done.accounting.foreign += 1;
            }
            Err(NoRecord::Faulty(reason)) => {
                let Span { line, byte, len } = span;
                sink.reject(Reject { line, byte, len, reason });
                self.done.accounting.rejected += 1;
            }
        }
        true
    }

    /// Hands over the pieces of a plan; tells how many there are.
    fn carry_out(&mut self, plan: &Plan, sink: &mut impl Sink) -> u64 {
        let mut line = 0;
        let mut counted = self.start;
        let mut at = counted;
        for piece in &plan.pieces {
            let begin = match piece {
                Piece::Object(begin, _) | Piece::Reject(begin, ..) => *begin,
                Piece::Incomplete => at,
            };
            let between = self.buffer.get(counted..begin).unwrap_or_default();
            line += memchr_iter(b'\n', between).count() as u64;
            counted = begin;
            match *piece {
                Piece::Object(begin, end) => {
                    at = end;
                    // The end of the object is that of the last line that it can touch.
                    let first = Line::ending(self.line_end(begin, end));
                    if self.decoder.scan(&self.buffer, begin, first, self.settings.depth).is_ok() {
                        self.emit(begin, end, line, sink);
                    }
                }
                Piece::Reject(begin, end, why) => {
                    at = end;
                    self.reject(begin, end, line, why, sink);
                }
                Piece::Incomplete => self.done.accounting.incomplete += 1,
            }
        }
        plan.pieces.len() as u64
    }

    /// Counts the lines of a plan.
    fn end_line(&mut self, plan: &Plan) {
        let terminated = plan.end < self.buffer.len();
        let pieces = plan.pieces.len() as u64;
        let counts = &mut self.done.accounting;
        counts.lines += 1 + plan.joined;
        counts.joined += plan.joined;
        counts.split += u64::max(pieces, 1) - 1;
        counts.blank += u64::from(pieces == 0);
        self.advance(plan.end + usize::from(terminated), 1 + plan.joined);
    }

    /// Where the line that holds `at` ends, as far as an object up to `end` can tell.
    fn line_end(&self, at: usize, end: usize) -> usize {
        memchr(b'\n', self.buffer.get(at..end).unwrap_or_default()).map_or(end, |n| at + n)
    }

    fn reject(&mut self, at: usize, end: usize, line: u64, why: Why, sink: &mut impl Sink) {
        let bytes = self.buffer.get(at..end).unwrap_or_default();
        // What separates pieces, and nothing else: a form feed alone is a piece that is no record.
        let length = bytes.iter().rposition(|b| !is_blank(*b)).map_or(0, |i| i + 1);
        let (bytes, len) = (bytes.get(..length).unwrap_or_default(), length as u64);
        let offset = |i: usize| self.done.byte + i.saturating_sub(self.start) as u64;
        let reason = match why {
            _ if bytes.starts_with(b"\x1F\x8B") => "compressed data, not text".to_owned(),
            _ if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") => {
                "UTF-16 text; logs are UTF-8".to_owned()
            }
            _ if memchr(0, bytes).is_some() => "binary data: it holds NUL bytes".to_owned(),
            Why::Stop(Stop::End) => "a record that was never finished".to_owned(),
            Why::Stop(Stop::Bad(i, what)) => format!("{what} (byte {})", offset(i)),
            Why::NoObject if self.is_utf8(at, end) => "text that is not a record".to_owned(),
            Why::NoObject | Why::NotUtf8 => "text that is not UTF-8".to_owned(),
            Why::Swallows => {
                "a record that was never finished, with a whole one after it".to_owned()
            }
            Why::TooLong => {
                format!("a record longer than the limit of {} bytes", self.settings.line_bytes)
            }
        };
        sink.reject(Reject { line: self.done.line + 1 + line, byte: offset(at), len, reason });
        self.done.accounting.rejected += 1;
    }
}

#[cfg(test)]
mod tests;
