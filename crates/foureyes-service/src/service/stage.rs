//! How far a request is that waits for its judgement.

use serde_json::{Value, json};
use tokio::sync::watch;

/// Where it is reported; nothing but the latest is kept.
pub(super) type Progress = watch::Sender<Option<Stage>>;

/// How far it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stage {
    /// It waits; 1 is the next one.
    Queued { place: usize },
    /// The judge is asked: the number of the call, and the model.
    Judging { attempt: u32, model: String },
}

impl Stage {
    /// The name of its event.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Queued { .. } => "queued",
            Self::Judging { .. } => "judging",
        }
    }

    /// What its event carries.
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Queued { place } => json!({"place": place}),
            Self::Judging { attempt, model } => json!({"attempt": attempt, "model": model}),
        }
    }
}
