//! Evaluations by the heads of their ids.

use crate::calibration::Evaluation;
use rayon::prelude::*;

/// Evaluations by the heads of their ids.
#[derive(Debug, Clone, Default)]
pub(super) struct ById {
    /// Their places, in the order of the heads.
    places: Vec<u32>,
    /// Where in `places` those begin whose heads share their first bits; ids are hashes, so few do.
    starts: Vec<u32>,
}

impl ById {
    pub(super) fn new(all: &[Evaluation]) -> Self {
        let mut heads: Vec<(u64, u32)> = (0..).zip(all).map(|(i, e)| (e.id.head(), i)).collect();
        heads.par_sort_unstable();
        let places = heads.iter().map(|(_, place)| *place).collect();
        let mut by_id = Self { starts: Vec::new(), places };
        let groups = 1 << by_id.bits();
        by_id.starts.reserve(groups + 1);
        for (at, (head, _)) in (0..).zip(&heads) {
            let group = by_id.group(*head);
            while by_id.starts.len() <= group {
                by_id.starts.push(at);
            }
        }
        by_id.starts.resize(groups + 1, heads.len() as u32);
        by_id
    }

    /// First bits by which they are told apart: so many that a group has two to four evaluations.
    fn bits(&self) -> u32 {
        (self.places.len() / 2).checked_ilog2().unwrap_or_default()
    }

    fn group(&self, head: u64) -> usize {
        head.checked_shr(u64::BITS - self.bits()).unwrap_or_default() as usize
    }

    /// The places of the few evaluations whose id may have a head.
    pub(super) fn near(&self, head: u64) -> impl Iterator<Item = usize> {
        let group = self.group(head);
        let ends = self.starts.get(group).zip(self.starts.get(group + 1));
        let near = ends.and_then(|(from, to)| self.places.get(*from as usize..*to as usize));
        near.unwrap_or_default().iter().map(|at| *at as usize)
    }
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
