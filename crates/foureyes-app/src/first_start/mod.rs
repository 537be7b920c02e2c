//! The first start: what was answered, as the file and the entries that follow from it. Nothing is read or
//! written here.

mod decision;
mod forecast;
mod hosts;
mod traffic;

pub use decision::{Decision, Missing, WindowChoice, decide, entries};
pub use forecast::{DAYS as FORECAST_DAYS, Forecast, assumed_per_day, forecasts};
pub use hosts::hosts;
pub use traffic::{Sampled, Traffic};

use crate::assess::NaturalOffer;
use crate::calibration::PlanPrice;
use crate::config::FirstBox;
use crate::domain::Timestamp;
use crate::domain::review::Draw;

/// What a box answered when it was asked for its logs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reached {
    /// It is being asked.
    #[default]
    Asking,
    /// It has logs, or none yet.
    Found {
        /// Records in them.
        records: u64,
        /// The first and the last of them that has a date.
        span: Option<(Timestamp, Timestamp)>,
    },
    /// It could not be read. Both texts may be hostile.
    Refused {
        /// Why.
        why: String,
        /// What to do; empty where nothing is known.
        next: String,
    },
}

/// A place where logs may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// As the file has it. Its name may be hostile.
    pub source: FirstBox,
    /// Whether it is in the file.
    pub chosen: bool,
    /// Whether the person said so, or the opposite.
    pub by_hand: bool,
    /// What it answered.
    pub reached: Reached,
}

/// From when on records count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedFrom {
    /// The first record of the judge in use.
    FirstRecord(Draw),
    /// Today.
    Today,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// Where logs are.
    pub candidates: Vec<Candidate>,
    /// Which days count.
    pub counted: CountedFrom,
    /// How much of what passes is sampled from now on.
    pub sampled: Sampled,
    /// Who begins the window; `None` where nobody is named.
    pub reviewer: Option<String>,
}

/// What the logs of the chosen boxes come to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    /// The window over all of them; `None` where no whole day was judged yet.
    pub offer: Option<NaturalOffer>,
    /// What each of its plans costs: all, then thin where that is less.
    pub prices: Vec<PlanPrice>,
    /// What the last days had; `None` where there is no whole day.
    pub traffic: Option<Traffic>,
    /// Why no window can be begun, whatever is answered.
    pub hindrance: Option<Missing>,
}

impl Answers {
    /// Those that are in the file.
    pub fn chosen(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|candidate| candidate.chosen)
    }

    /// Takes what a box answered. One that has records is chosen where nobody chose before.
    pub fn take(&mut self, name: &str, reached: Reached) {
        for candidate in self.candidates.iter_mut().filter(|one| one.source.name == name) {
            let has_records = matches!(reached, Reached::Found { records: 1.., .. });
            let is_first = candidate.reached == Reached::Asking && !candidate.by_hand;
            candidate.chosen |= has_records && is_first;
            candidate.reached = reached.clone();
        }
    }
}
