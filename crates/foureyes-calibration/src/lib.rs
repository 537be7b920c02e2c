//! The statistics of `foureyes`: what labels say of a judge, and whether it may block. Pure.
//!
//! | module | what it does |
//! |---|---|
//! | [`stats`] | intervals, agreement, sequential tests: numbers in, numbers out |
//! | [`calibration`] | counts evaluations and labels, then decides by the policy |
//! | [`relevance`] | the same of picks of memories: whether a judge picks better than search |
//!
//! ```
//! use foureyes_calibration::stats::binomial;
//!
//! // Every rate has its interval (Clopper-Pearson, 95 %): 8 of 10 may be less than a half.
//! let (rate, interval) = binomial::share(8, 10).unwrap();
//! assert_eq!(rate, 0.8);
//! assert!(interval.lower < 0.5 && interval.upper > 0.97);
//! ```

use foureyes_core::{domain, engine, instruments, text, thesaurus};

pub mod calibration;
pub mod relevance;
pub mod stats;
