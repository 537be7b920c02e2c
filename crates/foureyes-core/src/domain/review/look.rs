//! A look: a reviewer saw what the labels of the window say.

use crate::domain::{JudgementKind, Timestamp};
use serde::{Deserialize, Serialize};

/// A rate, a wealth, a result or a count of errors of the window was shown to somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Whose window it is; the kind of its entry tells it.
    #[serde(skip)]
    pub family: JudgementKind,
    /// The command or screen that showed it.
    pub shown: String,
    /// First instant of the window.
    pub window: Timestamp,
}
