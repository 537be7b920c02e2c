//! The statistics of `foureyes`: what labels say of a judge, and whether it may block. Pure.
//!
//! | module | what it does |
//! |---|---|
//! | [`stats`] | intervals, agreement, sequential tests: numbers in, numbers out |
//! | [`calibration`] | counts evaluations and labels, then decides by the policy |
//!
//! ```
//! use foureyes_calibration::stats::wilson;
//!
//! // Every rate has its interval: 8 of 10 at 95 %.
//! let interval = wilson(8, 10, 0.95).unwrap();
//! assert!(interval.low < 0.5 && interval.high > 0.94);
//! ```

use foureyes_core::{domain, engine};

pub mod calibration;
pub mod stats;
