//! Checks one JSON value (RFC 8259) and lays it out as a flat list of nodes.

use super::cursor::{Cursor, Step};
pub(super) use super::cursor::{Line, Stop};
use super::expected_keys::ExpectedKeys;
use memchr::memchr2;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    /// Text without an escape: its bytes are its value.
    Plain,
    /// Text with at least one escape.
    Escaped,
    Number,
    True,
    False,
    Null,
}

/// A value, or the key of a member; a container's children follow it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// First byte, relative to the value's; of text, the one after the quote.
    pub(super) start: u32,
    /// One past the last byte; of text, the closing quote.
    pub(super) end: u32,
    /// Index of the node after this value and all inside it.
    pub(super) next: u32,
}

/// Reusable room for the nodes of one value.
#[derive(Debug, Default)]
pub(super) struct Tape {
    pub(super) nodes: Vec<Node>,
    /// A text of the value has half of a surrogate pair: valid JSON, but no Unicode.
    pub(super) lone_surrogate: bool,
    /// A value is NaN or infinite, as some programs write it: no JSON, but it tears nothing.
    pub(super) no_number: bool,
    pub(super) keys: ExpectedKeys,
    open: Vec<u32>,
}

impl Tape {
    /// Scans the value at `at`; gives the index after it. Newlines separate tokens like blanks.
    pub(super) fn scan(
        &mut self,
        bytes: &[u8],
        at: usize,
        line: Line,
        depth: usize,
    ) -> Step<usize> {
        self.nodes.clear();
        self.open.clear();
        self.keys.begin();
        self.no_number = false;
        let mut cursor = Cursor { bytes, at, base: at, line, lone_surrogate: false };
        loop {
            self.value(&mut cursor, depth)?;
            if self.after_value(&mut cursor)? {
                self.lone_surrogate = cursor.lone_surrogate;
                self.keys.end(bytes, at, &self.nodes);
                return Ok(cursor.at);
            }
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, start: start as u32, end: end as u32, next });
    }

    /// One scalar, or a container down to its first scalar or its emptiness.
    fn value(&mut self, c: &mut Cursor<'_>, depth: usize) -> Step {
        loop {
            let byte = c.token()?;
            // Most values are texts.
            if byte == b'"' {
                return self.text(c);
            }
            match byte {
                b'{' | b'[' => {
                    if self.open.len() >= depth {
                        return Err(Stop::Bad(c.at, "nesting is too deep"));
                    }
                    if self.open(c, byte)? {
                        return Ok(());
                    }
                }
                b'N' => return self.no_number(c, b"NaN"),
                b'I' => return self.no_number(c, b"Infinity"),
                b'-' if c.bytes.get(c.at + 1) == Some(&b'I') => {
                    return self.no_number(c, b"-Infinity");
                }
                b'-' | b'0'..=b'9' => {
                    let start = c.at;
                    c.number()?;
                    self.push(Kind::Number, start - c.base, c.at - c.base);
                    return Ok(());
                }
                b't' => return self.word(c, b"true", Kind::True),
                b'f' => return self.word(c, b"false", Kind::False),
                b'n' => return self.word(c, b"null", Kind::Null),
                _ => return Err(Stop::Bad(c.at, "a value was expected")),
            }
        }
    }

    /// Opens a container; tells whether it was empty and is closed again.
    fn open(&mut self, c: &mut Cursor<'_>, byte: u8) -> Step<bool> {
        let kind = if byte == b'{' { Kind::Object } else { Kind::Array };
        self.open.push(self.nodes.len() as u32);
        self.push(kind, c.at - c.base, 0);
        c.at += 1;
        let close = byte + 2;
        if c.token()? == close {
            self.close(c);
            return Ok(true);
        }
        if kind == Kind::Object {
            self.key(c)?;
        }
        Ok(false)
    }

    fn close(&mut self, c: &mut Cursor<'_>) {
        c.at += 1;
        let next = self.nodes.len() as u32;
        if let Some(node) = self.open.pop().and_then(|i| self.nodes.get_mut(i as usize)) {
            node.end = (c.at - c.base) as u32;
            node.next = next;
        }
    }

    fn key(&mut self, c: &mut Cursor<'_>) -> Step {
        if c.token()? != b'"' {
            return Err(Stop::Bad(c.at, "a key in quotes was expected"));
        }
        let start = c.at + 1;
        let rest = c.bytes.get(start..c.line.end).unwrap_or_default();
        if let Some(length) = self.keys.take(rest, self.open.len(), self.nodes.len()) {
            let end = start + length;
            self.push(Kind::Plain, start - c.base, end - c.base);
            c.at = end + 1;
        } else {
            self.text(c)?;
        }
        if c.token()? != b':' {
            return Err(Stop::Bad(c.at, "a colon was expected after the key"));
        }
        c.at += 1;
        Ok(())
    }

    /// Goes on behind a value; tells whether the outermost one is complete.
    fn after_value(&mut self, c: &mut Cursor<'_>) -> Step<bool> {
        loop {
            let Some(top) = self.open.last().and_then(|i| self.nodes.get(*i as usize)) else {
                return Ok(true);
            };
            let object = top.kind == Kind::Object;
            match c.token()? {
                b',' => {
                    c.at += 1;
                    if object {
                        self.key(c)?;
                    }
                    return Ok(false);
                }
                b'}' if object => self.close(c),
                b']' if !object => self.close(c),
                _ => return Err(Stop::Bad(c.at, "a comma or a closing bracket was expected")),
            }
        }
    }

    fn text(&mut self, c: &mut Cursor<'_>) -> Step {
        let start = c.at + 1;
        c.at = start;
        let mut kind = Kind::Plain;
        loop {
            let rest = c.bytes.get(c.at..c.line.end).unwrap_or_default();
            let found = mark(rest);
            // Also where the text does not end yet: what follows later changes nothing of it.
            let here = rest.iter().take(found.unwrap_or(rest.len()));
            if !c.line.clean
                && let Some(bad) = here.into_iter().position(|b| *b < 0x20)
            {
                return Err(Stop::Bad(c.at + bad, "a raw control character inside a text"));
            }
            let Some(found) = found else {
                return Err(c.cut("the line ends inside a text"));
            };
            c.at += found;
            if rest.get(found) == Some(&b'"') {
                break;
            }
            kind = Kind::Escaped;
            c.escape()?;
        }
        self.push(kind, start - c.base, c.at - c.base);
        c.at += 1;
        Ok(())
    }

    fn no_number(&mut self, c: &mut Cursor<'_>, word: &[u8]) -> Step {
        self.no_number = true;
        self.word(c, word, Kind::Null)
    }

    fn word(&mut self, c: &mut Cursor<'_>, word: &[u8], kind: Kind) -> Step {
        let rest = c.bytes.get(c.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.push(kind, c.at - c.base, c.at - c.base + word.len());
            c.at += word.len();
            return Ok(());
        }
        Err(if word.starts_with(rest) { Stop::End } else { Stop::Bad(c.at, "no known word") })
    }
}

/// Bytes of a text that are looked at without a call: most are no longer.
const SHORT: usize = 32;

/// Where the first quote or backslash is.
fn mark(text: &[u8]) -> Option<usize> {
    // Sets the highest bit of the lowest byte that is `byte`, and maybe those of bytes above it.
    let places = |word: u64, byte: u8| {
        let zero = word ^ u64::from_ne_bytes([byte; 8]);
        zero.wrapping_sub(u64::from_ne_bytes([1; 8])) & !zero & u64::from_ne_bytes([0x80; 8])
    };
    let (words, _) = text.get(..SHORT).unwrap_or(text).as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = places(word, b'"') | places(word, b'\\');
        if found != 0 {
            return Some(i * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let from = words.len() * 8;
    memchr2(b'"', b'\\', text.get(from..)?).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scan(text: &[u8]) -> Result<usize, Stop> {
        let mut tape = Tape::default();
        let end = tape.scan(text, 0, Line::at(text, 0), 128)?;
        if tape.no_number { Err(Stop::Bad(end, "no number")) } else { Ok(end) }
    }

    #[test]
    fn a_prefix_of_a_value_ends_and_never_errs() {
        let text = br#"{"a":[1.5e-3,true,null,{"b\u00e9\ud83d\ude00":"x\\"}],"c":-0}"#;
        for cut in 0..text.len() {
            let got = scan(&text[..cut]);
            assert_eq!(got, Err(Stop::End), "cut at {cut}");
        }
        assert_eq!(scan(text), Ok(text.len()));
    }

    #[test]
    fn a_text_never_runs_over_a_line() {
        assert_eq!(scan(b"{\"a\":\"x\ny\"}"), Err(Stop::Bad(7, "the line ends inside a text")));
        assert_eq!(scan(b"{\"a\":\n1\n}\n"), Ok(9));
    }

    #[test]
    fn depth_is_bounded_without_recursion() {
        let deep = "[".repeat(100_000);
        assert_eq!(scan(deep.as_bytes()), Err(Stop::Bad(128, "nesting is too deep")));
    }

    fn json() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            any::<bool>().prop_map(|b| b.to_string()),
            any::<i64>().prop_map(|n| n.to_string()),
            any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(|f| format!("{f:e}")),
            any::<String>().prop_map(|s| serde_json::Value::from(s).to_string()),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5)
                    .prop_map(|v| format!("[{}]", v.join(" ,"))),
                proptest::collection::vec((any::<String>(), inner), 0..5).prop_map(|v| {
                    let members: Vec<_> = v
                        .into_iter()
                        .map(|(k, v)| format!("{}: {v}", serde_json::Value::from(k)))
                        .collect();
                    format!("{{{}}}", members.join(",\n"))
                }),
            ]
        })
    }

    proptest! {
        /// Whatever one byte is changed, both readers agree on whether the whole is JSON.
        #[test]
        fn agrees_with_serde_json(text in json(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = text.into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let ours = scan(&bytes).is_ok_and(|end| bytes[end..].iter().all(|b| b" \t\r\n".contains(b)))
                && std::str::from_utf8(&bytes).is_ok();
            let theirs = serde_json::from_slice::<Box<serde_json::value::RawValue>>(&bytes).is_ok();
            prop_assert!(ours == theirs, "{:?}", String::from_utf8_lossy(&bytes));
        }
    }
}
