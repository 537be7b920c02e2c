//! Where logs come from.

pub mod append;
pub mod checkup;
pub mod client;
pub mod digest;
mod framing;
mod inflate;
pub mod ledgers;
pub mod listing;
pub mod objects;
pub mod program;
pub mod prompt;
pub mod questions;
pub mod session;
pub mod ssh;
