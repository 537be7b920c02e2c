//! Saying an item: its record, its content, its bytes.

use super::super::output;
use super::super::reading::Trouble;
use super::{Walk, command};
use crate::content::{self, Request};
use crate::report::{content as written, record};

impl Walk<'_> {
    /// Says the item, or why there is none.
    pub(super) fn show(&self) -> Result<(), Trouble> {
        let Some(row) = self.record()? else { return self.nothing() };
        let off = if self.at + self.later >= self.rows.len() { ", put off" } else { "" };
        output::print(format!("\nItem {} of {}{off}\n", self.at + 1, self.rows.len()))?;
        output::to_stdout(|out| record::write(out, &row, None, &self.options))?;
        Ok(())
    }

    fn nothing(&self) -> Result<(), Trouble> {
        if !self.filter.is_all() {
            let text = "Nothing matches the filter. A line with / alone lets all through again.\n";
            return Ok(output::print(text)?);
        }
        let mut text = "The queue is empty: nothing flagged waits for you.\n".to_owned();
        let past = self.since.0 != i64::MIN;
        if past {
            text.push_str(&format!(
                "It holds what was flagged since {}; older items are among the records.\n",
                self.since.day_text()
            ));
        }
        Ok(output::print(text)?)
    }

    /// The record as it stands in the log.
    pub(super) fn raw(&self) -> Result<(), Trouble> {
        let Some(at) = self.rows.get(self.at) else { return self.nothing() };
        let Some(located) = self.archive.records(&[*at])?.pop() else { return self.nothing() };
        let raw = located.raw.clone();
        let row = crate::triage::row(located);
        output::to_stdout(|out| record::write(out, &row, Some(&raw), &self.options))?;
        Ok(())
    }

    /// What was judged, or what the commit changed in it.
    pub(super) fn content(&self, diff: bool) -> Result<(), Trouble> {
        let Some(row) = self.record()? else { return self.nothing() };
        let Some(commit) = row.commit else {
            let text = "this record names no commit, so git cannot say what was judged\n";
            return Ok(output::print(text)?);
        };
        let request = Request { commit, files: row.files, box_name: row.box_name };
        let mut config = self.context.config.clone();
        if self.read_only {
            // Neither is a clone changed by a fetch, nor is a box asked for what it holds.
            for repository in &mut config.repositories {
                (repository.fetch, repository.remote_path) = (false, None);
            }
        }
        let found = content::load(&request, &config, &self.context.data, &|| false);
        output::to_stdout(|out| match &found {
            Ok(content) if diff => written::write_diff(out, content, &self.options),
            Ok(content) => written::write(out, content, &self.options),
            Err(nowhere) => written::write_absence(out, nowhere, &self.options),
        })?;
        Ok(())
    }

    /// The line in front of what is typed.
    pub(super) fn prompt(&self) -> String {
        format!("\n{}", command::prompt(self.read_only))
    }
}
