//! Sums by a key that is often the same as that of the row before.

use std::collections::HashMap;
use std::hash::Hash;

/// Sums by key.
pub(in crate::frame) struct Groups<K, S> {
    index: HashMap<K, usize>,
    sums: Vec<S>,
    last: Option<(K, usize)>,
}

impl<K, S> Default for Groups<K, S> {
    fn default() -> Self {
        Self { index: HashMap::new(), sums: Vec::new(), last: None }
    }
}

impl<K: Hash + Eq + Copy, S: Default> Groups<K, S> {
    /// Counts under a key.
    pub(in crate::frame) fn add(&mut self, key: K, count: impl FnOnce(&mut S)) {
        let at = match self.last {
            // A log names the same box, author and judge line after line.
            Some((last, at)) if last == key => at,
            _ => *self.index.entry(key).or_insert_with(|| {
                self.sums.push(S::default());
                self.sums.len() - 1
            }),
        };
        self.last = Some((key, at));
        if let Some(sums) = self.sums.get_mut(at) {
            count(sums);
        }
    }

    /// The sums by keys that live on their own.
    pub(in crate::frame) fn finish<O: Hash + Eq>(mut self, own: impl Fn(K) -> O) -> HashMap<O, S> {
        let sums = &mut self.sums;
        let found = |(key, at): (K, usize)| Some((own(key), std::mem::take(sums.get_mut(at)?)));
        self.index.into_iter().filter_map(found).collect()
    }
}
