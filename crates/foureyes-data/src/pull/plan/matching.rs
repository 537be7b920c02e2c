//! Which copies a file may be the rest of. Pure.

use super::{is_gone, proves};
use crate::domain::log_name::{is_packed, stem};
use crate::source::listing::{Listing, Seen};
use crate::store::cursor::{RemotePath, Stamp};
use crate::store::state::Entry;
use std::collections::{HashMap, HashSet};

/// Most candidates for one file.
const CANDIDATES: usize = 8;
/// Most times that files which are missing are proposed for new names, in all: each costs hashing both here and
/// there.
pub(super) const PROPOSALS: usize = 64;

/// What is known, by what a file can be recognised by.
pub(super) struct Matching<'a> {
    known: &'a [Entry],
    /// Live entries by path.
    pub(super) own: HashMap<Vec<u8>, usize>,
    /// Live entries by device and inode.
    inodes: HashMap<(u64, u64), usize>,
    /// Inodes that were listed, with the number of their paths.
    listed: HashMap<(u64, u64), HashSet<&'a [u8]>>,
    /// Entries whose file is certainly as it was.
    settled: HashSet<usize>,
    /// Entries whose file does not stand where it stood: it may have any name now.
    strays: Vec<usize>,
    /// How often a stray may still be proposed.
    proposals: usize,
    /// Entries by their path without what rotation adds; none where the box cannot show that a file begins as
    /// a copy does.
    of_stem: HashMap<&'a [u8], Vec<usize>>,
}

/// Entries that stood somewhere else last time, those with most bytes first: nothing stands there any more,
/// or another file, or less of it.
fn strays(known: &[Entry], files: &[(&Seen, Stamp)], listing: &Listing) -> Vec<usize> {
    let now: HashMap<&[u8], &Stamp> = files.iter().map(|(s, stamp)| (&*s.path, stamp)).collect();
    let there: HashSet<&[u8]> = listing.files.iter().map(|seen| &*seen.path).collect();
    let strayed = |entry: &Entry| match now.get(&*entry.path.0) {
        None => is_gone(entry, listing, &there),
        Some(now) if entry.archived => inode(now).is_some() && is_another(entry, now),
        Some(now) => now.size < entry.cursor.offset || is_another(entry, now),
    };
    let lacking =
        |(_, e): &(usize, &Entry)| e.live && !e.damaged && e.cursor.offset > 0 && strayed(e);
    let mut all: Vec<usize> = known.iter().enumerate().filter(lacking).map(|(at, _)| at).collect();
    all.sort_by_key(|at| std::cmp::Reverse(known.get(*at).map_or(0, |e| e.cursor.offset)));
    all
}

/// Whether another file stands under the path of an entry.
pub(super) fn is_another(entry: &Entry, now: &Stamp) -> bool {
    entry.cursor.stamp.is_some_and(|s| s.inode.is_some() && !s.same_inode(now))
}

fn inode(stamp: &Stamp) -> Option<(u64, u64)> {
    Some((stamp.device.unwrap_or(0), stamp.inode?))
}

impl<'a> Matching<'a> {
    pub(super) fn new(
        known: &'a [Entry],
        files: &[(&'a Seen, Stamp)],
        listing: &Listing,
        verifies: bool,
    ) -> Self {
        let live = || known.iter().enumerate().filter(|(_, e)| e.live);
        let own: HashMap<_, _> = live().map(|(i, e)| (e.path.0.clone(), i)).collect();
        let of_inode = |(i, e): (usize, &Entry)| Some((inode(&e.cursor.stamp?)?, i));
        let inodes = live().filter_map(of_inode).collect();
        let mut listed: HashMap<_, HashSet<&[u8]>> = HashMap::new();
        let mut settled = HashSet::new();
        for (seen, stamp) in files {
            if let Some(inode) = inode(stamp) {
                listed.entry(inode).or_default().insert(&seen.path);
            }
            let own = own.get(&seen.path).copied();
            settled.extend(own.filter(|o| proves(&known[*o], stamp)));
        }
        let mut of_stem: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (i, entry) in known.iter().enumerate().filter(|(_, e)| verifies && !e.damaged) {
            of_stem.entry(stem(&entry.path.0)).or_default().push(i);
        }
        // Files that stood there last time first, then those that were put aside last.
        for of_one in of_stem.values_mut() {
            of_one.sort_by_key(|i| (!known[*i].live, std::cmp::Reverse(*i)));
        }
        let strays = if verifies { strays(known, files, listing) } else { Vec::new() };
        Self { known, own, inodes, listed, settled, strays, proposals: PROPOSALS, of_stem }
    }

    pub(super) fn candidates(
        &mut self,
        path: &RemotePath,
        now: &Stamp,
        own: Option<usize>,
    ) -> Vec<(usize, bool)> {
        let moved = inode(now).and_then(|i| self.inodes.get(&i).copied());
        // A second name of a file that still stands under its own is no rotation.
        let moved = moved.filter(|m| Some(*m) == own || !self.still_there(*m));
        let own = own.filter(|o| Some(*o) == moved || !self.elsewhere(*o, path));
        let first: Vec<usize> =
            moved.into_iter().chain(own.filter(|o| Some(*o) != moved)).collect();
        // The file an entry was copied from is asked for first, so a file that was copied away
        // and then emptied is found by its content, and a mere second copy is not taken for it.
        let under = self.own.get(&path.0).copied();
        let others = self.of_stem.get(stem(&path.0)).into_iter().flatten().copied();
        let others = others.filter(|i| !first.contains(i) && Some(*i) != under);
        let all = first.iter().copied().chain(others).filter(|i| !self.settled.contains(i));
        let fits = |i: usize| self.view(i, path, now, own).map(|unzipped| (i, unzipped));
        let mut all: Vec<(usize, bool)> = all.filter_map(fits).take(CANDIDATES).collect();
        // A new name that no rotation explains may be that of a file that is missing.
        if under.is_none() && moved.is_none() {
            let strays = self.strays.iter().copied();
            let strays = strays.filter(|i| !all.iter().any(|(known, _)| known == i));
            let room = CANDIDATES.saturating_sub(all.len()).min(self.proposals);
            let strays: Vec<_> = strays.filter_map(fits).take(room).collect();
            self.proposals -= strays.len();
            all.extend(strays);
        }
        all
    }

    /// Whether the entry's path still holds its inode.
    fn still_there(&self, entry: usize) -> bool {
        let stamp = self.known[entry].cursor.stamp;
        let paths = stamp.and_then(|s| self.listed.get(&inode(&s)?));
        self.known[entry].live && paths.is_some_and(|p| p.contains(&*self.known[entry].path.0))
    }

    /// Whether the entry's inode was listed under another path and not under this one.
    fn elsewhere(&self, entry: usize, path: &RemotePath) -> bool {
        let stamp = self.known[entry].cursor.stamp;
        let paths = stamp.and_then(|s| self.listed.get(&inode(&s)?));
        paths.is_some_and(|p| !p.contains(&*path.0))
    }

    /// How a file can be the rest of an entry: as it is (`false`), unzipped (`true`), or not.
    fn view(&self, i: usize, path: &RemotePath, now: &Stamp, own: Option<usize>) -> Option<bool> {
        let entry = &self.known[i];
        let offset = entry.cursor.offset;
        let zipped = is_packed(&path.0);
        if zipped != entry.gzip {
            return (zipped && offset > 0).then_some(true);
        }
        let empty = offset == 0 && Some(i) != own;
        (!empty && offset <= now.size).then_some(false)
    }
}
