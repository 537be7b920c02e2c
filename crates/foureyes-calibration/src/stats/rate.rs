//! A share as documents have it.

use super::binomial;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A share with its exact two-sided interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// Cases.
    pub numerator: u64,
    /// What they are among.
    pub denominator: u64,
    /// The share in [0, 1]; `null` of nothing.
    pub estimate: Option<f64>,
    /// Lower end of the interval.
    pub lower: Option<f64>,
    /// Upper end of the interval.
    pub upper: Option<f64>,
}

impl Rate {
    /// The share of `numerator` in `denominator`.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        let share = binomial::share(numerator, denominator);
        Self {
            numerator,
            denominator,
            estimate: share.map(|(estimate, _)| estimate),
            lower: share.map(|(_, ends)| ends.lower),
            upper: share.map(|(_, ends)| ends.upper),
        }
    }
}
