//! The search in the text of a record.

use crate::text::separated;
use crate::tui::page::find::{TextMatch, find};
use crate::tui::page::sheet::{Sheet, SheetKey};
use std::ops::Range;

/// A search in the text of a record.
#[derive(Debug, Clone, Default)]
pub struct TextSearch {
    /// What is searched for; not empty.
    pub text: String,
    /// Lines that were scrolled past when it began.
    pub from: usize,
    /// Where the text was found, in order.
    pub matches: Vec<TextMatch>,
    /// The one that is gone to, from 0.
    pub at: usize,
    /// The sheet and the text that they were found in.
    made_of: Option<(Option<SheetKey>, String)>,
}

impl TextSearch {
    /// A search that is yet to be made.
    pub fn new(text: &str, from: usize) -> Self {
        Self { text: text.to_owned(), from, ..Self::default() }
    }

    /// Searches where sheet or text are others than before, and goes to the first match at or below a line, else
    /// the very first. Returns whether it is another text.
    pub fn renew(&mut self, sheet: &Sheet, scroll: usize) -> bool {
        let is_known = self
            .made_of
            .as_ref()
            .is_some_and(|(key, text)| *key == sheet.key && *text == self.text);
        if is_known {
            return false;
        }
        let is_new = self.made_of.as_ref().is_none_or(|(_, text)| *text != self.text);
        let line = if is_new { self.from } else { scroll };
        self.matches = find(&sheet.lines, &self.text);
        let below = |found: &TextMatch| found.first().is_some_and(|(at, _)| *at >= line);
        self.at = self.matches.iter().position(below).unwrap_or(0);
        self.made_of = Some((sheet.key, self.text.clone()));
        is_new
    }

    /// Goes so many matches on; behind the last comes the first.
    pub fn step(&mut self, by: isize) {
        let last = self.matches.len().max(1) as isize;
        self.at = (self.at as isize + by).rem_euclid(last) as usize;
    }

    /// The line of the match that is gone to.
    pub fn line(&self) -> Option<usize> {
        self.matches.get(self.at)?.first().map(|(line, _)| *line)
    }

    /// The bytes of a line that match, in order; and whether they are of the match that is gone to.
    pub fn in_line(&self, line: usize) -> Vec<(Range<usize>, bool)> {
        let ends_above = |found: &TextMatch| found.last().is_some_and(|(at, _)| *at < line);
        let first = self.matches.partition_point(ends_above);
        let here = self.matches.iter().enumerate().skip(first);
        let here = here.take_while(|(_, found)| found.first().is_some_and(|(at, _)| *at <= line));
        let parts = here.flat_map(|(number, found)| {
            let parts = found.iter().filter(move |(at, _)| *at == line);
            parts.map(move |(_, bytes)| (bytes.clone(), number))
        });
        parts.map(|(bytes, number)| (bytes, number == self.at)).collect()
    }

    /// Where it is: `3 of 12`; `no match` where there is none.
    pub fn place(&self) -> String {
        match self.matches.len() {
            0 => "no match".to_owned(),
            all => format!("{} of {}", separated(self.at + 1), separated(all)),
        }
    }
}
