//! Which pieces a line is made of, and which records run on over it.

use super::lines::Reader;
use super::scan::{Line, Stop};
use memchr::{memchr, memchr_iter, memrchr};

/// More bytes than the scanner must see from the place of a fault on to tell that it is one.
const LOOK_AHEAD: usize = 8;

/// What to do with a part of the buffer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece {
    Object(usize, usize),
    Reject(usize, usize, Why),
    Incomplete,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Why {
    Stop(Stop),
    NoObject,
    /// It would take in a record that stands whole on a line of its own.
    Swallows,
    TooLong,
    NotUtf8,
}

/// The pieces of a line and of those that a record on it runs on over.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) pieces: Vec<Piece>,
    pub(super) joined: u64,
    /// One past the last byte, the newline not counted.
    pub(super) end: usize,
}

/// What stands at a place where an object may begin.
enum Whole {
    /// An object that ends before the first index, on a line that ends at the second.
    Until(usize, usize),
    /// It may still become one.
    Wait,
    /// None.
    No(Why),
}

impl Reader<'_> {
    /// Finds the pieces from the present line on; `None` where more bytes are needed to tell.
    pub(super) fn plan(&mut self, end: usize, last: bool) -> Option<Plan> {
        let mut plan = Plan { end, ..Plan::default() };
        let mut at = self.skip_white(self.first_byte(), end);
        while at < plan.end {
            let why = match self.object(at, plan.end, last) {
                Whole::Until(stop, line_end) => {
                    if line_end > plan.end {
                        let object = self.buffer.get(at..stop).unwrap_or_default();
                        plan.joined += memchr_iter(b'\n', object).count() as u64;
                        plan.end = line_end;
                    }
                    plan.pieces.push(Piece::Object(at, stop));
                    at = self.skip_white(stop, plan.end);
                    continue;
                }
                Whole::Wait => return None,
                Whole::No(why) => why,
            };
            let open_end = last && plan.end == self.buffer.len();
            let begun = open_end && matches!(why, Why::Stop(Stop::End));
            let next = if begun { None } else { self.next_object(at, plan.end) };
            let stop = next.unwrap_or(plan.end);
            plan.pieces.push(match next {
                None if open_end => Piece::Incomplete,
                _ => Piece::Reject(at, stop, why),
            });
            at = stop;
        }
        Some(plan)
    }

    /// Looks for a whole object at `at`, on the line that ends at `end` or running on over it.
    fn object(&mut self, at: usize, end: usize, last: bool) -> Whole {
        if self.buffer.get(at) != Some(&b'{') {
            return Whole::No(Why::NoObject);
        }
        let limit = self.settings.line_bytes;
        // A fault within the limit is told as such however the bytes come: those are awaited that it
        // takes to see one.
        let known = self.buffer.len().saturating_sub(if last { 0 } else { LOOK_AHEAD });
        let too_long = |stop: usize| stop.saturating_sub(at) > limit;
        match self.decoder.scan(&self.buffer, at, Line::ending(end), self.settings.depth) {
            Ok(stop) if stop <= end && self.is_utf8(at, stop) => Whole::Until(stop, end),
            Ok(stop) | Err(Stop::Bad(stop, _)) if too_long(stop) => Whole::No(Why::TooLong),
            Ok(stop) if !self.is_utf8(at, stop) => Whole::No(Why::NotUtf8),
            Ok(stop) => self.joined(end, stop, last),
            Err(Stop::End) if too_long(known) => Whole::No(Why::TooLong),
            Err(Stop::End) if !last => Whole::Wait,
            Err(stop) => Whole::No(Why::Stop(stop)),
        }
    }

    /// Takes an object that runs on over the line that ends at `end`, where it may.
    fn joined(&mut self, end: usize, stop: usize, last: bool) -> Whole {
        if self.swallows(end + 1, stop) {
            return Whole::No(Why::Swallows);
        }
        let before = self.buffer.get(..stop).unwrap_or_default();
        let line = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let rest = self.buffer.get(stop..).unwrap_or_default();
        let newline = memchr(b'\n', rest);
        let line_end = stop + newline.unwrap_or(rest.len());
        if line_end - line > self.settings.line_bytes {
            return Whole::No(Why::TooLong);
        }
        if newline.is_none() && !last { Whole::Wait } else { Whole::Until(stop, line_end) }
    }

    pub(super) fn is_utf8(&self, at: usize, end: usize) -> bool {
        self.buffer.get(at..end).is_some_and(|b| std::str::from_utf8(b).is_ok())
    }

    /// Whether one of the lines in the span is a record by itself.
    fn swallows(&mut self, from: usize, to: usize) -> bool {
        let mut at = from;
        while at < to {
            let rest = self.buffer.get(at..).unwrap_or_default();
            let line = at + memchr(b'\n', rest).unwrap_or(rest.len());
            let begin = self.skip_white(at, line);
            if self.is_record(begin, line).is_some_and(|stop| self.skip_white(stop, line) == line) {
                return true;
            }
            at = line + 1;
        }
        false
    }

    /// The end of a whole object at `at` that is enough of a record to be taken out of damage.
    fn is_record(&mut self, at: usize, end: usize) -> Option<usize> {
        let line = self.buffer.get(..end).unwrap_or_default();
        if line.get(at) != Some(&b'{') {
            return None;
        }
        let stop = self.decoder.scan(line, at, Line::ending(end), self.settings.depth).ok()?;
        self.decoder.qualifies(line.get(at..stop)?).then_some(stop)
    }

    /// The next whole record behind a torn head on the same line.
    fn next_object(&mut self, at: usize, end: usize) -> Option<usize> {
        let line = self.buffer.get(at..end)?;
        // A line made to be scanned from every bracket must not cost more than a few passes.
        let mut budget = 64 * line.len();
        let mut from = at + 1;
        loop {
            let found = from + memchr(b'{', self.buffer.get(from..end)?)?;
            if self.is_record(found, end).is_some() {
                return Some(found);
            }
            budget = budget.checked_sub(self.decoder.scanned(found, end))?;
            from = found + 1;
        }
    }
}
