//! What time it is: of the machine, or of the demo.

use crate::domain::Timestamp;

/// A clock that runs with the machine's, ahead of it or behind by a fixed time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    /// How far it is ahead, in microseconds.
    pub(super) ahead: i64,
}

impl Clock {
    /// What it shows when the machine's clock shows `machine`.
    pub(super) fn at(self, machine: Timestamp) -> Timestamp {
        Timestamp(machine.0.saturating_add(self.ahead))
    }

    /// What it shows now.
    pub fn now(self) -> Timestamp {
        self.at(Timestamp(jiff::Timestamp::now().as_microsecond()))
    }
}
