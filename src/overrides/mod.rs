//! Overrides: a person's decision on a record, kept in the ledger and written to the record's box.
//!
//! The ledger comes first. What is to be written to a box is noted before that, so that a kill at
//! any point leaves either nothing that was acknowledged, or something that can be tried again. Until
//! a box was heard to hold a record, its override is unconfirmed. It changes no rate.

mod book;
mod decide;
mod here;
mod place;
mod record;
mod send;
mod standing;
mod there;

pub use book::{Book, BookError};
pub use decide::{DecideError, Decided, LONGEST_REASON, Wish, decide};
pub use place::NoPlace;
pub use send::{Sent, of_boxes, pending, send};
pub use standing::{Standing, State, count_unconfirmed, mark, standings};
