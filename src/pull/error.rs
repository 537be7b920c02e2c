//! How pulling a box fails.

use crate::source::{ssh, talk};
use crate::store::mirror;
use std::time::Duration;

/// Pulling a box that did not come to its end. What had arrived is kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No connection.
    #[error("connecting failed")]
    Connect(#[source] ssh::Error),
    /// The connection stands, but the talk failed.
    #[error("the pull was broken off{}", spoken(.said))]
    Talk {
        /// How.
        #[source]
        source: talk::Error,
        /// What ssh or the box said about it, raw; often nothing.
        said: String,
    },
    /// It took longer than a box may take.
    #[error("the pull took longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
    /// Nothing of what is configured can be read there.
    #[error("none of the configured paths can be read on the box")]
    NothingThere,
    /// The mirror failed.
    #[error("the mirror failed")]
    Mirror(#[from] mirror::Error),
    /// The task that pulled it ended by itself.
    #[error("the task that pulled the box died")]
    Task,
}

fn spoken(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(" ({said})") }
}

impl Error {
    /// The error and its causes in one text, raw.
    pub fn full(&self) -> String {
        crate::domain::chain(self)
    }

    /// Tells whether the connection was lost in the middle, so that another one may go on.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self, Self::Talk { source: talk::Error::Cut | talk::Error::Read(_), .. })
    }

    /// Tells whether no byte came for too long.
    pub(super) fn is_silence(&self) -> bool {
        matches!(self, Self::Talk { source: talk::Error::Idle(_), .. })
    }
}
