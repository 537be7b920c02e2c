//! Records of the rows on the screen, and of those around them.

use crate::domain::RecordRow;
use crate::store::cache::Row;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// So many records are kept.
const KEPT: usize = 4096;

/// A record ready to be shown: its secrets masked, its hidden characters counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The record.
    pub row: RecordRow,
    /// Secrets that were masked.
    pub masked: usize,
    /// Fields that hold hidden characters.
    pub hidden: Vec<&'static str>,
}

/// How a row's record stands.
#[derive(Debug, Clone)]
enum Slot {
    Asked,
    Ready(Arc<Shown>),
    Failed,
}

/// Records by their rows, of one archive or two.
#[derive(Debug, Clone, Default)]
pub struct RowCache {
    slots: HashMap<(u64, u32, u32), Slot>,
}

fn key(edition: u64, row: Row) -> (u64, u32, u32) {
    (edition, row.segment, row.row)
}

impl RowCache {
    /// The record of a row, where it is read.
    pub fn get(&self, edition: u64, row: Row) -> Option<&Arc<Shown>> {
        match self.slots.get(&key(edition, row)) {
            Some(Slot::Ready(shown)) => Some(shown),
            _ => None,
        }
    }

    /// Records of an archive that are read, with their segments and rows, in no order.
    pub fn read(&self, edition: u64) -> impl Iterator<Item = ((u32, u32), &Arc<Shown>)> {
        self.slots.iter().filter_map(move |((of, segment, row), slot)| match slot {
            Slot::Ready(shown) if *of == edition => Some(((*segment, *row), shown)),
            _ => None,
        })
    }

    /// Tells whether a row's record was at least asked for.
    pub fn knows(&self, edition: u64, row: Row) -> bool {
        self.slots.contains_key(&key(edition, row))
    }

    /// Tells whether a row's record could not be read.
    pub fn has_failed(&self, edition: u64, row: Row) -> bool {
        matches!(self.slots.get(&key(edition, row)), Some(Slot::Failed))
    }

    /// Those of the rows that nobody asked for yet; they count as asked for from now on.
    pub fn missing(&mut self, edition: u64, rows: impl Iterator<Item = Row>) -> Vec<Row> {
        if self.slots.len() > KEPT {
            // Rare, and what is on the screen is asked for again at once.
            self.slots.clear();
        }
        let mut is_new = |row: &Row| match self.slots.entry(key(edition, *row)) {
            Entry::Occupied(_) => false,
            Entry::Vacant(slot) => {
                slot.insert(Slot::Asked);
                true
            }
        };
        rows.filter(|row| is_new(row)).collect()
    }

    /// Takes records.
    pub fn put(&mut self, edition: u64, records: Vec<(Row, Arc<Shown>)>) {
        for (row, shown) in records {
            self.slots.insert(key(edition, row), Slot::Ready(shown));
        }
    }

    /// Notes that the records of rows could not be read.
    pub fn fail(&mut self, edition: u64, rows: &[Row]) {
        for row in rows {
            self.slots.insert(key(edition, *row), Slot::Failed);
        }
    }

    /// Drops what is of neither archive.
    pub fn keep(&mut self, editions: [u64; 2]) {
        self.slots.retain(|(edition, ..), _| editions.contains(edition));
    }
}
