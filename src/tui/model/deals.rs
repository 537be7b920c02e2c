//! What was done with items of the queue in this run, for undoing it.

use crate::domain::RecordId;
use crate::store::dealt::Deal;

/// Something that was done: items, and what each became.
pub type Done = Vec<(RecordId, Deal)>;

/// What can be undone and redone.
#[derive(Debug, Clone, Default)]
pub struct Deals {
    done: Vec<Done>,
    undone: Vec<Done>,
    /// Items dealt with in this run.
    pub count: usize,
    /// Writings that are not done yet.
    pub writing: usize,
}

impl Deals {
    /// Notes something new; what was undone can no longer be redone.
    pub fn note(&mut self, done: Done) {
        self.count += done.len();
        self.done.push(done);
        self.undone.clear();
    }

    /// Takes the last thing back: what has to be written for that.
    pub fn undo(&mut self) -> Option<Done> {
        let last = self.done.pop()?;
        self.count = self.count.saturating_sub(last.len());
        let opened = last.iter().map(|(id, _)| (*id, Deal::Open)).collect();
        self.undone.push(last);
        Some(opened)
    }

    /// Does again what was undone last: what has to be written for that.
    pub fn redo(&mut self) -> Option<Done> {
        let again = self.undone.pop()?;
        self.count += again.len();
        self.done.push(again.clone());
        Some(again)
    }
}
