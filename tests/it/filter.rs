//! The filter language and the trend table.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on should stop

mod arbitrary;
mod language;
mod random;
mod reference;
mod rows;
mod terms;
mod trend;
