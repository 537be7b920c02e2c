//! When a line was written.

use crate::domain::Timestamp;
use serde::{Deserialize, Deserializer};

/// When a line says that it was written.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Moment {
    timestamp: Timestamp,
    #[serde(default, deserialize_with = "whole")]
    at_us: Option<i64>,
}

impl Moment {
    /// The instant.
    pub(super) fn exact(self) -> Timestamp {
        self.timestamp.exact(self.at_us)
    }
}

/// A whole number. Anything else says nothing, as where records are read.
fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    Ok(serde_json::Value::deserialize(from)?.as_i64())
}
