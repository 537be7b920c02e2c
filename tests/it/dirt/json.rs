//! A plain JSON parser for the reference: strict, slow, and it sees what others hide.
//!
//! `serde_json` loses digits of numbers, refuses `1e400` and lone surrogates, and keeps the last
//! of two keys; identity and the ambiguity rule need all of that.

/// A JSON value with its keys in order and its numbers as written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

/// A value, where it ends, and the two faults that are no faults of syntax.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) end: usize,
    pub(super) duplicate_key: bool,
    pub(super) lone_surrogate: bool,
    /// NaN or an infinity stands where a number belongs.
    pub(super) no_number: bool,
}

/// Reads the value that starts at `at`; `None` where none does, or one nested deeper than `depth`.
pub(super) fn value(bytes: &[u8], at: usize, depth: usize) -> Option<Parsed> {
    let mut parser = Parser::new(bytes, at, depth);
    let tree = parser.value(0)?;
    let Parser { at: end, duplicate_key, lone_surrogate, no_number, .. } = parser;
    Some(Parsed { tree, end, duplicate_key, lone_surrogate, no_number })
}

/// Tells whether an object starts at `at` that more bytes could still complete.
pub(super) fn open_object(bytes: &[u8], at: usize, depth: usize) -> bool {
    let mut parser = Parser::new(bytes, at, depth);
    parser.peek() == Some(b'{') && parser.value(0).is_none() && parser.ran_out
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    duplicate_key: bool,
    lone_surrogate: bool,
    no_number: bool,
    /// There were no more bytes where one was needed.
    ran_out: bool,
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8], at: usize, depth: usize) -> Self {
        let (duplicate_key, lone_surrogate, no_number, ran_out) = (false, false, false, false);
        Self { bytes, at, depth, duplicate_key, lone_surrogate, no_number, ran_out }
    }

    fn need(&mut self) -> Option<u8> {
        self.ran_out |= self.at >= self.bytes.len();
        self.peek()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.need()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    fn word(&mut self, word: &str, tree: Tree) -> Option<Tree> {
        word.bytes().try_for_each(|b| self.expect(b))?;
        Some(tree)
    }

    fn no_number(&mut self, word: &str) -> Option<Tree> {
        self.no_number = true;
        self.word(word, Tree::Null)
    }

    fn white(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn value(&mut self, inside: usize) -> Option<Tree> {
        match self.need()? {
            b'{' | b'[' if inside >= self.depth => None,
            b'{' => self.object(inside + 1),
            b'[' => self.array(inside + 1),
            b'"' => Some(Tree::Text(self.text()?)),
            b't' => self.word("true", Tree::Bool(true)),
            b'f' => self.word("false", Tree::Bool(false)),
            b'n' => self.word("null", Tree::Null),
            b'N' => self.no_number("NaN"),
            b'I' => self.no_number("Infinity"),
            b'-' if self.bytes.get(self.at + 1) == Some(&b'I') => self.no_number("-Infinity"),
            _ => self.number(),
        }
    }

    fn object(&mut self, inside: usize) -> Option<Tree> {
        self.expect(b'{')?;
        let mut fields: Vec<(String, Tree)> = Vec::new();
        self.white();
        if self.need()? == b'}' {
            self.at += 1;
            return Some(Tree::Object(fields));
        }
        loop {
            self.white();
            let key = self.text()?;
            self.white();
            self.expect(b':')?;
            self.white();
            let value = self.value(inside)?;
            self.duplicate_key |= fields.iter().any(|(k, _)| *k == key);
            fields.push((key, value));
            self.white();
            match self.next()? {
                b',' => {}
                b'}' => return Some(Tree::Object(fields)),
                _ => return None,
            }
        }
    }

    fn array(&mut self, inside: usize) -> Option<Tree> {
        self.expect(b'[')?;
        let mut items = Vec::new();
        self.white();
        if self.need()? == b']' {
            self.at += 1;
            return Some(Tree::Array(items));
        }
        loop {
            self.white();
            items.push(self.value(inside)?);
            self.white();
            match self.next()? {
                b',' => {}
                b']' => return Some(Tree::Array(items)),
                _ => return None,
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        self.expect(b'"')?;
        let mut out = Vec::new();
        loop {
            let Some(byte) = self.next() else {
                // A character may be cut, but one that is wrong stays wrong.
                self.ran_out =
                    std::str::from_utf8(&out).map_or_else(|e| e.error_len().is_none(), |_| true);
                return None;
            };
            match byte {
                b'"' => return String::from_utf8(out).ok(),
                b'\\' => {
                    let c = self.escape()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return None,
                byte => out.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        Some(match self.next()? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return None,
        })
    }

    /// A lone surrogate stands as U+FFFD and is remembered.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if let Some(c) = char::from_u32(first) {
            return Some(c);
        }
        let back = self.at;
        if first < 0xdc00 && self.peek() == Some(b'\\') {
            self.at += 1;
            if self.peek() == Some(b'u') {
                self.at += 1;
                let second = self.hex()?;
                if (0xdc00..0xe000).contains(&second) {
                    return char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
                }
            }
        }
        self.at = back;
        self.lone_surrogate = true;
        Some('\u{fffd}')
    }

    fn hex(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |n, _| Some(n * 16 + char::from(self.next()?).to_digit(16)?))
    }

    fn digits(&mut self) -> Option<()> {
        self.need().filter(u8::is_ascii_digit)?;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Some(())
    }

    fn number(&mut self) -> Option<Tree> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.need()? == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(Tree::Number(String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()))
    }
}

impl Tree {
    /// The field of that name, where this is an object that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// Tells whether this is an object with a field of that name.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The text of the field of that name, where it is text.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Self::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A form that is equal for equal contents and different for different ones.
    pub(super) fn canonical(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(b) => b.to_string(),
            Self::Number(raw) => decimal(raw),
            Self::Text(text) => quoted(text),
            Self::Array(items) => {
                let items: Vec<_> = items.iter().map(Self::canonical).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(fields) => {
                let mut fields: Vec<_> = fields
                    .iter()
                    .map(|(k, v)| format!("{}:{}", quoted(k), v.canonical()))
                    .collect();
                fields.sort();
                format!("{{{}}}", fields.join(","))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A number as its digits without zeros at either end, and the power of ten they are times.
fn decimal(raw: &str) -> String {
    let (mantissa, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let (whole, fraction) = mantissa
        .trim_start_matches('-')
        .split_once('.')
        .unwrap_or((mantissa.trim_start_matches('-'), ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return "0".to_owned();
    }
    let power = exponent.parse::<i128>().unwrap() - fraction.len() as i128
        + (digits.len() - significant.len()) as i128;
    format!("{sign}{}e{power}", significant.trim_start_matches('0'))
}
