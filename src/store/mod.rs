//! Files of our own on this machine.

pub mod alone;
pub mod atomic;
#[cfg(feature = "console")]
pub mod blocks;
#[cfg(feature = "console")]
pub mod cache;
#[cfg(feature = "console")]
pub mod cursor;
#[cfg(feature = "console")]
pub mod disposition;
#[cfg(feature = "console")]
pub mod fingerprint;
#[cfg(feature = "console")]
pub mod journal;
#[cfg(feature = "console")]
pub mod ledger;
#[cfg(feature = "console")]
pub mod lock;
#[cfg(feature = "console")]
pub mod mirror;
#[cfg(feature = "console")]
pub(crate) mod names;
pub mod paths;
#[cfg(feature = "console")]
pub mod state;
pub mod verdict_log;
