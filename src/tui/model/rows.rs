//! Records of the rows on the screen, and of those around them.

use super::{Gate, ShownRecord};
use crate::store::cache::Row;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// So many records are kept.
const KEPT: usize = 4096;

/// So many bytes of texts are kept, more or less a screen of them.
const BYTES: usize = 64 << 20;

/// State of a row's record.
#[derive(Debug, Clone)]
enum Slot {
    Asked,
    Ready(Arc<ShownRecord>),
    Failed,
}

impl Slot {
    fn bytes(&self) -> usize {
        match self {
            Self::Ready(shown) => shown.bytes,
            Self::Asked | Self::Failed => 0,
        }
    }
}

/// Records by their rows, of one archive or two.
#[derive(Debug, Clone, Default)]
pub struct RowCache {
    slots: HashMap<(u64, u32, u32), Slot>,
    bytes: usize,
}

fn key(edition: u64, row: Row) -> (u64, u32, u32) {
    (edition, row.segment, row.row)
}

impl RowCache {
    /// The record of a row, where it is read.
    pub fn get(&self, edition: u64, row: Row) -> Option<&Arc<ShownRecord>> {
        match self.slots.get(&key(edition, row)) {
            Some(Slot::Ready(shown)) => Some(shown),
            _ => None,
        }
    }

    /// Records of an archive that are read, with their segments and rows, in no order.
    pub fn read(&self, edition: u64) -> impl Iterator<Item = ((u32, u32), &Arc<ShownRecord>)> {
        self.slots.iter().filter_map(move |((of, segment, row), slot)| match slot {
            Slot::Ready(shown) if *of == edition => Some(((*segment, *row), shown)),
            _ => None,
        })
    }

    /// Whether a row's record was at least asked for.
    pub fn knows(&self, edition: u64, row: Row) -> bool {
        self.slots.contains_key(&key(edition, row))
    }

    /// Whether a row's record could not be read.
    pub fn has_failed(&self, edition: u64, row: Row) -> bool {
        matches!(self.slots.get(&key(edition, row)), Some(Slot::Failed))
    }

    /// Those of the rows that nobody asked for yet; they count as asked for from now on.
    pub fn missing(&mut self, edition: u64, rows: impl Iterator<Item = Row>) -> Vec<Row> {
        if self.slots.len() > KEPT || self.bytes > BYTES {
            // Rare, and what is on the screen is asked for again at once.
            self.slots.clear();
            self.bytes = 0;
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

    /// Adds records that were read, each as the gate lets it through.
    pub fn put(&mut self, edition: u64, records: Vec<(Row, Arc<ShownRecord>)>, gate: &mut Gate) {
        for (row, shown) in records {
            let shown = gate.pass(&shown);
            self.bytes += shown.bytes;
            let before = self.slots.insert(key(edition, row), Slot::Ready(shown));
            self.bytes -= before.map_or(0, |slot| slot.bytes());
        }
    }

    /// Lets all of them through the gate again, as it is another one.
    pub fn pass_again(&mut self, gate: &mut Gate) {
        for slot in self.slots.values_mut() {
            if let Slot::Ready(shown) = slot {
                *shown = gate.pass(shown);
            }
        }
    }

    /// Notes that the records of rows could not be read.
    pub fn fail(&mut self, edition: u64, rows: &[Row]) {
        for row in rows {
            let before = self.slots.insert(key(edition, *row), Slot::Failed);
            self.bytes -= before.map_or(0, |slot| slot.bytes());
        }
    }

    /// Drops what is of neither archive.
    pub fn keep(&mut self, editions: [u64; 2]) {
        self.slots.retain(|(edition, ..), _| editions.contains(edition));
        self.bytes = self.slots.values().map(Slot::bytes).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Masking;
    use crate::tui::model::shown_record::tests::record;

    fn row(number: u32) -> Row {
        Row { ts: 0, segment: 0, row: number }
    }

    #[test]
    fn record_cache_is_bounded_by_bytes_and_count() {
        let (whole, mut cache) =
            (Arc::new(ShownRecord::new(&record(1 << 20), Masking::On)), RowCache::default());
        for number in 0..200 {
            let asked = cache.missing(1, std::iter::once(row(number)));
            assert_eq!(asked.len(), 1, "it is asked for again once it was dropped");
            cache.put(1, vec![(row(number), Arc::clone(&whole))], &mut Gate::default());
            let slots: usize = cache.slots.values().map(Slot::bytes).sum();
            assert!(slots == cache.bytes && slots <= BYTES + whole.bytes, "{slots}");
        }
        let short = Arc::new(ShownRecord::listed(&record(10)));
        cache.put(1, vec![(row(199), short)], &mut Gate::default());
        cache.fail(1, &[row(198)]);
        cache.keep([1, 1]);
        let slots: usize = cache.slots.values().map(Slot::bytes).sum();
        assert_eq!(cache.bytes, slots);
        cache.keep([2, 2]);
        assert_eq!((cache.bytes, cache.slots.len()), (0, 0));
    }
}
