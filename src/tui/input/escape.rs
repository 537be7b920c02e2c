//! One escape sequence of a terminal: how long it is, and which key it is.

use super::mouse::{self, Mouse};
use crate::tui::key::{Code, Key};

/// What the beginning of some bytes is. Lengths count from the first byte, the escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sequence {
    /// More bytes are needed to decide.
    Incomplete,
    /// A key.
    Key(usize, Key),
    /// The mouse.
    Mouse(usize, Mouse),
    /// Something that is no key: an answer of the terminal, a button or a key let go.
    Other(usize),
    /// Pasted text begins.
    PasteBegins(usize),
    /// A text for programs begins (OSC, DCS, APC, PM, SOS); it ends with BEL or ST.
    TextBegins(usize),
    /// Escape, and then a key that [`parse`] does not read: alt, or Esc and a key.
    Alone,
}

/// The most parameters that a key has, in bytes; a longer sequence is none.
const LONGEST: usize = 256;

/// Bytes of an unfinished sequence that are enough to know that it is no key.
pub(super) const LIMIT: usize = 2 + LONGEST + 1;

const ESC: u8 = 0x1b;

/// Reads the sequence at the beginning of bytes whose first is an escape.
pub(super) fn parse(bytes: &[u8]) -> Sequence {
    match bytes.get(1) {
        None => Sequence::Incomplete,
        Some(b'[') => csi(bytes),
        Some(b'O') => ss3(bytes),
        // Alt with one of these letters looks the same until something follows or does not.
        Some(b']' | b'P' | b'_' | b'^' | b'X') if bytes.len() == 2 => Sequence::Incomplete,
        Some(b']' | b'P' | b'_' | b'^' | b'X') => Sequence::TextBegins(2),
        Some(_) => Sequence::Alone,
    }
}

/// `ESC [`, parameters, intermediates, and a final byte.
fn csi(bytes: &[u8]) -> Sequence {
    let body = bytes.get(2..).unwrap_or_default();
    // The console of Linux names its first function keys with a second bracket.
    if let [b'[', rest @ ..] = body {
        return match rest.first() {
            None => Sequence::Incomplete,
            Some(c @ b'A'..=b'E') => Sequence::Key(4, Key::plain(Code::F(c - b'A' + 1))),
            Some(b' '..=b'~') => Sequence::Other(4),
            Some(_) => Sequence::Other(3),
        };
    }
    let end = body.iter().position(|b| !(0x20..=0x3f).contains(b));
    let Some(end) = end else { return Sequence::Incomplete };
    let (parameters, last) = (&body[..end], body[end]);
    if !(0x40..=0x7e).contains(&last) {
        // Cut off by another escape or a control character: that one is read on its own.
        return Sequence::Other(2 + end);
    }
    let length = 2 + end + 1;
    match (parameters, last) {
        (b"200", b'~') => Sequence::PasteBegins(length),
        // The old report of the mouse has three more bytes.
        (b"", b'M') if body.len() < 4 => Sequence::Incomplete,
        (b"", b'M') => Sequence::Other(length + 3),
        _ if end > LONGEST => Sequence::Other(length),
        ([b'<', ..], b'M' | b'm') => {
            let report = mouse::report(parameters, last);
            report.map_or(Sequence::Other(length), |mouse| Sequence::Mouse(length, mouse))
        }
        _ => key(parameters, last).map_or(Sequence::Other(length), |k| Sequence::Key(length, k)),
    }
}

/// `ESC O`, perhaps the modifiers, and a letter: the keys of the application mode.
fn ss3(bytes: &[u8]) -> Sequence {
    let body = bytes.get(2..).unwrap_or_default();
    let end = body.iter().position(|b| !matches!(b, b'0'..=b'9' | b';'));
    let Some(end) = end else { return Sequence::Incomplete };
    let (parameters, last) = (&body[..end], body[end]);
    if !(b' '..=b'~').contains(&last) {
        return Sequence::Other(2 + end);
    }
    let code = match last {
        b'A'..=b'D' | b'F' | b'H' | b'P'..=b'S' => letter(last),
        b'M' => Some(Code::Enter),
        // The number pad: `j` is `*`, and so on.
        b'j'..=b'y' => Some(Code::Char(char::from(last - 0x40))),
        b'X' => Some(Code::Char('=')),
        _ => None,
    };
    let length = 2 + end + 1;
    let held = std::str::from_utf8(parameters).ok().and_then(|text| text.split(';').next_back());
    match code {
        Some(code) if end <= LONGEST => {
            Sequence::Key(length, with_modifiers(code, modifiers(held).0))
        }
        _ => Sequence::Other(length),
    }
}

/// Whether bytes are a sequence by their beginning, and not Esc or alt and a key.
pub(super) fn is_begun(bytes: &[u8]) -> bool {
    matches!(bytes, [ESC, b'[' | b'O' | b']' | b'P' | b'_' | b'^' | b'X', ..])
}

/// Whether bytes go on where a sequence broke off.
pub(super) fn continues(opened: &[u8], rest: &[u8]) -> bool {
    match parse(&[opened, rest].concat()) {
        Sequence::Key(length, _)
        | Sequence::Mouse(length, _)
        | Sequence::Other(length)
        | Sequence::PasteBegins(length) => length > opened.len(),
        Sequence::Incomplete | Sequence::TextBegins(_) => true,
        Sequence::Alone => false,
    }
}

/// Whether bytes that come after a lone Esc look like what it began; `None` where the next byte
/// decides. A person also types these characters after Esc, but not two at once; and what
/// terminals send begins in few ways.
pub(super) fn follows_escape(bytes: &[u8]) -> Option<bool> {
    let (first, rest) = bytes.split_first()?;
    if !matches!(first, b'[' | b'O' | b']' | b'P' | b'_') {
        return Some(false);
    }
    let next = *rest.first()?;
    Some(match first {
        b'[' => (b' '..=b'~').contains(&next),
        b'O' => matches!(next, b'A'..=b'D' | b'F' | b'H' | b'M' | b'P'..=b'S' | b'0'..=b'9'),
        // A colour or the clipboard by its number; a title.
        b']' => next.is_ascii_digit() || matches!(next, b'l' | b'L'),
        b'P' => (b' '..=b'?').contains(&next),
        _ => next == b'G',
    })
}

/// The key of a whole sequence, `None` where it is none.
fn key(parameters: &[u8], last: u8) -> Option<Key> {
    let text = std::str::from_utf8(parameters).ok()?;
    if text.starts_with(['?', '<', '>', '=']) {
        return None;
    }
    let mut fields = text.split(';');
    let first = number(fields.next());
    let second = fields.next();
    let (code, held) = match last {
        // With a row and a column this is the answer to where the cursor is.
        b'R' if !text.is_empty() => return None,
        b'~' if first == Some(27) => (point(number(fields.next())?)?, second),
        b'~' => (numbered(first?)?, second),
        b'u' => (point(first?)?, second),
        b'Z' => (Code::BackTab, second),
        _ => (letter(last)?, second),
    };
    let (mask, event) = modifiers(held);
    // A key that is let go is no key.
    (event != 3).then(|| with_modifiers(code, mask))
}

fn with_modifiers(code: Code, mask: u32) -> Key {
    let bit = |bit: u32| mask & bit != 0;
    Key { code, ctrl: bit(4), alt: bit(2), shift: bit(1) }.normal()
}

fn number(field: Option<&str>) -> Option<u32> {
    // Alternates of a key follow after a colon.
    field?.split(':').next()?.parse().ok()
}

/// The modifiers as bits, and what happened: 1 pressed, 2 repeats, 3 let go.
fn modifiers(field: Option<&str>) -> (u32, u32) {
    let event = field.and_then(|f| f.split(':').nth(1)).and_then(|e| e.parse().ok());
    (number(field).unwrap_or(1).saturating_sub(1), event.unwrap_or(1))
}

fn letter(last: u8) -> Option<Code> {
    Some(match last {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'F' => Code::End,
        b'H' => Code::Home,
        b'P' => Code::F(1),
        b'Q' => Code::F(2),
        b'R' => Code::F(3),
        b'S' => Code::F(4),
        _ => return None,
    })
}

fn numbered(number: u32) -> Option<Code> {
    let gap = |first: u32, at: u32| u8::try_from(number - at + first).ok().map(Code::F);
    match number {
        1 | 7 => Some(Code::Home),
        2 => Some(Code::Insert),
        3 => Some(Code::Delete),
        4 | 8 => Some(Code::End),
        5 => Some(Code::PageUp),
        6 => Some(Code::PageDown),
        11..=15 => gap(1, 11),
        17..=21 => gap(6, 17),
        23..=24 => gap(11, 23),
        25..=26 => gap(13, 25),
        28..=29 => gap(15, 28),
        31..=34 => gap(17, 31),
        _ => None,
    }
}

/// A key that is named by its code point.
fn point(number: u32) -> Option<Code> {
    match number {
        9 => Some(Code::Tab),
        13 | 57414 => Some(Code::Enter),
        27 => Some(Code::Esc),
        8 | 127 => Some(Code::Backspace),
        // Private use: keys that have no character, such as shift itself.
        0xe000..=0xf8ff => None,
        _ => char::from_u32(number).filter(|c| !c.is_control()).map(Code::Char),
    }
}

/// The end of a text for programs, BEL or ST: its first byte after it, `None` where it is not there.
pub(super) fn text_end(bytes: &[u8]) -> Option<usize> {
    let at = bytes.iter().position(|b| *b == 0x07 || *b == ESC)?;
    match bytes.get(at..) {
        Some([0x07, ..]) => Some(at + 1),
        Some([ESC, b'\\', ..]) => Some(at + 2),
        Some([ESC]) | None => None,
        // Another sequence cuts it off.
        Some(_) => Some(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(bytes: &str, name: &str) {
        match parse(bytes.as_bytes()) {
            Sequence::Key(length, key) => {
                assert_eq!((length, key.to_string()), (bytes.len(), name.to_owned()));
            }
            other => panic!("{bytes:?}: {other:?}, not {name}"),
        }
    }

    #[test]
    fn keys_of_common_terminals_are_read() {
        let keys = [
            ("\x1b[A", "up"),
            ("\x1bOB", "down"),
            ("\x1b[1;5C", "ctrl-right"),
            ("\x1b[1;2D", "shift-left"),
            ("\x1b[H", "home"),
            ("\x1b[4~", "end"),
            ("\x1b[5~", "page-up"),
            ("\x1b[6;5~", "ctrl-page-down"),
            ("\x1b[Z", "shift-tab"),
            ("\x1b[3~", "delete"),
            ("\x1bOP", "f1"),
            ("\x1b[[A", "f1"),
            ("\x1b[15~", "f5"),
            ("\x1b[24~", "f12"),
            ("\x1b[97;5u", "ctrl-a"),
            ("\x1b[27u", "esc"),
            ("\x1b[9;2u", "shift-tab"),
            ("\x1b[103:71;2u", "G"),
            ("\x1b[27;5;13~", "ctrl-enter"),
            ("\x1b[1;1:2A", "up"),
            ("\x1bOM", "enter"),
            ("\x1bOj", "*"),
            ("\x1bO5P", "ctrl-f1"),
            ("\x1bO1;2A", "shift-up"),
        ];
        for (bytes, name) in keys {
            reads(bytes, name);
        }
    }

    #[test]
    fn replies_mouse_and_key_releases_are_not_keys() {
        for bytes in [
            "\x1b[12;40R",
            "\x1b[?62;1;6c",
            "\x1b[>0;276;0c",
            "\x1b[?2026;2$y",
            "\x1b[0n",
            "\x1b[I",
            "\x1b[<0;10;10m",
            "\x1b[<35;10;10M",
            "\x1b[M !!",
            "\x1b[97;1:3u",
            "\x1b[1;1:3A",
            "\x1b[57441;2u",
            "\x1b[8;24;80t",
            "\x1b[201~",
            "\x1b[[z",
            "\x1bOi",
            "\x1bO2z",
        ] {
            assert_eq!(parse(bytes.as_bytes()), Sequence::Other(bytes.len()), "{bytes:?}");
        }
    }

    #[test]
    fn every_beginning_of_a_sequence_is_incomplete() {
        for whole in ["\x1b[1;5C", "\x1bOB", "\x1b[200~", "\x1b[M !!", "\x1b[[A"] {
            for length in 1..whole.len() {
                let part = &whole.as_bytes()[..length];
                assert_eq!(parse(part), Sequence::Incomplete, "{part:?}");
            }
        }
    }

    #[test]
    fn noise_ends() {
        for introducer in ["\x1b[", "\x1bO"] {
            let endless = format!("{introducer}{}", "1;".repeat(200));
            assert_eq!(parse(endless.as_bytes()), Sequence::Incomplete);
            assert_eq!(parse(format!("{endless}A").as_bytes()), Sequence::Other(403));
        }
        assert_eq!(parse(b"\x1b[12\x1b[A"), Sequence::Other(4));
    }

    #[test]
    fn a_text_for_programs_ends_with_bel_or_st() {
        assert_eq!(parse(b"\x1b]11;rgb"), Sequence::TextBegins(2));
        assert_eq!(text_end(b"11;rgb\x07jj"), Some(7));
        assert_eq!(text_end(b"11;rgb\x1b\\jj"), Some(8));
        assert_eq!(text_end(b"11;rgb\x1b"), None);
        assert_eq!(text_end(b"11;rgb\x1b[A"), Some(6));
    }
}
