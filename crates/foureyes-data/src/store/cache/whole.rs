//! Everything of some logs, for a store elsewhere.

use super::again::Again;
use super::collection::Collection;
use super::manifest;
use super::row::Row;
use super::rows::{Located, RowError};
use super::{CacheError, Cached};
use crate::frame::{Frame, WholeRow, schema};

/// Where a record is in a log, doubles among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Its row.
    pub row: Row,
    /// Index of its log.
    pub file: u32,
    /// Offset there.
    pub byte: u64,
    /// Head of its id.
    pub head: u64,
}

impl Collection {
    /// The records of wanted logs, in the order of logs and bytes; `wanted` has one of each log.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn occurrences(&self, wanted: &[bool]) -> Cached<Vec<Occurrence>> {
        const COLUMNS: [&str; 3] = [schema::ID[0], schema::FILE, schema::BYTE];
        let mut found = Vec::new();
        for (segment, frame) in self.segments.iter().enumerate() {
            let frame = self.slim(frame, &COLUMNS)?;
            let keys = frame.occurrences().map_err(CacheError::frame(&self.dir))?;
            let rows = keys.into_iter().enumerate();
            found.extend(
                rows.filter(|(_, (_, file, _))| wanted.get(*file as usize) == Some(&true)).map(
                    |(at, (head, file, byte))| {
                        let row = Row { ts: 0, segment: segment as u32, row: at as u32 };
                        Occurrence { row, file, byte, head }
                    },
                ),
            );
        }
        found.sort_unstable_by_key(|one| (one.file, one.byte, one.head));
        Ok(found)
    }

    /// Names how the logs were read: of two archives with the same name the same log has the same rows.
    pub fn reading(&self) -> String {
        manifest::reading_of(&self.settings)
    }

    /// All that the columns hold of rows, in their order.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn whole_rows(&self, rows: &[Row]) -> Cached<Vec<WholeRow>> {
        self.gather(rows, &Frame::whole_columns(), Frame::whole_rows)
    }

    /// The records of rows in their order, each with this one place alone.
    ///
    /// # Errors
    /// A log that is gone or has changed since it was read.
    pub fn records_there(&self, rows: &[Row]) -> Result<Vec<Located>, RowError> {
        self.located(&self.places(rows)?, &Again::new())
    }
}
