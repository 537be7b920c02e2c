//! Files of our own on this machine.

pub mod cursor;
pub mod lock;
pub mod mirror;
mod names;
pub mod paths;
pub mod state;
