//! Evaluations by the heads of their ids.

use crate::calibration::Evaluation;

/// Evaluations by the heads of their ids.
#[derive(Debug, Clone, Default)]
pub(super) struct ById {
    /// Their places, those of a group together.
    places: Vec<u32>,
    /// Where in `places` a group begins: those whose heads share their first bits. Ids are hashes, so few do.
    starts: Vec<u32>,
}

impl ById {
    pub(super) fn new(all: &[Evaluation]) -> Self {
        let mut by_id = Self { places: vec![0; all.len()], starts: Vec::new() };
        by_id.starts.resize((1 << by_id.bits()) + 1, 0);
        // How many each group has.
        for e in all {
            let group = by_id.group(e.id.head());
            by_id.starts[group] += 1;
        }
        // Where each ends.
        let mut sum = 0;
        for start in &mut by_id.starts {
            sum += *start;
            *start = sum;
        }
        // Filled from its end on, each ends up with where it begins.
        for (place, e) in all.iter().enumerate().rev() {
            let group = by_id.group(e.id.head());
            let start = &mut by_id.starts[group];
            *start -= 1;
            by_id.places[*start as usize] = place as u32;
        }
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
