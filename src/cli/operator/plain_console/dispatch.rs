//! What each command does, and what is read out at the start.

use super::command::Command;
use super::{PlainConsole, ask, words};
use crate::answers::triage::summary;
use crate::cli::operator::reading::Trouble;
use crate::cli::operator::triage;
use crate::cli::{Failure, output};
use crate::page::write;
use crate::store::disposition::Disposition;

impl PlainConsole<'_> {
    /// Does something; where the cache turns out not to say what the logs do, they are read anew
    /// and it is done once more.
    pub(super) fn mended(
        &mut self,
        mut act: impl FnMut(&mut Self) -> Result<(), Trouble>,
    ) -> Result<(), Failure> {
        match act(self) {
            Err(Trouble::Outdated(_)) => {
                self.archive.forget();
                self.archive = ask::open(self.context, &self.collected)?;
                output::print("the logs changed: they were read again\n")?;
                act(self).map_err(Trouble::into_failure)
            }
            other => other.map_err(Trouble::into_failure),
        }
    }

    /// What happened, then the first item.
    pub(super) fn begin(&mut self) -> Result<(), Trouble> {
        let read = (&self.collected, &self.archive);
        let triage = triage::document(self.context, &self.triage, read, 0)?;
        let options = self.options.page();
        let page = summary(&triage, options.is_masked);
        output::to_stdout(|out| write::plain(out, &page, &options))?;
        let (present, now) = (self.present()?, self.context.now);
        // As in the console: the calibration, once its window stands, for who may label.
        let started = crate::assess::window_in_force(&present, self.family, now).is_some();
        self.calibrates = started && self.reviewer.is_some() && !self.read_only;
        self.list(None)?;
        self.count()?;
        self.show()
    }

    /// Does what was typed.
    pub(super) fn follow(&mut self, command: &Command) -> Result<(), Trouble> {
        match command {
            Command::Next => self.go(1),
            Command::Previous => self.go(-1),
            Command::Again => self.show(),
            Command::Whole => self.whole(),
            Command::Label(word) => self.label(*word),
            Command::Wrong => self.wrong(),
            Command::Note(text) => self.note(text.as_deref()),
            Command::Reason(text) => self.reason(text.as_deref()),
            Command::Guide => self.guide(),
            Command::OtherQueue => self.other(),
            Command::Mine => self.mine(),
            Command::OtherFamily => self.other_family(),
            Command::Seen => self.deal(Disposition::Seen),
            Command::Later => self.deal(Disposition::Later),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Content => self.content(false),
            Command::Diff => self.content(true),
            Command::Raw => self.raw(),
            Command::Filter(query) if self.calibrates && query.asks_words() => {
                let text = "This filter would reveal the verdict, which is hidden. Use path:, box:, \
                    commit: or day:.\n";
                Ok(output::print(text)?)
            }
            Command::Filter(query) => {
                self.filter = (**query).clone();
                self.start_over()
            }
            Command::Order(_) if self.calibrates => {
                Ok(output::print("The calibration queue is always the earliest open day first.\n")?)
            }
            Command::Order(order) => {
                self.order = *order;
                self.start_over()
            }
            Command::Help => Ok(output::print(words::help(self.read_only))?),
            Command::Quit => Ok(()),
        }
    }
}
