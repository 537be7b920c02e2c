//! What a person did, for undoing it: items handled, labels given.

use crate::domain::RecordId;
use crate::domain::review::EntryId;
use crate::store::disposition::Disposition;
use std::collections::VecDeque;

/// What an entry on its way does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The entry gives labels.
    New,
    /// The entry undoes an earlier one.
    Undo,
    /// The entry brings an undone one back.
    Redo,
}

/// Items that were handled, and what each became.
pub type DispositionChanges = Vec<(RecordId, Disposition)>;

/// Something that was done at once, and is undone at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UndoStep {
    /// Items of the queue were handled.
    Dispositions(DispositionChanges),
    /// Records were labelled by one entry of the ledger.
    Labelled {
        /// The entry in the ledger.
        entry: EntryId,
        /// Content hashes of the records.
        records: Vec<RecordId>,
    },
    /// Records were overridden, an entry in the ledger each.
    Overridden(Vec<(EntryId, RecordId)>),
    /// Verdicts of the calibration queue were shown.
    Opened,
}

impl UndoStep {
    /// How many items it is of.
    pub fn len(&self) -> usize {
        match self {
            Self::Dispositions(done) => done.len(),
            Self::Labelled { records, .. } => records.len(),
            Self::Overridden(of) => of.len(),
            Self::Opened => 0,
        }
    }

    /// Its entry in the ledger, where it has one; of several the first.
    pub fn entry(&self) -> Option<EntryId> {
        match self {
            Self::Dispositions(_) | Self::Opened => None,
            Self::Labelled { entry, .. } => Some(*entry),
            Self::Overridden(of) => of.first().map(|(entry, _)| *entry),
        }
    }

    /// Whether it is of none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What was done, and what was taken back since something new was done; the last is the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UndoSteps {
    /// Steps in force, the latest last.
    pub done: Vec<UndoStep>,
    /// Steps undone since the last new one, the latest last.
    pub undone: Vec<UndoStep>,
}

/// What can be undone and redone.
#[derive(Debug, Clone, Default)]
pub struct UndoHistory {
    steps: UndoSteps,
    /// So many of the first steps are of earlier runs; none where those are not known yet.
    before: Option<usize>,
    /// Writings that are not done yet.
    pub writing: usize,
    /// What they are of, in their order.
    writes: VecDeque<(Change, UndoStep)>,
}

impl UndoHistory {
    /// Takes up what was done in earlier runs, once.
    pub fn restore_earlier(&mut self, earlier: &UndoSteps) {
        if self.before.is_some() {
            return;
        }
        if self.steps.done.is_empty() && self.steps.undone.is_empty() {
            self.steps.undone.clone_from(&earlier.undone);
        }
        // What this run did may be repeated by what is read later.
        let own =
            |step: &&UndoStep| self.steps.done.contains(step) || self.steps.undone.contains(step);
        let earlier: Vec<UndoStep> = earlier.done.iter().filter(|s| !own(s)).cloned().collect();
        self.before = Some(earlier.len());
        self.steps.done.splice(0..0, earlier);
    }

    /// Items that were done with in this run.
    pub fn count(&self) -> usize {
        let before = self.before.unwrap_or(0);
        self.steps.done.iter().skip(before).map(UndoStep::len).sum()
    }

    /// Notes something new; what was undone can no longer be redone.
    pub fn push(&mut self, step: UndoStep) {
        self.steps.done.push(step);
        self.steps.undone.clear();
    }

    /// Notes that verdicts of the calibration queue are shown; what was undone stays so.
    pub fn push_opened(&mut self) {
        self.steps.done.push(UndoStep::Opened);
    }

    /// Notes that they are hidden again: there is nothing to take back any more.
    pub fn drop_opened(&mut self) {
        self.steps.done.retain(|step| *step != UndoStep::Opened);
    }

    /// Notes that what was done, undone or redone last is being written.
    pub fn begin_write(&mut self, change: Change) {
        let of = if change == Change::Undo { &self.steps.undone } else { &self.steps.done };
        self.writes.extend(of.last().map(|step| (change, step.clone())));
    }

    /// Takes the end of the first writing; one that failed did not happen. Gives what was done
    /// then and is not.
    pub fn finish_write(&mut self, failed: bool) -> Option<DispositionChanges> {
        let (change, step) = self.writes.pop_front()?;
        if !failed {
            return None;
        }
        let UndoSteps { done, undone } = &mut self.steps;
        let (from, to) = if change == Change::Undo { (undone, done) } else { (done, undone) };
        let step = from.remove(from.iter().rposition(|known| *known == step)?);
        match (change, step) {
            (Change::New, UndoStep::Dispositions(items)) => return Some(items),
            (
                Change::New,
                UndoStep::Labelled { .. } | UndoStep::Overridden(_) | UndoStep::Opened,
            ) => {}
            (Change::Undo | Change::Redo, step) => to.push(step),
        }
        None
    }

    /// Takes the last thing back, and says what it was.
    pub fn undo(&mut self) -> Option<UndoStep> {
        let last = self.steps.done.pop()?;
        let left = self.steps.done.len();
        self.before = self.before.map(|before| before.min(left));
        // Verdicts are shown again only after a question.
        if last != UndoStep::Opened {
            self.steps.undone.push(last.clone());
        }
        Some(last)
    }

    /// Does again what was undone last, and says what it was.
    pub fn redo(&mut self) -> Option<UndoStep> {
        let again = self.steps.undone.pop()?;
        self.steps.done.push(again.clone());
        Some(again)
    }

    /// Forgets what was not saved.
    pub fn forget(&mut self, of: EntryId) {
        let other = |step: &UndoStep| step.entry() != Some(of);
        self.steps.done.retain(other);
        self.steps.undone.retain(other);
    }

    /// Puts labels back where they stood before an undo or a redo that was not saved.
    pub fn restore(&mut self, step: UndoStep, undo: bool) {
        if let Some(entry) = step.entry() {
            self.forget(entry);
        }
        match undo {
            true => self.steps.done.push(step),
            false => self.steps.undone.push(step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(n: u8) -> UndoStep {
        UndoStep::Dispositions(vec![(RecordId([n; 32]), Disposition::Seen)])
    }

    #[test]
    fn undo_covers_earlier_runs_after_current_run() {
        let mut history = UndoHistory::default();
        history.push(seen(2));
        let earlier = UndoSteps { done: vec![seen(1)], undone: vec![seen(9)] };
        history.restore_earlier(&earlier);
        history.restore_earlier(&earlier);
        assert_eq!(history.count(), 1);
        assert_eq!(
            [history.undo(), history.undo(), history.undo()],
            [Some(seen(2)), Some(seen(1)), None]
        );
        assert_eq!(history.count(), 0);
        assert_eq!(
            [history.redo(), history.redo(), history.redo()],
            [Some(seen(1)), Some(seen(2)), None]
        );
        let mut history = UndoHistory::default();
        history.restore_earlier(&earlier);
        assert_eq!(history.redo(), Some(seen(9)));
    }
}
