//! One order of the entries of several ledgers, and which of them knew which.
//!
//! Within a ledger the chain of hashes is the order. Between ledgers an entry may name the last
//! entries of the others that were on its machine when it was written (`seen`): they came before
//! it, whatever the clocks say. What nothing else puts in order is joined by time.

use super::{Entry, LineHash};
use crate::domain::Timestamp;
use std::collections::{HashMap, HashSet};

/// The entries of one ledger, in its order.
#[derive(Debug, Clone)]
pub struct Sequence<'a> {
    /// What sets it apart from other ledgers.
    pub name: &'a str,
    /// Entries that can be trusted.
    pub entries: Vec<&'a Entry>,
    /// Entries that cannot: what they speak of counts as if nothing were said by their reviewer.
    pub doubted: Vec<&'a Entry>,
}

/// An entry, the time by which it counts, and where it is.
pub(super) struct Placed<'a> {
    pub(super) entry: &'a Entry,
    pub(super) time: Timestamp,
    /// Whose own time that is: itself, or one that it follows.
    pub(super) by: &'a Entry,
    pub(super) place: Place,
}

/// A ledger, and the place of an entry in it, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) ledger: usize,
    pub(super) at: usize,
}

/// All entries, each once, in the order in which they count.
#[derive(Default)]
pub(super) struct Order<'a> {
    pub(super) entries: Vec<Placed<'a>>,
    /// Of each ledger, from which of its entries on it knew how many of the others', the earliest
    /// first.
    knew: Vec<Vec<(usize, Vec<usize>)>>,
    /// Entries that are named and in no ledger here.
    pub(super) gone: HashSet<LineHash>,
}

impl<'a> Order<'a> {
    /// The order of some ledgers, whatever theirs is.
    pub(super) fn new(sequences: &[Sequence<'a>], with_doubted: bool) -> Self {
        let mut ledgers: Vec<Ledger<'a>> =
            sequences.iter().map(|s| Ledger::new(s, with_doubted)).collect();
        ledgers.sort_by_key(|ledger| ledger.name);
        let named = ledgers.iter().flat_map(|of| of.entries.iter().take(of.trusted));
        let named: HashSet<LineHash> = named.flat_map(|(entry, _)| &entry.seen).copied().collect();
        let mut places = HashMap::new();
        for (ledger, of) in ledgers.iter().enumerate().filter(|_| !named.is_empty()) {
            let all = of.entries.iter().enumerate();
            for (at, (entry, _)) in all.filter(|(_, (entry, _))| named.contains(&entry.hash)) {
                places.entry(entry.hash).or_insert(Place { ledger, at });
            }
        }
        let knew = vec![Vec::new(); ledgers.len()];
        let order = Self { entries: Vec::new(), knew, gone: HashSet::new() };
        Merge { order, ledgers, places, ids: HashSet::new() }.merged()
    }

    /// From which of its entries on each ledger is known to follow an entry; `None` of one that
    /// never named it, nor anything behind it.
    pub(super) fn knowing(&self, place: Place) -> Vec<Option<usize>> {
        let of = |known: &Vec<(usize, Vec<usize>)>| {
            let knows =
                |(_, counts): &&(usize, Vec<usize>)| counts.get(place.ledger) > Some(&place.at);
            known.iter().find(knows).map(|(from, _)| *from)
        };
        let mut all: Vec<Option<usize>> = self.knew.iter().map(of).collect();
        if let Some(own) = all.get_mut(place.ledger) {
            *own = Some(place.at);
        }
        all
    }

    /// How many entries of each ledger an entry is known to follow; none where it names none.
    fn known_by(&self, place: Place) -> Vec<usize> {
        let known = self.knew.get(place.ledger).into_iter().flatten();
        let last = known.take_while(|(from, _)| *from <= place.at).last();
        last.map(|(_, counts)| counts.clone()).unwrap_or_default()
    }
}

/// The entries of one ledger, each with the one whose time it counts by.
struct Ledger<'a> {
    name: &'a str,
    entries: Vec<(&'a Entry, &'a Entry)>,
    /// How many of them can be trusted: what the others name binds nothing.
    trusted: usize,
    /// The next one.
    next: usize,
}

impl<'a> Ledger<'a> {
    fn new(sequence: &Sequence<'a>, with_doubted: bool) -> Self {
        let mut latest: Option<&Entry> = None;
        let doubted = sequence.doubted.iter().filter(|_| with_doubted);
        let timed = |entry: &&'a Entry| {
            // A clock that went back does not put an entry before the one that it follows.
            let by = latest.filter(|latest| latest.time >= entry.time).unwrap_or(entry);
            latest = Some(by);
            (*entry, by)
        };
        let entries = sequence.entries.iter().chain(doubted).map(timed).collect();
        Self { name: sequence.name, entries, trusted: sequence.entries.len(), next: 0 }
    }

    /// What the next entry names.
    fn named(&self) -> &'a [LineHash] {
        let trusted = self.entries.get(self.next).filter(|_| self.next < self.trusted);
        trusted.map_or(&[], |(entry, _)| &entry.seen)
    }

    /// The time of the next entry.
    fn time(&self) -> Option<Timestamp> {
        self.entries.get(self.next).map(|(_, by)| by.time)
    }
}

/// The ledgers on the way to one order.
struct Merge<'a> {
    order: Order<'a>,
    ledgers: Vec<Ledger<'a>>,
    /// Where each entry is that others name, by its hash.
    places: HashMap<LineHash, Place>,
    /// What was put already: an entry that stands in several ledgers counts once.
    ids: HashSet<super::EntryId>,
}

impl<'a> Merge<'a> {
    fn merged(mut self) -> Order<'a> {
        while let Some(ledger) = self.next() {
            self.put(ledger);
        }
        self.order
    }

    /// The ledger whose entry comes next: the earliest that waits for none. Of equal times the name of
    /// the ledger decides: they are in its order.
    fn next(&self) -> Option<usize> {
        let all = self.ledgers.iter().enumerate();
        let mut open: Vec<(Timestamp, usize)> =
            all.filter_map(|(at, of)| Some((of.time()?, at))).collect();
        open.sort_unstable();
        let ready = open.iter().find(|(_, ledger)| self.is_ready(*ledger));
        // Only a changed line could make entries wait for each other.
        ready.or(open.first()).map(|(_, ledger)| *ledger)
    }

    /// Whether all that the next entry of a ledger names was put.
    fn is_ready(&self, ledger: usize) -> bool {
        let Some(of) = self.ledgers.get(ledger) else { return false };
        let is_put = |seen: Place| self.ledgers.get(seen.ledger).is_none_or(|of| of.next > seen.at);
        of.named()
            .iter()
            .filter_map(|hash| self.places.get(hash))
            .all(|seen| seen.ledger == ledger || is_put(*seen))
    }

    /// Puts the next entry of a ledger.
    fn put(&mut self, ledger: usize) {
        let Some(of) = self.ledgers.get(ledger) else { return };
        let Some((entry, mut by)) = of.entries.get(of.next).copied() else { return };
        let place = Place { ledger, at: of.next };
        for hash in of.named() {
            let Some(seen) = self.places.get(hash).copied() else {
                self.order.gone.insert(*hash);
                continue;
            };
            self.learn(place, seen);
            // A rule counts from what it follows on; a clock that is wrong moves nothing else.
            let head = self.ledgers.get(seen.ledger).and_then(|of| of.entries.get(seen.at));
            by = match head {
                Some((_, head)) if entry.act.is_rule() && head.time > by.time => head,
                _ => by,
            };
        }
        if let Some(of) = self.ledgers.get_mut(ledger) {
            of.next += 1;
        }
        if self.ids.insert(entry.id) {
            self.order.entries.push(Placed { entry, time: by.time, by, place });
        }
    }

    /// Notes that an entry follows another, and all that the other follows.
    fn learn(&mut self, place: Place, seen: Place) {
        let mut counts = self.order.known_by(place);
        counts.resize(self.ledgers.len(), 0);
        let known = self.order.known_by(seen).into_iter().enumerate();
        for (ledger, count) in known.chain([(seen.ledger, seen.at + 1)]) {
            if let Some(own) = counts.get_mut(ledger) {
                *own = count.max(*own);
            }
        }
        let Some(knew) = self.order.knew.get_mut(place.ledger) else { return };
        match knew.last_mut().filter(|(from, _)| *from == place.at) {
            Some((_, own)) => *own = counts,
            None => knew.push((place.at, counts)),
        }
    }
}
