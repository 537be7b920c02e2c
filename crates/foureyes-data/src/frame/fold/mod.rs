//! Counting rows by a key, one row at a time: what the overview and the trend table share.

mod groups;
mod sums;

pub(super) use groups::Groups;
pub use sums::{Scored, Sums};

use super::{Frame, grouped, schema};
use crate::domain::{Cause, Family, JudgementKind, Outcome, Timestamp};
use polars::prelude::PolarsResult;

/// What of a row is counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The UTC day, as days since 1970.
    pub(super) day: Option<i32>,
    pub(super) kind: Kind,
    pub(super) scores: [Option<f32>; 3],
    /// It is a unit of the KPIs that are asked for: an evaluation that no later one replaces.
    pub(super) is_unit: bool,
    /// It would say so if the judge could not be asked.
    pub(super) reports_outages: bool,
    /// So many equal rows it stands for.
    pub(super) times: u64,
}

/// What a row is, read off its codes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) family: Family,
    pub(super) outcome: Option<Outcome>,
    pub(super) cause: Option<Cause>,
    pub(super) flags: RowFlags,
}

impl Kind {
    /// Reads the codes of family, outcome and cause.
    pub(super) fn classify((family, outcome, cause): (u32, u32, u32), flags: RowFlags) -> Self {
        Self {
            family: Family::from_code(family as u8).unwrap_or(Family::Push),
            outcome: Outcome::from_code(outcome as u8),
            cause: Cause::from_code(cause as u8),
            flags,
        }
    }

    /// Whether a later push evaluation replaces it, or it is a verdict on a part.
    pub(super) fn is_repeat(self) -> bool {
        self.flags.repeat && self.family == Family::Push
    }

    /// Whether it is a round of a task run that a later one follows.
    pub(super) fn is_earlier_round(self) -> bool {
        self.flags.repeat && self.family != Family::Push
    }

    /// Whether it is the last line of a task's run that has no end, where it is no evaluation.
    pub(super) fn is_unfinished(self) -> bool {
        self.family.has_rounds()
            && !self.flags.repeat
            && !self.cause.is_some_and(Cause::has_no_judge)
    }

    /// Whether a person should look at it.
    pub(super) fn is_flagged(self) -> bool {
        let to_look_at = matches!(self.outcome, Some(Outcome::NoGo | Outcome::Undetermined));
        let judged = !self.cause.is_some_and(Cause::has_no_judge);
        to_look_at && judged && !self.is_earlier_round() && !self.flags.settled
    }
}

/// What other rows decide of a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowFlags {
    /// The same record stands elsewhere and is counted there.
    pub(super) duplicate: bool,
    /// A later one replaces it.
    pub(super) repeat: bool,
    /// A person's override in a log answers the run that it ends.
    pub(super) settled: bool,
    /// Milliseconds in which judges were at work on the run that it ends, where it does not say so itself.
    pub(super) run_latency: Option<u32>,
}

/// The columns that [`rows`] reads.
pub(super) const COLUMNS: [&str; 9] = [
    schema::TS,
    schema::FAMILY,
    schema::OUTCOME,
    schema::CAUSE,
    schema::EVALUATION,
    schema::REPORTS_OUTAGES,
    schema::SCORES[0],
    schema::SCORES[1],
    schema::SCORES[2],
];

/// The rows of a frame in order, `None` for those whose time is not wanted; units are those of a kind of
/// judgement.
///
/// # Errors
/// A frame without [`COLUMNS`].
pub(super) fn rows(
    frame: &Frame,
    of: JudgementKind,
    flags: impl Iterator<Item = RowFlags>,
    wanted: impl Fn(Option<Timestamp>) -> bool,
) -> PolarsResult<Vec<Option<Row>>> {
    let codes = |name: &str| PolarsResult::Ok(frame.column(name)?.u32()?.into_no_null_iter());
    let score = |name: &str| frame.column(name)?.f32();
    let kinds = codes(schema::FAMILY)?.zip(codes(schema::OUTCOME)?).zip(codes(schema::CAUSE)?);
    let reports = frame.column(schema::REPORTS_OUTAGES)?.bool()?.iter();
    let evaluations = codes(schema::EVALUATION)?.zip(reports);
    let [semantic, pragmatic, syntactic] = schema::SCORES.map(score);
    let scores = semantic?.iter().zip(pragmatic?.iter()).zip(syntactic?.iter());
    let times = frame.column(schema::TS)?.i64()?.iter().zip(grouped::times(frame)?);
    let all = kinds.zip(evaluations).zip(scores).zip(flags).zip(times);
    let row =
        |((((((family, outcome), cause), (evaluation, reports)), scores), flags), (ts, times))| {
            let time: Option<Timestamp> = Option::map(ts, Timestamp);
            let ((semantic, pragmatic), syntactic) = scores;
            wanted(time).then(|| Row {
                day: time.map(Timestamp::day),
                kind: Kind::classify((family, outcome, cause), flags),
                scores: [semantic, pragmatic, syntactic],
                is_unit: evaluation == u32::from(of.code()) && !flags.repeat,
                reports_outages: reports == Some(true),
                times,
            })
        };
    Ok(all.map(row).collect())
}
