//! What a day brings, and what of it is to be labelled.

use crate::assess::Evaluations;
use crate::domain::{Outcome, Timestamp};

/// Whole days that an average is over, at most.
const DAYS: i32 = 14;

/// How much of what passes is sampled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sampled {
    /// All of it.
    #[default]
    All,
    /// One in two.
    Half,
    /// One in four.
    Quarter,
    /// Nothing: misses stay unknown.
    Nothing,
}

impl Sampled {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::All, Self::Half, Self::Quarter, Self::Nothing];

    /// Probability to be drawn, 0 to 1.
    pub fn rate(self) -> f64 {
        match self {
            Self::All => 1.0,
            Self::Half => 0.5,
            Self::Quarter => 0.25,
            Self::Nothing => 0.0,
        }
    }
}

/// What was judged on whole days, up to yesterday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    /// Days, 1 to 14.
    pub days: u32,
    /// What passed on them.
    pub passed: u64,
    /// What was NO-GO.
    pub no_go: u64,
}

impl Traffic {
    /// That of the last days; `None` where no whole day was judged yet.
    pub fn of_last_days(all: &Evaluations, now: Timestamp) -> Option<Self> {
        let judged = all.all().iter().filter(|e| e.is_judged());
        Self::count(judged.map(|e| (e.at, e.outcome, u64::from(e.times))), now)
    }

    fn count(
        judged: impl Iterator<Item = (Timestamp, Outcome, u64)> + Clone,
        now: Timestamp,
    ) -> Option<Self> {
        let today = now.day();
        let first = judged.clone().map(|(at, ..)| at.day()).min().filter(|day| *day < today)?;
        let from = first.max(today - DAYS);
        let count = |wanted: Outcome| {
            let days = judged.clone().filter(|(at, ..)| (from..today).contains(&at.day()));
            days.filter(|(_, outcome, _)| *outcome == wanted).map(|(.., times)| times).sum()
        };
        Some(Self {
            days: (today - from) as u32,
            passed: count(Outcome::Go),
            no_go: count(Outcome::NoGo),
        })
    }

    /// What is judged on a day, rounded.
    pub fn per_day(self) -> u64 {
        self.labels_per_day(Sampled::All)
    }

    /// Labels on a day by a rate, rounded: every NO-GO and the sample.
    pub fn labels_per_day(self, sampled: Sampled) -> u64 {
        let labels = self.no_go as f64 + self.passed as f64 * sampled.rate();
        (labels / f64::from(self.days.max(1))).round() as u64
    }

    /// Minutes for them, at half a minute each.
    pub fn minutes_per_day(self, sampled: Sampled) -> u64 {
        self.labels_per_day(sampled).div_ceil(2)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(40 * 86_400_000_000 + 5);

    fn days(first: u32, last: u32) -> Vec<(Timestamp, Outcome, u64)> {
        let day = |ago| {
            let at = NOW.minus_days(ago);
            [(at, Outcome::Go, 32), (at, Outcome::NoGo, 8), (at, Outcome::Undetermined, 3)]
        };
        (last..=first).flat_map(day).collect()
    }

    #[test]
    fn labels_of_a_day_are_every_no_go_and_the_sample() {
        let traffic = Traffic::count(days(30, 0).into_iter(), NOW).unwrap();
        assert_eq!((traffic.days, traffic.per_day()), (14, 40));
        assert_eq!(Sampled::ALL.map(|s| traffic.labels_per_day(s)), [40, 24, 16, 8]);
        assert_eq!(Sampled::ALL.map(|s| traffic.minutes_per_day(s)), [20, 12, 8, 4]);
    }

    #[test]
    fn a_day_that_is_not_over_is_no_whole_day() {
        assert_eq!(Traffic::count(days(0, 0).into_iter(), NOW), None);
        let traffic = Traffic::count(days(2, 0).into_iter(), NOW).unwrap();
        assert_eq!((traffic.days, traffic.per_day()), (2, 40));
    }
}
