//! What a model answered, read for a verdict.
//!
//! An answer is text of a machine that read hostile text. It is a verdict only where a whole JSON
//! object in it says so, without a doubt; everything else is UNDETERMINED, with a cause.

mod call;
mod fault;
mod find;
mod form;
mod keep;
mod lengths;
mod node;
mod object;
mod stated;
mod thoughts;

pub use call::with_call;
pub use fault::{Fault, Lack};
pub use form::{closing, form, schema};
pub use keep::{Kept, read_keep};
pub(super) use keep::{form as keep_form, schema as keep_schema};
pub use lengths::Lengths;
pub(super) use thoughts::THOUGHTS;

use super::finish::Finish;
use super::rubric::{Rubric, Scores};
use super::verdict::{Kind, Verdict};
use crate::domain::Improvement;
use find::{Found, find};
use object::Object;
use std::ops::Range;

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
    /// The strictest verdict against the content that stands anywhere outside thoughts, with the call word
    /// or without. No later answer to the same question takes it back.
    pub stated: Option<V>,
    /// Whether nothing follows the object that counts.
    pub is_last: bool,
    /// Bytes of thoughts, of the objects that count, and of the rest.
    pub lengths: Lengths,
    /// The beginning of the answer, where it is none.
    pub beginning: Option<String>,
}

/// Reads an answer to the request with this call word.
///
/// What is thought does not count. Of the rest, whole objects with the word are the judge's own, and no
/// others count, wherever they stand. Of several the strictest stands, [`Verdict::strictness`], of equal
/// ones the last.
pub fn read<V: Verdict>(kind: &Kind<V>, text: &str, rubric: &Rubric, call: &str) -> Reading<V> {
    if text.len() > MOST_BYTES {
        return unread(text, Fault::TooLong { bytes: text.len() });
    }
    if text.trim().is_empty() {
        return unread(text, Fault::Empty);
    }
    let parts = parted(text, call, object::is_about_a_verdict);
    let answered = text.get(parts.answered.clone()).unwrap_or_default();
    let found = find(answered, call, object::is_about_a_verdict);
    let mut reading = judged(kind, answered, &found, rubric, call);
    reading.stated = stated::strictest(kind, answered, &found, rubric);
    let own = found
        .iter()
        .filter(|(_, one)| matches!(one, Found::Whole { node } if call::is_in(node, call)));
    let (object, last) = own.fold((0, 0), |(bytes, _), (span, _)| (bytes + span.len(), span.end));
    reading.is_last = object > 0 && lengths::is_over(answered.get(last..).unwrap_or_default());
    reading.lengths = Lengths::new(text.len(), answered.len(), object);
    let nothing_answered = answered.trim().is_empty() && reading.fault.is_some();
    // Whoever goes on thinking has not answered; what was found against the content stands.
    if nothing_answered || (parts.open && !reading.verdict.fails()) {
        reading = reading.failed(Fault::OnlyThoughts);
    }
    if reading.fault.is_some() {
        reading.beginning = Some(beginning(text));
    }
    reading
}

/// An answer with its thoughts parted from what it says.
fn parted(text: &str, call: &str, is_about: object::About) -> thoughts::Parts {
    let whole = find(text, call, is_about).into_iter();
    let whole = whole.filter(|(_, found)| !matches!(found, Found::Broken { .. }));
    let whole: Vec<Range<usize>> = whole.map(|(span, _)| span).collect();
    thoughts::parts(text, &whole)
}

/// What is no answer for a reason that lies before all reading.
fn unread<V: Verdict>(text: &str, fault: Fault) -> Reading<V> {
    Reading {
        verdict: V::NONE,
        scores: None,
        inconsistent: false,
        findings: String::new(),
        suggestions: Vec::new(),
        fault: Some(fault),
        called: false,
        stated: None,
        is_last: false,
        lengths: Lengths::new(text.len(), text.len(), 0),
        beginning: Some(beginning(text)),
    }
}

impl<V: Verdict> Reading<V> {
    /// The same as no answer.
    fn failed(self, fault: Fault) -> Self {
        Self {
            verdict: V::NONE,
            scores: None,
            inconsistent: false,
            findings: String::new(),
            suggestions: Vec::new(),
            fault: Some(fault),
            ..self
        }
    }

    /// The same where an earlier reply to the same question held against the content.
    #[must_use]
    pub fn contradicted(self) -> Self {
        self.failed(Fault::Contradicted)
    }

    /// The same of an answer that ended so. What was cut passes nothing, whole object or not; what was
    /// found against the content stands.
    #[must_use]
    pub fn ended(self, finish: &Finish, text: &str) -> Self {
        // Why a broken answer is none is known without a reason for its end.
        let cut = finish.is_cut(self.is_last || self.fault.is_some());
        if cut && (self.fault.is_some() || self.verdict.passes()) {
            let beginning = Some(beginning(text));
            return Self { beginning, ..self.failed(Fault::Cut(finish.clone())) };
        }
        self
    }

    /// The same with another choice of the same reply, which can only make it stricter.
    #[must_use]
    pub fn beside(self, other: Self) -> Self {
        let stated = stated::stricter(self.stated, other.stated);
        let is_stricter = other.verdict.strictness() > self.verdict.strictness();
        match self.fault.is_none() && other.fault.is_none() && is_stricter {
            true => Self { stated, lengths: self.lengths, ..other },
            false => Self { stated, ..self },
        }
    }
}

/// The first characters of a text.
pub fn beginning(text: &str) -> String {
    text.chars().take(KEPT).collect()
}

/// What the answer without its thoughts comes to.
fn judged<V: Verdict>(
    kind: &Kind<V>,
    text: &str,
    found: &[(Range<usize>, Found)],
    rubric: &Rubric,
    call: &str,
) -> Reading<V> {
    let mut own: Vec<Reading<V>> = Vec::new();
    // What the judge states besides, and why it does not count; why others do not.
    let (mut besides, mut unfit, mut other) = (Vec::new(), None, None);
    let places = call::Places::new(text, found, call);
    for (span, one) in found {
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
            Found::Around { .. } => other = other.or(Some(Fault::Nested)),
            // It may go on to be anything.
            Found::Broken { fault } => other = other.or_else(|| Some(fault.clone())),
        }
    }
    let called = !own.is_empty() || unfit.is_some();
    let no = |fault| Reading { called, ..unread(text, fault) };
    let Some(reading) = own.into_iter().max_by_key(|reading| reading.verdict.strictness()) else {
        let none = match object::is_encoded(text, object::is_about_a_verdict) {
            true => Fault::Nested,
            false => Fault::NoObject,
        };
        return no(unfit.or(other).unwrap_or(none));
    };
    match besides.iter().any(|other| other.strictness() > reading.verdict.strictness()) {
        true => no(Fault::Disagree),
        false => reading,
    }
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
            stated: None,
            is_last: false,
            lengths: Lengths::default(),
            beginning: None,
        }
    }
}

#[cfg(test)]
mod ending_tests;
#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;
