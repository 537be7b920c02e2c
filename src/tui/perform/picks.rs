//! Measuring picks of memories by their labels.

use super::services::{Edition, Services, lock};
use super::trouble::{gone, stale};
use super::{CancelFlag, MessageSender};
use crate::domain::review::Present;
use crate::pick_labels::{self, Among, Due, Picks, Question};
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
    let picks = picks(open).map_err(|error| stale(sender, open, &error))?;
    let configured = pick_labels::policy(&services.config.memories);
    let days = pick_labels::displayed(&services.config.memories);
    let reviewer = services.reviewer.as_ref().map(|who| who.name.as_str());
    let of = |is_lenient| {
        let question = Question { among: Among { is_lenient, days }, configured };
        assess(&picks, &present, reviewer, &question)
    };
    let (strict, lenient) = (of(false), of(true));
    Ok(PicksReport { picks, strict, lenient })
}

/// The picks of an archive: read once, since they change only with the logs.
fn picks(open: &Edition) -> Result<Arc<Picks>, RowError> {
    if let Some(known) = lock(&open.picks).clone() {
        return Ok(known);
    }
    let found = Arc::new(Picks::find(&open.archive)?);
    *lock(&open.picks) = Some(Arc::clone(&found));
    Ok(found)
}

fn assess(
    picks: &Picks,
    present: &Present,
    reviewer: Option<&str>,
    question: &Question,
) -> PickAssessment {
    let is_lenient = question.among.is_lenient;
    let all = Among::mode(is_lenient);
    let Due { picks: due, without_text, .. } = picks.due(present, reviewer, all);
    PickAssessment {
        document: Document::new(picks.assess(present, question), is_lenient),
        due: due.into_iter().map(|pick| pick.record).collect(),
        without_text,
    }
}
