//! Numbers of a column that are asked one by one, where it is written.

use super::packed::Numbers;
use std::io;
use std::sync::Arc;

/// The numbers of a column by their rows. It shares the bytes of the column.
pub struct NumbersByRow {
    bytes: Arc<Vec<u8>>,
    /// Where they begin.
    from: usize,
    rows: usize,
    low: u64,
    shift: u8,
    width: usize,
}

impl NumbersByRow {
    /// Those of a column that are all known.
    pub(super) fn take(bytes: &Arc<Vec<u8>>, rows: usize) -> io::Result<Self> {
        let mut input = bytes.as_slice();
        let _known = Numbers::take(&mut input, rows)?;
        let numbers = Numbers::take(&mut input, rows)?;
        let (low, shift, width, own) = numbers.parts();
        let from = bytes.len() - input.len() - own.len();
        Ok(Self { bytes: Arc::clone(bytes), from, rows, low, shift, width })
    }

    /// The number in a row; `None` beyond the last.
    pub fn get(&self, row: u32) -> Option<u64> {
        let row = Some(row as usize).filter(|row| *row < self.rows)?;
        let at = self.from + row * self.width;
        // Eight bytes at once where there are so many, of which those of others are cut off.
        let wide = match self.bytes.get(at..).and_then(<[u8]>::first_chunk) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => {
                let mut bytes = [0; 8];
                let own = self.bytes.get(at..at + self.width)?;
                bytes.get_mut(..self.width)?.copy_from_slice(own);
                u64::from_le_bytes(bytes)
            }
        };
        let mask = u64::MAX.checked_shr(64 - 8 * self.width as u32).unwrap_or_default();
        Some(self.low.wrapping_add((wide & mask) << self.shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::packed;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_number_is_the_one_that_was_put_there(
            values in proptest::collection::vec(any::<u64>(), 1..40), bits in 0..64_u32, low in 0..64_u32, more in 0..9_usize,
        ) {
            let values: Vec<u64> = values.into_iter().map(|v| (v >> bits) << low).collect();
            let mut bytes = Vec::new();
            packed::put(values.iter().map(|_| 1), &mut bytes);
            packed::put(values.iter().copied(), &mut bytes);
            for end in 0..bytes.len() {
                prop_assert!(NumbersByRow::take(&Arc::new(bytes[..end].to_vec()), values.len()).is_err());
            }
            bytes.resize(bytes.len() + more, 0xFF);
            let numbers = NumbersByRow::take(&Arc::new(bytes), values.len()).unwrap();
            let found: Vec<_> = (0..=values.len() as u32).map(|row| numbers.get(row)).collect();
            let wanted: Vec<_> = values.into_iter().map(Some).chain([None]).collect();
            prop_assert_eq!(found, wanted);
        }
    }
}
