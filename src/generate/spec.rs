//! What is asked of the generator.

use super::Error;
use crate::domain::Timestamp;

/// Which families of record are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Families {
    /// Push verdicts only.
    Push,
    /// Push, task and ladder verdicts, and overrides.
    All,
}

/// What is asked of the generator; equal specs give equal bytes on every machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// Distinct records over all boxes and families.
    pub records: u64,
    /// UTC days, 1 to 3,660.
    pub days: u32,
    /// The instant before which all records lie; the last day is the one that ends or is cut there.
    pub end: Timestamp,
    /// What all randomness comes from.
    pub seed: u64,
    /// Boxes, 1 to 64.
    pub boxes: u32,
    /// About which share of the records is dirty, 0 (clean) to 0.5.
    pub dirt: f64,
    /// Which families.
    pub families: Families,
    /// Whether the repository is made whose files were judged.
    pub repository: bool,
    /// How good the content is, and the judge.
    pub rates: Rates,
    /// Picks of memories per day, of the first box, beside `records`.
    pub picks: u32,
}

/// How good the content is, and the judge: shares in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Of content, how much is poor.
    pub poor: f64,
    /// Of poor content, how much the judge lets pass.
    pub false_negative: f64,
    /// Of acceptable content, how much it flags: the model that answers first, and the one after it.
    pub false_positive: [f64; 2],
    /// Of evaluations, how many end without a decision.
    pub undetermined: f64,
    /// The same in the one night in which the proxy is down.
    pub bad_night: f64,
    /// For how much of the days each of two boxes still has the older writer, as one part in so many.
    pub older: [u32; 2],
    /// Whether the second box renames the model that it asks for, and the newer model comes with
    /// another prompt; if not, only the model that answers changes.
    pub renames: bool,
}

impl Default for Rates {
    /// A judge that needs work: too many misses, and a change of everything on the way.
    fn default() -> Self {
        Self {
            poor: 0.15,
            false_negative: 0.04,
            false_positive: [0.05, 0.07],
            undetermined: 0.05,
            bad_night: 0.65,
            older: [2, 3],
            renames: true,
        }
    }
}

impl Spec {
    /// The defaults: two boxes, a realistic share of dirt, everything that there is.
    pub fn new(records: u64, days: u32, seed: u64, end: Timestamp) -> Self {
        let families = Families::All;
        let rates = Rates::default();
        Self {
            records,
            days,
            end,
            seed,
            boxes: 2,
            dirt: 0.04,
            families,
            repository: true,
            rates,
            picks: 0,
        }
    }

    /// Refuses what cannot be made.
    pub(super) fn check(&self) -> Result<(), Error> {
        let bad = |what, allowed| Err(Error::Spec { what, allowed });
        if !(1..=3_660).contains(&self.days) {
            return bad("days", "1 to 3660");
        }
        if !(1..=64).contains(&self.boxes) {
            return bad("boxes", "1 to 64");
        }
        if !(0.0..=0.5).contains(&self.dirt) {
            return bad("dirt", "0 to 0.5");
        }
        // So that every day has a four-digit year and no sum leaves its type.
        if !(FIRST_END..=LAST_END).contains(&self.end.0) {
            return bad("end", "a day of the years 1990 to 9999");
        }
        if self.records > 1_000_000_000 {
            return bad("records", "at most 1000000000");
        }
        Ok(())
    }
}

/// 1990-01-01T00:00:00Z in microseconds.
const FIRST_END: i64 = 631_152_000_000_000;
/// 9999-12-30T00:00:00Z in microseconds.
const LAST_END: i64 = 253_402_128_000_000_000;

/// When the demo begins, by its own clock: a Wednesday morning.
const DEMO_BEGINS: &str = "2026-11-25T07:10:00Z";

/// What `--demo` shows: three weeks of two boxes up to a Wednesday morning, with every kind of dirt.
///
/// The seed is one where a good judge is a day of labels and a waiver away from READY: one planted
/// miss, one change of the model that answers, and all KPIs met but the false negative rate.
///
/// It is the same at every hour of every day: records are what the audit sample draws from, and one
/// that is a second younger has another id.
pub fn demo_spec() -> Spec {
    let end = Timestamp::parse(DEMO_BEGINS).unwrap_or(Timestamp(FIRST_END));
    let rates = Rates {
        false_negative: 0.006,
        false_positive: [0.04, 0.04],
        undetermined: 0.025,
        bad_night: 0.4,
        older: [7, 7],
        renames: false,
        ..Rates::default()
    };
    Spec { dirt: 0.05, rates, picks: 5, ..Spec::new(1_500, 21, 140, end) }
}
