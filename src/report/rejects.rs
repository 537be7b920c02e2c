//! Listings of what is no record.

use crate::domain::RejectRow;
use crate::report::page::Page;
use crate::report::plain::reject;
use crate::report::{Options, json};
use std::io::{self, Write};

/// Writes rejects as plain text; tells how many secrets were masked.
pub fn plain(out: &mut dyn Write, rows: &[RejectRow], options: &Options) -> io::Result<usize> {
    let mut page = Page::new(out, options);
    rows.iter().try_for_each(|row| reject(&mut page, row))?;
    Ok(page.masked)
}

/// Writes rejects as JSON Lines; tells how many secrets were masked.
pub fn json(out: &mut dyn Write, rows: &[RejectRow], options: &Options) -> io::Result<usize> {
    rows.iter().try_fold(0, |sum, row| Ok(sum + json::reject(out, row, options.masking)?))
}
