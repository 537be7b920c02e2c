//! From text to words, groups and signs.

use super::error::{Fault, QueryError};
use std::ops::Range;

/// A sign or a word, with its bytes in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Open,
    Close,
    Bar,
    Minus,
    Word(Word),
}

/// A word, or a field with its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// What stands before the first colon outside quotes.
    pub(super) field: Option<Range<usize>>,
    /// `:=` stands before the value.
    pub(super) exact: bool,
    /// The word or value, escapes resolved.
    pub(super) value: String,
    /// Bytes of the value in the text, quotes among them.
    pub(super) place: Range<usize>,
}

/// Whether a character ends a word.
pub(super) fn is_border(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '|' | '"')
}

/// Reads the next token from byte `from` on; `None` at the end of the text.
pub(super) fn next(text: &str, from: usize) -> Result<Option<Token>, QueryError> {
    let rest = &text[from..];
    let Some((skip, c)) = rest.char_indices().find(|(_, c)| !c.is_whitespace()) else {
        return Ok(None);
    };
    let at = from + skip;
    let sign = |kind| Ok(Some(Token { range: at..at + 1, kind }));
    match c {
        '(' => sign(Kind::Open),
        ')' => sign(Kind::Close),
        '|' => sign(Kind::Bar),
        '-' => sign(Kind::Minus),
        _ => word(text, at).map(Some),
    }
}

fn word(text: &str, at: usize) -> Result<Token, QueryError> {
    let rest = &text[at..];
    let end = at + rest.find(is_border).unwrap_or(rest.len());
    let bare = &text[at..end];
    let (field, exact, start) = match bare.find(':') {
        None => (None, false, at),
        Some(colon) => {
            let exact = bare[colon + 1..].starts_with('=');
            (Some(at..at + colon), exact, at + colon + 1 + usize::from(exact))
        }
    };
    let quoted = text[end..].starts_with('"');
    if quoted && end > start {
        return Err(Fault::QuoteInWord.at(end..end + 1));
    }
    // The files of a record are told apart by NULs: none is in a path.
    let nul = exact && field.clone().is_some_and(|f| !text[f].eq_ignore_ascii_case("path"));
    let (value, end) =
        if quoted { quote(text, end, nul)? } else { (text[start..end].to_owned(), end) };
    if let Some(nul) = text[at..end].find('\0') {
        return Err(Fault::Nul.at(at + nul..at + nul + 1));
    }
    if quoted && value.is_empty() && !exact {
        return Err(Fault::EmptyText.at(start..end));
    }
    let kind = Kind::Word(Word { field, exact, value, place: start..end });
    Ok(Token { range: at..end, kind })
}

/// Reads a quoted text whose first quote is at byte `at`; gives it and the byte after it.
/// `nul` says whether it may hold one.
fn quote(text: &str, at: usize, nul: bool) -> Result<(String, usize), QueryError> {
    let mut value = String::new();
    let mut chars = text[at + 1..].char_indices().map(|(i, c)| (at + 1 + i, c));
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => {
                let after = text[i + 1..].chars().next();
                if after.is_some_and(|c| c == '"' || !is_border(c)) {
                    return Err(Fault::AfterQuote.at(i..i + 1));
                }
                return Ok((value, i + 1));
            }
            '\\' => {
                let (c, len) = escaped(text, i, nul)?;
                // The backslash is already taken; the rest of the escape is ASCII.
                let _ = chars.nth(len - 2);
                value.push(c);
            }
            c => value.push(c),
        }
    }
    Err(Fault::UnclosedQuote.at(at..at + 1))
}

/// Reads an escape whose backslash is at byte `at`; gives its character and its bytes.
fn escaped(text: &str, at: usize, nul: bool) -> Result<(char, usize), QueryError> {
    let rest = &text[at + 1..];
    let plain = match rest.chars().next() {
        Some(c @ ('"' | '\\')) => Some(c),
        Some('n') => Some('\n'),
        Some('r') => Some('\r'),
        Some('t') => Some('\t'),
        _ => None,
    };
    if let Some(c) = plain {
        return Ok((c, 2));
    }
    let digits = rest.strip_prefix("u{").and_then(|r| r.split_once('}')).map(|(digits, _)| digits);
    let code = digits.filter(|d| (1..=6).contains(&d.len()));
    let code = code.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
    let c = code.and_then(|d| char::from_u32(u32::from_str_radix(d, 16).ok()?));
    match (c, digits) {
        (Some('\0'), Some(d)) if !nul => Err(Fault::Nul.at(at..at + d.len() + 4)),
        (Some(c), Some(d)) => Ok((c, d.len() + 4)),
        _ => {
            let len = rest.chars().next().map_or(0, char::len_utf8);
            Err(Fault::BadEscape.at(at..at + 1 + len))
        }
    }
}
