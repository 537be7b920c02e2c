//! Which of what passed is looked at, and with which probability.

use crate::domain::{RecordId, Timestamp};
use crate::stats::sample;

/// A rate of the audit sample as a draw needs it, with the instant from which it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// First instant it binds.
    pub from: Timestamp,
    /// The stratum it is for; `None` is for all that have no rate of their own.
    pub stratum: Option<u16>,
    /// Probability with which a record of it is chosen, in [0, 1].
    pub pi: f64,
    /// Secret key of the draw.
    pub key: [u8; sample::KEY_BYTES],
}

/// All rates, in the order in which they were set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// The rates; of two that hold, the later in the list counts.
    pub rates: Vec<Rate>,
}

impl Plan {
    /// The rate of a stratum at an instant; `None` where none was set.
    pub fn rate(&self, at: Timestamp, stratum: u16) -> Option<&Rate> {
        let holds =
            |s: Option<u16>| self.rates.iter().rev().find(move |r| r.from <= at && r.stratum == s);
        holds(Some(stratum)).or_else(|| holds(None))
    }

    /// Whether a rate was ever set for one stratum.
    pub(super) fn tells_strata_apart(&self) -> bool {
        self.rates.iter().any(|r| r.stratum.is_some())
    }

    /// Whether all that was judged in a span is in the sample, whatever its stratum.
    pub fn takes_all(&self, from: Timestamp, until: Timestamp, strata: usize) -> bool {
        let mut at = from;
        while at < until {
            let force = self.in_force(at, strata);
            if force.is_none() || force.left_aside() != 0 || force.smallest() < 1.0 {
                return false;
            }
            at = force.until;
        }
        true
    }

    /// What is in force at an instant, for so many strata, at least one.
    pub(super) fn in_force(&self, at: Timestamp, strata: usize) -> InForce<'_> {
        let strata = u16::try_from(strata.max(1)).unwrap_or(u16::MAX);
        let changes = self.rates.iter().map(|r| r.from).filter(|from| *from > at);
        InForce {
            rates: (0..strata).map(|s| self.rate(at, s).filter(|r| r.pi > 0.0)).collect(),
            none: !self.rates.iter().any(|r| r.from <= at),
            apart: self.rates.iter().any(|r| r.from <= at && r.stratum.is_some()),
            from: at,
            until: changes.min().unwrap_or(Timestamp(i64::MAX)),
        }
    }
}

impl Rate {
    /// The number in [0, 1) of a record: it is chosen where that is below the rate.
    pub(super) fn draw(&self, id: &RecordId) -> f64 {
        sample::draw(&self.key, &id.0)
    }
}

/// The rates that hold at one time, each stratum's.
#[derive(Debug, Clone)]
pub(super) struct InForce<'a> {
    /// The rate of each stratum; `None` where nothing of it is drawn.
    rates: Vec<Option<&'a Rate>>,
    /// Whether no rate was set, not even one of 0.
    none: bool,
    /// Whether a rate was set for one stratum.
    apart: bool,
    /// From when, and until when they are known to hold.
    from: Timestamp,
    until: Timestamp,
}

impl Default for InForce<'_> {
    /// Rates that never hold.
    fn default() -> Self {
        Self {
            rates: Vec::new(),
            none: true,
            apart: false,
            from: Timestamp(1),
            until: Timestamp(0),
        }
    }
}

impl<'a> InForce<'a> {
    /// Whether these are the rates of an instant.
    pub(super) fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }

    /// Whether no rate was set.
    pub(super) fn is_none(&self) -> bool {
        self.none
    }

    /// Whether strata may have rates of their own.
    pub(super) fn tells_strata_apart(&self) -> bool {
        self.apart
    }

    /// The rate of a stratum, above 0; `None` where nothing of it is drawn.
    pub(super) fn rate(&self, stratum: u16) -> Option<&'a Rate> {
        self.rates.get(usize::from(stratum)).copied().flatten()
    }

    /// Whether anything is drawn.
    pub(super) fn draws(&self) -> bool {
        self.rates.iter().any(Option::is_some)
    }

    /// A rate above 0 of any stratum, the first that has one: its key draws what no rate of its own
    /// draws.
    pub(super) fn any(&self) -> Option<&'a Rate> {
        self.rates.iter().copied().flatten().next()
    }

    /// The smallest probability among the strata that are drawn from; 1 where none is.
    pub(super) fn smallest(&self) -> f64 {
        self.rates.iter().flatten().map(|r| r.pi).fold(1.0, f64::min)
    }

    /// The strata of which nothing is drawn, as bits; those beyond the last share it.
    pub(super) fn left_aside(&self) -> u32 {
        let aside = self.rates.iter().enumerate().filter(|(_, rate)| rate.is_none());
        aside.fold(0, |bits, (stratum, _)| bits | 1 << stratum.min(31))
    }
}

/// Whether a labelled record comes back unmarked, to see how steady its reviewer is.
///
/// By a draw of its own, so that it says nothing on whether the record is audited.
pub fn is_repeat(key: &[u8; sample::KEY_BYTES], id: &RecordId, share: f64) -> bool {
    let own = blake3::derive_key("foureyes 2026 repeats of labelled records", key);
    sample::draw(&own, &id.0) < share
}

/// Whether a record is drawn for a double label, whatever anybody says of it.
///
/// By a draw of its own, as a repeat is.
pub(super) fn is_double(key: &[u8; sample::KEY_BYTES], id: &RecordId, share: f64) -> bool {
    let own = blake3::derive_key("foureyes 2026 double labels", key);
    sample::draw(&own, &id.0) < share
}

/// The number in [0, 1) of a record as the partner of another one: of several the smallest is drawn.
pub(super) fn partner_draw(
    key: &[u8; sample::KEY_BYTES],
    first: &RecordId,
    other: &RecordId,
) -> f64 {
    let both = [&key[..], &first.0].concat();
    let own = blake3::derive_key("foureyes 2026 partner of a record called poor", &both);
    sample::draw(&own, &other.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn rate(day: i32, stratum: Option<u16>, pi: f64) -> Rate {
        Rate { from: Timestamp::of_day(day), stratum, pi, key: [1; 32] }
    }

    #[test]
    fn a_rate_binds_from_its_instant_and_the_later_one_counts() {
        let plan = Plan { rates: vec![rate(2, None, 0.1), rate(5, None, 0.3)] };
        let pi = |day| plan.rate(Timestamp::of_day(day), 0).map(|r| r.pi);
        assert_eq!([1, 2, 4, 5].map(pi), [None, Some(0.1), Some(0.1), Some(0.3)]);
        assert!(plan.in_force(Timestamp::of_day(1), 1).is_none());
    }

    #[test]
    fn a_stratum_has_its_own_rate_and_one_without_any_is_seen() {
        let plan = Plan { rates: vec![rate(0, Some(1), 0.6), rate(0, Some(0), 0.2)] };
        let at = Timestamp::of_day(3);
        let [two, three] = [2, 3].map(|strata| plan.in_force(at, strata));
        assert_eq!((two.smallest(), two.left_aside()), (0.2, 0));
        assert_eq!((three.smallest(), three.left_aside()), (0.2, 0b100));
        assert!(three.rate(2).is_none() && !three.is_none());
    }

    #[test]
    fn audit_rate_holds_until_next_change() {
        let rates = vec![rate(2, None, 0.1), rate(5, Some(0), 0.3), rate(9, None, 0.0)];
        let plan = Plan { rates };
        let day = Timestamp::of_day;
        for at in (0..12).map(day) {
            let force = plan.in_force(at, 2);
            for later in (0..12).map(day).filter(|later| force.holds(*later)) {
                for stratum in 0..2 {
                    let pi = plan.rate(later, stratum).map(|r| r.pi).filter(|pi| *pi > 0.0);
                    assert_eq!(force.rate(stratum).map(|r| r.pi), pi, "{at:?} {later:?}");
                }
            }
        }
        assert!(!plan.in_force(day(3), 2).holds(day(5)) && plan.in_force(day(3), 2).holds(day(4)));
        assert_eq!(plan.in_force(day(10), 2).left_aside(), 0b10, "a rate of 0 draws nothing");
    }

    #[test]
    fn span_is_a_census_when_every_stratum_has_rate_one() {
        let day = Timestamp::of_day;
        let of = |rates: &[Rate], from, until| {
            Plan { rates: rates.to_vec() }.takes_all(day(from), day(until), 2)
        };
        let whole = [rate(2, None, 1.0)];
        assert!(of(&whole, 2, 9) && !of(&whole, 1, 9) && of(&whole, 1, 1));
        assert!(!of(&[rate(2, None, 1.0), rate(5, None, 0.5)], 2, 9));
        assert!(of(&[rate(2, None, 1.0), rate(9, None, 0.5)], 2, 9));
        assert!(!of(&[rate(2, Some(0), 1.0)], 2, 9));
        assert!(of(&[rate(2, Some(0), 1.0), rate(1, Some(1), 1.0)], 2, 9));
    }

    #[test]
    fn raising_rate_keeps_earlier_sample() {
        let plan = Plan { rates: vec![rate(0, None, 0.1)] };
        let draw = |n: u32| {
            let id = RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes());
            plan.rate(Timestamp::of_day(1), 0).unwrap().draw(&id)
        };
        let chosen = |pi: f64| (0..2000).filter(|n| draw(*n) < pi).collect::<Vec<_>>();
        let (few, many) = (chosen(0.1), chosen(0.3));
        assert!(few.iter().all(|n| many.contains(n)) && many.len() > few.len());
    }

    #[test]
    fn repeats_are_drawn_apart_from_the_audit_sample() {
        let ids = (0..4000_u32).map(|n| RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes()));
        let (mut both, mut repeats) = (0, 0);
        for id in ids {
            let again = is_repeat(&[1; 32], &id, 0.5);
            repeats += u32::from(again);
            both += u32::from(again && sample::draw(&[1; 32], &id.0) < 0.5);
        }
        assert!((1850..2150).contains(&repeats), "{repeats}");
        assert!((880..1120).contains(&both), "{both}");
    }
}
