//! What is known of the question of a record.

use super::{beside, file};
use crate::domain::{JudgementKind, Record, chain};
use crate::engine::task_question::KnownQuestion;
use std::path::Path;

/// The question of the task that a record is of, from beside the log on this machine that holds it; `None` of what is
/// no line of a task.
pub fn known(record: &Record, log: Option<&Path>) -> Option<KnownQuestion> {
    record.family.kind().filter(|kind| *kind == JudgementKind::Task)?;
    let Some((log, sha)) = log.zip(record.task_sha.as_deref()) else {
        return Some(KnownQuestion::NotKept);
    };
    Some(match file::read(&beside(log), sha) {
        Ok(Some(held)) => KnownQuestion::Kept(held),
        // Another program's hash names nothing of ours.
        Ok(None) | Err(file::Unusable::Name) => KnownQuestion::NotKept,
        Err(error) => KnownQuestion::Unusable(chain(&error)),
    })
}
