//! Between which numbers something is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The least and the largest that something could be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// The least.
    pub from: f64,
    /// The largest.
    pub to: f64,
}
