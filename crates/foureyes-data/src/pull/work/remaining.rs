//! What is left once answers have come: files to ask for again, and what is noticed of all of them.

use super::Work;
use crate::domain::FileCounts;
use crate::pull::asking::Batch;
use crate::pull::plan::{self, Ask, Plan};
use crate::store::cursor::{Cursor, RemotePath};
use crate::store::state::Fact;
use std::collections::{HashMap, HashSet, VecDeque};

/// The file that a notice says is not read.
fn unread(fact: &Fact) -> Option<&RemotePath> {
    match fact {
        Fact::Unreadable { path } | Fact::Garbled { path } | Fact::Incomplete { path } => {
            Some(path)
        }
        _ => None,
    }
}

impl Work {
    /// Files of a batch of which more is to come.
    pub(in crate::pull) fn unfinished(&self, batch: Batch, before: u64, queue: &mut VecDeque<Ask>) {
        // Without a byte there is no use in asking again: the next pull will tell.
        if self.bytes == before {
            return;
        }
        let mut adopted: HashMap<&RemotePath, Vec<usize>> = HashMap::new();
        for at in &self.adopted {
            adopted.entry(&self.store.files[*at].path).or_default().push(*at);
        }
        for ask in batch.asks.into_iter().rev() {
            let more = |e: &usize| {
                let entry = &self.store.files[*e];
                let short = entry.cursor.offset < ask.stamp.size || entry.archived;
                entry.cursor.stamp.is_none() && short && entry.live
            };
            let entry = adopted.get(&ask.path).and_then(|all| all.iter().copied().find(more));
            let Some(entry) = entry.filter(|e| self.changed.contains(e)) else { continue };
            let Some(progress) = ask.progress.next() else { continue };
            let candidates = vec![(entry, self.store.files[entry].archived)];
            queue.push_front(Ask { candidates, own: Some(entry), progress, ..ask });
        }
    }

    /// Files of which not all is there, and how many bytes each lacks.
    pub(in crate::pull) fn lacking(&self, asks: &[Ask]) -> Vec<(RemotePath, u64)> {
        let live = self.store.files.iter().filter(|entry| entry.live);
        let have: HashMap<&RemotePath, &Cursor> =
            live.map(|entry| (&entry.path, &entry.cursor)).collect();
        let lacks = |ask: &Ask| match have.get(&ask.path) {
            Some(cursor) if cursor.stamp == Some(ask.stamp) => 0,
            Some(cursor) => ask.stamp.size.saturating_sub(cursor.offset),
            None => ask.stamp.size,
        };
        let lacking = asks.iter().map(|ask| (ask.path.clone(), lacks(ask)));
        lacking.filter(|(_, bytes)| *bytes > 0).collect()
    }

    /// Finds the entries whose files are gone, and the files that did not come whole: all of a plan was asked for.
    pub(in crate::pull) fn conclude(&mut self, plan: &Plan) {
        self.note_incomplete(&plan.asks);
        self.store.record.listed = Some(self.counted(plan));
        let Some(listing) = self.listing.as_deref() else { return };
        let there: HashSet<&[u8]> = listing.files.iter().map(|seen| &*seen.path).collect();
        let unchanged: HashSet<usize> = plan.unchanged.iter().copied().collect();
        for (i, entry) in self.store.files.iter_mut().enumerate() {
            let looked_at = self.adopted.contains(&i) || unchanged.contains(&i);
            if !looked_at && plan::is_gone(entry, listing, &there) {
                self.facts.push(Fact::Deleted { path: entry.path.clone() });
                entry.live = false;
            }
        }
    }

    /// Where the files of a listing went, once all were asked for: a copy is of this pull, or there is a notice.
    fn counted(&self, plan: &Plan) -> FileCounts {
        let live = |at: &usize| self.store.files.get(*at).filter(|entry| entry.live);
        let copied: HashSet<&RemotePath> =
            self.adopted.iter().filter_map(live).map(|entry| &entry.path).collect();
        let refused: HashSet<&RemotePath> = self.facts.iter().filter_map(unread).collect();
        let left_out = self.listing.as_deref().map_or(0, |listing| listing.left_out);
        let mut listed = plan.listed;
        listed.offered += left_out;
        listed.unread += left_out;
        for ask in &plan.asks {
            if copied.contains(&ask.path) {
                listed.read += 1;
            } else if refused.contains(&ask.path) {
                listed.unread += 1;
            }
        }
        listed
    }

    fn note_incomplete(&mut self, asks: &[Ask]) {
        let explained: HashSet<_> = self
            .facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::Unreadable { path } | Fact::Garbled { path } => Some(path.clone()),
                _ => None,
            })
            .collect();
        let paths = self.lacking(asks).into_iter().map(|(path, _)| path);
        let paths = paths.filter(|path| !explained.contains(path));
        self.facts.extend(paths.map(|path| Fact::Incomplete { path }));
    }

    /// All that was noticed, each once.
    pub(in crate::pull) fn take_facts(&mut self) -> Vec<Fact> {
        for (own, fact) in std::mem::take(&mut self.displaced) {
            // One that is live again was found under another name later on.
            self.facts.extend(fact.filter(|_| !self.store.files[own].live));
        }
        let mut known = HashSet::new();
        let mut all = std::mem::take(&mut self.facts);
        all.retain(|fact| known.insert(fact.clone()));
        all
    }
}
