//! Sums by a key that is often the same as that of the row before.

use super::{Row, Sums};
use std::collections::HashMap;
use std::hash::Hash;

/// Sums by key.
pub(super) struct Groups<K> {
    index: HashMap<K, usize>,
    sums: Vec<Sums>,
    last: Option<(K, usize)>,
}

impl<K> Default for Groups<K> {
    fn default() -> Self {
        Self { index: HashMap::new(), sums: Vec::new(), last: None }
    }
}

impl<K: Hash + Eq + Copy> Groups<K> {
    /// Counts a row under a key.
    pub(super) fn add(&mut self, key: K, row: &Row) {
        let at = match self.last {
            // A log names the same box, author and judge line after line.
            Some((last, at)) if last == key => at,
            _ => *self.index.entry(key).or_insert_with(|| {
                self.sums.push(Sums::default());
                self.sums.len() - 1
            }),
        };
        self.last = Some((key, at));
        if let Some(sums) = self.sums.get_mut(at) {
            sums.add(row);
        }
    }

    /// The sums by keys that live on their own.
    pub(super) fn finish<O: Hash + Eq>(self, own: impl Fn(K) -> O) -> HashMap<O, Sums> {
        let sums = &self.sums;
        let found = |(key, at): (K, usize)| Some((own(key), *sums.get(at)?));
        self.index.into_iter().filter_map(found).collect()
    }
}
