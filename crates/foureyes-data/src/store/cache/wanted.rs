//! What new rows ask of old ones.

use crate::frame::{Keys, LogIndex, Role};
use std::collections::HashSet;
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

pub(super) type ReadyState = BuildHasherDefault<Ready>;

/// What new rows ask of old ones.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) ids: HashSet<u128, ReadyState>,
    /// First words of the ids.
    heads: HashSet<u64, ReadyState>,
    pub(super) units: HashSet<(u32, u64), ReadyState>,
    /// The units, whichever box they are of.
    names: HashSet<u64, ReadyState>,
}

impl Wanted {
    pub(super) fn new(fresh: &[&Keys]) -> Self {
        let ids: HashSet<u128, ReadyState> =
            fresh.iter().flat_map(|k| k.id.iter().copied()).collect();
        let heads = ids.iter().map(|id| (id >> 64) as u64).collect();
        let mut wanted = Self { ids, heads, ..Self::default() };
        wanted.add_units(fresh.iter().flat_map(|k| units(k).flatten()));
        wanted
    }

    /// Whether a row of which the id begins so may be one of them.
    pub(super) fn may_be(&self, head: u64) -> bool {
        self.heads.contains(&head)
    }

    /// Whether a row of such a unit may be of one of theirs.
    pub(super) fn may_be_of(&self, unit: u64) -> bool {
        self.names.contains(&unit)
    }

    /// Whether any of the rows is one of those.
    pub(super) fn any(&self, keys: &Keys) -> bool {
        keys.id.iter().any(|id| self.ids.contains(id))
            || units(keys).flatten().any(|u| self.units.contains(&u))
    }

    /// Units not asked for yet of old rows that may stop to count, or start to.
    pub(super) fn more_units(&self, keys: &Keys) -> Vec<(u32, u64)> {
        let known = keys.id.iter().zip(units(keys)).filter(|(id, _)| self.ids.contains(id));
        known.filter_map(|(_, unit)| unit).filter(|u| !self.units.contains(u)).collect()
    }

    pub(super) fn add_units(&mut self, units: impl IntoIterator<Item = (u32, u64)>) {
        for unit in units {
            self.units.insert(unit);
            self.names.insert(unit.1);
        }
    }
}

/// The box of a task's unit: one run of it may stand on several.
pub(super) const ANY_BOX: u32 = u32::MAX;

pub(super) fn units(keys: &Keys) -> impl Iterator<Item = Option<(u32, u64)>> + Clone + '_ {
    let rows = keys.logs.iter().zip(&keys.unit).zip(keys.role.iter());
    rows.map(|((LogIndex { box_index, .. }, unit), role)| {
        let of_task = role != Role::None;
        Some((if of_task { ANY_BOX } else { box_index }, (*unit)?))
    })
}
