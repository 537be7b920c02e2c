//! How often the judge errs, in words: the same sentences on the screen and in plain text.

mod agents;
mod plain;
mod words;

pub use agents::agents;
pub(crate) use plain::no_weeks;
pub use plain::{breakdown, drift, what_if, write};
pub use words::{
    difference, drifted, flag_rate, legend, new_judges, part_rate, replayed, replayed_rate, rule,
    slider,
};
