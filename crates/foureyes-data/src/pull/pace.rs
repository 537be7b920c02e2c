//! Whether logs travel compressed. Pure.
//!
//! On most links compressing brings them several times as fast. On one that carries more than the
//! box can compress it only takes time. So what both ways bring is measured, and the better is
//! taken and remembered. Little is risked for it: a link nobody knows begins compressed, and the
//! other way is tried with no more than such a link carries in a moment, or in a small part of the
//! time that the rest takes.

use crate::source::listing::Compression;
use crate::store::state::Speed;
use std::time::Duration;

/// Most bytes of logs in a question; then what came is made to last.
const BATCH: u64 = 64 << 20;
/// The same where logs come as they are, which takes less time.
const PLAIN: u64 = 512 << 20;
/// What a question is for that finds out how fast compressed logs come.
const FIRST: u64 = 4 << 20;
/// Pulls of fewer bytes do not count towards [`AGAIN`], and answers of fewer do not change a known speed of compressed logs.
const LARGE: u64 = 32 << 20;
/// What the first question takes where logs come as they are: the link may be another today.
const CAUTIOUS: u64 = 4 << 20;
/// The least and the most that is tried without compression, of what the link carries in a moment. Where that is less,
/// [`TELLING`] may be tried.
const TRIAL: (u64, u64) = (2 << 20, 32 << 20);
/// Most trials of a pull: a short one, and a longer one. The answer to one may be too small to tell anything.
const TRIALS: u32 = 2;
/// How many moments a second has.
const MOMENTS: u64 = 4;
/// The most that such a trial may take if it is in vain: so many milliseconds, and one in so many parts of the time that
/// the rest takes.
const PATIENCE: (u64, u64) = (2000, 8);
/// Up to so many bytes, starting a program to compress takes longer than sending them.
const SMALL: u64 = 4096;
/// Less than this measures how fast the box answers, and not how fast bytes come.
const TELLING: u64 = 1 << 20;
/// Times this, a speed is no chance any more but another link.
const ANOTHER: u64 = 4;
/// Most boxes compress more than so many bytes a second. Where plain bytes come more slowly, and a first compressed answer came
/// more slowly yet, that may have been held up: compressed logs are asked for once more.
const DOUBTED: u64 = 200_000_000;
/// So many of them: what holds up one answer may hold up the next, which it must not make slow.
const CHECK: u64 = 16 << 20;
/// Large pulls after which the way that is not used is measured anew.
const AGAIN: u32 = 16;

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
    /// From the question to the beginning of its answer.
    pub(super) delay: Duration,
}

/// The speeds of one pull.
#[derive(Debug)]
pub(super) struct Pace {
    can: Compression,
    speed: Speed,
    /// What came a second over the connection in this pull: the link carries as many at least.
    wire: Option<u64>,
    /// How often bytes were asked for as they are in this pull while nobody knew how fast they come.
    trials: u32,
    /// Whether bytes came in this pull.
    begun: bool,
    /// How long the box takes to answer, where a plain answer has shown it: what is compressed is held back at first.
    delay: Option<Duration>,
    /// What came compressed, until that is known and while there is no other measure of it.
    first: Option<Came>,
    /// Whether the speed of compressed logs is that of a first, small answer: no reason yet to stay with them.
    is_rough: bool,
    /// Whether compressed logs were asked for once more.
    is_checked: bool,
}

impl Pace {
    /// Goes on from what earlier pulls found; `bytes` are likely to come in this one.
    pub(super) fn new(can: Compression, remembered: Speed, bytes: u64) -> Self {
        let mut speed = remembered;
        if bytes >= LARGE {
            speed.pulls += 1;
        }
        if speed.pulls >= AGAIN {
            let unused = if speed.plainly { &mut speed.packed } else { &mut speed.plain };
            *unused = None;
            speed.pulls = 0;
        }
        Self {
            can,
            speed,
            wire: None,
            trials: 0,
            begun: false,
            delay: None,
            first: None,
            is_rough: false,
            is_checked: false,
        }
    }

    /// What was found out so far.
    pub(super) fn speed(&self) -> Speed {
        self.speed
    }

    /// What to ask for next, of so many bytes that are left.
    pub(super) fn next(&mut self, left: u64) -> Step {
        let plain = |most| Step { compression: Compression::Raw, most };
        let packed = |most| Step { compression: self.can, most };
        match (self.speed.packed, self.speed.plain) {
            _ if self.can == Compression::Raw => plain(BATCH),
            _ if left <= SMALL => plain(BATCH),
            (None, _) => packed(FIRST),
            (Some(_), None) => match self.wire {
                None => packed(FIRST),
                Some(wire) => match self.trial(wire, left).filter(|_| self.trials < TRIALS) {
                    None => packed(BATCH),
                    Some(most) => {
                        self.trials += 1;
                        plain(most)
                    }
                },
            },
            (Some(_), Some(bytes)) if self.speed.plainly => {
                if self.is_doubted(bytes, left) {
                    self.is_checked = true;
                    return packed(CHECK);
                }
                plain(self.careful(bytes))
            }
            (Some(_), Some(_)) => packed(BATCH),
        }
    }

    /// As much as comes in two seconds, so that a link that became slow is noticed soon.
    fn careful(&self, plain: u64) -> u64 {
        if self.begun { plain.saturating_mul(2).clamp(CAUTIOUS, PLAIN) } else { CAUTIOUS }
    }

    /// Learns from an answer, behind which so many bytes are left.
    pub(super) fn learn(&mut self, step: Step, came: Came, left: u64) {
        if self.can == Compression::Raw || came.logs < TELLING {
            return;
        }
        let plain = step.compression == Compression::Raw;
        if !plain {
            self.wire = Some(a_second(came.wire, came.took));
        }
        // Of so little, most of the time may be the box's to answer, which only a plain answer shows.
        if !plain && self.delay.is_none() && self.speed.packed.is_some() && came.logs < LARGE {
            return;
        }
        let check = !std::mem::replace(&mut self.begun, true) && plain;
        if plain {
            self.delay = Some(came.delay);
            if let Some(first) = self.first.take() {
                self.speed.packed = Some(came_a_second(first, came.delay));
            }
        } else {
            self.first = self.speed.packed.is_none().then_some(came);
            self.is_rough = came.logs < LARGE && (self.is_rough || self.speed.packed.is_none());
        }
        let new = came_a_second(came, self.delay.unwrap_or_default());
        let longer = self.trial(new, left).is_some_and(|most| most >= 2 * came.logs);
        let is_check = !plain && self.is_rough && step.most == CHECK;
        let (own, other) = match plain {
            true => (&mut self.speed.plain, &mut self.speed.packed),
            false => (&mut self.speed.packed, &mut self.speed.plain),
        };
        // In a short trial, answering and starting programs take about as long as the bytes: where it is no better and
        // could be, a longer one decides.
        if plain && own.is_none() && self.trials < TRIALS {
            let least = |packed| if self.is_rough { packed } else { clearly(packed) };
            let may_be_better = |packed| new + new / 2 >= packed && new <= least(packed);
            if longer && other.is_some_and(may_be_better) {
                self.wire = Some(new);
                return;
            }
        }
        match *own {
            Some(old) if is_check => *own = Some(old.max(new)),
            Some(old) if new >= old * ANOTHER || new * ANOTHER <= old => {
                (*own, *other) = (Some(new), None);
            }
            // So little tells another link, and nothing finer.
            Some(_) if check => {}
            Some(old) => *own = Some(old / 2 + new / 2),
            None => *own = Some(new),
        }
        self.choose();
    }

    /// How much to try uncompressed on a link that carries so much, where that tells anything. A slow box may hide that
    /// the link is fast, so the least that tells is tried, too, where it takes little time if it is in vain.
    fn trial(&self, wire: u64, left: u64) -> Option<u64> {
        let most = (wire / MOMENTS).min(left / 4).min(TRIAL.1);
        if most >= TRIAL.0 {
            return Some(most);
        }
        let patience = patience(left, self.speed.packed?);
        [TRIAL.0, TELLING].into_iter().find(|least| millis(*least, wire) <= patience)
    }

    /// Whether a first compressed answer may have been held up, so that plain bytes, which come at this speed, seemed
    /// better.
    fn is_doubted(&self, plain: u64, left: u64) -> bool {
        let is_new = self.is_rough && !self.is_checked && self.delay.is_some();
        let takes = |packed| millis(CHECK, packed);
        let is_cheap = self.speed.packed.is_some_and(|p| takes(p) <= patience(left, plain));
        is_new && plain < DOUBTED && is_cheap
    }

    /// Takes the better way; the one in use stays unless the other is clearly better.
    fn choose(&mut self) {
        let (Some(packed), Some(plain)) = (self.speed.packed, self.speed.plain) else {
            self.speed.plainly = false;
            return;
        };
        self.speed.plainly = match self.speed.plainly {
            true => packed <= clearly(plain),
            false if self.is_rough => plain > packed,
            false => plain > clearly(packed),
        };
    }
}

/// Milliseconds that may be lost by a trial while so many bytes are left that come at a speed.
fn patience(left: u64, speed: u64) -> u64 {
    PATIENCE.0.min(millis(left, speed) / PATIENCE.1)
}

fn millis(bytes: u64, speed: u64) -> u64 {
    bytes.saturating_mul(1000) / speed.max(1)
}

/// What is clearly better than so many bytes a second.
fn clearly(bytes: u64) -> u64 {
    bytes + bytes / 5
}

/// Answering says nothing of how fast bytes come, but some may have come before the answer was noticed.
fn came_a_second(came: Came, delay: Duration) -> u64 {
    a_second(came.logs, came.took.saturating_sub(delay).max(came.took / 2))
}

fn a_second(bytes: u64, took: Duration) -> u64 {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).max(1);
    bytes.saturating_mul(1_000_000) / micros
}

#[cfg(test)]
mod tests;
