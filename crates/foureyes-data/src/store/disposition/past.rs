//! In which order items were dealt with, for undoing it later.

use super::Disposition;
use crate::domain::{RecordId, Timestamp};

/// So many steps are remembered.
const KEPT: usize = 200;

/// Items that were dealt with together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// When that was first done.
    pub at: Timestamp,
    /// The items, and what each became.
    pub items: Vec<(RecordId, Disposition)>,
}

/// What was done, and what was taken back since something new was done. The last is the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// What holds.
    pub done: Vec<Step>,
    /// What was taken back, and when.
    pub undone: Vec<(Step, Timestamp)>,
}

impl Past {
    /// Takes in one line.
    pub(super) fn take(&mut self, id: RecordId, deal: Disposition, at: Timestamp) {
        match deal {
            Disposition::Open => self.open(id, at),
            _ => self.apply(id, deal, at),
        }
    }

    /// An item is open again: its step was taken back.
    fn open(&mut self, id: RecordId, at: Timestamp) {
        let holds = |step: &Step| step.items.iter().any(|(item, _)| *item == id);
        let Some(index) = self.done.iter().rposition(holds) else { return };
        let Some(step) = self.done.get_mut(index) else { return };
        let Some(place) = step.items.iter().position(|(item, _)| *item == id) else { return };
        let (item, first) = (step.items.remove(place), step.at);
        if step.items.is_empty() {
            self.done.remove(index);
        }
        match self.undone.last_mut() {
            Some((step, when)) if step.at == first && *when == at => step.items.push(item),
            _ => self.undone.push((Step { at: first, items: vec![item] }, at)),
        }
    }

    /// An item was dealt with, for the first time or again.
    fn apply(&mut self, id: RecordId, deal: Disposition, at: Timestamp) {
        let first = self.again(id, deal);
        let at = first.unwrap_or(at);
        match self.done.last_mut() {
            Some(step) if step.at == at && step.items.iter().all(|(_, d)| *d == deal) => {
                step.items.push((id, deal));
            }
            _ => {
                if first.is_none() {
                    self.undone.clear();
                }
                self.done.push(Step { at, items: vec![(id, deal)] });
            }
        }
        let surplus = self.done.len().saturating_sub(KEPT);
        self.done.drain(..surplus);
    }

    /// Where the last thing that was revoked is done again: when it was done first.
    fn again(&mut self, id: RecordId, deal: Disposition) -> Option<Timestamp> {
        let (step, _) = self.undone.last_mut()?;
        let place = step.items.iter().position(|item| *item == (id, deal))?;
        let at = step.at;
        step.items.remove(place);
        if step.items.is_empty() {
            self.undone.pop();
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u8) -> RecordId {
        RecordId([n; 32])
    }

    fn shape(past: &Past) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let of = |step: &Step| step.items.iter().map(|(id, _)| id.0[0]).collect();
        (past.done.iter().map(of).collect(), past.undone.iter().map(|(s, _)| of(s)).collect())
    }

    #[test]
    fn steps_go_back_and_forth_in_order() {
        let mut past = Past::default();
        let (at, mut clock) = (Timestamp, 0);
        let mut put = |past: &mut Past, ids: &[u8], deal| {
            clock += 1;
            ids.iter().for_each(|n| past.take(id(*n), deal, at(clock)));
        };
        put(&mut past, &[1, 2], Disposition::Seen);
        put(&mut past, &[3], Disposition::Later);
        assert_eq!(shape(&past), (vec![vec![1, 2], vec![3]], vec![]));
        put(&mut past, &[3], Disposition::Open);
        put(&mut past, &[1, 2], Disposition::Open);
        assert_eq!(shape(&past), (vec![], vec![vec![3], vec![1, 2]]));
        put(&mut past, &[1, 2], Disposition::Seen);
        assert_eq!(shape(&past), (vec![vec![1, 2]], vec![vec![3]]));
        assert_eq!(past.done[0].at, at(1), "done again it keeps its place");
        put(&mut past, &[3], Disposition::Later);
        put(&mut past, &[4], Disposition::Seen);
        put(&mut past, &[4], Disposition::Open);
        put(&mut past, &[5], Disposition::Seen);
        assert_eq!(shape(&past), (vec![vec![1, 2], vec![3], vec![5]], vec![]));
    }
}
