//! A file of terms: Markdown with a title, and lines that list synonyms.

use super::Source;
use super::bounds::{MAX_FILE, MAX_TERM};
use super::problem::{Fault, Problem};
use super::term::{Term, Topic};
use crate::text::is_hidden;
use crate::text::position::{Lines, Position};

/// What a line with terms begins with, whatever its case.
const SYNONYMS: &str = "synonyms::";

/// The terms of a file, and everything that is wrong with it.
pub(super) fn parse(source: &Source<'_>) -> (Vec<Term>, Vec<Problem>) {
    let mut file = Parser::new(source.name);
    if source.bytes.len() > MAX_FILE {
        file.fault(Position { line: 1, column: 1 }, Fault::TooLong);
        return (file.terms, file.problems);
    }
    match std::str::from_utf8(source.bytes) {
        Ok(text) => file.read(text),
        Err(error) => {
            let valid = source.bytes.get(..error.valid_up_to()).unwrap_or_default();
            let text = String::from_utf8_lossy(valid);
            file.fault(Lines::new(&text).position(text.len()), Fault::NotUtf8);
        }
    }
    (file.terms, file.problems)
}

/// A file while it is read.
struct Parser<'a> {
    name: &'a str,
    topic: Option<Topic>,
    /// The heading that terms belong to.
    normalized: String,
    listed: bool,
    terms: Vec<Term>,
    problems: Vec<Problem>,
}

impl<'a> Parser<'a> {
    fn new(name: &'a str) -> Self {
        let normalized = name.trim_end_matches(".md").to_owned();
        let (terms, problems) = (Vec::new(), Vec::new());
        Self { name, topic: None, normalized, listed: false, terms, problems }
    }

    fn fault(&mut self, position: Position, fault: Fault) {
        self.problems.push(Problem { file: self.name.to_owned(), position, fault });
    }

    fn read(&mut self, text: &str) {
        let lines = Lines::new(text);
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            self.line(line.trim_end(), start, &lines);
            start += line.len();
        }
        let end = lines.position(text.trim_end().len());
        if self.topic.is_none() {
            self.fault(Position { line: 1, column: 1 }, Fault::NoTitle);
        }
        if !self.listed {
            self.fault(end, Fault::NoTerms);
        }
        let topic = self.topic.unwrap_or(Topic::Own);
        self.terms.iter_mut().for_each(|term| term.topic = topic);
    }

    fn line(&mut self, line: &str, start: usize, lines: &Lines<'_>) {
        let line = line.trim_start_matches('\u{feff}');
        let depth = line.bytes().take_while(|b| *b == b'#').count();
        let rest = line.get(depth..).unwrap_or_default();
        if (1..=6).contains(&depth) && (rest.is_empty() || rest.starts_with([' ', '\t'])) {
            return self.heading(depth, rest.trim(), lines.position(start));
        }
        let indent = line.len() - line.trim_start().len();
        let word = line.trim_start();
        let begins =
            |with: &str| word.get(..with.len()).is_some_and(|w| w.eq_ignore_ascii_case(with));
        if begins(SYNONYMS) {
            self.listed = true;
            let at = start + indent + SYNONYMS.len();
            self.synonyms(word.get(SYNONYMS.len()..).unwrap_or_default(), at, lines);
        } else if begins("synonyms:") {
            self.fault(lines.position(start + indent), Fault::OneColon);
        }
    }

    fn heading(&mut self, depth: usize, text: &str, position: Position) {
        // A hash at the end of a heading is no part of it.
        let text = words(text.trim_end_matches('#'));
        if text.is_empty() {
            return self.fault(position, Fault::EmptyHeading);
        }
        if text.chars().any(is_hidden) {
            return self.fault(position, Fault::Hidden(text));
        }
        match (depth, self.topic) {
            (1, Some(_)) => return self.fault(position, Fault::SecondTitle),
            (1, None) => self.topic = Some(Topic::of_title(&text)),
            _ => {}
        }
        self.normalized = text;
    }

    fn synonyms(&mut self, list: &str, start: usize, lines: &Lines<'_>) {
        let mut at = start;
        for part in list.split(',') {
            let position = lines.position(at + part.len() - part.trim_start().len());
            match term(part) {
                Ok(text) => self.terms.push(Term {
                    text,
                    normalized: self.normalized.clone(),
                    topic: Topic::Own,
                    file: self.name.to_owned(),
                    position,
                }),
                Err(fault) => self.fault(position, fault),
            }
            at += part.len() + 1;
        }
    }
}

/// A term as it is kept.
fn term(written: &str) -> Result<String, Fault> {
    let text = words(written);
    if text.is_empty() {
        return Err(Fault::EmptyTerm);
    }
    if text.chars().count() > MAX_TERM {
        return Err(Fault::LongTerm);
    }
    if text.chars().any(is_hidden) {
        return Err(Fault::Hidden(text));
    }
    let word = text.chars().any(char::is_alphanumeric);
    if word { Ok(text) } else { Err(Fault::NoWord(text)) }
}

/// The words of a text with one space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
