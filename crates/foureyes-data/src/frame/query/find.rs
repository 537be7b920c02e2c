//! Literal search in a column of texts.

use memchr::{memchr2_iter, memmem};
use polars::prelude::{BooleanChunked, NewChunkedArray, PlSmallStr, StringChunked, UInt32Chunked};
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

/// Rows that one task searches.
const ROWS: usize = 1 << 16;

/// A test of a text.
pub(super) type TextTest<'a> = &'a (dyn Fn(&str) -> bool + Sync);

/// Where a test holds of any column's text; not of a null.
pub(super) fn any(columns: &[&StringChunked], rows: usize, test: TextTest<'_>) -> BooleanChunked {
    search(columns, rows, |texts, found| {
        for texts in texts {
            found.iter_mut().zip(texts.iter()).for_each(|(found, text)| {
                *found = *found || text.is_some_and(test);
            });
        }
    })
}

/// Where a test holds of the first column's text, of the second's where that is null.
pub(super) fn first(columns: [&StringChunked; 2], test: TextTest<'_>) -> BooleanChunked {
    search(&columns, columns[0].len(), |texts, found| {
        let [a, b] = texts else { return };
        found.iter_mut().zip(a.iter().zip(b.iter())).for_each(|(found, (a, b))| {
            *found = a.or(b).is_some_and(test);
        });
    })
}

/// Where a table says yes to a number; not to a null, nor beyond the table.
pub(super) fn listed(numbers: &UInt32Chunked, table: &[bool]) -> BooleanChunked {
    let says = |n: Option<u32>| n.and_then(|n| table.get(n as usize).copied()) == Some(true);
    numbers.iter().map(|n| Some(says(n))).collect()
}

/// Marks the rows of some columns part by part, in parallel.
fn search(
    columns: &[&StringChunked],
    rows: usize,
    mark: impl Fn(&[StringChunked], &mut [bool]) + Sync,
) -> BooleanChunked {
    let mut found = vec![false; rows];
    found.par_chunks_mut(ROWS).enumerate().for_each(|(i, found)| {
        let part = columns.iter().map(|texts| texts.slice((i * ROWS) as i64, ROWS));
        mark(&part.collect::<Vec<_>>(), found);
    });
    BooleanChunked::from_slice(PlSmallStr::EMPTY, &found)
}

/// A test: the text contains this one, whatever the case.
///
/// A text of ASCII alone is compared in ASCII, any other by the lower case of each character.
pub(super) fn contains(needle: &str) -> impl Fn(&str) -> bool + Send + Sync + 'static {
    let lower = fold(needle);
    let rare = rarest(lower.as_bytes());
    let unicode = !lower.is_ascii();
    move |text| {
        if unicode {
            return !text.is_ascii() && fold(text).contains(&lower);
        }
        contains_ascii(text.as_bytes(), lower.as_bytes(), rare)
    }
}

/// The letters from common to rare, as texts like ours have them; a byte not in it is rarer still.
const COMMON: &[u8] = b" etaoinsrhldcumfpgwybvkxjqz";

/// Where the rarest byte of a text is.
fn rarest(text: &[u8]) -> usize {
    let rank = |b: &u8| COMMON.iter().position(|c| c == b).unwrap_or(COMMON.len());
    (0..text.len()).max_by_key(|i| rank(&text[*i])).unwrap_or(0)
}

/// Looks for a text of lower-case ASCII, jumping from one of its rarest bytes to the next.
fn contains_ascii(text: &[u8], lower: &[u8], rare: usize) -> bool {
    let (Some(byte), Some(last)) = (lower.get(rare), text.len().checked_sub(lower.len())) else {
        return lower.is_empty();
    };
    let places = &text[rare..=rare + last];
    memchr2_iter(*byte, byte.to_ascii_uppercase(), places)
        .any(|at| text[at..at + lower.len()].eq_ignore_ascii_case(lower))
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
