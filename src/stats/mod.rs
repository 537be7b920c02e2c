//! Statistics as pure functions, one cited file each.

pub mod binomial;
