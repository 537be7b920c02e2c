//! Saying an item: its record, its content, its bytes.

use super::super::output;
use super::super::reading::Trouble;
use super::{PlainConsole, words};
use crate::content::{self, Request};
use crate::report::{content as written, record};
use crate::store::questions;

/// Why something is not read out.
const HIDDEN: &str = "Hidden until you have labelled this record.\n";

/// What is said before a label where no content can be read out.
const UNSEEN: &str = "There is no content to see. A label without it does not count.\n";

impl PlainConsole<'_> {
    /// Says the item, or why there is none. Where the verdict is hidden, what was judged follows.
    pub(super) fn show(&mut self) -> Result<(), Trouble> {
        let Some((row, question)) = self.record_and_question()? else { return self.nothing() };
        let off = if self.at + self.later >= self.rows.len() { ", put off" } else { "" };
        output::print(format!("\nItem {} of {}{off}\n", self.at + 1, self.rows.len()))?;
        let hidden = self.is_hidden();
        output::to_stdout(|out| {
            record::write_item(out, &row, question.as_ref(), hidden, &self.options)
        })?;
        let now = self.context.clock.now();
        self.shown.entry(row.id).or_insert(now);
        if self.drafts.get(&row.id).is_some_and(|draft| *draft != Default::default()) {
            output::print("A note or a reason is kept for your label.\n")?;
        }
        if hidden {
            return self.content(false);
        }
        self.seen.insert(row.id);
        Ok(())
    }

    /// The whole record.
    pub(super) fn whole(&self) -> Result<(), Trouble> {
        if self.is_hidden() {
            return Ok(output::print(HIDDEN)?);
        }
        let Some((row, question)) = self.record_and_question()? else { return self.nothing() };
        output::to_stdout(|out| record::write(out, &row, question.as_ref(), None, &self.options))?;
        Ok(())
    }

    /// The record as it stands in the log.
    pub(super) fn raw(&self) -> Result<(), Trouble> {
        if self.is_hidden() {
            return Ok(output::print(HIDDEN)?);
        }
        let Some(at) = self.rows.get(self.at) else { return self.nothing() };
        let Some(located) = self.archive.records(&[*at])?.pop() else { return self.nothing() };
        let raw = located.raw.clone();
        let question = questions::known(&located.record, located.log.as_deref());
        let (row, question) = (located.record, question.as_ref());
        output::to_stdout(|out| record::write(out, &row, question, Some(&raw), &self.options))?;
        Ok(())
    }

    /// What was judged, or what the commit changed in it.
    pub(super) fn content(&mut self, diff: bool) -> Result<(), Trouble> {
        let Some(row) = self.record()? else { return self.nothing() };
        let Some(commit) = row.commit else {
            let text = "this record names no commit, so git cannot show what was judged\n";
            output::print(text)?;
            return Ok(output::print(UNSEEN)?);
        };
        let id = row.id;
        let request = Request { commit, files: row.files, box_name: row.box_name };
        let mut config = self.context.config.clone();
        if self.read_only {
            // Neither is a clone changed by a fetch, nor is a box asked for what it holds.
            for repository in &mut config.repositories {
                (repository.fetch, repository.remote_path) = (false, None);
            }
        }
        let mut found = content::load(&request, &config, &self.context.data, &|| false);
        if let (true, Ok(content)) = (self.is_hidden(), &mut found) {
            // Whose it is tells more of the verdict than it should.
            content.author.clear();
        }
        match found.as_ref().ok().and_then(content::Content::shown_hash) {
            Some(hash) => drop(self.contents.insert(id, hash)),
            None => output::print(UNSEEN)?,
        }
        output::to_stdout(|out| match &found {
            Ok(content) if diff => written::write_diff(out, content, &self.options),
            Ok(content) => written::write(out, content, &self.options),
            Err(nowhere) => written::write_absence(out, nowhere, &self.options),
        })?;
        Ok(())
    }

    /// The line in front of what is typed.
    pub(super) fn prompt(&self) -> String {
        format!("\n{}", words::prompt(self.read_only, self.calibrates))
    }
}
