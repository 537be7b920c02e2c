//! Listings of records, written as they come: no listing is held in memory.

use crate::domain::{Dimension, RecordRow};
use crate::report::texts::masked;
use crate::report::visible::{pad, truncate};
use crate::report::{Options, csv, json, markdown, words};
use std::io::{self, Write};

/// The form of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// A line a record, cut to the width.
    Plain,
    /// JSON Lines: one document a line, complete.
    JsonLines,
    /// CSV with a line of column names, complete.
    Csv,
    /// A table; long texts are cut.
    Markdown,
}

/// What a listing held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Records written.
    pub records: u64,
    /// Secrets masked in them.
    pub masked: usize,
}

/// A listing that is being written.
#[derive(Debug)]
pub struct Records<W> {
    out: W,
    listing: Listing,
    options: Options,
    written: Written,
}

impl<W: Write> Records<W> {
    /// Begins a listing: writes its head, where it has one.
    pub fn begin(mut out: W, listing: Listing, options: Options) -> io::Result<Self> {
        match listing {
            Listing::Csv => csv::header(&mut out)?,
            Listing::Markdown => out.write_all(markdown::record_head().as_bytes())?,
            Listing::Plain | Listing::JsonLines => {}
        }
        Ok(Self { out, listing, options, written: Written::default() })
    }

    /// Writes one record.
    pub fn row(&mut self, row: &RecordRow) -> io::Result<()> {
        let masking = self.options.masking;
        self.written.masked += match self.listing {
            Listing::JsonLines => json::record(&mut self.out, row, masking)?,
            Listing::Csv => csv::record(&mut self.out, row, masking)?,
            Listing::Plain | Listing::Markdown => {
                let (row, masked) = masked(row, masking);
                let line = match self.listing {
                    Listing::Markdown => markdown::record_row(&row),
                    _ => plain(&row, self.options.width),
                };
                self.out.write_all(line.as_bytes())?;
                masked
            }
        };
        self.written.records += 1;
        Ok(())
    }

    /// Ends the listing and tells what it held.
    pub fn finish(mut self) -> io::Result<Written> {
        if self.listing == Listing::Markdown {
            let Written { records, masked } = self.written;
            write!(self.out, "\nRecords: {records}. Secrets masked: {masked}.\n")?;
        }
        self.out.flush()?;
        Ok(self.written)
    }
}

/// One record as a line: typed columns first, then texts in cells of fixed width.
fn plain(row: &RecordRow, width: usize) -> String {
    let time = row.timestamp.map_or("undated".to_owned(), |t| t.to_string());
    let score = |d| row.scores.get(d).map_or("-".to_owned(), |v| v.to_string());
    let scores = Dimension::ALL.map(score).join(" ");
    let subject = row.commit.as_deref().or(row.task_id.as_deref()).unwrap_or("-");
    let more = row.files.len().saturating_sub(1);
    let more = if more > 0 { format!("+{more} ") } else { String::new() };
    let typed = format!(
        "{} {} {} {}",
        pad(&time, 20),
        pad(words::outcome(row.outcome), 10),
        row.id.short(),
        pad(&scores, 7)
    );
    let file = row.files.first().map_or("-", String::as_str);
    let cells = format!("{} {} {more}{}", pad(&row.box_name, 8), pad(subject, 8), pad(file, 200));
    format!("{}\n", truncate(&format!("{typed} {cells}"), width).trim_end())
}
