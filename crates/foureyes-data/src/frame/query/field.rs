//! The fields of a query, and what each makes of its value.

use super::ast::{CauseTest, Claimant, Decision, Label, Match, Peer, Term, TextField};
use super::error::{Fault, QueryError, nearest};
use super::known::{self, VERDICTS, names};
use super::lex::Word;
use super::render::visible;
use super::value;
use crate::domain::{Cause, Dimension, Family, JudgementKind, Outcome};
use std::ops::Range;

/// What is given to a field.
struct Value<'a> {
    field: &'static str,
    exact: bool,
    text: &'a str,
    place: Range<usize>,
}

/// Makes a condition of a word.
pub(super) fn term(text: &str, word: &Word, range: Range<usize>) -> Result<Term, QueryError> {
    let Some(name) = word.field.clone() else {
        return Ok(Term::Free(word.value.clone()));
    };
    let written = text[name.clone()].to_lowercase();
    let Some(field) = known::field(&written) else {
        let place = if name.is_empty() { range } else { name };
        let nearest = nearest(&written, &names());
        return Err(Fault::UnknownField { name: visible(&written), nearest }.at(place));
    };
    // A text of a record may be empty: asked for to the letter, `author:=""` has a value.
    let letter = word.exact && !word.place.is_empty() && is_text(field);
    if word.value.is_empty() && !letter {
        return Err(Fault::MissingValue(field).at(range));
    }
    let (text, place) = (word.value.as_str(), word.place.clone());
    Value { field, exact: word.exact, text, place }.term()
}

/// Whether any text is a value of the field, to the letter.
fn is_text(field: &str) -> bool {
    matches!(field, "agent" | "verdict" | "outcome" | "claimed" | "assigned")
        || text_field(field).is_some()
}

/// The text field of a name that is one.
pub(super) fn text_field(name: &str) -> Option<TextField> {
    TextField::ALL.into_iter().find(|f| f.as_str() == name)
}

impl Value<'_> {
    fn term(&self) -> Result<Term, QueryError> {
        match self.field {
            "verdict" | "outcome" => self.verdict(),
            "family" => {
                let family = |n: &str| Family::ALL.into_iter().find(|f| f.as_str() == n);
                self.named(family).map(Term::Family)
            }
            "evaluation" => self.named(JudgementKind::from_name).map(Term::Evaluation),
            "error" | "cause" => self.cause(),
            "id" => self.id(),
            "round" => self.fault(value::round(self.exact, self.text)).map(Term::Round),
            "latency" => self.fault(value::latency(self.exact, self.text)).map(Term::Latency),
            "since" => self.fault(value::moment(self.text)).map(Term::Since),
            "until" => self.fault(value::moment(self.text)).map(Term::Until),
            "day" => self.fault(value::day(self.text)).map(Term::Day),
            "undated" => self.yes().map(Term::Undated),
            "repeat" => self.yes().map(Term::Repeat),
            "is" => self.is(),
            "has" => {
                let field = |n: &str| text_field(if n == "agent" { "author" } else { n });
                self.named(field).map(Term::Has)
            }
            "label" => {
                let label = |n: &str| Label::ALL.into_iter().find(|l| l.as_str() == n);
                self.named(label).map(Term::Label)
            }
            "override" => {
                let decision = |n: &str| Decision::ALL.into_iter().find(|d| d.as_str() == n);
                self.named(decision).map(Term::Override)
            }
            "claimed" => Ok(Term::Claimed(self.claimant())),
            "assigned" => Ok(Term::Assigned(self.claimant())),
            "peer" => {
                let peer = |n: &str| Peer::ALL.into_iter().find(|p| p.as_str() == n);
                self.named(peer).map(Term::Peer)
            }
            name => match name.strip_prefix("score") {
                Some(dimension) => self.score(dimension.trim_start_matches('.')),
                None => Ok(self.text_term(name)),
            },
        }
    }

    fn claimant(&self) -> Claimant {
        let how = if self.exact { Match::Exact } else { Match::Loose };
        match self.text.to_lowercase().as_str() {
            "none" if !self.exact => Claimant::None,
            "any" if !self.exact => Claimant::Any,
            "me" if !self.exact => Claimant::Me,
            _ => Claimant::Named(how, self.text.to_owned()),
        }
    }

    fn text_term(&self, name: &str) -> Term {
        let name = if name == "agent" { "author" } else { name };
        let field = text_field(name);
        let how = if self.exact { Match::Exact } else { Match::Loose };
        // Every name of the table that is left here is a text field.
        Term::Text(field.unwrap_or(TextField::Findings), how, self.text.to_owned())
    }

    fn verdict(&self) -> Result<Term, QueryError> {
        if self.exact {
            return Ok(Term::Verdict(self.text.to_owned()));
        }
        let outcome = match self.text.to_lowercase().as_str() {
            "go" => Some(Some(Outcome::Go)),
            "no-go" | "no_go" | "nogo" => Some(Some(Outcome::NoGo)),
            "undetermined" => Some(Some(Outcome::Undetermined)),
            "none" => Some(None),
            _ => None,
        };
        if let Some(outcome) = outcome {
            return Ok(Term::Outcome(outcome));
        }
        let written = self.text.replace('-', "_");
        let word = VERDICTS.into_iter().find(|v| v.eq_ignore_ascii_case(&written));
        word.map(|w| Term::Verdict(w.to_owned())).ok_or_else(|| self.unknown())
    }

    fn cause(&self) -> Result<Term, QueryError> {
        let test = |name: &str| match name {
            "none" => Some(CauseTest::None),
            "any" => Some(CauseTest::Any),
            "no_judge" => Some(CauseTest::NoJudge),
            name => Cause::from_name(name).map(CauseTest::Is),
        };
        self.named(test).map(Term::Cause)
    }

    fn id(&self) -> Result<Term, QueryError> {
        let digits = self.text.bytes().all(|b| b.is_ascii_hexdigit());
        if digits && self.text.len() <= 64 {
            return Ok(Term::Id(self.text.to_ascii_lowercase()));
        }
        Err(Fault::BadId(visible(self.text)).at(self.place.clone()))
    }

    fn score(&self, dimension: &str) -> Result<Term, QueryError> {
        let test = self.fault(value::score(self.exact, self.text))?;
        let dimension = Dimension::ALL.into_iter().find(|d| d.as_str() == dimension);
        Ok(Term::Score(dimension, test))
    }

    fn is(&self) -> Result<Term, QueryError> {
        let term = |name: &str| match name {
            "evaluation" => Some(Term::Evaluation(JudgementKind::DEFAULT)),
            "escalation" => Some(Term::Escalation),
            "unfinished" => Some(Term::Unfinished),
            "flagged" => Some(Term::Flagged),
            "stopped" => Some(Term::Stopped),
            "new" => Some(Term::New),
            "odd_score" => Some(Term::OddScore),
            "unexplained" => Some(Term::Unexplained),
            "repeat" => Some(Term::Repeat(true)),
            "undated" => Some(Term::Undated(true)),
            _ => None,
        };
        self.named(term)
    }

    fn yes(&self) -> Result<bool, QueryError> {
        self.named(|name| match name {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        })
    }

    /// Finds a name whatever its case, with `-` as good as `_`.
    fn named<T>(&self, find: impl Fn(&str) -> Option<T>) -> Result<T, QueryError> {
        find(&self.text.to_lowercase().replace('-', "_")).ok_or_else(|| self.unknown())
    }

    fn unknown(&self) -> QueryError {
        let nearest = nearest(&self.text.replace('-', "_"), &known::words(self.field));
        let value = visible(self.text);
        Fault::UnknownValue { field: self.field, value, nearest }.at(self.place.clone())
    }

    fn fault<T>(&self, value: Result<T, Fault>) -> Result<T, QueryError> {
        value.map_err(|fault| fault.at(self.place.clone()))
    }
}
