//! Statistics as pure functions, one cited file each.
//!
//! Every interval here is exact: it is taken from the binomial distribution itself, not from a
//! normal curve laid over it. Without data there is no number.

pub mod binomial;
pub mod order;
mod tail;
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
