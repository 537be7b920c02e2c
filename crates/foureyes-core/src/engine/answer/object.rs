//! One object to scores and a verdict, or why it does not fit.

use super::Fault;
use super::node::Node;
use crate::domain::{Dimension, Improvement};
use crate::engine::problem::quoted;
use crate::engine::rubric::{HIGHEST, LOWEST, Scores};
use crate::engine::verdict::{Kind, Texts, Verdict};

/// Longest text that is kept, in characters.
const MOST_CHARACTERS: usize = 4000;
/// Most suggestions that are kept.
const MOST_SUGGESTIONS: usize = 50;

/// An object that fits.
#[derive(Debug)]
pub(super) struct Object<V> {
    pub(super) scores: Option<Scores>,
    pub(super) own_verdict: Option<V>,
    pub(super) findings: String,
    pub(super) suggestions: Vec<Improvement>,
}

/// Tells whether an object is what an answer is to have.
pub(super) type About = fn(&Node) -> bool;

/// Whether an object has a key that an answer has.
pub(super) fn is_about_a_verdict(node: &Node) -> bool {
    let dimensions = Dimension::ALL.iter().map(|d| d.as_str());
    ["verdict", "scores"].into_iter().chain(dimensions).any(|key| node.has(key))
}

/// Whether an object that an answer is about is somewhere inside, or inside a text that encodes one.
pub(super) fn holds(node: &Node, is_about: About) -> bool {
    match node {
        Node::Object(members) => {
            is_about(node) || members.iter().any(|(_, value)| holds(value, is_about))
        }
        Node::List(items) => items.iter().any(|item| holds(item, is_about)),
        Node::Text(text) => {
            let inner = text.trim_start().starts_with('{').then(|| serde_json::from_str(text));
            inner.and_then(Result::ok).is_some_and(|inner: Node| is_about(&inner))
        }
        _ => false,
    }
}

/// Whether a text is one JSON text that encodes such an object.
pub(super) fn is_encoded(text: &str, is_about: About) -> bool {
    let text = text.trim();
    text.starts_with('"') && serde_json::from_str(text).is_ok_and(|node| holds(&node, is_about))
}

/// Every verdict that an object states, fitting or not.
pub(super) fn verdicts<V: Verdict>(kind: &Kind<V>, node: &Node) -> impl Iterator<Item = V> {
    let inner = node.all("scores").flat_map(|scores| scores.all("verdict"));
    node.all("verdict").chain(inner).filter_map(|value| match value {
        Node::Text(word) => kind.verdict_in_answer(word),
        _ => None,
    })
}

impl<V: Verdict> Object<V> {
    /// Reads an object.
    pub(super) fn new(kind: &Kind<V>, node: &Node) -> Result<Self, Fault> {
        if let Some(key) = node.twice() {
            return Err(Fault::Twice { key: quoted(key) });
        }
        let own_verdict = verdict(kind, node)?;
        let scores = match scores(node) {
            // Who cannot tell gives no scores.
            Err(Fault::NoScore(_)) if own_verdict == Some(V::NONE) => None,
            scores => Some(scores?),
        };
        let Texts { findings: key, suggestions: list, .. } = kind.texts;
        let wrong = |key| move |()| Fault::WrongType(key);
        Ok(Self {
            scores,
            own_verdict,
            findings: findings(node.get(key)).map_err(wrong(key))?,
            suggestions: suggestions(kind.texts, node.get(list)).map_err(wrong(list))?,
        })
    }
}

/// The verdict of an object; small models write it beside the scores, inside them, where it is no milder: of
/// two the stricter counts.
fn verdict<V: Verdict>(kind: &Kind<V>, node: &Node) -> Result<Option<V>, Fault> {
    let inner = node.get("scores").filter(|scores| scores.has("verdict"));
    let own = [Some(node).filter(|node| node.has("verdict")), inner].into_iter().flatten();
    let mut strictest: Option<V> = None;
    for place in own {
        let Some(Node::Text(word)) = place.get("verdict") else {
            return Err(Fault::WrongType("verdict"));
        };
        let Some(verdict) = kind.verdict_in_answer(word) else {
            let words = kind.all_words().collect();
            return Err(Fault::UnknownVerdict { written: quoted(word), words });
        };
        let stricter = strictest.is_none_or(|other| verdict.strictness() > other.strictness());
        strictest = if stricter { Some(verdict) } else { strictest };
    }
    Ok(strictest)
}

fn scores(node: &Node) -> Result<Scores, Fault> {
    let nested = node.get("scores");
    if nested.is_some_and(|scores| !matches!(scores, Node::Object(_))) {
        return Err(Fault::WrongType("scores"));
    }
    let one = |dimension: Dimension| {
        let under = nested.and_then(|scores| scores.get(dimension.as_str()));
        let beside = node.get(dimension.as_str());
        let under = under.map(|value| score(dimension, value)).transpose()?;
        let beside = beside.map(|value| score(dimension, value)).transpose()?;
        match (under, beside) {
            (Some(a), Some(b)) if a != b => Err(Fault::TwoScores(dimension)),
            (a, b) => a.or(b).ok_or(Fault::NoScore(dimension)),
        }
    };
    Ok(Scores {
        semantic: one(Dimension::Semantic)?,
        pragmatic: one(Dimension::Pragmatic)?,
        syntactic: one(Dimension::Syntactic)?,
    })
}

/// A whole number from 1 to 5, as a number or as text.
fn score(dimension: Dimension, value: &Node) -> Result<u8, Fault> {
    let number = match value {
        Node::Whole(whole) => *whole as f64,
        Node::Number(number) => *number,
        Node::Text(text) if is_plain_number(text.trim()) => {
            text.trim().parse().map_err(|_| Fault::NoNumber(dimension))?
        }
        _ => return Err(Fault::NoNumber(dimension)),
    };
    if number.fract() != 0.0 {
        return Err(Fault::NoNumber(dimension));
    }
    if !(f64::from(LOWEST)..=f64::from(HIGHEST)).contains(&number) {
        return Err(Fault::OutOfRange(dimension));
    }
    Ok(number as u8)
}

/// Digits with at most a sign and a point: not what else Rust reads as a number.
fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && digits.starts_with(|c: char| c.is_ascii_digit())
}

fn findings(value: Option<&Node>) -> Result<String, ()> {
    match value {
        None => Ok(String::new()),
        Some(Node::Text(text)) => Ok(short(text)),
        Some(Node::List(items)) => {
            let texts = items.iter().map(text).collect::<Option<Vec<_>>>();
            Ok(short(&texts.ok_or(())?.join("\n")))
        }
        Some(_) => Err(()),
    }
}

fn suggestions(texts: Texts, value: Option<&Node>) -> Result<Vec<Improvement>, ()> {
    let items = match value {
        None => return Ok(Vec::new()),
        Some(Node::List(items)) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    let each = items.iter().take(MOST_SUGGESTIONS).map(|item| match item {
        Node::Object(_) if texts.objects => Some(improvement(item)),
        other => text(other).map(|text| Improvement::text(short(&text))),
    });
    let all = each.collect::<Option<Vec<_>>>().ok_or(())?;
    Ok(all.into_iter().filter(|one| !one.is_empty()).collect())
}

/// An object as it was asked for. A value that is no text is kept as JSON, and an object with none of
/// the keys whole.
fn improvement(node: &Node) -> Improvement {
    let part = |key| match node.get(key) {
        None => None,
        Some(Node::Text(text)) => Some(short(text)).filter(|text| !text.trim().is_empty()),
        Some(other) => Some(short(&other.json().to_string())),
    };
    let [dimension, location, issue, suggestion] = super::form::IMPROVEMENT.map(part);
    let found = Improvement { dimension, location, issue, suggestion };
    match found.is_empty() {
        true => Improvement::text(short(&node.json().to_string())),
        false => found,
    }
}

/// A text as it is, an object as JSON.
fn text(node: &Node) -> Option<String> {
    match node {
        Node::Text(text) => Some(text.clone()),
        Node::Object(_) => Some(node.json().to_string()),
        _ => None,
    }
}

fn short(text: &str) -> String {
    let kept: String = text.chars().take(MOST_CHARACTERS).collect();
    if kept.len() == text.len() { kept } else { kept + "… (cut)" }
}
