//! What a model answered, read for a verdict.
//!
//! An answer is text of a machine that read hostile text. It is a verdict only where a whole JSON
//! object in it says so, without a doubt; everything else is UNDETERMINED, with a cause.

mod call;
mod fault;
mod find;
mod form;
mod node;
mod object;

pub use call::with_call;
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
    /// Whether an object carries the call word, fitting or not.
    pub called: bool,
    /// The beginning of the answer, where it is none.
    pub beginning: Option<String>,
}

/// Reads an answer to the request with this call word.
///
/// Whole objects with the word are the judge's own, and no others count, wherever they stand. Of
/// several the strictest stands: NO-GO before UNDETERMINED before GO, of equal ones the last.
pub fn read(text: &str, rubric: &Rubric, call: &str) -> Reading {
    let (read, called) = judged(text, rubric, call);
    match read {
        Ok(reading) => reading,
        Err(fault) => Reading {
            verdict: PushVerdict::Undetermined,
            scores: None,
            inconsistent: false,
            findings: String::new(),
            suggestions: Vec::new(),
            fault: Some(fault),
            called,
            beginning: Some(beginning(text)),
        },
    }
}

/// The first characters of a text.
pub fn beginning(text: &str) -> String {
    text.chars().take(KEPT).collect()
}

/// What an answer comes to, and whether an object of it carries the word.
fn judged(text: &str, rubric: &Rubric, call: &str) -> (Result<Reading, Fault>, bool) {
    if text.len() > MOST_BYTES {
        return (Err(Fault::TooLong { bytes: text.len() }), false);
    }
    if text.trim().is_empty() {
        return (Err(Fault::Empty), false);
    }
    let found = find(text, call);
    let mut own: Vec<Reading> = Vec::new();
    // What the judge states besides, and why it does not count; why others do not.
    let (mut besides, mut unfit, mut other) = (Vec::new(), None, None);
    let places = call::Places::new(text, &found, call);
    for (span, one) in &found {
        match one {
            Found::Whole { node } if call::is_in(node, call) => match Object::new(node) {
                Ok(object) => own.push(object.reading(rubric)),
                Err(fault) => {
                    besides.extend(object::verdicts(node));
                    unfit = Some(fault);
                }
            },
            Found::Broken { fault } if places.is_in_broken(span.start) => {
                besides.extend(text.get(span.start..).and_then(find::said_in));
                unfit = Some(fault.clone());
            }
            Found::Whole { .. } => other = Some(Fault::NoCall),
            Found::Around => other = other.or(Some(Fault::Nested)),
            // It may go on to be anything.
            Found::Broken { fault } => other = other.or_else(|| Some(fault.clone())),
        }
    }
    let called = !own.is_empty() || unfit.is_some();
    let Some(reading) = own.into_iter().max_by_key(|reading| reading.verdict.strictness()) else {
        let none = if object::is_encoded(text) { Fault::Nested } else { Fault::NoObject };
        return (Err(unfit.or(other).unwrap_or(none)), called);
    };
    if besides.iter().any(|other| other.strictness() > reading.verdict.strictness()) {
        return (Err(Fault::Disagree), called);
    }
    (Ok(reading), called)
}

impl Object {
    fn reading(&self, rubric: &Rubric) -> Reading {
        let by_rule = self.scores.map(|scores| rubric.verdict(&scores));
        // Without scores an object fits only where it says UNDETERMINED.
        let rule = by_rule.unwrap_or(PushVerdict::Undetermined);
        let (verdict, inconsistent) = rule.reconciled_with(self.own_verdict);
        Reading {
            verdict,
            scores: self.scores,
            inconsistent,
            findings: self.findings.clone(),
            suggestions: self.suggestions.clone(),
            fault: None,
            called: true,
            beginning: None,
        }
    }
}

#[cfg(test)]
mod tests;
