//! Finds terms in texts: one automaton for all of them, and words only.

use super::folded::{Folded, fold, is_plain};
use super::prefixes::Prefixes;
use super::term::Term;
use crate::text::{Class, class};
use aho_corasick::{AhoCorasick, MatchKind};
use std::ops::Range;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// All terms, ready to be found; none where there are none or they cannot be compiled.
#[derive(Debug, Clone, Default)]
pub(super) struct Matcher {
    compiled: Option<Compiled>,
}

/// What finds the same in two kinds of text.
#[derive(Debug, Clone)]
struct Compiled {
    any: AhoCorasick,
    ascii: Prefixes,
}

impl Matcher {
    /// Compiles terms, and whether that was possible.
    pub(super) fn new(terms: &[Term]) -> (Self, bool) {
        let folded: Vec<String> = terms.iter().map(|term| fold(&term.text)).collect();
        let built = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&folded);
        let whole = built.is_ok();
        let ascii = || Prefixes::new(folded.iter().map(String::as_str).enumerate());
        let compiled = built.ok().filter(|_| !terms.is_empty());
        (Self { compiled: compiled.map(|any| Compiled { any, ascii: ascii() }) }, whole)
    }

    /// Gives numbers and places of terms in a text, by place: those that are part of no longer one.
    pub(super) fn find(&self, text: &str, mut found: impl FnMut(usize, Range<usize>)) {
        let Some(Compiled { any, ascii }) = &self.compiled else { return };
        if is_plain(text) {
            return ascii.find(text, found);
        }
        let folded = Folded::new(text);
        let mut found = |term, span| found(term, folded.original(span));
        if folded.text.is_ascii() {
            return ascii.find(&folded.text, found);
        }
        let all = any.find_overlapping_iter(&folded.text);
        let words = all.filter(|found| is_word(&folded.text, found.range()));
        let mut spans: Vec<_> =
            words.map(|found| (found.pattern().as_usize(), found.range())).collect();
        drop_parts(&mut spans);
        spans.into_iter().for_each(|(term, span)| found(term, span));
    }
}

/// Keeps what is part of no longer match, in the order of places.
fn drop_parts(found: &mut Vec<(usize, Range<usize>)>) {
    found.sort_unstable_by_key(|(_, span)| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    found.retain(|(_, span)| {
        let longest = span.end > end;
        end = end.max(span.end);
        longest
    });
}

/// Whether a part of a text begins and ends where words do.
fn is_word(text: &str, span: Range<usize>) -> bool {
    let ends = |at: usize| {
        let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
        match (before.chars().next_back(), after.chars().next()) {
            (Some(before), Some(after)) => !is_joined(before, after),
            _ => true,
        }
    };
    ends(span.start) && ends(span.end)
}

/// Whether two characters next to each other belong to one word, or the second to the first.
fn is_joined(before: char, after: char) -> bool {
    is_mark(after) || (is_letter(before) && is_letter(after))
}

/// Whether a character sits on the one before it or binds the next one to it.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && (class(c) == Class::Mark || matches!(c, '\u{200c}' | '\u{200d}'))
}

/// Whether a character is part of a word that goes on beside it. Words of ideographs have nothing
/// between them.
fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let joins = c.general_category() == GeneralCategory::ConnectorPunctuation;
    (c.is_alphanumeric() || is_mark(c) || joins) && !is_ideograph(c)
}

/// Han and Hiragana.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
