//! Peer review: a judge of another family is asked about a sample of verdicts on pushes.
//!
//! Each verdict is drawn by itself, by a number that its id and the secret key of the audit sample give, those
//! in doubt at a rate of their own. Within a stratum the reviews are so a plain random sample of its verdicts.
//! What the peer finds goes to the ledger as a run, and changes no verdict, label or rate.

mod content;
mod draw;
mod report;
mod review;

pub use content::{available, item};
pub use draw::{Draw, NoDraw, draw};
pub use report::{PEER_SCHEMA, PeerDocument, PeerWeek, report};
pub use review::{Plan, Progress, review};

use crate::assess::STRATA;
use crate::calibration::Evaluation;
use crate::domain::{JudgementKind, Outcome, Timestamp};
use crate::instruments::Capability;

/// UTC days that are drawn from and reported on, counting today, unless it is told otherwise.
pub const DAYS: u32 = 30;

/// The family whose verdicts peers review.
pub fn family() -> JudgementKind {
    let mut families = JudgementKind::ALL.into_iter();
    families.find(|family| family.has(Capability::PeerReview)).unwrap_or_default()
}

/// The first instant of the last so many UTC days, counting today.
pub fn since(now: Timestamp, days: u32) -> Timestamp {
    Timestamp::of_day(now.day().saturating_sub_unsigned(days.saturating_sub(1)))
}

/// Names of the strata: what was flagged, what passed with low scores or none, and all else that passed.
const NAMES: [&str; 3] = ["no_go", "doubtful", "strong"];
/// The stratum that is in no doubt.
const STRONG: usize = 2;

/// The stratum of a verdict, an index into [`NAMES`]; `None` of what is no verdict, or not the first on its
/// content.
fn stratum(evaluation: &Evaluation) -> Option<usize> {
    match evaluation.outcome {
        _ if !evaluation.first => None,
        Outcome::NoGo => Some(0),
        Outcome::Go => {
            let name = STRATA.get(usize::from(evaluation.stratum));
            Some(if name == NAMES.get(STRONG) { STRONG } else { 1 })
        }
        Outcome::Undetermined => None,
    }
}
