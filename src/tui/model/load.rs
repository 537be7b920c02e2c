//! Something that is loaded outside, and may be loaded again while the old one is shown.

use super::Problem;
use std::sync::Arc;

/// State of loading.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Load {
    /// Nothing is being loaded.
    #[default]
    Idle,
    /// It is on its way.
    Busy,
    /// The last try failed.
    Failed(Problem),
}

/// The last value that was loaded, and the state of loading.
#[derive(Debug, Clone, PartialEq)]
pub struct Loadable<T> {
    /// The last value; it stays while a newer one is on its way, and when that fails.
    pub value: Option<T>,
    /// State of loading.
    pub load: Load,
}

impl<T> Default for Loadable<T> {
    fn default() -> Self {
        Self { value: None, load: Load::Idle }
    }
}

impl<T> Loadable<T> {
    /// Nothing yet, but on its way.
    pub fn busy() -> Self {
        Self { value: None, load: Load::Busy }
    }

    /// Takes what loading gave.
    pub fn settle(&mut self, result: Result<T, Problem>) {
        match result {
            Ok(value) => *self = Self { value: Some(value), load: Load::Idle },
            Err(problem) => self.load = Load::Failed(problem),
        }
    }

    /// Whether it was never asked for, or its last value was dropped.
    pub fn is_untouched(&self) -> bool {
        self.value.is_none() && self.load == Load::Idle
    }

    /// Whether something is on its way.
    pub fn is_busy(&self) -> bool {
        self.load == Load::Busy
    }
}

/// The logs as they were when they were opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// Number of the open archive, from 1.
    pub edition: u64,
    /// Names of boxes by their index.
    pub boxes: Arc<Vec<String>>,
    /// Number of distinct records.
    pub records: u64,
}
