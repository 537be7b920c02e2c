//! Counting the days for the trends.

use super::assess::{load_evidence, problem};
use super::services::Services;
use super::trouble::gone;
use super::{CancelFlag, MessageSender};
use crate::assess::{self, Ask, Trends, Unlabelled, trends};
use crate::store::mirror;
use crate::tui::message::Message;
use crate::tui::model::{Problem, TrendsKey};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Counts them; nothing is sent where nobody waits any more.
pub(super) fn run(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    key: &TrendsKey,
    generation: u64,
) {
    let stop = || cancel.load(Ordering::Relaxed);
    let result = match counted(services, sender, &stop, key) {
        Ok(Some(trends)) => Ok(Arc::new(trends)),
        Ok(None) => return,
        Err(problem) => Err(problem),
    };
    sender.send(Message::Trends { generation, result });
}

fn counted(
    services: &Services,
    sender: &MessageSender,
    stop: &(dyn Fn() -> bool + Sync),
    key: &TrendsKey,
) -> Result<Option<Trends>, Problem> {
    let Some(open) = services.edition(key.edition) else { return Err(gone()) };
    let now = (services.clock)();
    let (complete_until, missing) = assess::completeness(&open.collected.boxes, now);
    let known_boxes = mirror::boxes(&services.data);
    let ask = Ask {
        held: services.held.get(key.family),
        known_boxes: &known_boxes,
        cancel: stop,
        ..Ask::new(key.family, now, complete_until, &missing)
    };
    let Some((all, present)) = load_evidence(services, sender, &open, &ask)? else {
        return Ok(None);
    };
    let reviewer = services.reviewer.as_ref().map_or("", |who| who.name.as_str());
    let hidden = key.open_days.as_ref().map(|days| Unlabelled { days, reviewer });
    let counted = trends(&open.archive, &all, &present, &ask, (key.days, hidden));
    counted.map_err(|error| problem(sender, &open, &error))
}
