//! Literal search in a column of texts.

use memchr::{memchr2_iter, memmem};
use polars::prelude::{
    BooleanChunked, Column, DataType, Expr, Field, IntoColumn, NewChunkedArray, PolarsResult,
    Schema, StringChunked, UInt32Chunked,
};
use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

/// Rows that one task searches.
const ROWS: usize = 1 << 16;

/// A column where a test of its text holds: `Boolean`, false for null.
pub(super) fn text(column: Expr, test: impl Fn(&str) -> bool + Send + Sync + 'static) -> Expr {
    column.map(move |c| Ok(search(c.str()?, &test).into_column()), boolean)
}

/// A column where a table says yes to its number: `Boolean`, false for null and beyond the table.
pub(super) fn number(column: Expr, table: Vec<bool>) -> Expr {
    let in_table = move |column: Column| -> PolarsResult<Column> {
        let numbers: &UInt32Chunked = column.u32()?;
        let says = |n: Option<u32>| n.and_then(|n| table.get(n as usize).copied()) == Some(true);
        let found: BooleanChunked = numbers.iter().map(says).collect();
        Ok(found.with_name(numbers.name().clone()).into_column())
    };
    column.map(in_table, boolean)
}

fn boolean(_: &Schema, field: &Field) -> PolarsResult<Field> {
    Ok(Field::new(field.name().clone(), DataType::Boolean))
}

fn search(texts: &StringChunked, test: &(impl Fn(&str) -> bool + Sync)) -> BooleanChunked {
    let mut found = vec![false; texts.len()];
    found.par_chunks_mut(ROWS).enumerate().for_each(|(i, found)| {
        let rows = texts.slice((i * ROWS) as i64, ROWS);
        found.iter_mut().zip(rows.iter()).for_each(|(f, text)| *f = text.is_some_and(test));
    });
    BooleanChunked::from_slice(texts.name().clone(), &found)
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
