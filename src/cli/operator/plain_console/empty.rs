//! What is read out where there is no item.

use super::PlainConsole;
use crate::calibration::no_window;
use crate::cli::operator::reading::Trouble;
use crate::cli::output;
use crate::report::{counted, words};

impl PlainConsole<'_> {
    /// Why there is no item, and what to do.
    pub(super) fn nothing(&self) -> Result<(), Trouble> {
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
            true => {
                text += "Items of a day come when it is over. ";
                let option = self.family.option();
                text += &format!("`foureyes readiness{option}` lists the next steps.\n");
            }
            false => text += &format!("{}\n", words::capitalized(&no_window(self.family))),
        }
        Ok(output::print(&*self.context.command_line.complete(&text))?)
    }

    /// That there is nothing that could wait, and what to do.
    fn unread(&self) -> Result<(), Trouble> {
        let read = self.archive.accounting();
        let next = match (read.lines, self.given) {
            (1.., _) if read.rejected == 0 && read.foreign > 0 => words::ALL_FOREIGN,
            (1.., _) => "`foureyes records --rejects` lists what was read, each with the reason.",
            (0, true) => "The logs that were named are empty: name others with `--from`.",
            (0, false) => "`foureyes doctor` checks each step on the way to the logs.",
        };
        let next = self.context.command_line.complete(next);
        Ok(output::print(format!("No record yet, so nothing can wait in the queue.\n{next}\n"))?)
    }
}
