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
}

impl Spec {
    /// The defaults: two boxes, a realistic share of dirt, everything that there is.
    pub fn new(records: u64, days: u32, seed: u64, end: Timestamp) -> Self {
        let families = Families::All;
        Self { records, days, end, seed, boxes: 2, dirt: 0.04, families, repository: true }
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

/// What `--demo` shows: three weeks of two boxes up to now, with every kind of dirt.
pub fn demo_spec(now: Timestamp) -> Spec {
    Spec { dirt: 0.05, ..Spec::new(1_500, 21, 4, now) }
}
