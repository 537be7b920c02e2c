//! Which contents are drawn for a label, and with which probability.

mod in_force;

pub(super) use in_force::InForce;

use super::{Evaluation, Policy, Undetermined, WindowRules};
use crate::domain::{Outcome, RecordId, Timestamp};
use crate::stats::sample;

/// A part of what is judged that is drawn with a probability of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stratum {
    /// GO of all bands that have no rate of their own.
    Go,
    /// GO of one band of scores, an index into [`super::Input::strata`].
    Band(u16),
    /// GO of what was NO-GO shortly before, on the same path and by the same author. Where it has no rate
    /// of its own all of it is drawn, as long as any GO is.
    Retried,
    /// NO-GO. Where it has no rate of its own all of it is drawn.
    NoGo,
    /// UNDETERMINED. Where it has no rate of its own it is drawn as GO is, or, where the policy counts it
    /// in the error rates, all of it.
    Undetermined,
}

/// A rate of the audit sample as a draw needs it, with the instant from which it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// First instant it binds.
    pub from: Timestamp,
    /// What it is for.
    pub stratum: Stratum,
    /// Probability with which a record of it is chosen, in [0, 1].
    pub pi: f64,
    /// Key of the draw: secret, unless it draws from what was judged before.
    pub key: [u8; sample::KEY_BYTES],
}

/// The key by which NO-GOs are drawn from now on, made of the seed by which GOs are: so that the two
/// draws have nothing to do with each other.
pub fn no_go_key(seed: &[u8; sample::KEY_BYTES]) -> [u8; sample::KEY_BYTES] {
    blake3::derive_key("foureyes 2026-11 live nogo", seed)
}

/// All rates, in the order in which they were set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// The rates; of two that hold, the later in the list counts.
    pub rates: Vec<Rate>,
}

/// What a plan draws from beside GO.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draws {
    /// Nothing: every NO-GO is labelled, whatever rate is set for it. Windows of earlier versions.
    GoAlone,
    /// Every part.
    Every(Parts),
}

/// The parts beside GO and NO-GO, as a policy has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// What UNDETERMINED counts as.
    pub undetermined: Undetermined,
    /// Days within which a GO is retried.
    pub retry_days: u32,
}

impl Draws {
    /// What is drawn from under a policy, in a window that was begun under some rules.
    pub fn under(rules: WindowRules, policy: &Policy) -> Self {
        let Policy { undetermined, retry_days, .. } = *policy;
        match rules {
            WindowRules::NotStarted | WindowRules::Current => {
                Self::Every(Parts { undetermined, retry_days })
            }
            WindowRules::Earlier | WindowRules::Shared => Self::GoAlone,
        }
    }

    /// Whether an evaluation may enter an error rate: the first one of its content that counts.
    pub fn counts(self, e: &Evaluation) -> bool {
        match self {
            Self::Every(Parts { undetermined: Undetermined::Apart, .. }) | Self::GoAlone => {
                e.is_judged()
            }
            Self::Every(_) => e.first_seen,
        }
    }
}

impl Plan {
    /// The key of the rate that was set last for GO, which every other random order is made of; zeros where
    /// none was set.
    pub fn seed(&self) -> [u8; sample::KEY_BYTES] {
        let of_go = self.rates.iter().rev().find(|rate| is_go(rate.stratum));
        of_go.map_or([0; sample::KEY_BYTES], |rate| rate.key)
    }

    /// The key of the rate that was set first for GO.
    pub(super) fn first_seed(&self) -> Option<[u8; sample::KEY_BYTES]> {
        self.rates.iter().find(|rate| is_go(rate.stratum)).map(|rate| rate.key)
    }

    /// With which probability a record was chosen for a label, where there are so many bands of GO; `None`
    /// where it was not, or what it is counts in no error rate.
    pub fn chance(&self, e: &Evaluation, strata: usize, draws: Draws) -> Option<f64> {
        let force = self.in_force(e.at, strata, draws);
        if !draws.counts(e) {
            return None;
        }
        let band = if strata == 0 { 0 } else { e.stratum };
        match force.rate(force.stratum(e, band)) {
            Some(rate) => rate.draws(&e.id).then_some(rate.pi),
            None => (e.outcome == Outcome::NoGo).then_some(1.0),
        }
    }

    /// The rate that was set for a part at an instant; a band without one has that of all GO. `None` where
    /// none was set.
    pub fn rate(&self, at: Timestamp, stratum: Stratum) -> Option<&Rate> {
        let set =
            |s: Stratum| self.rates.iter().rev().find(move |r| r.from <= at && r.stratum == s);
        match stratum {
            Stratum::Band(_) => set(stratum).or_else(|| set(Stratum::Go)),
            _ => set(stratum),
        }
    }

    /// Whether a rate was ever set for one band of GO.
    pub(super) fn tells_strata_apart(&self) -> bool {
        self.rates.iter().any(|r| matches!(r.stratum, Stratum::Band(_)))
    }

    /// Whether all that was judged in a span is in the sample, whatever its stratum.
    pub fn takes_all(&self, from: Timestamp, until: Timestamp, strata: usize) -> bool {
        let mut at = from;
        while at < until {
            let parts = Parts { undetermined: Undetermined::Apart, retry_days: 0 };
            let force = self.in_force(at, strata, Draws::Every(parts));
            let least = force.smallest().min(force.stopped());
            if force.is_none() || force.left_aside() != 0 || least < 1.0 {
                return false;
            }
            at = force.until();
        }
        true
    }

    /// What is in force at an instant, for so many bands of GO, at least one.
    pub(super) fn in_force(&self, at: Timestamp, strata: usize, draws: Draws) -> InForce {
        let force = InForce::of_go(self, at, strata);
        match draws {
            Draws::GoAlone => force,
            Draws::Every(parts) => {
                force.and_every(parts, |stratum| self.rate(at, stratum).copied())
            }
        }
    }
}

fn is_go(stratum: Stratum) -> bool {
    matches!(stratum, Stratum::Go | Stratum::Band(_))
}

impl Rate {
    /// The number in [0, 1) of a record: it is chosen where that is below the rate.
    pub(super) fn draw(&self, id: &RecordId) -> f64 {
        sample::draw(&self.key, &id.0)
    }

    /// Whether it draws a record.
    pub fn draws(&self, id: &RecordId) -> bool {
        self.pi > 0.0 && self.draw(id) < self.pi
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
mod tests;
