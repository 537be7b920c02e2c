//! What time it is: of the machine, or of the demo.

use crate::domain::Timestamp;

/// A clock that runs with the machine's, ahead of it or behind by a fixed time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    /// How far it is ahead, in microseconds.
    ahead: i64,
}

impl Clock {
    /// A clock that showed `shown` when the machine's showed `machine`.
    #[cfg(feature = "console")]
    pub(super) fn set(shown: Timestamp, machine: Timestamp) -> Self {
        Self { ahead: shown.0.saturating_sub(machine.0) }
    }

    /// What it shows when the machine's clock shows `machine`.
    pub(super) fn at(self, machine: Timestamp) -> Timestamp {
        Timestamp(machine.0.saturating_add(self.ahead))
    }

    /// What it shows now.
    pub fn now(self) -> Timestamp {
        self.at(Timestamp(jiff::Timestamp::now().as_microsecond()))
    }
}

#[cfg(all(test, feature = "console"))]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_runs_with_the_machines() {
        let (shown, machine) = (Timestamp(5_000), Timestamp(900));
        let clock = Clock::set(shown, machine);
        assert_eq!((clock.at(machine), clock.at(Timestamp(1_000))), (shown, Timestamp(5_100)));
        assert_eq!(Clock::default().at(machine), machine);
    }
}
