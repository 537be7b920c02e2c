//! What is known of the question of a record.

use super::{directory_of, file, is_sha};
use crate::domain::{Record, chain};
use crate::engine::task_question::KnownQuestion;
use crate::instruments::Capability;
use std::path::Path;

/// The question of the task that a record is of, from beside the log on this machine that holds it; `None` of what is
/// no line of a task.
pub fn known(record: &Record, log: Option<&Path>) -> Option<KnownQuestion> {
    record.family.kind().filter(|kind| kind.has(Capability::Question))?;
    let not_here = |why: &str| Some(KnownQuestion::NotHere(why.to_owned()));
    let Some(sha) = record.task_sha.as_deref() else {
        return not_here("the record has no hash of it");
    };
    if !is_sha(sha) {
        return not_here("the hash in the record is another program's");
    }
    let Some(log) = log else { return not_here("questions are not published") };
    Some(match file::read(&directory_of(log), sha) {
        Ok(Some(held)) => KnownQuestion::Kept(held),
        Ok(None) => KnownQuestion::NotKept,
        Err(error) => KnownQuestion::Unusable(chain(&error)),
    })
}
