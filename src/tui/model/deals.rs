//! What a person did, for undoing it: items dealt with, labels given.

use crate::domain::RecordId;
use crate::domain::review::EntryId;
use crate::store::disposition::Disposition;
use crate::tui::model::Way;
use std::collections::VecDeque;

/// Items that were dealt with, and what each became.
pub type Done = Vec<(RecordId, Disposition)>;

/// Something that was done at once, and is undone at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Items of the queue were dealt with.
    Dispositions(Done),
    /// Records were labelled.
    Labelled {
        /// The entry in the ledger.
        entry: EntryId,
        /// Which records.
        records: Vec<RecordId>,
    },
    /// Records were overridden, an entry in the ledger each.
    Overridden(Vec<(EntryId, RecordId)>),
    /// Verdicts of the calibration queue were shown.
    Opened,
}

impl Step {
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

    /// Tells whether it is of none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What was done, and what was taken back since something new was done; the last is the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steps {
    /// What holds.
    pub done: Vec<Step>,
    /// What was taken back.
    pub undone: Vec<Step>,
}

/// What can be undone and redone.
#[derive(Debug, Clone, Default)]
pub struct Deals {
    steps: Steps,
    /// So many of the first steps are of earlier runs; none where those are not known yet.
    before: Option<usize>,
    /// Writings that are not done yet.
    pub writing: usize,
    /// What they are of, in their order.
    underway: VecDeque<(Way, Step)>,
}

impl Deals {
    /// Takes up what was done in earlier runs, once.
    pub fn take_up(&mut self, earlier: &Steps) {
        if self.before.is_some() {
            return;
        }
        if self.steps.done.is_empty() && self.steps.undone.is_empty() {
            self.steps.undone.clone_from(&earlier.undone);
        }
        // What this run did may be told again by what is read later.
        let own = |step: &&Step| self.steps.done.contains(step) || self.steps.undone.contains(step);
        let earlier: Vec<Step> = earlier.done.iter().filter(|s| !own(s)).cloned().collect();
        self.before = Some(earlier.len());
        self.steps.done.splice(0..0, earlier);
    }

    /// Items that were done with in this run.
    pub fn count(&self) -> usize {
        let before = self.before.unwrap_or(0);
        self.steps.done.iter().skip(before).map(Step::len).sum()
    }

    /// Notes something new; what was undone can no longer be redone.
    pub fn note(&mut self, step: Step) {
        self.steps.done.push(step);
        self.steps.undone.clear();
    }

    /// Notes that verdicts of the calibration queue are shown; what was undone stays so.
    pub fn opened(&mut self) {
        self.steps.done.push(Step::Opened);
    }

    /// Notes that they are hidden again: there is nothing to take back any more.
    pub fn closed(&mut self) {
        self.steps.done.retain(|step| *step != Step::Opened);
    }

    /// Notes that what was done, undone or redone last is being written.
    pub fn underway(&mut self, way: Way) {
        let of = if way == Way::Undo { &self.steps.undone } else { &self.steps.done };
        self.underway.extend(of.last().map(|step| (way, step.clone())));
    }

    /// Takes the end of the first writing; one that failed did not happen. Gives what was done
    /// then and is not.
    pub fn written(&mut self, failed: bool) -> Option<Done> {
        let (way, step) = self.underway.pop_front()?;
        if !failed {
            return None;
        }
        let Steps { done, undone } = &mut self.steps;
        let (from, to) = if way == Way::Undo { (undone, done) } else { (done, undone) };
        let step = from.remove(from.iter().rposition(|known| *known == step)?);
        match (way, step) {
            (Way::Give, Step::Dispositions(items)) => return Some(items),
            (Way::Give, Step::Labelled { .. } | Step::Overridden(_) | Step::Opened) => {}
            (Way::Undo | Way::Redo, step) => to.push(step),
        }
        None
    }

    /// Takes the last thing back, and says what it was.
    pub fn undo(&mut self) -> Option<Step> {
        let last = self.steps.done.pop()?;
        let left = self.steps.done.len();
        self.before = self.before.map(|before| before.min(left));
        // Verdicts are shown again only after a question.
        if last != Step::Opened {
            self.steps.undone.push(last.clone());
        }
        Some(last)
    }

    /// Does again what was undone last, and says what it was.
    pub fn redo(&mut self) -> Option<Step> {
        let again = self.steps.undone.pop()?;
        self.steps.done.push(again.clone());
        Some(again)
    }

    /// Forgets what was not saved.
    pub fn forget(&mut self, of: EntryId) {
        let other = |step: &Step| step.entry() != Some(of);
        self.steps.done.retain(other);
        self.steps.undone.retain(other);
    }

    /// Puts labels back where they stood before an undo or a redo that was not saved.
    pub fn restore(&mut self, step: Step, undo: bool) {
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

    fn seen(n: u8) -> Step {
        Step::Dispositions(vec![(RecordId([n; 32]), Disposition::Seen)])
    }

    #[test]
    fn what_earlier_runs_did_is_undone_after_what_this_one_did() {
        let mut deals = Deals::default();
        deals.note(seen(2));
        let earlier = Steps { done: vec![seen(1)], undone: vec![seen(9)] };
        deals.take_up(&earlier);
        deals.take_up(&earlier);
        assert_eq!(deals.count(), 1);
        assert_eq!(
            [deals.undo(), deals.undo(), deals.undo()],
            [Some(seen(2)), Some(seen(1)), None]
        );
        assert_eq!(deals.count(), 0);
        assert_eq!(
            [deals.redo(), deals.redo(), deals.redo()],
            [Some(seen(1)), Some(seen(2)), None]
        );
        let mut deals = Deals::default();
        deals.take_up(&earlier);
        assert_eq!(deals.redo(), Some(seen(9)));
    }
}
