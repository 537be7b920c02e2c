//! One object to scores and a verdict, or why it does not fit.

use super::Fault;
use super::node::Node;
use crate::domain::Dimension;
use crate::engine::PushVerdict;
use crate::engine::problem::quoted;
use crate::engine::rubric::{HIGHEST, LOWEST, Scores};

/// Longest text that is kept, in characters.
const MOST_CHARACTERS: usize = 4000;
/// Most suggestions that are kept.
const MOST_SUGGESTIONS: usize = 50;

/// An object that fits.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) scores: Option<Scores>,
    pub(super) own_verdict: Option<PushVerdict>,
    pub(super) findings: String,
    pub(super) suggestions: Vec<String>,
}

/// Whether an object has a key that an answer has.
pub(super) fn is_about_a_verdict(node: &Node) -> bool {
    let dimensions = Dimension::ALL.iter().map(|d| d.as_str());
    ["verdict", "scores"].into_iter().chain(dimensions).any(|key| node.has(key))
}

/// Whether an object about a verdict is somewhere inside, or inside a text that encodes one.
pub(super) fn holds_a_verdict(node: &Node) -> bool {
    match node {
        Node::Object(members) => {
            is_about_a_verdict(node) || members.iter().any(|(_, value)| holds_a_verdict(value))
        }
        Node::List(items) => items.iter().any(holds_a_verdict),
        Node::Text(text) => {
            let inner = text.trim_start().starts_with('{').then(|| serde_json::from_str(text));
            inner.and_then(Result::ok).is_some_and(|inner: Node| is_about_a_verdict(&inner))
        }
        _ => false,
    }
}

/// Whether a text is one JSON text that encodes an object about a verdict.
pub(super) fn is_encoded(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('"') && serde_json::from_str(text).is_ok_and(|node| holds_a_verdict(&node))
}

/// Every verdict that an object states, fitting or not.
pub(super) fn verdicts(node: &Node) -> impl Iterator<Item = PushVerdict> {
    node.all("verdict").filter_map(|value| match value {
        Node::Text(word) => PushVerdict::of_word(word),
        _ => None,
    })
}

impl Object {
    /// Reads an object.
    pub(super) fn new(node: &Node) -> Result<Self, Fault> {
        if let Some(key) = node.twice() {
            return Err(Fault::Twice { key: quoted(key) });
        }
        let own_verdict = verdict(node)?;
        let scores = match scores(node) {
            // Who cannot tell gives no scores.
            Err(Fault::NoScore(_)) if own_verdict == Some(PushVerdict::Undetermined) => None,
            scores => Some(scores?),
        };
        Ok(Self {
            scores,
            own_verdict,
            findings: findings(node.get("findings"))?,
            suggestions: suggestions(node.get("revision_suggestions"))?,
        })
    }
}

fn verdict(node: &Node) -> Result<Option<PushVerdict>, Fault> {
    if !node.has("verdict") {
        return Ok(None);
    }
    let Some(Node::Text(word)) = node.get("verdict") else {
        return Err(Fault::WrongType("verdict"));
    };
    match PushVerdict::of_word(word) {
        Some(verdict) => Ok(Some(verdict)),
        None => Err(Fault::UnknownVerdict { written: quoted(word) }),
    }
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

fn findings(value: Option<&Node>) -> Result<String, Fault> {
    match value {
        None => Ok(String::new()),
        Some(Node::Text(text)) => Ok(short(text)),
        Some(Node::List(items)) => {
            let texts = items.iter().map(text).collect::<Option<Vec<_>>>();
            Ok(short(&texts.ok_or(Fault::WrongType("findings"))?.join("\n")))
        }
        Some(_) => Err(Fault::WrongType("findings")),
    }
}

fn suggestions(value: Option<&Node>) -> Result<Vec<String>, Fault> {
    let items = match value {
        None => return Ok(Vec::new()),
        Some(Node::List(items)) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    let texts = items.iter().take(MOST_SUGGESTIONS).map(text);
    let texts =
        texts.collect::<Option<Vec<_>>>().ok_or(Fault::WrongType("revision_suggestions"))?;
    Ok(texts.iter().map(|text| short(text)).filter(|text| !text.trim().is_empty()).collect())
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
