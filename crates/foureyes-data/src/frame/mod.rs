//! Records as columns: the only room that names polars.
//!
//! A segment of the cache is two frames: the *slim* one of fixed-width columns, which triage
//! reads, and the *text* one, which filters and breakdowns read. Flags that depend on other
//! segments (a double, a repeat) stand in a third, small one.

mod build;
mod configured;
mod evaluations;
mod fold;
mod format;
pub mod grid;
pub mod grouped;
mod hashes;
mod lifted;
mod log_spans;
mod packed;
mod pick;
mod pushed;
pub mod query;
mod role;
pub mod schema;
mod select;
mod slim;
mod tally;
mod text_columns;
mod texts;
pub mod trend;
mod whole;

pub use build::{Columns, Keys};
pub use configured::Configured;
pub use evaluations::{EvaluationRow, EvaluationRows, OtherEvaluations};
pub use format::{FrameError, read, write};
pub use lifted::{Contents, VerdictOn};
pub use log_spans::LogSpan;
pub use pick::Grade;
pub use pushed::Pushed;
pub use role::{Answer, Role, Round, Step};
pub use slim::{Flags, Place};
pub use tally::Tally;
pub use text_columns::TextColumns;
pub use whole::WholeRow;

use polars::prelude::DataFrame;

/// Records as columns, with the names and types of [`schema`].
#[derive(Debug, Clone, Default)]
pub struct Frame(pub(in crate::frame) DataFrame);

impl Frame {
    /// Rows.
    pub fn len(&self) -> usize {
        self.0.height()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One frame of the rows of several, in their order.
    ///
    /// # Errors
    /// Frames of different columns.
    pub fn concat(frames: Vec<Self>) -> Result<Self, FrameError> {
        let mut frames = frames.into_iter();
        let Some(mut whole) = frames.next() else { return Ok(Self::default()) };
        for frame in frames {
            whole.0.vstack_mut(&frame.0).map_err(FrameError::build)?;
        }
        whole.0.rechunk_mut();
        Ok(whole)
    }

    /// The columns of this frame and of another of as many rows.
    ///
    /// # Errors
    /// Different lengths, or a name in both.
    pub fn beside(&self, other: &Self) -> Result<Self, FrameError> {
        self.0.hstack(other.0.columns()).map(Self).map_err(FrameError::build)
    }
}
