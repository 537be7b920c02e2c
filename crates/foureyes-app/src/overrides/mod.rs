//! Overrides: a person's decision on a record, kept in the ledger and written to the record's box.
//!
//! The ledger comes first. What is to be written to a box is noted before that, so that a kill at
//! any point leaves either nothing that was acknowledged, or something that can be tried again. Until
//! a box was heard to hold a record, its override is unconfirmed. It changes no rate.
//!
//! Nothing is taken back by changing a file: an undo is a further entry, and a further record on the
//! box that says what holds from then on.

mod claim;
mod decide;
mod delivery_status;
mod local;
mod outbox;
mod place;
mod record;
mod remote;
mod send;
mod settlements;
mod settling;
mod take_back;
#[cfg(test)]
mod tests;
mod words;

pub use claim::{Claimed, claim, of_task, release, waits};
pub use decide::{DecideError, Decided, Decisions, LONGEST_REASON, Refused, Wish, decide};
pub use delivery_status::{Delivery, State, count_unconfirmed, deliveries, mark};
pub use outbox::{BookError, Outbox};
pub use place::NoPlace;
pub use send::{Due, Sent, pending, send};
pub use settlements::Settlements;
pub use settling::settling;
pub use take_back::{Back, BackError, TakenBack, take_back};
