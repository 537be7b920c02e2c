//! Whether verdicts are hidden.

use serde::{Deserialize, Serialize};

/// Whether the judge's word is seen before one's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlindMode {
    /// The verdict is shown.
    #[default]
    Open,
    /// It is hidden until one's own is saved.
    Blind,
}
