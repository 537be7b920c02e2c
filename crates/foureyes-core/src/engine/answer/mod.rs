//! What a model answered, read for a verdict.
//!
//! An answer is text of a machine that read hostile text. It is a verdict only where a whole JSON
//! object in it says so, without a doubt; everything else is UNDETERMINED, with a cause.

mod call;
mod fault;
mod find;
mod form;
mod keep;
mod node;
mod object;

pub use call::with_call;
pub use fault::Fault;
pub use form::{form, schema};
pub use keep::{Kept, read_keep};
pub(super) use keep::{form as keep_form, schema as keep_schema};

use super::rubric::{Rubric, Scores};
use super::verdict::{Kind, Verdict};
use crate::domain::Improvement;
use find::{Found, find};
use object::Object;

/// Longest answer that is read, in bytes.
pub const MOST_BYTES: usize = 256 << 10;
/// Characters of an answer that are kept where it is no verdict.
pub const KEPT: usize = 500;

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<V> {
    /// The verdict: by the rubric, or stricter.
    pub verdict: V,
    /// The scores; `None` where the answer is none, or the model could not tell.
    pub scores: Option<Scores>,
    /// Whether the model's own verdict contradicts that of the rubric.
    pub inconsistent: bool,
    /// What the model found.
    pub findings: String,
    /// What the model suggests.
    pub suggestions: Vec<Improvement>,
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
/// several the strictest stands, [`Verdict::strictness`], of equal ones the last.
pub fn read<V: Verdict>(kind: &Kind<V>, text: &str, rubric: &Rubric, call: &str) -> Reading<V> {
    let (read, called) = judged(kind, text, rubric, call);
    match read {
        Ok(reading) => reading,
        Err(fault) => Reading {
            verdict: V::NONE,
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
fn judged<V: Verdict>(
    kind: &Kind<V>,
    text: &str,
    rubric: &Rubric,
    call: &str,
) -> (Result<Reading<V>, Fault>, bool) {
    if text.len() > MOST_BYTES {
        return (Err(Fault::TooLong { bytes: text.len() }), false);
    }
    if text.trim().is_empty() {
        return (Err(Fault::Empty), false);
    }
    let found = find(text, call, object::is_about_a_verdict);
    let mut own: Vec<Reading<V>> = Vec::new();
    // What the judge states besides, and why it does not count; why others do not.
    let (mut besides, mut unfit, mut other) = (Vec::new(), None, None);
    let places = call::Places::new(text, &found, call);
    for (span, one) in &found {
        match one {
            Found::Whole { node } if call::is_in(node, call) => match Object::new(kind, node) {
                Ok(object) => own.push(object.reading(rubric)),
                Err(fault) => {
                    besides.extend(object::verdicts(kind, node));
                    unfit = Some(fault);
                }
            },
            Found::Broken { fault } if places.is_in_broken(span.start) => {
                let rest = text.get(span.start..);
                besides.extend(rest.and_then(|rest| find::verdict_in(kind, rest)));
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
        let none = if object::is_encoded(text, object::is_about_a_verdict) {
            Fault::Nested
        } else {
            Fault::NoObject
        };
        return (Err(unfit.or(other).unwrap_or(none)), called);
    };
    if besides.iter().any(|other| other.strictness() > reading.verdict.strictness()) {
        return (Err(Fault::Disagree), called);
    }
    (Ok(reading), called)
}

impl<V: Verdict> Object<V> {
    fn reading(self, rubric: &Rubric) -> Reading<V> {
        let by_rule = self.scores.map(|scores| V::by_rule(rubric, &scores));
        // Without scores an object fits only where it says that it cannot tell.
        let rule = by_rule.unwrap_or(V::NONE);
        let (verdict, inconsistent) = rule.reconciled_with(self.own_verdict);
        Reading {
            verdict,
            scores: self.scores,
            inconsistent,
            findings: self.findings,
            suggestions: self.suggestions,
            fault: None,
            called: true,
            beginning: None,
        }
    }
}

#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;
