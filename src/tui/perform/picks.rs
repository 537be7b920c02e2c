//! Measuring picks of memories by their labels.

use super::services::{Edition, Services, lock};
use super::trouble::{gone, stale};
use super::{CancelFlag, MessageSender};
use crate::domain::review::Present;
use crate::pick_labels::{self, Due, Picks};
use crate::relevance::Policy;
use crate::report::picks::Document;
use crate::store::cache::RowError;
use crate::tui::message::Message;
use crate::tui::model::{PickAssessment, PicksReport, Problem};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Finds the picks of an archive and what their labels come to.
pub(super) fn run(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    (edition, generation): (u64, u64),
) {
    let result = match services.edition(edition) {
        Some(open) => report(services, sender, &open),
        None => Err(gone()),
    };
    if !cancel.load(Ordering::Relaxed) {
        sender.send(Message::Picks { generation, result: result.map(Arc::new) });
    }
}

fn report(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
) -> Result<PicksReport, Problem> {
    let present = super::review::present(services)?;
    let picks = picks(services, open).map_err(|error| stale(sender, open, &error))?;
    let policy = pick_labels::policy(&services.config.memories);
    let reviewer = services.reviewer.as_ref().map(|who| who.name.as_str());
    let of = |is_lenient| assess(&picks, &present, reviewer, is_lenient, &policy);
    let (strict, lenient) = (of(false), of(true));
    Ok(PicksReport { picks, strict, lenient })
}

/// The picks of an archive: read once, since they change only with the logs.
fn picks(services: &Services, open: &Edition) -> Result<Arc<Picks>, RowError> {
    if let Some(known) = lock(&open.picks).clone() {
        return Ok(known);
    }
    let found =
        Arc::new(Picks::find(&open.archive, pick_labels::window(&services.config.memories))?);
    *lock(&open.picks) = Some(Arc::clone(&found));
    Ok(found)
}

fn assess(
    picks: &Picks,
    present: &Present,
    reviewer: Option<&str>,
    is_lenient: bool,
    policy: &Policy,
) -> PickAssessment {
    let measured = picks.measure(present, is_lenient, policy);
    let Due { picks: due, without_text, .. } = picks.due(present, reviewer, is_lenient);
    PickAssessment {
        document: Document::new(measured, policy, is_lenient),
        due: due.into_iter().map(|pick| pick.record).collect(),
        without_text,
    }
}
