//! A text as a lenient reader takes it: what looks alike is alike, and what shows nothing is not there.

use crate::text::{Class, class};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

/// A folded text that knows where its bytes come from.
#[derive(Debug)]
pub(super) struct Folded<'a> {
    /// The text in compatibility form (NFKC), without hidden characters and marks; letters that look
    /// like ASCII are ASCII.
    pub(super) text: Cow<'a, str>,
    /// Of each byte, and of the end, where its character begins in the original; empty where both are
    /// the same text.
    starts: Vec<usize>,
}

impl<'a> Folded<'a> {
    /// Folds a text. ASCII stays as it is.
    pub(super) fn new(text: &'a str) -> Self {
        if text.is_ascii() {
            return Self { text: Cow::Borrowed(text), starts: Vec::new() };
        }
        let (mut out, mut starts) = (String::with_capacity(text.len()), Vec::new());
        for (at, c) in text.char_indices() {
            push(&mut out, c);
            starts.resize(out.len(), at);
        }
        starts.push(text.len());
        Self { text: Cow::Owned(out), starts }
    }

    /// Where in the original a byte of the folded text comes from.
    pub(super) fn origin(&self, at: usize) -> usize {
        self.starts.get(at).copied().unwrap_or(at)
    }
}

fn push(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c);
        return;
    }
    // Tags repeat ASCII and show nothing: what they spell is read.
    if let '\u{e0020}'..='\u{e007e}' = c {
        out.extend(u8::try_from(u32::from(c) - 0xe_0000).map(char::from));
        return;
    }
    if matches!(c, '\u{2028}' | '\u{2029}' | '\u{85}') {
        out.push('\n');
        return;
    }
    if class(c) != Class::Seen {
        return;
    }
    for c in std::iter::once(c).nfkc() {
        match c {
            c if c.is_ascii() => out.push(c),
            c if c.is_whitespace() => out.push(' '),
            c => out.push(alike(c)),
        }
    }
}

/// The ASCII character that looks like this one, else itself.
fn alike(c: char) -> char {
    // Curly quotes look like two signs each.
    if matches!(c, '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}') {
        return '"';
    }
    let mut bytes = [0; 4];
    let mut same = skeleton(c.encode_utf8(&mut bytes));
    match (same.next(), same.next()) {
        (Some(one), None) if one.is_ascii() => one,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookalike_characters_are_folded() {
        for (text, folded) in [
            ("plain = text", "plain = text"),
            ("a\u{a0}b\u{2003}c", "a b c"),
            ("E\u{200b}N\u{ad}D\u{2060}", "END"),
            ("\u{415}ND M\u{410}T", "END MAT"),
            ("\u{ff25}\u{ff2e}\u{ff24}\u{ff1d}", "END="),
            ("\u{1d404}\u{1d40d}\u{1d403}", "END"),
            ("\u{201c}GO\u{2019}", "\"GO'"),
            ("x\u{e0047}\u{e004f}", "xGO"),
            ("one\u{2028}two", "one\ntwo"),
            ("Preise \u{4e2d}", "Preise \u{4e2d}"),
        ] {
            assert_eq!(Folded::new(text).text, folded, "{text:?}");
        }
    }

    #[test]
    fn folded_bytes_map_to_source_positions() {
        let text = "ä\u{200b}\u{ff25}ND \u{2167} x";
        let folded = Folded::new(text);
        let at = folded.text.find("END").unwrap();
        assert_eq!(&text[folded.origin(at)..folded.origin(at + 3)], "\u{ff25}ND");
        assert_eq!(folded.origin(folded.text.len()), text.len());
        assert_eq!(Folded::new("abc").origin(2), 2);
    }
}
