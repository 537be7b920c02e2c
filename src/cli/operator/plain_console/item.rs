//! Saying an item: its record, its content, its bytes.

use super::super::output;
use super::super::reading::Trouble;
use super::{PlainConsole, command};
use crate::content::{self, Request};
use crate::report::{content as written, counted, record};
use crate::tui::perform::guide;
use crate::tui::screen::guide::LABELS;

/// Why something is not read out.
const HIDDEN: &str = "Hidden until you have labelled this record.\n";

impl PlainConsole<'_> {
    /// Says the item, or why there is none. Where the verdict is hidden, what was judged follows.
    pub(super) fn show(&mut self) -> Result<(), Trouble> {
        let Some(row) = self.record()? else { return self.nothing() };
        let off = if self.at + self.later >= self.rows.len() { ", put off" } else { "" };
        output::print(format!("\nItem {} of {}{off}\n", self.at + 1, self.rows.len()))?;
        let hidden = self.is_hidden();
        output::to_stdout(|out| record::write_item(out, &row, hidden, &self.options))?;
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
        let Some(row) = self.record()? else { return self.nothing() };
        output::to_stdout(|out| record::write(out, &row, None, &self.options))?;
        Ok(())
    }

    /// The rubric, and the guideline of the team.
    pub(super) fn guide(&self) -> Result<(), Trouble> {
        let read = guide::load(&self.context.config);
        let mut text = LABELS.join("\n") + "\n";
        match &read.rubric {
            Ok(rubric) => {
                text.push_str(&rubric.dimensions_text());
                text.push_str(&rubric.scale_text());
                text.push_str(&rubric.push_text());
            }
            Err(problem) => text.push_str(&format!("{}\n{}\n", problem.text, problem.next)),
        }
        match &read.guideline {
            Some(Ok(guideline)) => {
                text.push_str(&format!("Guideline, {}:\n{}\n", guideline.file, guideline.text));
                if guideline.cut {
                    text.push_str("Only the beginning was read: the file is very long.\n");
                }
            }
            Some(Err(problem)) => text.push_str(&format!("{}\n{}\n", problem.text, problem.next)),
            None => {
                text.push_str("Your team has no guideline here: name one under `[reviewer]`.\n")
            }
        }
        // A line of a file cannot pass for one of ours: each stands behind a blank.
        let lines: String =
            text.lines().map(|line| format!("  {}\n", output::visible(line))).collect();
        Ok(output::print(lines)?)
    }

    fn nothing(&self) -> Result<(), Trouble> {
        if !self.filter.is_all() {
            let text = "Nothing matches the filter. A line with / alone lets all through again.\n";
            return Ok(output::print(text)?);
        }
        if self.archive.accounting().records == 0 {
            return self.unread();
        }
        if self.calibrates {
            return self.calibrated();
        }
        let mut text = "The queue is empty: no flagged items are left.\n".to_owned();
        let failed = self.collected.boxes.iter().filter(|b| b.error.is_some()).count();
        if failed > 0 {
            let boxes = counted(self.collected.boxes.len() as u64, "box", "boxes");
            text.push_str(&format!(
                "Of {boxes}, {failed} failed: new items there are missing here.\n"
            ));
        }
        let past = self.since.0 != i64::MIN;
        if past {
            text.push_str(&format!(
                "It holds what was flagged since {}; older items are among the records.\n",
                self.since.day_text()
            ));
        }
        Ok(output::print(text)?)
    }

    /// The end of the calibration queue.
    fn calibrated(&self) -> Result<(), Trouble> {
        let mut text = "No records need your label.\n".to_owned();
        match self.calibrating.window {
            true => text.push_str(
                "Items of a day come when it is over. `foureyes readiness` says what is next.\n",
            ),
            false => {
                text.push_str("No calibration window yet. Start one: `foureyes gate window DATE`\n")
            }
        }
        Ok(output::print(text)?)
    }

    /// That there is nothing that could wait, and what to do.
    fn unread(&self) -> Result<(), Trouble> {
        let next = match (self.archive.accounting().lines, self.given) {
            (1.., _) => "`foureyes records --rejects` lists what was read, each with the reason.",
            (0, true) => "The logs that were named are empty: name others with `--from`.",
            (0, false) => "`foureyes doctor` checks each step on the way to the logs.",
        };
        Ok(output::print(format!("No record yet, so nothing can wait in the queue.\n{next}\n"))?)
    }

    /// The record as it stands in the log.
    pub(super) fn raw(&self) -> Result<(), Trouble> {
        if self.is_hidden() {
            return Ok(output::print(HIDDEN)?);
        }
        let Some(at) = self.rows.get(self.at) else { return self.nothing() };
        let Some(located) = self.archive.records(&[*at])?.pop() else { return self.nothing() };
        let raw = located.raw.clone();
        let row = located.record;
        output::to_stdout(|out| record::write(out, &row, Some(&raw), &self.options))?;
        Ok(())
    }

    /// What was judged, or what the commit changed in it.
    pub(super) fn content(&self, diff: bool) -> Result<(), Trouble> {
        let Some(row) = self.record()? else { return self.nothing() };
        let Some(commit) = row.commit else {
            let text = "this record names no commit, so git cannot show what was judged\n";
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
        let mut found = content::load(&request, &config, &self.context.data, &|| false);
        if let (true, Ok(content)) = (self.is_hidden(), &mut found) {
            // Whose it is tells more of the verdict than it should.
            content.author.clear();
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
        format!("\n{}", command::prompt(self.read_only, self.calibrates))
    }
}
