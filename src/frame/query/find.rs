//! Literal search in a column of texts.

use aho_corasick::AhoCorasick;
use memchr::memmem;
use polars::prelude::{
    BooleanChunked, Column, DataType, Expr, Field, IntoColumn, PolarsResult, Schema, StringChunked,
    UInt32Chunked,
};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

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
    let piece = |i: usize| -> Vec<bool> {
        let rows = texts.slice((i * ROWS) as i64, ROWS);
        rows.iter().map(|text| text.is_some_and(test)).collect()
    };
    let pieces: Vec<_> = (0..texts.len().div_ceil(ROWS)).into_par_iter().map(piece).collect();
    let found: BooleanChunked = pieces.into_iter().flatten().map(Some).collect();
    found.with_name(texts.name().clone())
}

/// A test: the text contains this one, whatever the case.
///
/// A text of ASCII alone is compared in ASCII, any other by the lower case of each character.
pub(super) fn contains(needle: &str) -> impl Fn(&str) -> bool + Send + Sync + 'static {
    let lower = fold(needle);
    // The automaton cannot be built of a text of gigabytes only, which no query has.
    let ascii = AhoCorasick::builder().ascii_case_insensitive(true).build([&lower]).ok();
    let ascii = ascii.filter(|_| lower.is_ascii());
    move |text| match &ascii {
        Some(finder) => finder.is_match(text),
        None => !text.is_ascii() && fold(text).contains(&lower),
    }
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
pub(super) fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}
