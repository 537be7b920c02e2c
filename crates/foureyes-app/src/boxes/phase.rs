//! How far the way to a box that blocks may come, and how it may end.

use crate::domain::review::EntryId;
use crate::failure::Failure;
use crate::hook::switch::ModeStatus;

/// How far it came.
#[derive(Clone, Copy)]
pub(super) enum Phase {
    /// On trial, and the ledger says nothing of it.
    Trial,
    /// The entry by which the ledger says that it blocks could not be written, or its end was not
    /// seen.
    Unsaid(EntryId),
    /// The ledger says so by this entry, and the last order was given.
    Ordered(EntryId),
}

/// Why a box does not say that it blocks as it was ordered.
pub(super) enum Unswitched {
    /// It answers that it does not follow the order.
    Refused(Failure),
    /// Its answer was not heard, or says otherwise: it may have followed it.
    Unsure(Failure),
}

impl Unswitched {
    /// What went wrong.
    pub(super) fn failure(self) -> Failure {
        match self {
            Self::Refused(failure) | Self::Unsure(failure) => failure,
        }
    }
}

/// How a box stands after a trial was broken off.
pub(super) enum Settled {
    /// As before.
    AsBefore(ModeStatus),
    /// As was ordered for good: only the answer was lost.
    AsOrdered(ModeStatus),
    /// Still on trial.
    OnTrial,
    /// Somebody turned it meanwhile.
    Otherwise(ModeStatus),
    /// Nobody knows.
    Unknown,
}
