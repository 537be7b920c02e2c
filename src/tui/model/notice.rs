//! Notices to the person: errors stay until dismissed, and all is kept.

use crate::domain::{Timestamp, chain};
use crate::text::CommandLine;
use std::collections::VecDeque;
use std::error::Error;

/// So many are kept.
const KEPT: usize = 500;

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Something ended well; goes with the next key.
    Note,
    /// Something to know of; stays until dismissed.
    Warning,
    /// Something failed; stays until dismissed.
    Error,
}

/// Something that failed, with its cause and what to do next. Its texts may be hostile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What was attempted, and why it failed.
    pub text: String,
    /// What to do next.
    pub next: String,
}

impl Problem {
    /// From an error and all its causes.
    pub fn from_error(error: &dyn Error, next: &str) -> Self {
        Self { text: chain(error), next: next.to_owned() }
    }

    /// From a sentence, and what to do next; empty where there is nothing to do.
    pub fn new(text: impl Into<String>, next: &str) -> Self {
        Self { text: text.into(), next: next.to_owned() }
    }
}

/// A notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How much it matters.
    pub level: Level,
    /// One sentence, escaped where it is drawn.
    pub text: String,
    /// What to do next; empty where nothing is.
    pub next: String,
    /// When it was last reported, in UTC.
    pub at: Timestamp,
    /// How often it was reported in a row.
    pub times: u32,
    /// How many were reported by then, from 1.
    pub serial: u64,
}

/// All notices of a run, and which of them is still to be dismissed.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    all: VecDeque<Notice>,
    /// So many of the last ones were not dismissed.
    open: usize,
    /// So many were reported, the repeated ones counted.
    reported: u64,
    /// What commands in them are completed with.
    command_line: CommandLine,
}

impl Notices {
    /// None yet.
    pub fn new(command_line: CommandLine) -> Self {
        Self { command_line, ..Self::default() }
    }

    /// Adds one; the same again is counted, not repeated.
    pub fn push(&mut self, level: Level, text: String, next: String, at: Timestamp) {
        let whole = |text: String| self.command_line.complete(&text).into_owned();
        let (text, next) = (whole(text), whole(next));
        self.reported += 1;
        let serial = self.reported;
        if let Some(last) = self.all.back_mut()
            && last.level == level
            && last.text == text
        {
            (last.times, last.at, last.serial) = (last.times + 1, at, serial);
            self.open = self.open.max(1);
            return;
        }
        if level > Level::Note {
            self.drop_note();
        }
        self.all.push_back(Notice { level, text, next, at, times: 1, serial });
        self.open += 1;
        if self.all.len() > KEPT {
            self.all.pop_front();
        }
        self.open = self.open.min(self.all.len());
    }

    /// Adds an error: it is shown until it is dismissed.
    pub fn problem(&mut self, problem: Problem, at: Timestamp) {
        self.push(Level::Error, problem.text, problem.next, at);
    }

    /// Adds a note: it is shown until the next key.
    pub fn note(&mut self, text: impl Into<String>, at: Timestamp) {
        self.push(Level::Note, text.into(), String::new(), at);
    }

    /// Adds a warning: it is shown until it is dismissed.
    pub fn warn(&mut self, text: impl Into<String>, next: &str, at: Timestamp) {
        self.push(Level::Warning, text.into(), next.to_owned(), at);
    }

    /// The last one that was not dismissed.
    pub fn current(&self) -> Option<&Notice> {
        (self.open > 0).then(|| self.all.back()).flatten()
    }

    /// So many are not dismissed.
    pub fn open(&self) -> usize {
        self.open
    }

    /// Dismisses the last one.
    pub fn dismiss(&mut self) {
        // What was dismissed is kept, before those that are still open.
        if self.open > 1
            && let Some(last) = self.all.pop_back()
        {
            let at = self.all.len() + 1 - self.open;
            self.all.insert(at, last);
        }
        self.open = self.open.saturating_sub(1);
    }

    /// Lets a note go, as a key was pressed; others stay.
    pub fn drop_note(&mut self) {
        while self.current().is_some_and(|n| n.level == Level::Note) {
            self.dismiss();
        }
    }

    /// So many were reported so far.
    pub fn reported(&self) -> u64 {
        self.reported
    }

    /// Those that were reported after so many others, the earliest first; one that was repeated once.
    pub fn since(&self, reported: u64) -> Vec<&Notice> {
        let mut later: Vec<&Notice> = self.all.iter().filter(|n| n.serial > reported).collect();
        later.sort_by_key(|notice| notice.serial);
        later
    }

    /// All of them, the newest first.
    pub fn all(&self) -> impl ExactSizeIterator<Item = &Notice> + DoubleEndedIterator {
        self.all.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notices() -> Notices {
        let mut notices = Notices::default();
        notices.problem(Problem::new("a", "do"), Timestamp(1));
        notices.problem(Problem::new("b", "do"), Timestamp(2));
        notices
    }

    #[test]
    fn errors_stay_until_each_is_dismissed_and_all_are_kept() {
        let mut notices = notices();
        notices.drop_note();
        assert_eq!(notices.current().map(|n| n.text.as_str()), Some("b"));
        notices.dismiss();
        assert_eq!(notices.current().map(|n| n.text.as_str()), Some("a"));
        notices.dismiss();
        assert_eq!((notices.current(), notices.all().len()), (None, 2));
    }

    #[test]
    fn notice_expires_with_next_key_without_hiding_errors() {
        let mut notices = notices();
        notices.note("copied", Timestamp(3));
        assert_eq!(notices.current().map(|n| n.text.as_str()), Some("copied"));
        notices.drop_note();
        assert_eq!(notices.current().map(|n| n.text.as_str()), Some("b"));
        assert_eq!(notices.all().len(), 3);
    }

    #[test]
    fn the_same_again_is_counted() {
        let mut notices = notices();
        notices.problem(Problem::new("b", "do"), Timestamp(9));
        assert_eq!(notices.current().map(|n| (n.times, n.at)), Some((2, Timestamp(9))));
        assert_eq!(notices.open(), 2);
    }
}
