//! Listings of records, written as they come: no listing is held in memory.

use crate::answers::record_fields;
use crate::answers::texts::masked;
use crate::domain::review::Claims;
use crate::domain::{Dimension, Record, RecordId};
use crate::overrides::Settlements;
use crate::report::record_columns::ChosenColumns;
use crate::report::{Options, claims, csv, json, markdown};
use crate::text::escape;
use crate::text::escape::pad;
use std::collections::BTreeMap;
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
    columns: Option<ChosenColumns>,
    written: Written,
    claims: BTreeMap<RecordId, Claims>,
    settlements: Settlements,
}

impl<W: Write> Records<W> {
    /// Begins a listing: writes its head, where it has one. JSON has all fields, whatever columns were chosen.
    pub fn begin(
        mut out: W,
        listing: Listing,
        options: Options,
        columns: Option<ChosenColumns>,
    ) -> io::Result<Self> {
        let head = columns.as_ref().map(|chosen| match listing {
            Listing::Csv => chosen.csv_head(),
            Listing::Markdown => chosen.markdown_head(),
            Listing::Plain => chosen.plain_head(options.width),
            Listing::JsonLines => String::new(),
        });
        match (head, listing) {
            (Some(head), _) => out.write_all(head.as_bytes())?,
            (None, Listing::Csv) => csv::header(&mut out)?,
            (None, Listing::Markdown) => out.write_all(markdown::record_head().as_bytes())?,
            (None, Listing::Plain | Listing::JsonLines) => {}
        }
        let (written, claims) = (Written::default(), BTreeMap::new());
        let settlements = Settlements::default();
        Ok(Self { out, listing, options, columns, written, claims, settlements })
    }

    /// The same with who claimed records: below plain lines, and beside the fields in JSON.
    pub fn with_claims(mut self, claims: BTreeMap<RecordId, Claims>) -> Self {
        self.claims = claims;
        self
    }

    /// The same with what answers runs in the logs, beside the fields in JSON.
    pub fn with_settlements(mut self, settlements: Settlements) -> Self {
        self.set_settlements(settlements);
        self
    }

    /// What answers runs in the logs, for the records that follow.
    pub fn set_settlements(&mut self, settlements: Settlements) {
        self.settlements = settlements;
    }

    /// Writes one record.
    pub fn row(&mut self, row: &Record) -> io::Result<()> {
        let masking = self.options.masking;
        let chosen = self.columns.as_ref().filter(|_| self.listing != Listing::JsonLines);
        if let Some(chosen) = chosen {
            let (row, hidden) = masked(row, masking.is_on());
            let line = match self.listing {
                Listing::Csv => chosen.csv(&row),
                Listing::Markdown => chosen.markdown(&row),
                Listing::Plain | Listing::JsonLines => chosen.plain(&row, self.options.width),
            };
            self.out.write_all(line.as_bytes())?;
            self.written.masked += hidden;
            self.written.records += 1;
            return Ok(());
        }
        self.written.masked += match self.listing {
            Listing::JsonLines => {
                let held = self.claims.get(&row.id).map_or(&[][..], |held| held);
                let beside = claims::Beside::new(held, self.settlements.of(row));
                json::record_with(&mut self.out, row, masking, &beside)?
            }
            Listing::Csv => csv::record(&mut self.out, row, masking)?,
            Listing::Plain | Listing::Markdown => {
                let (row, masked) = masked(row, masking.is_on());
                let line = match self.listing {
                    Listing::Markdown => markdown::record_row(&row),
                    _ => {
                        let held = self.claims.get(&row.id).and_then(|claims| claims.first());
                        held.map_or_else(
                            || plain(&row, self.options.width),
                            |held| claimed(&row, &claims::text(held), self.options.width),
                        )
                    }
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

/// Columns from which on time, id and names are shown at length.
const WIDE: usize = 110;

/// One record as a line: typed columns first, then texts in cells of fixed width, files last.
fn plain(row: &Record, width: usize) -> String {
    let wide = width >= WIDE;
    let time = row.timestamp.map_or("undated".to_owned(), |t| t.to_string());
    // To the minute where room is dear; `show` has it in full.
    let time =
        if wide { pad(&time, 20) } else { pad(&time.chars().take(16).collect::<String>(), 16) };
    let score = |d| row.scores.get(d).map_or("-".to_owned(), |v| v.to_string());
    let scores = Dimension::ALL.map(score).join(" ");
    let id: String = row.id.short().chars().take(if wide { 12 } else { 8 }).collect();
    let (cell, outcome_width) = if wide { (12, 10) } else { (8, 7) };
    let (name, outcome) =
        (pad(&row.box_name, cell), pad(record_fields::outcome(row), outcome_width));
    let head = format!("{time} {outcome} {id} {} {name} ", pad(&scores, 7));
    let room = width.saturating_sub(escape::width(&head));
    // A commit is told by its beginning, a task by all of its id: it takes the room of files where
    // there are none, and up to half of it otherwise.
    if let Some(picked) = record_fields::picked(row) {
        return format!("{head}{}\n", escape::truncate(&escape::line(&picked), room));
    }
    let subject = match (&row.commit, &row.task_id) {
        (Some(commit), _) => pad(&escape::line(commit), cell),
        (None, Some(task)) if row.files.is_empty() => {
            return format!("{head}{}\n", escape::truncate(&escape::line(task), room));
        }
        (None, Some(task)) => {
            let task = escape::line(task);
            pad(&task, escape::width(&task).clamp(cell, cell.max(room / 2)))
        }
        _ => pad("-", cell),
    };
    let head = format!("{head}{subject} ");
    let room = width.saturating_sub(escape::width(&head));
    format!("{}\n", format!("{head}{}", files(row, room)).trim_end())
}

/// The line of a record that somebody claimed: below it stands who.
fn claimed(row: &Record, by: &str, width: usize) -> String {
    format!("{}  {}\n", plain(row, width), escape::truncate(by, width.saturating_sub(2)))
}

/// The first file, its end where it is too long, and how many more there are.
fn files(row: &Record, room: usize) -> String {
    let more = match row.files.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    let file = row.files.first().map_or("-", String::as_str);
    let shown = escape::line(file);
    let name = escape::truncate_start(&shown, room.saturating_sub(more.len()));
    format!("{name}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_list_shows_name_and_count_of_others() {
        let mut row: Record = serde_json::from_value(serde_json::json!({
            "id": "0".repeat(64), "box": "b", "timestamp": null, "family": "push", "outcome": "go",
            "verdict": "GO", "commit": null, "task_id": null, "author": null, "model": null,
            "files": ["research/a/long-name.md"], "scores": {}, "findings": null, "cause": null,
            "origins": [],
        }))
        .unwrap();
        assert_eq!(files(&row, 40), "research/a/long-name.md");
        assert_eq!(files(&row, 13), "…long-name.md");
        row.files.extend(["b.md".to_owned(), "c\u{1b}.md".to_owned()]);
        assert_eq!(files(&row, 16), "…long-name.md +2");
        row.files.remove(0);
        row.files.swap(0, 1);
        assert_eq!(files(&row, 16), "c␛.md +1");
    }
}
