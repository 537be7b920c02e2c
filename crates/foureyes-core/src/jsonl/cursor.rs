//! Where the scanner is in the bytes, and what it takes from there.

use memchr::memchr;

/// Why no value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The bytes end inside the value.
    End,
    /// This is no JSON, at that index of the bytes.
    Bad(usize, &'static str),
}

/// A result of the scanner.
pub(super) type Step<T = ()> = Result<T, Stop>;

/// What is known of the line in which a value begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// Its newline, or the end of the bytes.
    pub(super) end: usize,
    /// It holds no control character.
    pub(super) clean: bool,
}

impl Line {
    /// Looks at the line of `bytes` from `at` on.
    pub(super) fn at(bytes: &[u8], at: usize) -> Self {
        let rest = bytes.get(at..).unwrap_or_default();
        Self::to(bytes, at, at + memchr(b'\n', rest).unwrap_or(rest.len()))
    }

    /// Looks at it up to its end.
    pub(super) fn to(bytes: &[u8], at: usize, end: usize) -> Self {
        Self { end, clean: !has_control(bytes.get(at..end).unwrap_or_default()) }
    }

    /// A line of which only the end is known: each of its texts is looked through when it is met,
    /// so that many values on one line cost no more than one look each.
    pub(super) fn ending(end: usize) -> Self {
        Self { end, clean: false }
    }
}

fn has_control(bytes: &[u8]) -> bool {
    // No early return: the compiler makes wide compares of it.
    bytes.iter().fold(false, |any, b| any | (*b < 0x20))
}

/// Where the scanner is.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) base: usize,
    pub(super) line: Line,
    pub(super) lone_surrogate: bool,
}

impl Cursor<'_> {
    /// Skips white space; gives the byte of the next token without taking it.
    #[inline]
    pub(super) fn token(&mut self) -> Step<u8> {
        match self.bytes.get(self.at) {
            Some(byte) if *byte > b' ' => Ok(*byte),
            _ => self.behind_blanks(),
        }
    }

    fn behind_blanks(&mut self) -> Step<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'\n') => {
                    self.at += 1;
                    self.line = Line::at(self.bytes, self.at);
                }
                Some(byte) => return Ok(*byte),
                None => return Err(Stop::End),
            }
        }
    }

    /// What it means that a line ends too early: more may come where the bytes end with it.
    pub(super) fn cut(&self, what: &'static str) -> Stop {
        if self.line.end == self.bytes.len() { Stop::End } else { Stop::Bad(self.line.end, what) }
    }

    pub(super) fn escape(&mut self) -> Step {
        let start = self.at;
        match self.bytes.get(start + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let unit = self.unit()?;
                let behind = self.at;
                let paired = (0xD800..0xDC00).contains(&unit)
                    && self.bytes.get(behind..behind + 2) == Some(b"\\u")
                    && self.unit().is_ok_and(|low| (0xDC00..0xE000).contains(&low));
                if !paired {
                    // What stands behind half a pair is an escape of its own.
                    self.at = behind;
                    self.lone_surrogate |= (0xD800..0xE000).contains(&unit);
                }
            }
            Some(_) => return Err(Stop::Bad(start, "an unknown escape")),
            None => return Err(Stop::End),
        }
        Ok(())
    }

    /// Reads the escape of four hexadecimal digits here.
    fn unit(&mut self) -> Step<u32> {
        let mut unit = 0;
        for i in 2..6 {
            let Some(byte) = self.bytes.get(self.at + i) else { return Err(Stop::End) };
            let Some(digit) = char::from(*byte).to_digit(16) else {
                return Err(Stop::Bad(self.at + i, "four hexadecimal digits were expected"));
            };
            unit = unit << 4 | digit;
        }
        self.at += 6;
        Ok(unit)
    }

    fn digits(&mut self) -> Step {
        let from = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        match (self.at > from, self.bytes.get(self.at)) {
            (true, _) => Ok(()),
            (false, None) => Err(Stop::End),
            (false, Some(_)) => Err(Stop::Bad(self.at, "a digit was expected")),
        }
    }

    pub(super) fn number(&mut self) -> Step {
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }
}
