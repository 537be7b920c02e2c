//! The error rates of triage.

use super::Args;
use crate::assess::{self, Assessment, Modes};
use crate::cli::Context;
use crate::cli::operator::readiness;
use crate::cli::operator::reading::Trouble;
use crate::collect::Collected;
use crate::domain::JudgementKind;
use crate::domain::review::Present;
use crate::store::cache::Archive;

/// The assessment that error rates are shown from, and what to watch while pushes are blocked;
/// `None` before there are labels, unless pushes are blocked.
pub(super) fn rates(
    context: &Context,
    args: &Args,
    collected: &Collected,
    archive: &Archive,
    present: &Present,
) -> Result<Option<(Assessment, Modes)>, Trouble> {
    let modes = Modes::new(present, context.now);
    if present.labels.is_empty() && modes.since().is_none() {
        return Ok(None);
    }
    let (complete_until, missing_boxes) = assess::completeness(&collected.boxes, context.now);
    let held = readiness::held(context, &args.from, present)?;
    let ask = assess::Ask {
        held: &held,
        ..assess::Ask::new(JudgementKind::Push, context.now, complete_until, &missing_boxes)
    };
    Ok(assess::assess(archive, present, &ask)?.map(|assessment| (assessment, modes)))
}
