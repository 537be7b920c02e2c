//! Assessing the judge by its labels.

use super::world::World;
use super::{Flag, Tell};
use crate::calibration::{Candidate, Replay, what_if};
use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(super) fn run(world: &World, tell: &Tell, cancel: &Flag, edition: u64, generation: u64) {
    let Some(_open) = world.edition(edition) else { return };
    if cancel.load(Ordering::Relaxed) {
        return;
    }
    let result = Err(Problem::new("PLACEHOLDER", "wait"));
    tell.tell(Message::Assessed { generation, result });
}

/// Replays other score rules.
pub(super) fn replay(
    tell: &Tell,
    cancel: &Flag,
    records: &[Replay],
    rules: &[Candidate],
    confidence: f64,
    generation: u64,
) {
    if cancel.load(Ordering::Relaxed) {
        return;
    }
    let result = Arc::new(what_if(records, rules, confidence));
    tell.tell(Message::Replayed { generation, result });
}
