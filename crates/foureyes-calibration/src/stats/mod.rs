//! Statistics as pure functions, one cited file each.
//!
//! Every bound that a decision is read from is exact: it is taken from the binomial distribution
//! itself or holds at every look, not from a normal curve laid over it. Without data there is no
//! number.

pub mod agreement;
pub mod beta;
pub mod binomial;
pub mod difference;
pub mod drift;
pub mod mean;
pub mod multiple;
pub mod normal;
pub mod order;
pub mod paired;
pub mod prevalence;
pub mod rate;
pub mod sample;
pub mod sampled;
pub mod sequential;
pub mod spending;
pub mod strata;
pub mod stratified;
mod tail;
pub mod tipping;
pub mod together;
pub mod trend;
pub mod two_shares;
pub mod wilson;

/// Coverage of every interval that is shown.
pub const CONFIDENCE: f64 = 0.95;

/// Two ends that hold an unknown value with a stated confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lower: f64,
    /// Upper end, never below the lower one.
    pub upper: f64,
}

/// Fails unless two numbers differ by at most `tolerance`.
#[cfg(test)]
#[track_caller]
pub(crate) fn near(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "{got} is not {expected}");
}
