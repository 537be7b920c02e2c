//! The calibration windows of the made-up data.

use super::labels::{Planting, reviewers};
use crate::cli::Failure;
use crate::domain::Timestamp;
use crate::domain::review::{Act, AuditRate, Seed, WindowStart};

/// Of what passed so much was looked at.
const AUDITED: f64 = 1.0;

impl Planting<'_> {
    /// Begins the window with the first day.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        let Some(start) = self.first_day() else { return Ok(()) };
        let [reviewer, ..] = &reviewers(self.family);
        self.append(reviewer, start, &Act::Window(WindowStart::new(start).of(self.family)))?;
        let rate = AuditRate::new(start, None, AUDITED, Some(Seed([4; 32])));
        self.append(reviewer, start, &Act::Rate(rate.of(self.family)))
    }

    pub(super) fn first_day(&self) -> Option<Timestamp> {
        self.evaluations.all().first().map(|first| Timestamp::of_day(first.at.day()))
    }
}
