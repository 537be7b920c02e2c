//! Which rows are doubles, and which evaluations a later one repeats.

use crate::frame::{Flags, Keys};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Hashes what is a hash already: the low bits of a BLAKE3 value are as good as any.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u32(&mut self, n: u32) {
        self.0 ^= u64::from(n).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_u64(&mut self, n: u64) {
        self.0 ^= n;
    }

    fn write_u128(&mut self, n: u128) {
        self.0 ^= n as u64;
    }
}

type ReadyState = BuildHasherDefault<Ready>;

/// A run of rows that was there before or is new.
pub(super) struct Run {
    pub(super) keys: Keys,
    pub(super) flags: Flags,
    /// Whether these rows are to be judged; old ones only bear witness.
    pub(super) new: bool,
    /// Set where a flag of an old row changed.
    pub(super) touched: bool,
    /// Distinct records seen on each box.
    pub(super) seen: HashMap<u32, u64>,
}

impl Run {
    pub(super) fn new(keys: Keys) -> Self {
        let flags = Flags::none(keys.id.len());
        Self { keys, flags, new: true, touched: false, seen: HashMap::new() }
    }

    pub(super) fn old(keys: Keys, flags: Flags) -> Self {
        Self { keys, flags, new: false, touched: false, seen: HashMap::new() }
    }
}

/// What new rows ask of old ones.
pub(super) struct Wanted {
    ids: HashSet<u128, ReadyState>,
    units: HashSet<(u32, u64), ReadyState>,
}

impl Wanted {
    pub(super) fn of(fresh: &[&Keys]) -> Self {
        let ids = fresh.iter().flat_map(|k| k.id.iter().copied()).collect();
        let units = fresh.iter().flat_map(|k| units(k)).collect();
        Self { ids, units }
    }

    /// Tells whether any of the rows is one of those.
    pub(super) fn any(&self, keys: &Keys) -> bool {
        keys.id.iter().any(|id| self.ids.contains(id))
            || units(keys).any(|u| self.units.contains(&u))
    }
}

fn units(keys: &Keys) -> impl Iterator<Item = (u32, u64)> + '_ {
    keys.boxes.iter().zip(&keys.unit).filter_map(|(b, unit)| Some((*b, (*unit)?)))
}

/// Flags the new rows of the runs, and old rows that new ones repeat, in the order of the runs.
pub(super) fn assign(runs: &mut [Run]) {
    doubles(runs);
    repeats(runs);
}

fn doubles(runs: &mut [Run]) {
    let rows = runs.iter().map(|r| r.keys.id.len()).sum();
    let mut first: HashMap<u128, u32, ReadyState> =
        HashMap::with_capacity_and_hasher(rows, ReadyState::default());
    let mut elsewhere: HashSet<(u128, u32), ReadyState> = HashSet::default();
    for run in runs {
        let rows = run.keys.id.iter().zip(&run.keys.boxes).zip(&mut run.flags.duplicate);
        for ((id, box_index), duplicate) in rows {
            let fresh = match first.entry(*id) {
                Entry::Vacant(place) => {
                    place.insert(*box_index);
                    true
                }
                Entry::Occupied(owner) => {
                    *duplicate |= run.new;
                    owner.get() != box_index && elsewhere.insert((*id, *box_index))
                }
            };
            if run.new && fresh {
                *run.seen.entry(*box_index).or_default() += 1;
            }
        }
    }
}

fn repeats(runs: &mut [Run]) {
    // Per unit its latest evaluation: time, run, row.
    let mut latest: HashMap<(u32, u64), (i64, u32, u32), ReadyState> = HashMap::default();
    let mut marks: Vec<(u32, u32)> = Vec::new();
    for (r, run) in runs.iter().enumerate() {
        for (i, unit) in run.keys.unit.iter().enumerate() {
            let Some(unit) = unit else { continue };
            if run.flags.duplicate.get(i) == Some(&true) {
                continue;
            }
            let box_index = run.keys.boxes.get(i).copied().unwrap_or(0);
            let ts = run.keys.ts.get(i).copied().flatten().unwrap_or(i64::MIN);
            let this = (ts, r as u32, i as u32);
            let kept = latest.entry((box_index, *unit)).or_insert(this);
            if *kept == this {
                continue;
            }
            let earlier = if this > *kept { std::mem::replace(kept, this) } else { this };
            marks.push((earlier.1, earlier.2));
        }
    }
    for (r, i) in marks {
        let Some(run) = runs.get_mut(r as usize) else { continue };
        if let Some(flag) = run.flags.repeat.get_mut(i as usize) {
            run.touched |= !*flag;
            *flag = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(rows: &[(u128, u64, i64, u32)]) -> Run {
        let mut keys = Keys::default();
        for (id, unit, ts, box_index) in rows {
            keys.id.push(*id);
            keys.unit.push(Some(*unit));
            keys.ts.push(Some(*ts));
            keys.boxes.push(*box_index);
        }
        Run::new(keys)
    }

    #[test]
    fn the_first_of_equal_records_counts_and_each_box_is_counted_once() {
        let mut runs =
            [run(&[(1, 1, 1, 0), (1, 1, 1, 0), (2, 2, 1, 0)]), run(&[(1, 1, 1, 1), (1, 1, 1, 1)])];
        assign(&mut runs);
        assert_eq!(runs[0].flags.duplicate, [false, true, false]);
        assert_eq!(runs[1].flags.duplicate, [true, true]);
        assert_eq!(runs[0].seen, HashMap::from([(0, 2)]));
        assert_eq!(runs[1].seen, HashMap::from([(1, 1)]));
        assert!(runs.iter().all(|r| !r.flags.repeat.contains(&true)));
    }

    #[test]
    fn the_latest_evaluation_of_a_commit_counts_wherever_it_stands() {
        let mut runs = [run(&[(1, 7, 50, 0), (2, 7, 90, 1)]), run(&[(3, 7, 40, 0), (4, 7, 60, 0)])];
        runs[0].new = false;
        assign(&mut runs);
        assert_eq!(runs[0].flags.repeat, [true, false]);
        assert_eq!(runs[1].flags.repeat, [true, false]);
        assert!(runs[0].touched);
    }
}
