//! What a judge can read of a file: its text, or that it is none.
//!
//! Whatever is no text is never GO, wherever a content comes from, so this is the one place that says what is
//! none: by the signatures of `signatures`, by the form of pointers and ciphers that are written in letters,
//! and by NUL bytes. A text that only begins like one of them, or is about them, is a text.

mod armour;
mod blank;
mod signatures;
mod sops;
mod wide;

use std::borrow::Cow;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// What is said of a file that is not here.
const NOT_HERE: &str = "not in this clone";
/// What is said of data of no known kind.
const BINARY: &str = "binary data";
/// What is said of a text with NUL bytes.
const NULS: &str = "a text with NUL bytes";
/// Most bytes of a note in place of, or behind, what was read of a file.
const MOST_NOTE: usize = 160;

/// What a judge can read of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Legibility<'a> {
    /// All of it, in UTF-8 or in an encoding that is shown as it is.
    Text(Cow<'a, [u8]>),
    /// It is empty, or only has characters that show nothing.
    Blank,
    /// Some of it. It is shown as it is, and its words for "it is …" say why there is no GO.
    Partly(Cow<'a, [u8]>, &'static str),
    /// Nothing. The words for "it is …" say why.
    None(&'static str),
}

impl<'a> Legibility<'a> {
    /// Looks at the bytes of a file, or at as many as were read, with the note of [`cut_note`] behind them.
    pub fn of(bytes: &'a [u8]) -> Self {
        if is_not_here(bytes) {
            return Self::None(NOT_HERE);
        }
        let (body, note) = split_cut(bytes);
        let is_cut = !note.is_empty();
        if !is_cut && blank::is_blank(body) {
            return Self::Blank;
        }
        match wide::decoded(body) {
            wide::Wide::No => match flaw(body, is_cut) {
                Flaw::No => Self::Text(Cow::Borrowed(bytes)),
                Flaw::Part(what) => Self::Partly(Cow::Borrowed(bytes), what),
                Flaw::Whole(what) => Self::None(what),
            },
            wide::Wide::Illegible(what) => Self::None(what),
            wide::Wide::Text(text) if !is_cut && blank::is_blank(text.as_bytes()) => Self::Blank,
            wide::Wide::Text(mut text) => {
                let flaw = flaw(text.as_bytes(), is_cut);
                text.push_str(&String::from_utf8_lossy(note));
                let text = Cow::Owned(text.into_bytes());
                match flaw {
                    Flaw::No => Self::Text(text),
                    Flaw::Part(what) => Self::Partly(text, what),
                    Flaw::Whole(what) => Self::None(what),
                }
            }
        }
    }
}

/// Whether bytes are none, or only characters that show nothing: white space, byte order marks, what has no
/// width.
pub fn is_blank(bytes: &[u8]) -> bool {
    blank::is_blank(bytes)
}

/// What keeps a text from being one.
enum Flaw {
    No,
    Part(&'static str),
    Whole(&'static str),
}

/// Looks at bytes in UTF-8, or in another encoding of one byte.
fn flaw(body: &[u8], is_cut: bool) -> Flaw {
    if let Some(what) = signatures::name(body).or_else(|| armour::name(body, is_cut)) {
        return Flaw::Whole(what);
    }
    match sops::encrypted(body, is_cut) {
        sops::Encrypted::All => return Flaw::Whole(sops::ALL),
        sops::Encrypted::Part => return Flaw::Part(sops::PART),
        sops::Encrypted::Nothing => {}
    }
    let has_nul = memchr::memchr(0, body).is_some();
    match (has_nul, is_noise(body)) {
        (_, true) => Flaw::Whole(BINARY),
        // What somebody wrote is judged, whatever bytes were put into it; but nobody sees it as it is.
        (true, false) if reads_as_text(body) => Flaw::Part(NULS),
        (true, false) => Flaw::Whole(BINARY),
        (false, false) => Flaw::No,
    }
}

/// Whether bytes read as what people write, whatever few others stand between them: letters with blanks
/// between them, or letters of scripts without blanks. Data and what encodes data in letters do not.
fn reads_as_text(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let (mut all, mut wrong, mut blanks, mut wide) = (0_usize, 0_usize, 0_usize, 0_usize);
    for c in text.chars() {
        all += 1;
        match c {
            c if c.is_whitespace() => blanks += 1,
            '\u{fffd}' => wrong += 1,
            c if c.is_control() => wrong += 1,
            c if !c.is_ascii() => wide += 1,
            _ => {}
        }
    }
    all > 0 && wrong * 10 <= all && (blanks * 20 >= all || wide * 10 >= all)
}

/// Whether a character has no name that everybody knows it by.
fn is_unnamed(c: char) -> bool {
    use GeneralCategory::{PrivateUse, Surrogate, Unassigned};
    matches!(c.general_category(), PrivateUse | Surrogate | Unassigned)
}

/// Whether bytes that are no UTF-8 have more control characters than any text: data without a NUL byte.
fn is_noise(bytes: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(**byte, 0..=7 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_some())
        && bytes.iter().filter(is_control).count() * 20 > bytes.len()
}

/// What stands in place of a content that is not here. It has the id, so that two contents which differ only
/// there are two.
pub fn absent_note(id: &str) -> String {
    format!("[the content of {id} is {NOT_HERE}]\n")
}

/// What stands behind the beginning of a file of which so many further bytes were not read.
pub fn cut_note(rest: u64, id: &str) -> String {
    format!("\n[cut: {rest} further bytes of {id} are not read]\n")
}

fn is_not_here(bytes: &[u8]) -> bool {
    let id = bytes.strip_prefix(b"[the content of ");
    let id = id.and_then(|rest| rest.strip_suffix(b"]\n")?.strip_suffix(NOT_HERE.as_bytes()));
    id.and_then(|id| id.strip_suffix(b" is ")).is_some_and(is_id)
}

fn is_id(id: &[u8]) -> bool {
    matches!(id.len(), 40 | 64) && id.iter().all(u8::is_ascii_hexdigit)
}

/// What was read of a file, and the note that it is not all.
fn split_cut(bytes: &[u8]) -> (&[u8], &[u8]) {
    let whole = (bytes, [].as_slice());
    let last = bytes.get(bytes.len().saturating_sub(MOST_NOTE)..).unwrap_or_default();
    let Some(at) = memchr::memmem::rfind(last, b"\n[cut: ") else { return whole };
    let note = last.get(at..).unwrap_or_default();
    let words = note.strip_suffix(b" are not read]\n").and_then(|rest| {
        let mut words = rest.split(|byte| *byte == b' ').skip(1);
        let is_number = words.next()?.iter().all(u8::is_ascii_digit);
        let id = words.nth(3)?;
        Some(is_number && is_id(id) && words.next().is_none())
    });
    match words {
        Some(true) => bytes.split_at(bytes.len() - note.len()),
        _ => whole,
    }
}

#[cfg(test)]
mod tests;
