//! Records that were judged again.

use super::super::MessageSender;
use super::super::services::Services;
use super::super::trouble::gone;
use crate::domain::{Record, RecordId};
use crate::engine::task_question::KnownQuestion;
use crate::report::Masking;
use crate::store::questions;
use crate::triage;
use crate::tui::judging::JudgingEvent;
use crate::tui::message::Message;
use crate::tui::model::{Problem, ShownRecord};
use std::sync::Arc;

/// Most records of a task among which a run is looked for, the newest.
const MOST_ROUNDS: usize = 100;

/// Reads a record, whole.
pub(super) fn load(services: &Services, sender: &MessageSender, edition: u64, record: RecordId) {
    let result = find(services, edition, record);
    let found = result.as_ref().ok().and_then(|found| found.as_ref());
    let rounds = found.map(|shown| rounds(services, Some(edition), &shown.row)).unwrap_or_default();
    let rounds = Arc::new(rounds);
    sender.send(Message::Judging(JudgingEvent::Original { record, result, rounds }));
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

/// What is known of the question of a record's task, from beside the log that the newest edition has it from.
pub(super) fn question(services: &Services, row: &Record) -> Option<KnownQuestion> {
    let open = services.newest();
    let located = open.and_then(|open| {
        let at = open.archive.find_row(row.id).ok().flatten()?;
        open.archive.records(&[at]).ok()?.pop()
    });
    questions::known(row, located.and_then(|located| located.log).as_deref())
}

/// The lines of the run of a task that a record is of, in their order; none where it is of none, or
/// they cannot be read. Of no edition are those of the newest.
pub(super) fn rounds(services: &Services, edition: Option<u64>, row: &Record) -> Vec<ShownRecord> {
    if !row.family.has_rounds() {
        return Vec::new();
    }
    let open = edition.map_or_else(|| services.newest(), |number| services.edition(number));
    let history = open.and_then(|open| {
        triage::history(&open.archive, row, MOST_ROUNDS, &|| false).ok().flatten()
    });
    let all = history.unwrap_or_default().rounds;
    let run = triage::run_of(row, &all, |one| one);
    run.into_iter().map(|one| ShownRecord::new(one, Masking::On)).collect()
}
