//! Values that come back, each held once.

use std::collections::HashMap;
use std::hash::Hash;

/// Numbers values in the order in which they are first seen.
#[derive(Debug, Clone)]
pub struct Numbering<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
    /// The number of the one before: a log names the same judge line after line.
    last: u32,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), values: Vec::new(), last: 0 }
    }
}

impl<T: Clone + Eq + Hash> Numbering<T> {
    /// The number of a value, from 0 on.
    pub fn number(&mut self, value: T) -> u32 {
        if self.values.get(self.last as usize) == Some(&value) {
            return self.last;
        }
        self.last = match self.numbers.get(&value) {
            Some(known) => *known,
            None => {
                let next = self.values.len() as u32;
                self.numbers.insert(value.clone(), next);
                self.values.push(value);
                next
            }
        };
        self.last
    }

    /// The values, in the order of their numbers.
    pub fn values(self) -> Vec<T> {
        self.values
    }
}

/// A list of values of which few differ.
#[derive(Debug, Clone, Default)]
pub struct Distinct<T> {
    /// Each of them at least once.
    values: Vec<T>,
    /// Which of them is at each place.
    places: Vec<u32>,
}

impl<T> Distinct<T> {
    /// Those values in the order in which `places` has their numbers.
    pub fn new(values: Vec<T>, places: Vec<u32>) -> Self {
        Self { values, places }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The value at a place.
    pub fn get(&self, place: usize) -> Option<&T> {
        self.values.get(*self.places.get(place)? as usize)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.places.iter().filter_map(|number| self.values.get(*number as usize))
    }

    /// Another value in place of each.
    pub fn map<U>(self, of: impl FnMut(T) -> U) -> Distinct<U> {
        Distinct { values: self.values.into_iter().map(of).collect(), places: self.places }
    }
}

impl<T: Ord> Distinct<Option<T>> {
    /// In place of each value its rank from 0 among those that are different; `None` has none.
    pub fn ranked(self) -> Distinct<Option<u32>> {
        let named = |(at, value): (usize, &'_ Option<T>)| value.as_ref().map(|_| at);
        let mut order: Vec<usize> = self.values.iter().enumerate().filter_map(named).collect();
        order.sort_unstable_by(|a, b| self.values[*a].cmp(&self.values[*b]));
        let mut values = vec![None; self.values.len()];
        let equal = order.chunk_by(|a, b| self.values[*a] == self.values[*b]);
        for (rank, equal) in (0..).zip(equal) {
            equal.iter().for_each(|at| values[*at] = Some(rank));
        }
        Distinct { values, places: self.places }
    }
}

impl<T: Clone + Eq + Hash> FromIterator<T> for Distinct<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut numbers = Numbering::default();
        let places = values.into_iter().map(|value| numbers.number(value)).collect();
        Self { values: numbers.values(), places }
    }
}

/// Places, those of a group together.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// Where a group begins, and after the last one where it ends.
    starts: Vec<u32>,
    /// Ascending in each group.
    places: Vec<u32>,
}

impl Groups {
    /// Of so many groups; `of` has that of each place.
    pub fn new(
        groups: usize,
        of: impl ExactSizeIterator<Item = u32> + DoubleEndedIterator + Clone,
    ) -> Self {
        // How many each has, then where each ends.
        let mut starts = vec![0; groups + 1];
        for group in of.clone() {
            if let Some(count) = starts.get_mut(group as usize) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut places = vec![0; sum as usize];
        // Filled from its end on, each ends up with where it begins.
        for (place, group) in of.enumerate().rev() {
            if let Some(start) = starts.get_mut(group as usize) {
                *start -= 1;
                if let Some(slot) = places.get_mut(*start as usize) {
                    *slot = place as u32;
                }
            }
        }
        Self { starts, places }
    }

    /// All places, group by group.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// Those of a group.
    pub fn of(&self, group: usize) -> &[u32] {
        let ends = self.starts.get(group).zip(self.starts.get(group + 1));
        ends.and_then(|(from, to)| self.places.get(*from as usize..*to as usize))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_that_of_its_values_in_order() {
        let values = ["b", "b", "a", "", "b", "a"];
        let held: Distinct<&str> = values.into_iter().collect();
        assert_eq!((held.values.len(), held.len()), (3, 6));
        assert!(held.iter().eq(values.iter()));
        assert_eq!((held.get(3), held.get(6)), (Some(&""), None));
        let mapped = held.map(str::len);
        assert!(mapped.iter().copied().eq(values.iter().map(|value| value.len())));
        assert!(Distinct::<u8>::default().is_empty());
        let named = [Some("b"), None, Some("a"), Some("c"), Some("b")];
        let ranked = named.into_iter().collect::<Distinct<_>>().ranked();
        assert!(ranked.iter().eq(&[Some(1), None, Some(0), Some(2), Some(1)]));
        // Of values that became equal, too.
        let longer = [Some("b1"), Some("a1"), Some("b2")].into_iter().collect::<Distinct<_>>();
        let ranked = longer.map(|text| text.map(|text| &text[..1])).ranked();
        assert!(ranked.iter().eq(&[Some(1), Some(0), Some(1)]));
    }

    #[test]
    fn places_of_a_group_stand_together() {
        let groups = Groups::new(4, [2, 0, 2, 3, 0].into_iter());
        assert_eq!(groups.places(), [1, 4, 0, 2, 3]);
        let of: Vec<&[u32]> = (0..5).map(|group| groups.of(group)).collect();
        assert_eq!(of, [&[1, 4][..], &[], &[0, 2], &[3], &[]]);
        assert!(Groups::default().of(0).is_empty());
    }
}
