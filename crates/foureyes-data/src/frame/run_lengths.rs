//! Values of rows, of which mostly many that follow each other are equal.

use std::slice;

/// The values of rows, run-length encoded.
#[derive(Debug, Clone)]
pub struct RunLengths<T> {
    /// Of each run its value and the row behind it.
    runs: Vec<(T, usize)>,
}

impl<T> Default for RunLengths<T> {
    fn default() -> Self {
        Self { runs: Vec::new() }
    }
}

impl<T: Copy + PartialEq> RunLengths<T> {
    /// Adds a row.
    pub fn push(&mut self, value: T) {
        match self.runs.last_mut() {
            Some((last, end)) if *last == value => *end += 1,
            _ => self.runs.push((value, self.len() + 1)),
        }
    }

    fn len(&self) -> usize {
        self.runs.last().map_or(0, |(_, end)| *end)
    }

    /// The value of a row; `None` beyond the last one.
    pub fn get(&self, row: usize) -> Option<T> {
        let at = self.runs.partition_point(|(_, end)| *end <= row);
        self.runs.get(at).map(|(value, _)| *value)
    }

    /// The value of each row.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { runs: self.runs.iter(), row: 0, of: None }
    }
}

/// The values of rows, one by one.
#[derive(Clone)]
pub struct Iter<'r, T> {
    /// Those after the one that the last row is of.
    runs: slice::Iter<'r, (T, usize)>,
    row: usize,
    of: Option<(T, usize)>,
}

impl<T: Copy> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let of = self.of.filter(|(_, end)| self.row < *end).or_else(|| self.runs.next().copied());
        self.of = of;
        self.row += 1;
        of.map(|(value, _)| value)
    }
}

impl<T: Copy + PartialEq> FromIterator<T> for RunLengths<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut all = Self::default();
        values.into_iter().for_each(|value| all.push(value));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_its_value() {
        let values = [7, 7, 7, 2, 7, 9, 9];
        let all: RunLengths<u32> = values.into_iter().collect();
        assert_eq!(all.iter().collect::<Vec<_>>(), values);
        assert_eq!((0..8).map(|row| all.get(row)).collect::<Vec<_>>(), {
            let known = values.into_iter().map(Some);
            known.chain([None]).collect::<Vec<_>>()
        });
        assert_eq!((all.len(), all.runs.len()), (7, 4));
        let none = RunLengths::<u32>::default();
        assert!(none.len() == 0 && none.get(0).is_none() && none.iter().next().is_none());
    }
}
