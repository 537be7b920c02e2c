//! Records that were judged again.

use super::super::MessageSender;
use super::super::archive::gone;
use super::super::services::Services;
use crate::domain::RecordId;
use crate::report::Masking;
use crate::tui::judging::JudgingEvent;
use crate::tui::message::Message;
use crate::tui::model::{Problem, ShownRecord};
use std::sync::Arc;

/// Reads a record, whole.
pub(super) fn load(services: &Services, sender: &MessageSender, edition: u64, record: RecordId) {
    let result = find(services, edition, record);
    sender.send(Message::Judging(JudgingEvent::Original { record, result }));
}

/// The record; nothing where the open logs do not hold it.
pub(super) fn find(
    services: &Services,
    edition: u64,
    record: RecordId,
) -> Result<Option<Arc<ShownRecord>>, Problem> {
    let next = "R rereads the logs";
    let open = services.edition(edition).ok_or_else(gone)?;
    let row = open.archive.find_row(record).map_err(|e| Problem::from_error(&e, next))?;
    let Some(row) = row else { return Ok(None) };
    let found = open.archive.records(&[row]).map_err(|e| Problem::from_error(&e, next))?.pop();
    Ok(found.map(|located| Arc::new(ShownRecord::new(&located.record, Masking::On))))
}
