//! How deep a task is judged of which only files are known.

use super::RiskRules;
use crate::engine::risk::RiskNote;
use crate::judging::task::Task;
use crate::verdict_log::changed_before;
use std::path::Path;

impl RiskRules {
    /// The note of a task, with what its author changed before as the log says.
    pub fn note_of_task(&self, task: &Task, log: &Path) -> RiskNote {
        let item = &task.item;
        let text = |file: &crate::judging::File| {
            (String::from_utf8_lossy(&file.path).into_owned(), file.bytes.clone())
        };
        let files: Vec<_> = item.files.iter().map(text).collect();
        let texts = [task.description.as_str(), task.acceptance.as_deref().unwrap_or_default()];
        let before = changed_before(&[log], self.since).ok();
        let people: Vec<_> = item.people().collect();
        let is_same = |commit: &str| item.commit.as_deref() == Some(commit);
        let change = self.of_files(&files, &texts);
        let change = self.with_author(change, people, before.as_ref(), is_same);
        RiskNote::new(&change, &self.assess(&change))
    }
}
