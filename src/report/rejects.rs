//! Listings of what is no record.

use crate::answers::triage::{Marks, reject};
use crate::domain::RejectRow;
use crate::page::{Item, write};
use crate::report::{Options, json};
use std::io::{self, Write};

/// Writes rejects as plain text; tells how many secrets were masked.
pub fn plain(out: &mut dyn Write, rows: &[RejectRow], options: &Options) -> io::Result<usize> {
    let mut marks = Marks::new(options.masking.is_on());
    let rows = rows.iter().flat_map(|row| reject(row, &mut marks));
    let items: Vec<Item> = rows.map(Item::Row).collect();
    write::plain_items(out, 2, &items, &options.page())?;
    Ok(marks.masked())
}

/// Writes rejects as JSON Lines; tells how many secrets were masked.
pub fn json(out: &mut dyn Write, rows: &[RejectRow], options: &Options) -> io::Result<usize> {
    rows.iter().try_fold(0, |sum, row| Ok(sum + json::reject(out, row, options.masking)?))
}
