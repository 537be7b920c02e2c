//! Evaluations by the heads of their ids.

use crate::calibration::Evaluation;
use crate::domain::Groups;

/// Evaluations by the heads of their ids: a group has those whose heads share their first bits. Ids are hashes, so
/// few do.
#[derive(Debug, Clone, Default)]
pub(super) struct ById(Groups);

impl ById {
    pub(super) fn new(all: &[Evaluation]) -> Self {
        let bits = bits(all.len());
        Self(Groups::new(1 << bits, all.iter().map(|e| group(e.id.head(), bits))))
    }

    /// The places of the few evaluations whose id may have a head.
    pub(super) fn near(&self, head: u64) -> impl Iterator<Item = usize> {
        let near = self.0.of(group(head, bits(self.0.places().len())) as usize);
        near.iter().map(|at| *at as usize)
    }
}

/// First bits by which so many are told apart: so many that a group has two to four.
fn bits(count: usize) -> u32 {
    (count / 2).checked_ilog2().unwrap_or_default()
}

fn group(head: u64, bits: u32) -> u32 {
    head.checked_shr(u64::BITS - bits).unwrap_or_default() as u32
}

#[cfg(test)]
mod tests {
    use super::super::Evaluations;
    use super::super::evaluations::an_evaluation;
    use super::*;
    use crate::domain::RecordId;

    #[test]
    fn evaluations_are_found_by_id() {
        let id = |n: u64| RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes());
        // One that shares its head with another.
        let mut same = id(4);
        same.0[31] ^= 1;
        for count in [0_u64, 1, 2, 3, 70, 1000] {
            let mut ids: Vec<RecordId> = (4..4 + count).map(id).collect();
            if count > 2 {
                ids.extend([RecordId([0; 32]), RecordId([255; 32]), same]);
            }
            let all: Vec<Evaluation> = ids.iter().map(|id| an_evaluation(*id)).collect();
            let found = Evaluations { by_id: ById::new(&all), all, ..Evaluations::default() };
            for (at, id) in ids.iter().enumerate() {
                assert_eq!(found.find(*id), Some(at), "{count}");
            }
            assert!((9000..9100).all(|n| found.find(id(n)).is_none()));
            let mut other = id(4);
            other.0[31] ^= 2;
            assert_eq!(found.find(other), None);
        }
    }
}
