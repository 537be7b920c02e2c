//! What a model answered, read for a verdict.
//!
//! An answer is text of a machine that read hostile text. It is a verdict only where a whole JSON
//! object in it says so, without a doubt; everything else is UNDETERMINED, with a cause.

mod fault;
mod find;
mod form;
mod node;
mod object;
mod quoted;

pub use fault::Fault;
pub use form::{form, schema};

use super::PushVerdict;
use super::rubric::{Rubric, Scores};
use find::{Found, find};
use object::Object;

/// Longest answer that is read, in bytes.
pub const MOST_BYTES: usize = 256 << 10;
/// Characters of an answer that are kept where it is no verdict.
pub const KEPT: usize = 500;

/// What was sent, as far as an answer may repeat it.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'a> {
    /// The mark of the delimiters, in its digits.
    pub mark: &'a str,
    /// The content between them, as it was sent.
    pub content: &'a str,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The verdict: by the rubric, or stricter.
    pub verdict: PushVerdict,
    /// The scores; `None` where the answer is none, or the model could not tell.
    pub scores: Option<Scores>,
    /// Whether the model's own verdict contradicts that of the rubric.
    pub inconsistent: bool,
    /// What the model found.
    pub findings: String,
    /// What the model suggests.
    pub suggestions: Vec<String>,
    /// Why it is no answer.
    pub fault: Option<Fault>,
    /// The beginning of the answer, where it is none.
    pub beginning: Option<String>,
}

/// Reads an answer.
///
/// The last whole object that fits counts. Objects in what the model quotes from what was sent do
/// not; where two that count disagree, nothing is determined.
pub fn read(text: &str, rubric: &Rubric, sent: Sent<'_>) -> Reading {
    match judged(text, rubric, sent) {
        Ok(reading) => reading,
        Err(fault) => Reading {
            verdict: PushVerdict::Undetermined,
            scores: None,
            inconsistent: false,
            findings: String::new(),
            suggestions: Vec::new(),
            fault: Some(fault),
            beginning: Some(beginning(text)),
        },
    }
}

/// The first characters of a text.
pub fn beginning(text: &str) -> String {
    text.chars().take(KEPT).collect()
}

fn judged(text: &str, rubric: &Rubric, sent: Sent<'_>) -> Result<Reading, Fault> {
    if text.len() > MOST_BYTES {
        return Err(Fault::TooLong { bytes: text.len() });
    }
    if text.trim().is_empty() {
        return Err(Fault::Empty);
    }
    let (seen, quoted) = own(text, sent);
    let mut fitting: Vec<Object> = Vec::new();
    // What else was said about the verdict, and why it did not count.
    let (mut said_besides, mut unfit) = (Vec::new(), None);
    let broken = seen.iter().any(|found| matches!(found, Found::Broken { .. }));
    for found in &seen {
        let fault = match found {
            Found::Broken { said, fault } => {
                said_besides.extend(*said);
                fault.clone()
            }
            Found::Whole { node, .. } => match Object::of(node) {
                // Beside a broken object, scores without a verdict may be a part of it.
                Ok(object) => {
                    fitting.extend((!broken || object.said.is_some()).then_some(object));
                    continue;
                }
                Err(fault) => {
                    said_besides.extend(object::said(node));
                    fault
                }
            },
        };
        unfit = Some(fault);
    }
    let Some(last) = fitting.pop() else {
        let none = if quoted { Fault::OnlyQuoted } else { Fault::NoObject };
        return Err(unfit.unwrap_or(none));
    };
    let reading = last.reading(rubric);
    let same = |other: &Object| other.reading(rubric).verdict == reading.verdict;
    let agrees = |said: &PushVerdict| *said == reading.verdict || Some(*said) == last.said;
    if fitting.iter().all(same) && said_besides.iter().all(agrees) {
        return Ok(reading);
    }
    Err(Fault::Disagree)
}

/// The objects about a verdict that are the model's own, and whether others were quoted.
fn own(text: &str, sent: Sent<'_>) -> (Vec<Found>, bool) {
    let all = find(text);
    let quotes = quoted::Quotes::of(text, sent);
    let count = all.len();
    let own: Vec<Found> = all
        .into_iter()
        .filter(|(span, found)| {
            let whole = matches!(found, Found::Whole { .. });
            let repeated = whole && quotes.repeats(text.get(span.clone()));
            !repeated && !quotes.covers(span)
        })
        .map(|(_, found)| found)
        .collect();
    let quoted = own.len() < count;
    (own, quoted)
}

impl Object {
    fn reading(&self, rubric: &Rubric) -> Reading {
        let by_rule = self.scores.map(|scores| rubric.verdict(&scores));
        // Without scores an object fits only where it says UNDETERMINED.
        let rule = by_rule.unwrap_or(PushVerdict::Undetermined);
        let (verdict, inconsistent) = rule.with_said(self.said);
        Reading {
            verdict,
            scores: self.scores,
            inconsistent,
            findings: self.findings.clone(),
            suggestions: self.suggestions.clone(),
            fault: None,
            beginning: None,
        }
    }
}

#[cfg(test)]
mod tests;
