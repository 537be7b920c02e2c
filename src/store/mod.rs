//! Files of our own on this machine.

pub mod atomic;
#[cfg(feature = "console")]
pub mod cache;
pub mod paths;
