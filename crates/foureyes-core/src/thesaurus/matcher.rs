//! Finds terms in texts: one automaton for all of them, and words only.

use super::folded::{Folded, fold};
use super::term::Term;
use crate::text::{Class, class};
use aho_corasick::{AhoCorasick, MatchKind};
use std::ops::Range;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The automaton of all terms; none where there is nothing to find.
#[derive(Debug, Clone, Default)]
pub(super) struct Matcher {
    automaton: Option<AhoCorasick>,
}

impl Matcher {
    /// Compiles terms, and whether that was possible.
    pub(super) fn new(terms: &[Term]) -> (Self, bool) {
        let patterns = terms.iter().map(|term| fold(&term.text));
        let built = AhoCorasick::builder().match_kind(MatchKind::Standard).build(patterns);
        let whole = built.is_ok();
        (Self { automaton: built.ok().filter(|_| !terms.is_empty()) }, whole)
    }

    /// Numbers and places of terms in a text, by place.
    pub(super) fn find(&self, text: &str) -> Vec<(usize, Range<usize>)> {
        let folded = Folded::new(text);
        let found = self.find_folded(&folded).into_iter();
        found.map(|(term, span)| (term, folded.original(span))).collect()
    }

    /// Numbers of terms in a text, by place.
    pub(super) fn terms(&self, text: &str) -> impl Iterator<Item = usize> {
        self.find_folded(&Folded::new(text)).into_iter().map(|(term, _)| term)
    }

    fn find_folded(&self, folded: &Folded) -> Vec<(usize, Range<usize>)> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let all = automaton.find_overlapping_iter(&folded.text);
        let words = all.filter(|found| is_word(&folded.text, found.range()));
        let mut found: Vec<_> =
            words.map(|found| (found.pattern().as_usize(), found.range())).collect();
        drop_parts(&mut found);
        found
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
