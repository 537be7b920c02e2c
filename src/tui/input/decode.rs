//! Bytes from the terminal to keys and pasted text, in whatever pieces they come.

use super::escape::{self, Sequence};
use super::{Mouse, PASTE_LIMIT, Paste};
use crate::tui::key::{Code, Key};
use std::time::Duration;

/// What some bytes were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A key.
    Key(Key),
    /// The mouse.
    Mouse(Mouse),
    /// Text between the terminal's own marks of a paste.
    Paste(Paste),
}

/// Understands bytes as they come; it keeps what is not yet whole.
///
/// It has no clock: whoever feeds it waits as long as [`Decoder::wait`] says, and calls
/// [`Decoder::settle`] where nothing came. So a process that was not scheduled for a while takes
/// bytes that wait for it as if they had come in time.
#[derive(Debug, Default)]
pub struct Decoder {
    state: State,
    pending: Vec<u8>,
    paste: Vec<u8>,
    cut: u64,
    /// The bytes of what broke off, which its rest would complete.
    opened: Vec<u8>,
    /// What is read now is the rest of what broke off.
    late: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Keys,
    Paste,
    /// Inside a text for programs, which nobody here asked for.
    Text,
    /// Nothing is open, but the rest of what broke off may still come.
    Broken(Broken),
}

/// What broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Broken {
    /// An Esc alone. It was a key, unless what follows shows that it began a sequence.
    Escape,
    /// A sequence, which was dropped.
    Sequence,
    /// A text for programs, which was dropped.
    Text,
    /// Pasted text, which was delivered.
    Paste,
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

/// A lone Esc is distinguished from the beginning of a sequence by this much silence, and a typed
/// character from the rest of one.
const ESC_WAIT: Duration = Duration::from_millis(30);

/// A sequence or a text for programs that breaks off is dropped after this much silence: no
/// terminal pauses in the middle of one, but a connection does.
const SEQUENCE_WAIT: Duration = Duration::from_millis(500);

/// A paste that breaks off is over after this much silence.
const PASTE_WAIT: Duration = Duration::from_secs(2);

/// What follows a lone Esc within this time may be what it began.
const ESC_REST: Duration = SEQUENCE_WAIT.saturating_sub(ESC_WAIT);

/// The rest of anything else that broke off is waited for so long.
const REST: Duration = Duration::from_secs(2);

impl Decoder {
    /// Takes bytes, and gives what they complete.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Token>) {
        self.pending.extend_from_slice(bytes);
        if let State::Broken(what) = self.state {
            match self.is_rest(what) {
                Some(true) => self.go_on(what),
                Some(false) => self.forget(),
                None => return,
            }
        }
        self.read(out);
    }

    fn read(&mut self, out: &mut Vec<Token>) {
        while !self.pending.is_empty() {
            let before = self.state;
            let used = match before {
                State::Keys => self.keys(out),
                State::Paste => self.pasted(out),
                State::Text => self.text(),
                State::Broken(_) => 0,
            };
            if used == 0 && self.state == before {
                break;
            }
            self.pending.drain(..used);
        }
        if self.state == State::Keys {
            // However long it becomes, it is dropped.
            self.pending.truncate(escape::LIMIT);
        }
    }

    /// How long to wait for more bytes before [`Decoder::settle`]; `None` where nothing is open.
    pub fn wait(&self) -> Option<Duration> {
        match self.state {
            State::Keys if self.pending.is_empty() => None,
            State::Keys if escape::is_begun(&self.pending) => Some(SEQUENCE_WAIT),
            State::Keys => Some(ESC_WAIT),
            State::Paste => Some(PASTE_WAIT),
            State::Text => Some(SEQUENCE_WAIT),
            State::Broken(Broken::Escape) if self.pending.is_empty() => Some(ESC_REST),
            State::Broken(_) if self.pending.is_empty() => Some(REST),
            // Brackets are no actions, letters are: only these must not be slow after Esc.
            State::Broken(Broken::Escape) if matches!(self.pending[..], [b'[' | b']']) => {
                Some(SEQUENCE_WAIT)
            }
            State::Broken(_) => Some(ESC_WAIT),
        }
    }

    /// Nothing more came: what is open is taken for what it is so far. It may be called again where
    /// [`Decoder::wait`] still waits.
    pub fn settle(&mut self, out: &mut Vec<Token>) {
        self.late = false;
        match self.state {
            State::Paste => {
                out.push(self.finish());
                self.give_up(Broken::Paste);
            }
            State::Text => self.give_up(Broken::Text),
            State::Keys if escape::is_begun(&self.pending) => self.give_up(Broken::Sequence),
            State::Keys => {
                let escaped = self.pending.first() == Some(&ESC);
                out.extend(escaped.then(|| Token::Key(Key::plain(Code::Esc))));
                if self.pending == [ESC] {
                    self.give_up(Broken::Escape);
                }
                self.pending.clear();
            }
            // No rest came, or one character: that was typed.
            State::Broken(_) => {
                self.forget();
                self.read(out);
            }
        }
    }

    fn give_up(&mut self, what: Broken) {
        self.opened = std::mem::take(&mut self.pending);
        self.state = State::Broken(what);
    }

    fn forget(&mut self) {
        self.opened.clear();
        self.state = State::Keys;
    }

    /// Takes what is pending for the rest of what broke off.
    fn go_on(&mut self, what: Broken) {
        let opened = std::mem::take(&mut self.opened);
        self.pending.splice(..0, opened);
        self.late = matches!(what, Broken::Sequence | Broken::Paste);
        self.state = match what {
            Broken::Escape | Broken::Sequence => State::Keys,
            Broken::Text => State::Text,
            Broken::Paste => State::Paste,
        };
    }

    /// Whether what is pending is the rest of what broke off; `None` where more bytes decide.
    ///
    /// A hand presses one key at a time, so a single character is typed unless more follow at once.
    fn is_rest(&self, what: Broken) -> Option<bool> {
        let rest = &self.pending[..];
        match (what, rest) {
            (_, []) => None,
            (Broken::Escape, _) => escape::follows_escape(rest),
            (Broken::Text, [0x07, ..] | [ESC, b'\\', ..]) => Some(true),
            (Broken::Text, [b'\\', ..]) if self.opened == [ESC] => Some(true),
            // The end of a text for programs, or Esc.
            (Broken::Text, [ESC]) => None,
            (Broken::Paste, [ESC, ..]) => Some(rest.starts_with(PASTE_END)),
            (_, [ESC, ..]) => Some(false),
            _ if is_one_character(rest) => None,
            (Broken::Sequence, _) => Some(escape::continues(&self.opened, rest)),
            (Broken::Text | Broken::Paste, _) => Some(true),
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
                    // The rest of what was dropped is dropped too, whatever key it would be.
                    if !self.late {
                        out.push(Token::Key(key));
                    }
                    at += length;
                }
                Sequence::Mouse(length, mouse) => {
                    out.extend((!self.late).then_some(Token::Mouse(mouse)));
                    at += length;
                }
                Sequence::Other(length) => at += length,
                Sequence::PasteBegins(length) => {
                    self.state = State::Paste;
                    at += length;
                }
                Sequence::TextBegins(length) => {
                    self.state = State::Text;
                    at += length;
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
            self.late = false;
            if self.state != State::Keys {
                break;
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
                // Of a paste that broke off, only the mark may have been missing.
                if !(std::mem::take(&mut self.late) && self.paste.is_empty()) {
                    out.push(self.finish());
                }
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

/// Whether bytes are one character at most.
fn is_one_character(bytes: &[u8]) -> bool {
    match single(bytes) {
        Single::Incomplete => true,
        Single::Key(length, _) | Single::Skip(length) => length == bytes.len(),
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
