//! Decisions that stay right however often one looks.
//!
//! A bound made for one look is spoilt by looking every morning. A wealth that on average does not
//! grow while a rate is on the wrong side is not: by Ville's inequality the chance that it *ever*
//! reaches 1/α is at most α. Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B
//! 86, 2024; Stark, SHANGRLA, 2020.

mod day_sums;
mod detector;
pub mod error;
pub mod margin;
pub mod share;
pub mod sign;
pub mod sprt;
mod wealth;

pub use day_sums::ClusterSizes;
pub use detector::Detector;
pub use wealth::{CELLS, Wealth};
