//! State of the pull of each box.

use crate::pull::{Event, PullState as Ended};
use std::collections::BTreeMap;

/// State of a box's pull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullState {
    /// It waits for its turn, or is being connected to.
    Connecting,
    /// It lists its files.
    Listing,
    /// Bytes come: so many of so many.
    Fetching {
        /// Bytes received so far.
        got: u64,
        /// Bytes to come in all, as far as is known.
        of: u64,
    },
    /// It ended.
    Ended(Ended),
}

/// The pull that runs, or the last one.
#[derive(Debug, Clone, Default)]
pub struct Pulls {
    /// Whether a pull runs now.
    pub running: bool,
    /// State of the pull by the name of the box.
    pub boxes: BTreeMap<String, PullState>,
}

impl Pulls {
    /// Notes that a pull begins.
    pub fn begin(&mut self) {
        *self = Self { running: true, boxes: BTreeMap::new() };
    }

    /// Notes what happened at a box.
    pub fn apply(&mut self, name: String, event: &Event) {
        let state = self.boxes.entry(name).or_insert(PullState::Connecting);
        *state = match (event, &*state) {
            (Event::Connecting, _) => PullState::Connecting,
            (Event::Listing, _) => PullState::Listing,
            (Event::Fetching { bytes, .. }, _) => PullState::Fetching { got: 0, of: *bytes },
            (Event::Bytes(more), PullState::Fetching { got, of }) => {
                PullState::Fetching { got: got + more, of: *of }
            }
            (Event::Bytes(more), _) => PullState::Fetching { got: *more, of: 0 },
            (Event::Ended(state), _) => PullState::Ended(*state),
        };
    }

    /// Notes that the pull ended; nothing is known of a box whose end did not arrive.
    pub fn end(&mut self) {
        self.running = false;
        self.boxes.retain(|_, state| matches!(state, PullState::Ended(_)));
    }

    /// Boxes that ended, of all that reported.
    pub fn done(&self) -> (usize, usize) {
        let ended = self.boxes.values().filter(|s| matches!(s, PullState::Ended(_))).count();
        (ended, self.boxes.len())
    }
}
