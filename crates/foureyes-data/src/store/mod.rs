//! Files of our own on the operator's machine.

pub mod blocks;
pub mod cache;
pub mod cursor;
pub mod disposition;
pub mod fingerprint;
pub mod free_bytes;
pub mod journal;
pub mod ledger;
pub mod lock;
pub mod mirror;
pub mod names;
pub mod questions;
pub mod state;
pub mod unpacked;
