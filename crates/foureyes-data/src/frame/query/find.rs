//! Literal search in a column of texts.

use crate::frame::packed::Texts;
use crate::frame::text_columns::TextColumn;
use crate::frame::text_test::{OfDigits, TextTest};
use aho_corasick::packed;
use memchr::{memchr2, memmem};
use polars::prelude::{BooleanChunked, PlSmallStr, UInt32Chunked};
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};
use std::ops::Range;

/// Rows that one task searches.
const ROWS: usize = 1 << 16;

/// Where a test holds of any column's text; not of none.
pub(super) fn any(columns: &[&TextColumn], rows: usize, test: &dyn TextTest) -> BooleanChunked {
    let mut found = vec![false; rows];
    found.par_chunks_mut(ROWS).enumerate().for_each(|(part, found)| {
        let rows = part * ROWS..part * ROWS + found.len();
        for texts in columns {
            texts.slice(&rows).mark(test, found);
            // A letter is in nearly all rows, so what is left is often nothing.
            if found.iter().all(|found| *found) {
                break;
            }
        }
    });
    BooleanChunked::from_bitmap(PlSmallStr::EMPTY, found.into())
}

/// Where a test holds of the first column's text, of the second's where that is none.
pub(super) fn first([first, second]: [&TextColumn; 2], test: &dyn TextTest) -> BooleanChunked {
    let [holds, instead] = [first, second].map(|texts| any(&[texts], texts.len(), test));
    let given = first.is_given();
    holds | (instead & !given)
}

/// Where a table says yes to a number; not to a null, nor beyond the table.
pub(super) fn listed(numbers: &UInt32Chunked, table: &[bool]) -> BooleanChunked {
    let says = |n: Option<u32>| n.and_then(|n| table.get(n as usize).copied()) == Some(true);
    numbers.iter().map(|n| Some(says(n))).collect()
}

/// A test: the text contains this one, whatever the case.
///
/// A text of ASCII alone is compared in ASCII, any other by the lower case of each character.
pub(super) struct Contains {
    lower: String,
    /// The place of the rarest bytes of it that are sought at once, and how they are.
    rare: usize,
    sought: Sought,
}

/// How a few bytes are sought whatever their case.
enum Sought {
    /// One of these.
    Byte([u8; 2]),
    /// Several in a row.
    Bytes(packed::Searcher),
}

impl Sought {
    /// Bytes of ASCII in lower case.
    fn new(bytes: &[u8]) -> Self {
        let byte = bytes.first().copied().unwrap_or_default();
        let mut cases = vec![Vec::new()];
        for byte in bytes {
            let upper = byte.to_ascii_uppercase();
            let both = if upper == *byte { vec![*byte] } else { vec![*byte, upper] };
            let longer = |case: &Vec<u8>| both.iter().map(|b| [case, &[*b][..]].concat()).collect();
            cases = cases.iter().flat_map::<Vec<_>, _>(longer).collect();
        }
        match packed::Searcher::new(cases).filter(|_| bytes.len() > 1) {
            Some(searcher) => Self::Bytes(searcher),
            None => Self::Byte([byte, byte.to_ascii_uppercase()]),
        }
    }

    fn find(&self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Byte([lower, upper]) => memchr2(*lower, *upper, bytes),
            Self::Bytes(searcher) => searcher.find(bytes).map(|found| found.start()),
        }
    }
}

/// Bytes that are sought at once: with all their cases they are eight texts at most.
const AT_ONCE: usize = 3;

impl Contains {
    pub(super) fn new(text: &str) -> Self {
        let lower = fold(text);
        let rare = rarest(lower.as_bytes());
        let sought = lower.as_bytes().get(rare.clone()).unwrap_or_default();
        let sought = Sought::new(if lower.is_ascii() { sought } else { &[] });
        Self { lower, rare: rare.start, sought }
    }

    /// Where bytes contain its ASCII at or behind a place.
    fn find(&self, bytes: &[u8], mut from: usize) -> Option<usize> {
        // Jumps from where its rarest bytes are to where they are next.
        loop {
            let at = from + self.sought.find(bytes.get(from + self.rare..)?)?;
            let found = bytes.get(at..at + self.lower.len())?;
            if found.eq_ignore_ascii_case(self.lower.as_bytes()) {
                return Some(at);
            }
            from = at + 1;
        }
    }
}

impl TextTest for Contains {
    fn holds(&self, text: &str) -> bool {
        match self.lower.is_ascii() {
            true => self.lower.is_empty() || self.find(text.as_bytes(), 0).is_some(),
            false => !text.is_ascii() && fold(text).contains(&self.lower),
        }
    }

    fn of_digits(&self) -> OfDigits<'_> {
        let digits = self.lower.as_bytes();
        match digits.iter().all(u8::is_ascii_hexdigit) {
            true if digits.is_empty() => OfDigits::Any,
            true => OfDigits::Containing(digits),
            false => OfDigits::Never,
        }
    }

    fn mark(&self, texts: &Texts, rows: Range<usize>, found: &mut [bool]) {
        if self.lower.is_empty() || !self.lower.is_ascii() {
            return texts.mark_each(rows, found, |text| self.holds(text));
        }
        // All texts are searched as one; what begins in one and ends in the next is in neither.
        let (mut row, end) = (rows.start, texts.start(rows.end));
        let bytes = texts.whole().as_bytes().get(..end).unwrap_or_default();
        let mut from = texts.start(row);
        while let Some(at) = self.find(bytes, from) {
            row = texts.at(row, at);
            let next = texts.start(row + 1);
            from = at + 1;
            if at + self.lower.len() <= next {
                if let Some(found) = found.get_mut(row - rows.start) {
                    *found = true;
                }
                from = next;
            }
        }
    }
}

/// The letters from common to rare, as texts like ours have them; a byte not in it is rarer still.
const COMMON: &[u8] = b" etaoinsrhldcumfpgwybvkxjqz";

/// Where the rarest bytes of a text are, [`AT_ONCE`] in a row or all.
fn rarest(text: &[u8]) -> Range<usize> {
    let rank = |b: &u8| COMMON.iter().position(|c| c == b).unwrap_or(COMMON.len());
    let length = text.len().min(AT_ONCE);
    let some = text.windows(length.max(1)).map(|some| some.iter().map(rank).sum::<usize>());
    let from = some.enumerate().max_by_key(|(_, rank)| *rank).map_or(0, |(from, _)| from);
    from..from + length
}

/// A test: the text begins with this one, whatever the case.
pub(super) fn begins(needle: &str) -> impl Fn(&str) -> bool + Send + Sync + 'static {
    let lower = fold(needle);
    move |text| {
        let mut chars = text.chars().flat_map(char::to_lowercase);
        lower.chars().all(|c| chars.next() == Some(c))
    }
}

/// A test: one of the files begins with this path, to the letter.
pub(super) fn path_begins(prefix: &str) -> impl Fn(&str) -> bool + Send + Sync + 'static {
    let finder = memmem::Finder::new(&format!("\0{prefix}")).into_owned();
    move |files| finder.find(files.as_bytes()).is_some()
}

/// The path prefix of files in no directory.
pub const TOP: &str = "./";

/// A test: one of the files is in no directory, or begins with [`TOP`].
pub(super) fn at_top(files: &str) -> bool {
    let mut files = files.split('\0').filter(|f| !f.is_empty());
    // A slash at the very beginning names no directory.
    files.any(|f| f.starts_with(TOP) || !f.char_indices().any(|(i, c)| i > 0 && c == '/'))
}

/// A test: one of the files has a name.
pub(super) fn any_path(files: &str) -> bool {
    files.bytes().any(|b| b != 0)
}

/// A test: one of the files is this path.
pub(super) fn path_is(path: &str) -> impl Fn(&str) -> bool + Send + Sync + 'static {
    let needle = format!("\0{path}");
    let finder = memmem::Finder::new(&needle).into_owned();
    move |files| {
        let ends = |at: usize| files.as_bytes().get(at + needle.len()).is_none_or(|b| *b == 0);
        finder.find_iter(files.as_bytes()).any(ends)
    }
}

/// Lower case, character by character.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_searched_as_one_are_those_searched_one_by_one(
            texts in proptest::collection::vec(proptest::option::weighted(0.8, "[abA ]{0,4}|[äÄ]a|a{40}"), 0..60),
            needle in "[abA ]{0,5}|[äÄ]",
            from in 0..20_usize,
        ) {
            let all: Texts = texts.iter().map(Option::as_deref).collect();
            let test = Contains::new(&needle);
            let rows = from.min(texts.len())..texts.len();
            let contains = |text: &String| match needle.is_ascii() {
                true => text.to_ascii_lowercase().contains(&needle.to_ascii_lowercase()),
                false => fold(text).contains(&fold(&needle)),
            };
            let wanted: Vec<bool> =
                texts[rows.clone()].iter().map(|text| text.as_ref().is_some_and(contains)).collect();
            let mut found = vec![false; rows.len()];
            test.mark(&all, rows.clone(), &mut found);
            prop_assert_eq!(&found, &wanted);
            let alone: Vec<bool> = rows.map(|row| all.get(row).is_some_and(|text| test.holds(text))).collect();
            prop_assert_eq!(alone, wanted);
        }
    }
}
