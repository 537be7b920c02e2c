//! Bytes from the terminal to keys and pasted text, in whatever pieces they come.

use super::escape::{self, Sequence};
use super::{PASTE_LIMIT, Paste};
use crate::tui::key::{Code, Key};
use std::time::Duration;

/// What some bytes were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A key.
    Key(Key),
    /// Text between the terminal's own marks of a paste.
    Paste(Paste),
}

/// Understands bytes as they come; it keeps what is not yet whole.
#[derive(Debug, Default)]
pub struct Decoder {
    state: State,
    pending: Vec<u8>,
    paste: Vec<u8>,
    cut: u64,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Keys,
    Paste,
    /// Inside a text for programs, which nobody here asked for.
    Text,
}

/// What the first bytes are, where they begin with no escape.
enum Single {
    Incomplete,
    Key(usize, Key),
    Skip(usize),
}

const ESC: u8 = 0x1b;

/// The mark that ends a paste.
const PASTE_END: &[u8] = b"\x1b[201~";

/// A lone Esc is distinguished from the beginning of a sequence by this much silence.
const ESC_WAIT: Duration = Duration::from_millis(30);

/// A text for programs that breaks off is over after this much silence.
const TEXT_WAIT: Duration = Duration::from_millis(150);

/// A paste that breaks off is over after this much silence.
const PASTE_WAIT: Duration = Duration::from_secs(2);

impl Decoder {
    /// Takes bytes, and gives what they complete.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Token>) {
        self.pending.extend_from_slice(bytes);
        while !self.pending.is_empty() {
            let before = self.state;
            let used = match before {
                State::Keys => self.keys(out),
                State::Paste => self.pasted(out),
                State::Text => self.text(),
            };
            if used == 0 && self.state == before {
                return;
            }
            self.pending.drain(..used);
        }
    }

    /// How long to wait for more bytes before [`Decoder::settle`]; `None` where nothing is open.
    pub fn wait(&self) -> Option<Duration> {
        match self.state {
            State::Keys if self.pending.is_empty() => None,
            State::Keys => Some(ESC_WAIT),
            State::Paste => Some(PASTE_WAIT),
            State::Text => Some(TEXT_WAIT),
        }
    }

    /// Nothing more came: what is open is taken for what it is so far.
    pub fn settle(&mut self, out: &mut Vec<Token>) {
        let pending = std::mem::take(&mut self.pending);
        match std::mem::take(&mut self.state) {
            State::Paste => {
                self.keep(&pending);
                out.push(self.finish());
            }
            State::Text => {}
            State::Keys => out.extend(lone(&pending).map(Token::Key)),
        }
    }

    /// Reads keys until something else begins; gives the number of bytes that are done with.
    fn keys(&mut self, out: &mut Vec<Token>) -> usize {
        let mut at = 0;
        while let Some(first) = self.pending.get(at) {
            let rest = &self.pending[at..];
            let step = if *first == ESC { escape::parse(rest) } else { plain(rest) };
            match step {
                Sequence::Incomplete => break,
                Sequence::Key(length, key) => {
                    out.push(Token::Key(key));
                    at += length;
                }
                Sequence::Other(length) => at += length,
                Sequence::PasteBegins(length) => {
                    self.state = State::Paste;
                    return at + length;
                }
                Sequence::TextBegins(length) => {
                    self.state = State::Text;
                    return at + length;
                }
                Sequence::Alone => match single(&rest[1..]) {
                    Single::Incomplete => break,
                    Single::Key(length, key) if key.code != Code::Esc => {
                        out.push(Token::Key(key.with_alt()));
                        at += 1 + length;
                    }
                    // Esc, and then another sequence or noise.
                    Single::Key(..) | Single::Skip(_) => {
                        out.push(Token::Key(Key::plain(Code::Esc)));
                        at += 1;
                    }
                },
            }
        }
        at
    }

    /// Takes pasted text up to its end mark.
    fn pasted(&mut self, out: &mut Vec<Token>) -> usize {
        let pending = std::mem::take(&mut self.pending);
        let used = match memchr::memmem::find(&pending, PASTE_END) {
            Some(at) => {
                self.keep(&pending[..at]);
                out.push(self.finish());
                self.state = State::Keys;
                at + PASTE_END.len()
            }
            None => {
                // The end mark may be cut in two.
                let open = (1..PASTE_END.len()).rev().find(|n| pending.ends_with(&PASTE_END[..*n]));
                let used = pending.len() - open.unwrap_or(0);
                self.keep(&pending[..used]);
                used
            }
        };
        self.pending = pending;
        used
    }

    fn text(&mut self) -> usize {
        match escape::text_end(&self.pending) {
            Some(end) => {
                self.state = State::Keys;
                end
            }
            None => self.pending.len() - usize::from(self.pending.ends_with(&[ESC])),
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = PASTE_LIMIT.saturating_sub(self.paste.len()).min(bytes.len());
        self.paste.extend_from_slice(&bytes[..room]);
        self.cut += (bytes.len() - room) as u64;
    }

    fn finish(&mut self) -> Token {
        let bytes = std::mem::take(&mut self.paste);
        let mut cut = std::mem::take(&mut self.cut);
        let whole = if cut > 0 { whole_characters(&bytes) } else { bytes.len() };
        cut += (bytes.len() - whole) as u64;
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        Token::Paste(Paste { text, cut, burst: false })
    }
}

/// The length without a character that is cut at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    let start = (tail..bytes.len()).find(|at| bytes[*at] & 0xc0 != 0x80).unwrap_or(tail);
    match std::str::from_utf8(&bytes[start..]) {
        Err(error) if error.error_len().is_none() => start + error.valid_up_to(),
        _ => bytes.len(),
    }
}

fn plain(bytes: &[u8]) -> Sequence {
    match single(bytes) {
        Single::Incomplete => Sequence::Incomplete,
        Single::Key(length, key) => Sequence::Key(length, key),
        Single::Skip(length) => Sequence::Other(length),
    }
}

/// The key of one byte or one character.
fn single(bytes: &[u8]) -> Single {
    let Some(first) = bytes.first().copied() else { return Single::Incomplete };
    let key = match first {
        0 => Key::ctrl(' '),
        0x08 | 0x7f => Key::plain(Code::Backspace),
        0x09 => Key::plain(Code::Tab),
        0x0d => Key::plain(Code::Enter),
        ESC => Key::plain(Code::Esc),
        0x01..=0x1a => Key::ctrl(char::from(first - 1 + b'a')),
        0x1c..=0x1f => Key::ctrl(char::from(first + 0x40)),
        b' '..=b'~' => Key::char(char::from(first)),
        _ => return character(bytes),
    };
    Single::Key(1, key)
}

/// A character of several bytes.
fn character(bytes: &[u8]) -> Single {
    let part = &bytes[..bytes.len().min(4)];
    let (valid, error) = match std::str::from_utf8(part) {
        Ok(text) => (text, None),
        Err(error) => {
            let text = std::str::from_utf8(&part[..error.valid_up_to()]).unwrap_or_default();
            (text, Some(error))
        }
    };
    match (valid.chars().next(), error) {
        (Some(c), _) if c.is_control() => Single::Skip(c.len_utf8()),
        (Some(c), _) => Single::Key(c.len_utf8(), Key::char(c)),
        (None, Some(error)) => error.error_len().map_or(Single::Incomplete, Single::Skip),
        (None, None) => Single::Incomplete,
    }
}

/// The keys of a sequence that got no further: Esc, or alt and a key. Anything longer is noise.
fn lone(bytes: &[u8]) -> Option<Key> {
    match bytes {
        [ESC] => Some(Key::plain(Code::Esc)),
        [ESC, second] => match single(&[*second]) {
            Single::Key(_, key) => Some(key.with_alt()),
            _ => Some(Key::plain(Code::Esc)),
        },
        _ => None,
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
