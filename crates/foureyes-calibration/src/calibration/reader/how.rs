//! How a record came to be labelled.

use crate::calibration::{Drawn, Rate};
use crate::domain::RecordId;
use crate::stats::sample;

/// The smallest probabilities in force at an instant.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Least {
    /// For what passes; 0 where part of it was not looked at.
    pub(super) smallest: f64,
    /// For what is stopped; 0 where part of it is not drawn.
    pub(super) stopped: f64,
    /// Whether what passed was looked at at all.
    pub(super) covered: bool,
}

/// How a record came to be labelled, or not.
pub(super) struct How {
    /// Probability with which it was chosen; `None` where it was not, or nobody knows.
    pub(super) pi: Option<f64>,
    /// Probability of its part.
    pub(super) rate: f64,
    /// What was drawn.
    pub(super) draw: f64,
}

impl How {
    /// By the plan.
    pub(super) fn drawn(rate: &Rate, id: &RecordId) -> Self {
        let draw = rate.draw(id);
        Self { pi: Some(rate.pi).filter(|pi| draw < *pi), rate: rate.pi, draw }
    }

    /// Elsewhere: spread over what the stated probability leaves, to thin it evenly.
    pub(super) fn stated(stated: Option<Drawn>, id: &RecordId) -> Self {
        let pi = stated.map(Drawn::pi);
        let draw = pi.map_or(1.0, |pi| pi * sample::public_draw(THINNING, &id.0));
        Self { pi, rate: 0.0, draw }
    }
}

/// Keeps the thinning of labels apart from every other use of the hash.
const THINNING: &str = "foureyes 2026 thinning of labels to one rate";
