//! All that the columns hold of some rows, for a store elsewhere.

use super::pick::{each, read};
use super::{Frame, FrameError, Place, schema};
use polars::prelude::*;

/// All that the columns hold of a row, but what other rows decide of it. Codes and hashes are those of
/// [`schema`].
#[derive(Debug, Clone, PartialEq)]
pub struct WholeRow {
    /// Where it is.
    pub place: Place,
    /// [`schema::FAMILY`].
    pub family: u32,
    /// [`schema::OUTCOME`].
    pub outcome: u32,
    /// [`schema::CAUSE`].
    pub cause: u32,
    /// [`schema::EVALUATION`].
    pub evaluation: u32,
    /// [`schema::ESCALATION`].
    pub escalation: bool,
    /// [`schema::REPORTS_OUTAGES`].
    pub reports_outages: bool,
    /// [`schema::UNIT`].
    pub unit: u64,
    /// [`schema::CONTENT`].
    pub content: u64,
    /// [`schema::JUDGE`].
    pub judge: u64,
    /// [`schema::ROUND`].
    pub round: u32,
    /// [`schema::RUN`].
    pub run: u64,
    /// [`schema::ROLE`].
    pub role: u32,
    /// [`schema::LATENCY`].
    pub latency: Option<i64>,
    /// [`schema::SCORES`].
    pub scores: [Option<f32>; 3],
    /// [`schema::ODD_SCORE`].
    pub odd_score: bool,
    /// [`schema::TEXTS`].
    pub texts: Vec<Option<String>>,
}

impl Frame {
    /// The columns that [`Frame::whole_rows`] reads.
    pub fn whole_columns() -> Vec<&'static str> {
        let kinds = [
            schema::FAMILY,
            schema::OUTCOME,
            schema::CAUSE,
            schema::EVALUATION,
            schema::ESCALATION,
            schema::REPORTS_OUTAGES,
            schema::UNIT,
            schema::CONTENT,
            schema::JUDGE,
            schema::ROUND,
            schema::RUN,
            schema::ROLE,
            schema::LATENCY,
            schema::ODD_SCORE,
        ];
        [&Self::PLACES[..], &kinds, &schema::SCORES, &schema::TEXTS].concat()
    }

    /// All that the columns hold of rows.
    ///
    /// # Errors
    /// A frame without [`Frame::whole_columns`], or a row beyond its end.
    pub fn whole_rows(&self, rows: &[u32]) -> Result<Vec<WholeRow>, FrameError> {
        let places = self.places(rows)?;
        self.read_whole(rows, places).map_err(read)
    }

    fn read_whole(&self, rows: &[u32], places: Vec<Place>) -> PolarsResult<Vec<WholeRow>> {
        let code = |name: &str| self.column(name)?.u32()?.cont_slice();
        let word = |name: &str| self.column(name)?.u64()?.cont_slice();
        let flag = |name: &str| self.column(name)?.bool();
        let [family, outcome, cause, evaluation, round, role] = [
            code(schema::FAMILY)?,
            code(schema::OUTCOME)?,
            code(schema::CAUSE)?,
            code(schema::EVALUATION)?,
            code(schema::ROUND)?,
            code(schema::ROLE)?,
        ];
        let [unit, content, judge, run] =
            [word(schema::UNIT)?, word(schema::CONTENT)?, word(schema::JUDGE)?, word(schema::RUN)?];
        let [escalation, reports, odd] =
            [flag(schema::ESCALATION)?, flag(schema::REPORTS_OUTAGES)?, flag(schema::ODD_SCORE)?];
        let latency = self.column(schema::LATENCY)?.i64()?;
        let mut scores = Vec::new();
        for name in schema::SCORES {
            scores.push(self.column(name)?.f32()?);
        }
        let mut texts = Vec::new();
        for name in schema::TEXTS {
            texts.push(self.text(name)?);
        }
        let mut places = places.into_iter();
        each(rows, |row| {
            Some(WholeRow {
                place: places.next()?,
                family: *family.get(row)?,
                outcome: *outcome.get(row)?,
                cause: *cause.get(row)?,
                evaluation: *evaluation.get(row)?,
                escalation: escalation.get(row) == Some(true),
                reports_outages: reports.get(row) == Some(true),
                unit: *unit.get(row)?,
                content: *content.get(row)?,
                judge: *judge.get(row)?,
                round: *round.get(row)?,
                run: *run.get(row)?,
                role: *role.get(row)?,
                latency: latency.get(row),
                scores: [0, 1, 2].map(|at| scores.get(at).and_then(|column| column.get(row))),
                odd_score: odd.get(row) == Some(true),
                texts: texts.iter().map(|text| text.get(row).map(str::to_owned)).collect(),
            })
        })
    }
}
