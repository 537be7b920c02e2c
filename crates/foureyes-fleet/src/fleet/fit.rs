//! Whether a log here is a certain copy of the store, by what is there of it.

use super::error::FleetError;
use super::evidence::{Listing, Sum, Sums, Top, UNKNOWN};
use super::identity::Key;
use super::logs_behind::of_log;
use crate::store::cache::{FileReport, Occurrence};
use std::collections::HashSet;

/// A log, and the copy in the store that it may be.
pub(super) struct Candidate {
    pub(super) file: usize,
    pub(super) copy: u32,
    pub(super) key: Key,
    pub(super) top: Option<Top>,
    pub(super) is_begun: bool,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It is that copy, and the store has all of it.
    Known,
    /// It is that copy, of which the store has less. `done` and `whole` need not be sent.
    Behind { done: u64, epoch: u64, whole: usize, superseded: bool },
    /// It is another one.
    Other,
}

/// A log beside what it may be in the store.
pub(super) struct Log<'a> {
    pub(super) of: &'a Candidate,
    bytes: u64,
    done: u64,
    /// It begins with what the row that counts is of, as much as is known of that.
    begins: bool,
    settled: &'a [Occurrence],
    tail: &'a [Occurrence],
    /// Doubles of its records that have no row here, and may have one there.
    repeated: u64,
}

impl<'a> Log<'a> {
    pub(super) fn of(
        of: &'a Candidate,
        report: &FileReport,
        occurrences: &'a [Occurrence],
    ) -> Result<Self, FleetError> {
        let begins = match of.top {
            None => true,
            Some(top) if top.bytes > report.bytes => false,
            Some(Top { digest: UNKNOWN, .. }) => true,
            Some(top) => report.digest(top.bytes)? == Some(top.digest),
        };
        let (settled, tail) = of_log(occurrences, of.file, report);
        let (bytes, done, repeated) = (report.bytes, report.done, report.repeated);
        Ok(Self { of, bytes, done, begins, settled, tail, repeated })
    }

    /// What sums tell of it; `None` where records must be compared.
    pub(super) fn at_once(&self, sums: &Sums) -> Option<Fit> {
        if !self.begins {
            return None;
        }
        let same = |top: Top| top.bytes == self.bytes && top.digest != UNKNOWN;
        if self.of.top.is_some_and(same) {
            return Some(Fit::Known);
        }
        let there = sums.get(&self.of.key);
        let tail = there.and_then(|there| there.get(&self.bytes));
        let same = |sum: &Sum| *sum == Sum::of(self.tail);
        if self.bytes > 0 && !tail.is_none_or(same) {
            return None;
        }
        let whole = match there.and_then(|there| there.get(&0)) {
            None => 0,
            Some(sum) => Some(sum.whole(self.settled)).filter(|whole| *whole > 0)?,
        };
        Some(self.after(whole))
    }

    /// It goes on behind the row that counts.
    fn after(&self, whole: usize) -> Fit {
        let (done, epoch) = self.of.top.map_or((0, 0), |top| (top.done, top.epoch));
        Fit::Behind { done, epoch, whole, superseded: false }
    }

    /// What records tell of it; `rejects` of it are read for good.
    pub(super) fn against(&self, there: &Listing, rejects: u64) -> Fit {
        let places = |all: &[Occurrence]| -> HashSet<(u64, u64)> {
            all.iter().map(|one| (one.byte, one.head)).collect()
        };
        let mut own = places(self.settled);
        own.extend(places(self.tail));
        if !self.fits(there, &own) {
            return Fit::Other;
        }
        let Some(top) = self.of.top.filter(|_| !self.begins) else { return self.after(0) };
        let (counting, rejected) = there.those_of(top.bytes, top.done);
        let count = counting.len() as u64;
        let is_backed = (count, rejected) == (top.records, top.rejected)
            || top.may_repeat && (1..=top.records).contains(&count);
        let before = |(upto, byte): &&(u64, u64)| *upto == 0 && *byte < self.done;
        let has_all = own.iter().all(|place| counting.contains(place))
            && there.rejects.iter().filter(before).count() as u64 == rejects;
        match top.epoch.checked_add(1).filter(|_| !is_backed || !self.of.is_begun) {
            _ if is_backed && has_all && top.bytes > self.bytes => Fit::Known,
            Some(epoch) => Fit::Behind { done: 0, epoch, whole: 0, superseded: !is_backed },
            None => Fit::Other,
        }
    }

    /// Whether what is there up to its end is its own. What is behind that may be somebody's who has more of it.
    fn fits(&self, there: &Listing, own: &HashSet<(u64, u64)>) -> bool {
        let heads: HashSet<u64> = match self.repeated {
            0 => HashSet::new(),
            _ => own.iter().map(|(_, head)| *head).collect(),
        };
        let is_own = |place: (u64, u64)| own.contains(&place) || heads.contains(&place.1);
        let ends = there.tails.iter().filter(|(upto, ..)| *upto == self.bytes);
        there.settled.iter().filter(|(byte, _)| *byte < self.done).all(|place| is_own(*place))
            && ends.map(|(_, byte, head)| (*byte, *head)).all(is_own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::cache::Row;

    fn one(byte: u64, head: u64) -> Occurrence {
        Occurrence { row: Row { ts: 0, segment: 0, row: 0 }, file: 0, byte, head }
    }

    fn of(top: Option<Top>, is_begun: bool) -> Candidate {
        Candidate { file: 0, copy: 0, key: Key::default(), top, is_begun }
    }

    /// A log of 100 bytes with three records, the last of them at an end that may be read anew.
    fn log<'a>(of: &'a Candidate, all: &'a [Occurrence], begins: bool) -> Log<'a> {
        let (settled, tail) = all.split_at(2);
        Log { of, bytes: 100, done: 80, begins, settled, tail, repeated: 0 }
    }

    fn listing(settled: &[(u64, u64)], tails: &[(u64, u64, u64)]) -> Listing {
        let (settled, tails) = (settled.iter().copied().collect(), tails.iter().copied().collect());
        Listing { settled, tails, rejects: vec![(0, 50)] }
    }

    const TOP: Top = Top {
        bytes: 200,
        done: 200,
        digest: [1; 16],
        epoch: 4,
        records: 3,
        rejected: 1,
        may_repeat: false,
    };

    fn superseding(epoch: u64) -> Fit {
        Fit::Behind { done: 0, epoch, whole: 0, superseded: true }
    }

    #[test]
    fn beginning_of_what_the_store_has_is_known_and_nothing_else_is() {
        let all = [one(0, 3), one(40, 5), one(80, 9)];
        let top = of(Some(TOP), true);
        let log = log(&top, &all, false);
        let whole = [(0, 3), (40, 5), (80, 9)];
        assert_eq!(log.against(&listing(&whole, &[]), 1), Fit::Known);
        let more = of(Some(Top { records: 4, ..TOP }), true);
        let longer = [&whole[..], &[(150, 7)]].concat();
        assert_eq!(Log { of: &more, ..log }.against(&listing(&longer, &[]), 1), Fit::Known);
        // Another record, another place, and one that the log here has not.
        for other in
            [[(0, 3), (40, 6), (80, 9)], [(0, 3), (41, 5), (80, 9)], [(0, 3), (40, 5), (60, 9)]]
        {
            assert_eq!(log.against(&listing(&other, &[]), 1), Fit::Other, "{other:?}");
        }
        // Fewer rejects than here: what is there is of another log.
        assert_eq!(log.against(&listing(&whole, &[]), 2), Fit::Other);
    }

    #[test]
    fn row_whose_records_are_not_there_gives_way_once() {
        let all = [one(0, 3), one(40, 5), one(80, 9)];
        for (bytes, records, rejected) in [(200, 9, 1), (u64::MAX, 0, 0), (60, 9, 1)] {
            let top = of(Some(Top { bytes, done: bytes, records, rejected, ..TOP }), true);
            let there = listing(&[(0, 3), (40, 5)], &[]);
            assert_eq!(log(&top, &all, false).against(&there, 1), superseding(5), "{bytes}");
        }
        // There are no more epochs, and one whose records are all there stays beside it.
        let last = of(Some(Top { epoch: u64::MAX, records: 9, ..TOP }), true);
        let there = listing(&[(0, 3), (40, 5)], &[]);
        assert_eq!(log(&last, &all, false).against(&there, 1), Fit::Other);
        let own = of(Some(Top { records: 2, ..TOP }), true);
        assert_eq!(log(&own, &all, false).against(&there, 1), Fit::Other);
        // Of a log without a whole first line nothing is kept.
        let begun = of(Some(Top { bytes: 60, done: 0, records: 0, rejected: 0, ..TOP }), false);
        let fit = Fit::Behind { done: 0, epoch: 5, whole: 0, superseded: false };
        assert_eq!(log(&begun, &all, false).against(&listing(&[], &[]), 1), fit);
    }

    #[test]
    fn log_goes_on_behind_what_is_there() {
        let all = [one(0, 3), one(40, 5), one(80, 9)];
        let shorter = Top { bytes: 60, done: 60, records: 2, ..TOP };
        let (new, known) = (of(None, true), of(Some(shorter), true));
        let sum = |upto: u64, some: &[Occurrence]| (upto, Sum::of(some));
        let sums = |all: Vec<(u64, Sum)>| Sums::from([(Key::default(), all.into_iter().collect())]);
        let behind = |done, epoch, whole| Fit::Behind { done, epoch, whole, superseded: false };
        let at_once = |of, begins, there: Sums| log(of, &all, begins).at_once(&there);
        assert_eq!(at_once(&new, true, Sums::new()), Some(behind(0, 0, 0)));
        assert_eq!(at_once(&known, true, sums(vec![sum(0, &all[..2])])), Some(behind(60, 4, 2)));
        assert_eq!(at_once(&known, true, sums(vec![sum(0, &all[..1])])), Some(behind(60, 4, 1)));
        let with_end = sums(vec![sum(0, &all[..2]), sum(100, &all[2..])]);
        assert_eq!(at_once(&known, true, with_end), Some(behind(60, 4, 2)));
        // The same to the last byte, which is known only of what has a digest.
        let whole = Top { bytes: 100, done: 80, ..TOP };
        let (same, earlier) =
            (of(Some(whole), true), of(Some(Top { digest: UNKNOWN, ..whole }), true));
        assert_eq!(at_once(&same, true, Sums::new()), Some(Fit::Known));
        assert_eq!(at_once(&earlier, true, sums(vec![sum(0, &all[..2])])), Some(behind(80, 4, 2)));
        // A hole, another end, or another beginning: records are compared.
        assert_eq!(at_once(&known, true, sums(vec![sum(0, &all[1..2])])), None);
        assert_eq!(at_once(&new, true, sums(vec![sum(100, &all[..1])])), None);
        assert_eq!(at_once(&known, false, sums(vec![sum(0, &all[..2])])), None);
        assert_eq!(log(&known, &all, true).against(&listing(&[(40, 5)], &[]), 1), behind(60, 4, 0));
        // Somebody is sending more of it.
        let more = listing(&[(0, 3), (40, 5), (90, 8)], &[]);
        assert_eq!(log(&known, &all, true).against(&more, 1), behind(60, 4, 0));
        let other = listing(&[(0, 3)], &[(100, 80, 8)]);
        assert_eq!(log(&known, &all, true).against(&other, 1), Fit::Other);
    }

    #[test]
    fn doubles_of_a_compressed_log_may_have_rows_there() {
        let all = [one(0, 3), one(40, 5), one(80, 9)];
        let known = of(Some(Top { bytes: 60, done: 60, ..TOP }), true);
        let there = listing(&[(0, 3), (20, 3), (40, 5)], &[]);
        let plain = log(&known, &all, true);
        assert_eq!(plain.against(&there, 1), Fit::Other);
        let packed = Log { repeated: 1, ..plain };
        assert!(matches!(packed.against(&there, 1), Fit::Behind { .. }));
    }
}
