//! From item to item: going on, disposing of one, undoing that.

use super::{PlainConsole, Step};
use crate::cli::operator::reading::Trouble;
use crate::cli::{Failure, output};
use crate::domain::{Record, RecordId};
use crate::engine::task_question::KnownQuestion;
use crate::frame::query::{Node, Query};
use crate::store::disposition::Disposition;
use crate::store::questions;
use crate::triage::Seen;
use std::process::ExitCode;

impl PlainConsole<'_> {
    /// Turns to the other queue.
    pub(super) fn other(&mut self) -> Result<(), Trouble> {
        if !self.calibrates && !self.labels() {
            return Self::refused();
        }
        self.calibrates = !self.calibrates;
        if self.calibrates && self.filter.asks_words() {
            self.filter = Query::new(Node::All);
        }
        self.start_over()
    }

    /// Lists the queue anew, and goes to its first item.
    pub(super) fn start_over(&mut self) -> Result<(), Trouble> {
        self.at = 0;
        self.list(None)?;
        self.count()?;
        self.show()
    }

    /// Goes some items on, or back.
    pub(super) fn go(&mut self, by: isize) -> Result<(), Trouble> {
        let to = self.at.checked_add_signed(by).filter(|to| *to < self.rows.len());
        match to {
            Some(to) => {
                self.at = to;
                self.show()
            }
            None if self.rows.is_empty() => self.show(),
            None if by > 0 => Ok(output::print("that was the last item\n")?),
            None => Ok(output::print("this is the first item\n")?),
        }
    }

    /// Notes what was done with the item; the next moves up.
    pub(super) fn deal(&mut self, deal: Disposition) -> Result<(), Trouble> {
        if self.read_only {
            let text = format!("`{}` is refused: this session is read-only\n", deal.as_str());
            return Ok(output::print(text)?);
        }
        if self.calibrates && deal == Disposition::Seen {
            let text = "Items leave this queue only by a label (a, p, s). z puts one off.\n";
            return Ok(output::print(text)?);
        }
        let Some(record) = self.record()? else { return self.show() };
        let before = self.dispositions.deal(&record.id);
        self.put(record.id, deal)?;
        self.steps.push(Step::Dispositions(record.id, before, deal));
        self.undone.clear();
        output::print(format!("{}: {}\n", deal.as_str(), record.id.short()))?;
        let anchor = self.after()?;
        self.list(anchor)?;
        self.show()
    }

    /// The item after this one: what leaves or is put off is not here any more, and the walk goes
    /// on where it was.
    pub(super) fn after(&self) -> Result<Option<RecordId>, Trouble> {
        match self.rows.get(self.at + 1) {
            Some(next) => Ok(self.archive.ids(&[*next])?.first().copied()),
            None => Ok(None),
        }
    }

    /// Undoes the last step of this run.
    pub(super) fn undo(&mut self) -> Result<(), Trouble> {
        let Some(step) = self.steps.pop() else {
            let text = "There is nothing to undo in this run. `foureyes label --undo` takes back \
                earlier labels.\n";
            return Ok(output::print(&*self.context.command_line.complete(text))?);
        };
        self.undone.push(step.clone());
        match step {
            Step::Dispositions(id, before, deal) => {
                self.put(id, before)?;
                output::print(format!("undone: {} {}\n", deal.as_str(), id.short()))?;
                self.list(Some(id))?;
                self.show()
            }
            step @ Step::Labelled { .. } => self.turn(&step, true),
        }
    }

    /// Does again what was undone last.
    pub(super) fn redo(&mut self) -> Result<(), Trouble> {
        let Some(step) = self.undone.pop() else {
            return Ok(output::print("There is nothing to redo.\n")?);
        };
        self.steps.push(step.clone());
        match step {
            Step::Dispositions(id, _, deal) => {
                self.put(id, deal)?;
                output::print(format!("redone: {} {}\n", deal.as_str(), id.short()))?;
                self.list(None)?;
                self.show()
            }
            step @ Step::Labelled { .. } => self.turn(&step, false),
        }
    }

    fn put(&mut self, id: RecordId, deal: Disposition) -> Result<(), Failure> {
        let put = self.dispositions.put(&[id], deal, self.context.clock.now());
        put.map_err(|error| Failure::local(error).hint("look at the data directory"))
    }

    /// The record of the item with what is known of its task's question, where there is one.
    pub(super) fn record_and_question(
        &self,
    ) -> Result<Option<(Record, Option<KnownQuestion>)>, Trouble> {
        let Some(at) = self.rows.get(self.at) else { return Ok(None) };
        Ok(self.archive.records(&[*at])?.pop().map(|located| {
            let question = questions::known(&located.record, located.log.as_deref());
            (located.record, question)
        }))
    }

    /// The record of the item, where there is one.
    pub(super) fn record(&self) -> Result<Option<Record>, Trouble> {
        Ok(self.record_and_question()?.map(|(record, _)| record))
    }

    /// All that is here was looked at: the next run says what is new since.
    pub(super) fn leave(&self) -> Result<ExitCode, Failure> {
        if !self.read_only {
            let mark = Seen::mark(&self.archive, self.context.clock.now());
            mark.save(&self.context.data, &self.collected.collection).map_err(Failure::local)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
