//! Whether logs travel compressed. Pure.
//!
//! On most links compressing brings them several times as fast. On one that carries more than the
//! box can compress it takes time, and to compress lightly is better, or not to. So what each way
//! brings is measured, and the best is taken and remembered. Nothing is risked for it: a link
//! nobody knows begins compressed well, and the other ways are tried with little more than such a
//! link carries in a moment.

use crate::source::listing::Compression;
use crate::store::state::{Speed, Way};
use std::time::Duration;

/// Most bytes of logs in a question; then what came is made to last.
const BATCH: u64 = 64 << 20;
/// What a question is for that finds out how fast compressed logs come.
const FIRST: u64 = 32 << 20;
/// What the first question takes where logs come packed less: the link may be another today.
const CAUTIOUS: u64 = 4 << 20;
/// The least and the most that is tried another way, of what the link carries in a moment.
const TRIAL: (u64, u64) = (2 << 20, 32 << 20);
/// How many moments a second has.
const MOMENTS: u64 = 4;
/// Up to so many bytes, starting a program to compress takes longer than sending them.
const SMALL: u64 = 4096;
/// Less than this measures how fast the box answers, and not how fast bytes come.
const TELLING: u64 = 1 << 20;
/// Times this, a speed is no chance any more but another link.
const ANOTHER: u64 = 4;
/// Large pulls after which the ways that are not used are measured anew.
const AGAIN: u32 = 16;
/// Parts are cut here, where the box can read them in large blocks.
const GRAIN: u64 = 64 << 10;

/// What the next question is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    /// How its answer is packed.
    pub(super) compression: Compression,
    /// About how many bytes of logs it is to bring; the most of any one file.
    pub(super) most: u64,
}

/// How an answer came.
#[derive(Debug, Clone, Copy)]
pub(super) struct Came {
    /// Bytes of logs.
    pub(super) logs: u64,
    /// Bytes over the connection.
    pub(super) wire: u64,
    /// From the question to the end of its answer.
    pub(super) took: Duration,
}

/// The speeds of one pull.
#[derive(Debug)]
pub(super) struct Pace {
    can: Compression,
    /// Tells whether the box can compress lightly.
    quick: bool,
    speed: Speed,
    /// What bytes came a second over the connection in this pull: the link carries as many at least.
    wire: Option<u64>,
    /// Tells whether bytes came in this pull.
    begun: bool,
}

impl Pace {
    /// Goes on from what earlier pulls found; `bytes` are likely to come in this one.
    pub(super) fn new(can: Compression, quick: bool, remembered: Speed, bytes: u64) -> Self {
        let mut speed = remembered;
        if bytes >= FIRST {
            speed.pulls += 1;
        }
        if speed.pulls >= AGAIN {
            forget_others(&mut speed, remembered.way);
            speed.pulls = 0;
        }
        let mut pace = Self { can, quick, speed, wire: None, begun: false };
        if !quick {
            // The box may have another zstd than last time.
            pace.speed.quick = None;
            if pace.speed.way == Way::Quick {
                pace.speed.way = Way::Packed;
                pace.choose();
            }
        }
        pace
    }

    /// What was found out so far.
    pub(super) fn speed(&self) -> Speed {
        self.speed
    }

    /// What to ask for next, of so many bytes that are left.
    pub(super) fn next(&self, left: u64) -> Step {
        if self.can == Compression::Raw || left <= SMALL {
            return self.step(Way::Plain, BATCH);
        }
        let Some(packed) = self.speed.packed else { return self.step(Way::Packed, FIRST) };
        let untried = self.untried(packed);
        let trial = untried.and_then(|way| Some((way, self.trial(way, packed, left)?)));
        if let Some((way, most)) = trial {
            return self.step(way, most);
        }
        let way = self.speed.way;
        let most = match (way, self.of(way)) {
            (Way::Packed, _) if untried.is_some() && self.wire.is_none() => FIRST,
            (Way::Packed, _) | (_, None) => BATCH,
            (_, Some(bytes)) => self.careful(bytes),
        };
        self.step(way, most)
    }

    /// What that way brought.
    fn of(&self, way: Way) -> Option<u64> {
        let mut speed = self.speed;
        *of(&mut speed, way)
    }

    fn step(&self, way: Way, most: u64) -> Step {
        let compression = match way {
            Way::Packed => self.can,
            Way::Quick => Compression::ZstdFast,
            Way::Plain => Compression::Raw,
        };
        Step { compression, most }
    }

    /// The way to measure next. Where compressing lightly is clearly worse the link is what limits,
    /// and not to compress at all is worse still.
    fn untried(&self, packed: u64) -> Option<Way> {
        let Speed { quick, plain, .. } = self.speed;
        match (quick, plain) {
            (None, _) if self.quick => Some(Way::Quick),
            (Some(quick), None) if packed > clearly(quick) => None,
            (_, None) => Some(Way::Plain),
            _ => None,
        }
    }

    /// How much to try another way on this link, where that tells anything.
    fn trial(&self, way: Way, packed: u64, left: u64) -> Option<u64> {
        let moment = self.wire? / MOMENTS;
        let likely = match way {
            // Half the ratio at worst, or nearly.
            Way::Quick => moment.max(packed / 2 / MOMENTS),
            Way::Packed | Way::Plain => moment,
        };
        let most = likely.min(left / 4).min(TRIAL.1);
        (moment.min(most) >= TRIAL.0).then(|| grains(most))
    }

    /// As much as comes in two seconds, so that a link that became slow is noticed soon.
    fn careful(&self, bytes: u64) -> u64 {
        if self.begun { grains(bytes.saturating_mul(2).clamp(CAUTIOUS, BATCH)) } else { CAUTIOUS }
    }

    /// Learns from an answer.
    pub(super) fn learn(&mut self, step: Step, came: Came) {
        if self.can == Compression::Raw || came.logs < TELLING {
            return;
        }
        let way = match step.compression {
            Compression::Raw => Way::Plain,
            Compression::ZstdFast => Way::Quick,
            Compression::Zstd | Compression::Gzip => Way::Packed,
        };
        let check = !std::mem::replace(&mut self.begun, true) && way != Way::Packed;
        self.wire = Some(a_second(came.wire, came.took));
        let new = a_second(came.logs, came.took);
        let own = of(&mut self.speed, way);
        match *own {
            Some(old) if new >= old * ANOTHER || new * ANOTHER <= old => {
                *own = Some(new);
                forget_others(&mut self.speed, way);
            }
            // So little tells another link, and nothing finer.
            Some(_) if check => {}
            Some(old) => *own = Some(old / 2 + new / 2),
            None => *own = Some(new),
        }
        self.choose();
    }

    /// Takes the best way; the one in use stays unless another is clearly better.
    fn choose(&mut self) {
        let Speed { packed, quick, plain, way, .. } = self.speed;
        let own = self.of(way).unwrap_or(0);
        let all = [(packed, Way::Packed), (quick, Way::Quick), (plain, Way::Plain)];
        let best = all.into_iter().max_by_key(|(bytes, _)| bytes.unwrap_or(0));
        self.speed.way = match best {
            _ if packed.is_none() => Way::Packed,
            Some((Some(bytes), best)) if bytes > clearly(own) => best,
            _ => way,
        };
    }
}

/// What is remembered of that way.
fn of(speed: &mut Speed, way: Way) -> &mut Option<u64> {
    match way {
        Way::Packed => &mut speed.packed,
        Way::Quick => &mut speed.quick,
        Way::Plain => &mut speed.plain,
    }
}

fn forget_others(speed: &mut Speed, way: Way) {
    for other in [Way::Packed, Way::Quick, Way::Plain] {
        if other != way {
            *of(speed, other) = None;
        }
    }
}

/// What is better than that, and not by chance.
fn clearly(bytes: u64) -> u64 {
    bytes + bytes / 5
}

fn grains(bytes: u64) -> u64 {
    bytes / GRAIN * GRAIN
}

fn a_second(bytes: u64, took: Duration) -> u64 {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).max(1);
    bytes.saturating_mul(1_000_000) / micros
}

#[cfg(test)]
mod tests;
