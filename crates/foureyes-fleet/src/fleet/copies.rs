//! Which copy of a log in the store each log here is: content tells, not length.
//!
//! A log that was put back to an earlier state, or went on in another way, contradicts what the store has of it. It is
//! another copy then, and both count: what was published is never taken away. Only a row whose own records the store
//! does not have gives way.

use super::connection::Store;
use super::error::FleetError;
use super::evidence::{self, Top};
use super::fit::{Candidate, Fit, Log};
use super::identity::{Common, Identity, Key};
use super::logs_behind::{Behind, TOGETHER, grouped, is_tail};
use crate::store::cache::Collection;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The logs of which the store has less than this machine, or all with `all`; `identities` learn which copy each
/// log is.
pub(super) async fn matched(
    store: &Store,
    archive: &Collection,
    identities: &mut [Identity],
    all: bool,
) -> Result<Vec<Behind>, FleetError> {
    let keys: Vec<Key> = identities.iter().map(Identity::key).collect();
    let tops = evidence::tops(store, &keys).await?;
    let mut matching = Matching { store, archive, tops, known: keys.into_iter().collect(), all };
    let (mut open, mut behind) = (Vec::new(), Vec::new());
    for group in groups(identities) {
        open.extend(matching.same(group, identities, &mut behind)?);
    }
    while !open.is_empty() {
        let candidates = matching.candidates(&open, identities).await?;
        let fits = matching.decide_all(&candidates).await?;
        for (group, (one, fit)) in open.iter_mut().zip(candidates.iter().zip(fits)) {
            if fit == Fit::Other {
                group.next = one.copy.saturating_add(1);
                continue;
            }
            group.taken.insert(one.copy);
            (group.next, group.left) = (0, group.left.split_off(1));
            if let Some(identity) = identities.get_mut(one.file) {
                identity.copy = one.copy;
            }
            behind.extend(matching.behind(one, fit));
        }
        open.retain(|group| !group.left.is_empty());
    }
    behind.sort_unstable_by_key(|one| one.file);
    Ok(behind)
}

/// Logs that may be copies of each other, the longest first.
struct Group {
    left: Vec<usize>,
    /// Copies of the store that logs here are.
    taken: BTreeSet<u32>,
    /// Those before are none of the first log that is left.
    next: u32,
}

fn groups(identities: &[Identity]) -> Vec<Group> {
    let mut all: BTreeMap<&Common, Vec<usize>> = BTreeMap::new();
    for (file, identity) in identities.iter().enumerate() {
        all.entry(&identity.common).or_default().push(file);
    }
    let group = |mut left: Vec<usize>| {
        left.sort_by_key(|file| identities.get(*file).map(|identity| identity.copy));
        Group { left, taken: BTreeSet::new(), next: 0 }
    };
    all.into_values().map(group).collect()
}

struct Matching<'a> {
    store: &'a Store,
    archive: &'a Collection,
    tops: HashMap<Key, Top>,
    /// The copies whose rows are known.
    known: BTreeSet<Key>,
    all: bool,
}

impl Matching<'_> {
    /// Takes the logs of a group away that are copies of the store to the last byte; gives what is left.
    fn same(
        &self,
        mut group: Group,
        identities: &mut [Identity],
        behind: &mut Vec<Behind>,
    ) -> Result<Option<Group>, FleetError> {
        let count = u32::try_from(group.left.len()).unwrap_or(u32::MAX);
        let mut left = Vec::new();
        for file in std::mem::take(&mut group.left) {
            let report = self.archive.files().get(file);
            let Some((report, identity)) = report.zip(identities.get_mut(file)) else { continue };
            let free = (0..count).filter(|copy| !group.taken.contains(copy));
            let mut same = None;
            for copy in free {
                let top = self.tops.get(&identity.key_of(copy));
                if let Some(top) = top.filter(|top| top.bytes == report.bytes)
                    && report.digest(top.bytes)? == Some(top.digest)
                {
                    same = Some((copy, *top));
                    break;
                }
            }
            let Some((copy, top)) = same else {
                left.push(file);
                continue;
            };
            group.taken.insert(copy);
            identity.copy = copy;
            let (key, is_begun) = (identity.key(), identity.is_begun());
            let one = Candidate { file, copy, key, top: Some(top), is_begun };
            behind.extend(self.behind(&one, Fit::Known));
        }
        group.left = left;
        Ok((!group.left.is_empty()).then_some(group))
    }

    /// The next copy that the first log left of each group may be.
    async fn candidates(
        &mut self,
        open: &[Group],
        identities: &[Identity],
    ) -> Result<Vec<Candidate>, FleetError> {
        let mut candidates = Vec::with_capacity(open.len());
        for group in open {
            let copy = (group.next..).find(|copy| !group.taken.contains(copy)).unwrap_or(u32::MAX);
            let file = group.left.first().copied().unwrap_or_default();
            let Some(identity) = identities.get(file) else { continue };
            let (key, is_begun) = (identity.key_of(copy), identity.is_begun());
            candidates.push(Candidate { file, copy, key, top: None, is_begun });
        }
        let new = candidates.iter().map(|one| one.key).filter(|key| self.known.insert(*key));
        let new: Vec<Key> = new.collect();
        self.tops.extend(evidence::tops(self.store, &new).await?);
        candidates.iter_mut().for_each(|one| one.top = self.tops.get(&one.key).copied());
        Ok(candidates)
    }

    /// Whether these logs are the copies that they may be, some at a time.
    async fn decide_all(&self, candidates: &[Candidate]) -> Result<Vec<Fit>, FleetError> {
        let files = self.archive.files();
        let records = |one: &Candidate| files.get(one.file).map_or(0, |f| f.accounting.records);
        let mut fits = Vec::with_capacity(candidates.len());
        for some in grouped(candidates.iter().map(records), TOGETHER) {
            fits.extend(self.decide(candidates.get(some).unwrap_or_default()).await?);
        }
        Ok(fits)
    }

    async fn decide(&self, candidates: &[Candidate]) -> Result<Vec<Fit>, FleetError> {
        let keys: Vec<Key> = candidates.iter().map(|one| one.key).collect();
        let sums = evidence::sums(self.store, &keys).await?;
        // Of logs of which nothing is there, no records are looked at.
        let mut needed = vec![false; self.archive.files().len()];
        let some = candidates.iter().filter(|one| one.top.is_some() || sums.contains_key(&one.key));
        some.for_each(|one| needed[one.file] = true);
        let occurrences = self.archive.occurrences(&needed)?;
        let (mut fits, mut unclear) = (vec![Fit::Other; candidates.len()], Vec::new());
        for (at, one) in candidates.iter().enumerate() {
            let Some(report) = self.archive.files().get(one.file) else { continue };
            let log = Log::of(one, report, &occurrences)?;
            match log.at_once(&sums) {
                Some(fit) => fits[at] = fit,
                None => unclear.push((at, log)),
            }
        }
        if !unclear.is_empty() {
            let keys: Vec<Key> = unclear.iter().map(|(_, log)| log.of.key).collect();
            let listings = evidence::listings(self.store, &keys).await?;
            let rejects = self.rejects(unclear.iter().map(|(_, log)| log.of.file))?;
            for (at, log) in unclear {
                let own = rejects.get(&log.of.file).copied().unwrap_or_default();
                fits[at] =
                    listings.get(&log.of.key).map_or(Fit::Other, |all| log.against(all, own));
            }
        }
        Ok(fits)
    }

    /// How many rejects of some logs are read for good.
    fn rejects(
        &self,
        files: impl Iterator<Item = usize>,
    ) -> Result<HashMap<usize, u64>, FleetError> {
        let mut all: HashMap<usize, u64> = files.map(|file| (file, 0)).collect();
        for (file, reject) in self.archive.rejects_of_files()? {
            let report = self.archive.files().get(file as usize);
            let settled = report.is_some_and(|report| !is_tail(report, &reject));
            if let Some(count) = all.get_mut(&(file as usize)).filter(|_| settled) {
                *count += 1;
            }
        }
        Ok(all)
    }

    fn behind(&self, one: &Candidate, fit: Fit) -> Option<Behind> {
        let (file, there) = (one.file, one.top.map_or(0, |top| top.bytes));
        let epoch = one.top.map_or(0, |top| top.epoch);
        match fit {
            Fit::Other => None,
            Fit::Known => self.all.then_some(Behind {
                file,
                bytes: there,
                done: 0,
                epoch,
                whole: 0,
                superseded: false,
            }),
            Fit::Behind { done, epoch, whole, superseded } => {
                let (done, whole) = if self.all { (0, 0) } else { (done, whole) };
                let bytes = if superseded { 0 } else { there };
                Some(Behind { file, bytes, done, epoch, whole, superseded })
            }
        }
    }
}
