//! Which commits were judged, and where.

use super::build::PART;
use super::{Frame, FrameError, Role, schema};
use crate::domain::{Cause, Family};
use crate::instruments::EvaluationUnit;
use polars::prelude::*;

/// The commit of a push record, or of the run of a task that is a commit: the hook judges those as well.
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
    pub const COLUMNS: [&'static str; 8] = [
        schema::BOX,
        schema::FAMILY,
        schema::CAUSE,
        schema::UNIT,
        schema::ROLE,
        schema::REPEAT,
        schema::COMMIT,
        schema::TASK,
    ];
}

impl Frame {
    /// The commits of the push records among the rows, and of the runs of tasks that came to an end and
    /// whose task is a commit.
    ///
    /// # Errors
    /// A frame without [`Pushed::COLUMNS`].
    pub fn pushed(&self) -> Result<Vec<Pushed>, FrameError> {
        self.read_pushed().map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_pushed(&self) -> PolarsResult<Vec<Pushed>> {
        let codes = |name: &str| self.column(name)?.u32();
        let (boxes, family, cause) =
            (codes(schema::BOX)?, codes(schema::FAMILY)?, codes(schema::CAUSE)?);
        let (unit, role) = (self.column(schema::UNIT)?.u64()?, codes(schema::ROLE)?);
        let repeat = self.column(schema::REPEAT)?.bool()?;
        let commit = self.text(schema::COMMIT)?;
        let task = self.text(schema::TASK)?;
        let counts = |row: usize| {
            let family = family.get(row).and_then(|code| Family::from_code(code as u8));
            match family.and_then(Family::kind).map(|kind| kind.instrument().unit) {
                // What was judged of another commit is no judgement of this one.
                Some(EvaluationUnit::Content) => unit.get(row) != Some(PART),
                Some(EvaluationUnit::Run) => {
                    let judged = !cause.get(row).is_some_and(Cause::is_code_without_judge);
                    let open = judged && role.get(row).is_some_and(Role::is_code_of_open);
                    task.get(row) == commit.get(row) && repeat.get(row) == Some(false) && !open
                }
                None => false,
            }
        };
        let of_row = |row: usize| {
            let cause = cause.get(row).and_then(|code| Cause::from_code(code as u8));
            Some(Pushed { box_index: boxes.get(row)?, commit: commit.get(row)?.to_owned(), cause })
        };
        Ok((0..self.len()).filter(|row| counts(*row)).filter_map(of_row).collect())
    }
}
