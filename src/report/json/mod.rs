//! JSON documents, safe to look at in a terminal.
//!
//! Invisible characters and controls are written as `\u` escapes: a reader of JSON gets the very
//! same text, and a terminal that the document is piped to is not steered by it.

mod masked;
mod triage;

pub use crate::text::json::value;
pub use masked::masked as masked_value;

use crate::answers::texts::masked;
use crate::domain::{Record, RejectRow, Triage};
use crate::report::{Masking, Options};
use serde::Serialize;
use std::io::{self, Write};

/// Value of `schema` in a line of records.
pub const RECORD_SCHEMA: &str = "foureyes/record/1";

/// Value of `schema` in a line of rejects.
pub const REJECT_SCHEMA: &str = "foureyes/reject/1";

/// Writes the triage document and a line feed, row by row: memory does not grow with it.
///
/// Where secrets were masked, a caveat `masked_secrets` tells how many.
pub fn write(out: &mut dyn Write, triage: &Triage, options: &Options) -> io::Result<()> {
    value(out, &triage::View::new(triage, options.masking), options.pretty)
}

/// Writes one record as a line; tells how many secrets were masked in it.
pub fn record(out: &mut dyn Write, row: &Record, masking: Masking) -> io::Result<usize> {
    line(out, RECORD_SCHEMA, masked(row, masking.is_on()))
}

/// Writes one record as a line with more fields beside its own; tells how many secrets were masked
/// in it.
pub fn record_with(
    out: &mut dyn Write,
    row: &Record,
    masking: Masking,
    more: &impl Serialize,
) -> io::Result<usize> {
    let (row, count) = masked(row, masking.is_on());
    line(out, RECORD_SCHEMA, (With { row, more }, count))
}

/// A row with more fields beside its own.
#[derive(Serialize)]
struct With<R, T> {
    #[serde(flatten)]
    row: R,
    #[serde(flatten)]
    more: T,
}

/// Writes one reject as a line; tells how many secrets were masked in it.
pub fn reject(out: &mut dyn Write, row: &RejectRow, masking: Masking) -> io::Result<usize> {
    line(out, REJECT_SCHEMA, masked(row, masking.is_on()))
}

/// A row that names its own shape.
#[derive(Serialize)]
struct Line<T> {
    schema: &'static str,
    #[serde(flatten)]
    row: T,
}

fn line<T: Serialize>(
    out: &mut dyn Write,
    schema: &'static str,
    (row, masked): (T, usize),
) -> io::Result<usize> {
    value(out, &Line { schema, row }, false)?;
    Ok(masked)
}
