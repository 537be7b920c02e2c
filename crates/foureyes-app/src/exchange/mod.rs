//! Exchange of ledgers through a directory here or on a box.
//!
//! A ledger belongs to one reviewer and machine, and only that machine adds to it; names of machines
//! repeat, so it is one's own only where both match. So there is nothing
//! to merge: a longer copy that begins with all of a shorter one replaces it, by appending the
//! rest. Whatever else is found is told, and left alone.

mod compare;
mod local;
mod remote;
mod run;

pub use run::{ExchangeError, Moved, Outcome, Place, pull, push};
