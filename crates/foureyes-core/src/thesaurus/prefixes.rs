//! Finds terms in ASCII by how they begin.
//!
//! Few words of a text begin as a term does. So each place is looked at once, by the class of three
//! characters: the one before it and the first two from it on. Only where a term begins so are terms compared.

use std::ops::Range;

/// Of each byte what it may begin or follow: 0 for what is no part of a word, else a class of letters, digits
/// or `_`, without case.
const CLASS: [u16; 256] = classes();
/// How many classes there are.
const CLASSES: u16 = 32;
/// How many keys of three classes there are.
const KEYS: usize = 1 << 15;

const fn classes() -> [u16; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        classes[byte] = match c {
            b'A'..=b'Z' | b'a'..=b'z' => (c.to_ascii_lowercase() - b'a') as u16 + 1,
            b'0'..=b'9' => 27 + (c % 4) as u16,
            b'_' => 31,
            _ => 0,
        };
        byte += 1;
    }
    classes
}

fn class(byte: u8) -> u16 {
    CLASS[usize::from(byte)]
}

fn key(before: u16, first: u16, second: u16) -> u16 {
    before << 10 | first << 5 | second
}

/// Whether two characters next to each other belong to one word.
fn is_joined(before: u8, after: u8) -> bool {
    class(before) > 0 && class(after) > 0
}

/// Terms of ASCII by their beginnings.
#[derive(Debug, Clone)]
pub(super) struct Prefixes {
    /// A bit for each key with which a term begins.
    begins: Box<[u64; KEYS / 64]>,
    /// The group of each key.
    groups: Vec<u16>,
    /// Numbers and folded texts of terms, the longest first.
    terms: Vec<Vec<(usize, Box<[u8]>)>>,
}

impl Prefixes {
    /// Of folded terms by their numbers; what is not ASCII is in no text of ASCII.
    pub(super) fn new<'t>(terms: impl Iterator<Item = (usize, &'t str)>) -> Self {
        let mut all =
            Self { begins: Box::new([0; KEYS / 64]), groups: vec![0; KEYS], terms: Vec::new() };
        let mut terms: Vec<_> = terms.filter(|(_, text)| text.is_ascii()).collect();
        terms.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
        for (number, text) in terms {
            for key in keys(text.as_bytes()) {
                all.add(key, number, text.as_bytes());
            }
        }
        all
    }

    fn add(&mut self, key: u16, number: usize, text: &[u8]) {
        let key = usize::from(key);
        if !self.has(key) {
            self.begins[key / 64] |= 1 << (key % 64);
            self.groups[key] = self.terms.len() as u16;
            self.terms.push(Vec::new());
        }
        if let Some(group) = self.terms.get_mut(usize::from(self.groups[key])) {
            group.push((number, text.into()));
        }
    }

    fn has(&self, key: usize) -> bool {
        self.begins[key / 64 % (KEYS / 64)] >> (key % 64) & 1 == 1
    }

    /// Gives numbers and places of terms, by place: those that are part of no longer one. The text is ASCII
    /// without white space but for single blanks.
    pub(super) fn find(&self, text: &str, mut found: impl FnMut(usize, Range<usize>)) {
        let bytes = text.as_bytes();
        let mut end = 0;
        // Nothing stands before the first and behind the last one.
        let edge =
            |at: Option<usize>| at.and_then(|at| bytes.get(at)).map_or(0, |byte| class(*byte));
        let around = |at: usize| key(edge(at.checked_sub(1)), edge(Some(at)), edge(Some(at + 1)));
        let mut compare = |at, key| self.compare(bytes, at, key, &mut end, &mut found);
        compare(0, around(0));
        for (i, [before, first, second]) in bytes.array_windows().enumerate() {
            let key = key(class(*before), class(*first), class(*second));
            if self.has(usize::from(key)) {
                compare(i + 1, key);
            }
        }
        if bytes.len() > 1 {
            compare(bytes.len() - 1, around(bytes.len() - 1));
        }
    }

    /// Compares the terms that begin with a key, where there are any.
    #[inline(never)]
    fn compare(
        &self,
        bytes: &[u8],
        at: usize,
        key: u16,
        end: &mut usize,
        found: &mut impl FnMut(usize, Range<usize>),
    ) {
        let begins = self.has(usize::from(key));
        let group = self.terms.get(usize::from(self.groups[usize::from(key)])).filter(|_| begins);
        for (number, term) in group.into_iter().flatten() {
            let to = at + term.len();
            let is = bytes.get(at..to).is_some_and(|part| part.eq_ignore_ascii_case(term));
            let ends = || match (bytes.get(to - 1), bytes.get(to)) {
                (Some(last), Some(next)) => !is_joined(*last, *next),
                _ => true,
            };
            if is && to > *end && ends() {
                *end = to;
                found(*number, at..to);
            }
        }
    }
}

/// The keys of all places at which a term may stand.
fn keys(term: &[u8]) -> Vec<u16> {
    let first = term.first().map_or(0, |byte| class(*byte));
    let any = || 0..CLASSES;
    // Beside a character that is no part of a word anything may stand, beside others no part of one.
    let beside = if first > 0 { 0..1 } else { any() };
    let seconds = term.get(1).map_or(beside.clone(), |byte| class(*byte)..class(*byte) + 1);
    beside
        .flat_map(|before| seconds.clone().map(move |second| key(before, first, second)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Source, Thesaurus};
    use proptest::prelude::*;

    fn text(most: usize) -> impl Strategy<Value = String> {
        let letter = prop::sample::select(vec!['a', 'B', 'b', '_', '.', ' ', '1', '5', '\0']);
        prop::collection::vec(letter, 1..most).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn ascii_gives_what_the_automaton_gives(terms in prop::collection::vec(text(4), 1..8), words in text(30)) {
            let lines = format!("# own\nsynonyms:: {}\n", terms.join(", "));
            let (thesaurus, _) = Thesaurus::new(&[Source { name: "own.md", bytes: lines.as_bytes() }]);
            let found = |text: &str| -> Vec<_> {
                thesaurus.find(text).into_iter().map(|f| (f.term.text.clone(), f.span)).collect()
            };
            // With a letter of no term behind it, a text is searched by the automaton.
            prop_assert_eq!(found(&words), found(&format!("{words} \u{e9}")));
        }
    }
}
