//! Which commits were judged, and where.

use super::build::PART;
use super::{Frame, FrameError, schema};
use crate::domain::{Cause, Family};
use polars::prelude::*;

/// A push record's commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    /// Index of its box.
    pub box_index: u32,
    /// The commit as written; hostile text.
    pub commit: String,
    /// Why it is no evaluation, or none that decided.
    pub cause: Option<Cause>,
}

impl Pushed {
    /// The columns that [`Frame::pushed`] reads.
    pub const COLUMNS: [&'static str; 5] =
        [schema::BOX, schema::FAMILY, schema::CAUSE, schema::UNIT, schema::COMMIT];
}

impl Frame {
    /// The commits of the push records among the rows.
    ///
    /// # Errors
    /// A frame without [`Pushed::COLUMNS`].
    pub fn pushed(&self) -> Result<Vec<Pushed>, FrameError> {
        let read = || -> PolarsResult<Vec<Pushed>> {
            let codes = |name: &str| self.0.column(name)?.u32();
            let (boxes, family) = (codes(schema::BOX)?, codes(schema::FAMILY)?);
            let cause = codes(schema::CAUSE)?;
            let commit = self.0.column(schema::COMMIT)?.str()?;
            let push = Some(u32::from(Family::Push.code()));
            let unit = self.0.column(schema::UNIT)?.u64()?;
            let kinds = family.iter().zip(unit.iter());
            let rows = boxes.iter().zip(kinds).zip(cause.iter()).zip(commit.iter());
            Ok(rows
                // What was judged of another commit is no judgement of this one.
                .filter(|(((_, (family, unit)), _), _)| *family == push && *unit != Some(PART))
                .filter_map(|(((box_index, _), cause), commit)| {
                    let cause = cause.and_then(|code| Cause::from_code(code as u8));
                    Some(Pushed { box_index: box_index?, commit: commit?.to_owned(), cause })
                })
                .collect())
        };
        read().map_err(|e| FrameError::Read(Box::new(e)))
    }
}
