//! How the sitting goes: time spent, agreement with the judge, what is left.

use super::PlainConsole;
use crate::cli::Failure;
use crate::domain::review::Label;
use crate::domain::{Record, RecordId};
use crate::report::label as sentence;
use crate::tui::model::{LabelSet, SittingLabel};

/// Longest time that is said to have been spent on an item, in seconds.
const LONGEST: i64 = 3600;
impl PlainConsole<'_> {
    /// What the judge said, or how a set ended.
    pub(super) fn judged(&mut self, row: &Record, label: &Label) -> String {
        if !self.calibrates {
            self.seen.insert(row.id);
            return String::new();
        }
        let agrees = sentence::agrees(label.label, row.outcome);
        self.sitting.give(SittingLabel { record: row.id, agrees, seconds: label.seconds });
        let set = self.context.config.reviewer.set as usize;
        if set == 0 {
            self.seen.insert(row.id);
            let judged = |outcome| sentence::judged(label.label, outcome);
            return row.outcome.map(judged).unwrap_or_default();
        }
        let records: Vec<RecordId> = self.sitting.set().collect();
        let over = self.sitting.end_set(set, self.rows.len() <= 1);
        over.map_or_else(String::new, |LabelSet { labels, agreed, of }| {
            // How often both agree can tell each verdict.
            self.seen.extend(records);
            sentence::end_of_set(labels, agreed, of)
        })
    }

    /// Seconds since the item was first read out.
    pub(super) fn spent(&self, record: RecordId) -> Option<u32> {
        let first = *self.shown.get(&record)?;
        u32::try_from(self.context.clock.now().seconds_since(first).clamp(0, LONGEST)).ok()
    }

    /// How far the sitting is: `12 of 52 labelled, 9 s each; 2026-11-19 closes in 14 more.`
    pub(super) fn progress(&self) -> Result<String, Failure> {
        let done = self.sitting.count();
        let mut text = format!("{done} of {} labelled", done + self.rows.len());
        if let Some(pace) = self.sitting.pace() {
            text.push_str(&format!(", {pace} s each"));
        }
        let present = self.present()?;
        let waits = |id: &&RecordId| !present.labels.contains_key(*id);
        let mut open = self.calibrating.open.iter();
        let day = open.find_map(|(day, records)| {
            let left = records.iter().filter(waits).count();
            (left > 0).then(|| format!("; {day} closes in {left} more"))
        });
        text.push_str(day.as_deref().unwrap_or_default());
        Ok(text + ".\n")
    }
}

/// What a record is called in a sentence.
pub(super) fn name(row: &Record) -> String {
    let file = row.files.first().map(|file| file.rsplit('/').next().unwrap_or(file).to_owned());
    file.or_else(|| row.task_id.clone()).unwrap_or_else(|| row.id.short().to_string())
}
