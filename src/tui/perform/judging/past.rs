//! Records that were judged again.

use super::super::Tell;
use super::super::archive::gone;
use super::super::world::World;
use crate::domain::RecordId;
use crate::report::Masking;
use crate::tui::judging::Told;
use crate::tui::message::Message;
use crate::tui::model::{Problem, Shown};
use std::sync::Arc;

/// Reads a record, whole.
pub(super) fn old(world: &World, tell: &Tell, edition: u64, record: RecordId) {
    let result = find(world, edition, record);
    tell.tell(Message::Judging(Told::Old { record, result }));
}

/// The record; nothing where the open logs do not hold it.
pub(super) fn find(
    world: &World,
    edition: u64,
    record: RecordId,
) -> Result<Option<Arc<Shown>>, Problem> {
    let next = "R rereads the logs";
    let open = world.edition(edition).ok_or_else(gone)?;
    let row = open.archive.find_row(record).map_err(|e| Problem::of(&e, next))?;
    let Some(row) = row else { return Ok(None) };
    let found = open.archive.records(&[row]).map_err(|e| Problem::of(&e, next))?.pop();
    Ok(found.map(|located| Arc::new(Shown::of(&located.record, Masking::On))))
}
