//! A text as terms are compared: composed, without case, one space for each run of white space.

use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// A folded text that knows where its parts come from.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// The text to search.
    pub(super) text: String,
    /// Where each part begins, folded and original.
    parts: Vec<Part>,
    /// Length of the original.
    length: usize,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    folded: usize,
    original: usize,
    /// Each of its bytes comes from one byte; else it is one whole.
    bytewise: bool,
}

/// The folded text alone.
pub(super) fn fold(text: &str) -> String {
    Folded::new(text).text
}

impl Folded {
    pub(super) fn new(text: &str) -> Self {
        let mut folded = Self { length: text.len(), ..Self::default() };
        if is_plain(text) {
            folded.part(0, true);
            folded.text = text.to_ascii_lowercase();
            return folded;
        }
        folded.text.reserve(text.len());
        let bytes = text.as_bytes();
        let ascii = |i: usize| bytes.get(i).is_none_or(u8::is_ascii);
        let mut at = 0;
        while let Some(byte) = bytes.get(at).copied() {
            // A character of ASCII with another one behind it has no marks.
            if byte.is_ascii() && ascii(at + 1) {
                folded.byte(byte, at);
                at += 1;
                continue;
            }
            let end = (at + 1..bytes.len()).find(|i| ascii(*i) && ascii(*i + 1));
            let end = end.unwrap_or(bytes.len());
            for (i, cluster) in text.get(at..end).unwrap_or_default().grapheme_indices(true) {
                folded.cluster(cluster, at + i);
            }
            at = end;
        }
        folded
    }

    /// The bytes of the original that a part of the folded text comes from.
    pub(super) fn original(&self, span: Range<usize>) -> Range<usize> {
        let (start, _) = self.byte_of(span.start);
        let (_, end) = self.byte_of(span.end.saturating_sub(1));
        start..end.max(start)
    }

    /// Where the original of one byte begins and ends.
    fn byte_of(&self, folded: usize) -> (usize, usize) {
        let next = self.parts.partition_point(|part| part.folded <= folded);
        let Some(part) = self.parts.get(next.saturating_sub(1)) else { return (0, self.length) };
        if part.bytewise {
            let at = part.original + (folded - part.folded);
            return (at, at + 1);
        }
        (part.original, self.parts.get(next).map_or(self.length, |next| next.original))
    }

    fn byte(&mut self, byte: u8, at: usize) {
        if byte.is_ascii_whitespace() || byte == 0x0b {
            return self.space(at);
        }
        let goes_on = self.parts.last().is_some_and(|part| {
            part.bytewise && at - part.original == self.text.len() - part.folded
        });
        if !goes_on {
            self.part(at, true);
        }
        self.text.push(char::from(byte.to_ascii_lowercase()));
    }

    fn space(&mut self, at: usize) {
        if !self.text.ends_with(' ') {
            self.part(at, false);
            self.text.push(' ');
        }
    }

    fn cluster(&mut self, cluster: &str, at: usize) {
        if cluster.chars().all(char::is_whitespace) {
            return self.space(at);
        }
        self.part(at, false);
        self.text.extend(cluster.nfd().flat_map(caseless).nfc());
    }

    fn part(&mut self, original: usize, bytewise: bool) {
        self.parts.push(Part { folded: self.text.len(), original, bytewise });
    }
}

/// Whether a text is ASCII without white space but for single blanks: each byte of it is folded alone.
pub(super) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    // No early return: the compiler makes wide compares of it.
    text.is_ascii()
        && !bytes.iter().fold(false, |any, b| any | (9..=13).contains(b))
        && !pairs.fold(false, |any, (a, b)| any | ((*a == b' ') & (*b == b' ')))
}

/// A character without case: the lower case of its upper case, so that `ß` is `ss` and `ς` is `σ`.
fn caseless(c: char) -> impl Iterator<Item = char> {
    // The dotless i has the upper case of another letter.
    let dotless = c == 'ı';
    let cased = (!dotless).then(|| c.to_uppercase().flat_map(char::to_lowercase));
    dotless.then_some(c).into_iter().chain(cased.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn plain_text_is_folded_as_any_other(words in "[A-Za-z0-9 ,.\\t\\n\\x0b\\x00]{0,40}") {
            // With a mark behind it, a text is folded part by part.
            let (plain, other) = (Folded::new(&words), Folded::new(&format!("{words}.\u{e9}")));
            prop_assert!(other.text.starts_with(&plain.text));
            for at in 0..plain.text.len() {
                prop_assert_eq!(plain.original(at..at + 1), other.original(at..at + 1), "{} of {:?}", at, words);
            }
        }
    }
}
