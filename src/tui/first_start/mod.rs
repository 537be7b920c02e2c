//! The first start: four questions on one screen, before there is a configuration. The answers become a file
//! and a window in `crate::first_start`; this shows and edits them.
//!
//! `press` and `take` change a [`Questions`] and say what is to be done; `draw` draws it. `run` is the loop around
//! them, with the terminal that the console goes on with.

mod draw;
mod keys;
mod lines;
mod questions;
mod run;
mod texts;

pub use questions::{Place, Questions};
pub use run::{Ended, Services, first_start};
pub use texts::{missing, outcome};

#[cfg(test)]
mod tests;
