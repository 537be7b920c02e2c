//! What an answer states against the content, in whatever form: what no later answer may take back.

use super::find::{self, Found};
use super::node::Node;
use super::object::{self, Object};
use crate::engine::rubric::Rubric;
use crate::engine::verdict::{Kind, Verdict};
use std::ops::Range;

/// The strictest verdict against the content that stands in a text: in an object with the call word or
/// without, whole or broken, inside another one, or as the bare word of an answer without any object.
pub(super) fn strictest<V: Verdict>(
    kind: &Kind<V>,
    text: &str,
    found: &[(Range<usize>, Found)],
    rubric: &Rubric,
) -> Option<V> {
    let mut all: Vec<V> = Vec::new();
    for (span, one) in found {
        match one {
            Found::Whole { node } | Found::Around { node } => inside(kind, node, rubric, &mut all),
            Found::Broken { .. } => {
                let rest = text.get(span.start..).unwrap_or_default();
                all.extend(find::verdict_in(kind, rest));
            }
        }
    }
    if found.is_empty() {
        match serde_json::from_str::<Node>(text.trim()) {
            Ok(node) => inside(kind, &node, rubric, &mut all),
            Err(_) => all.extend(bare(kind, text)),
        }
    }
    all.into_iter().filter(|verdict| verdict.fails()).max_by_key(|verdict| verdict.strictness())
}

/// The stricter of two.
pub(super) fn stricter<V: Verdict>(a: Option<V>, b: Option<V>) -> Option<V> {
    [a, b].into_iter().flatten().max_by_key(|verdict| verdict.strictness())
}

/// All verdicts that a value states, by word or by scores, at any depth.
fn inside<V: Verdict>(kind: &Kind<V>, node: &Node, rubric: &Rubric, all: &mut Vec<V>) {
    match node {
        Node::Object(members) => {
            if object::is_about_a_verdict(node) {
                all.extend(object::verdicts(kind, node));
                let scores = Object::new(kind, node).ok().and_then(|object| object.scores);
                all.extend(scores.map(|scores| V::by_rule(rubric, &scores)));
            }
            members.iter().for_each(|(_, value)| inside(kind, value, rubric, all));
        }
        Node::List(items) => items.iter().for_each(|item| inside(kind, item, rubric, all)),
        Node::Text(text) if text.trim_start().starts_with('{') => {
            if let Ok(node) = serde_json::from_str::<Node>(text) {
                inside(kind, &node, rubric, all);
            }
        }
        _ => {}
    }
}

/// The verdict of an answer in prose that begins with its word, or names it as its verdict.
fn bare<V: Verdict>(kind: &Kind<V>, text: &str) -> Option<V> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let after = |from: &str| {
        let lower = text.to_ascii_lowercase();
        lower.find(from).and_then(|at| text.get(at + from.len()..))
    };
    [Some(text), after("verdict"), after("final answer")].into_iter().flatten().find_map(|text| {
        let text = text.trim_start_matches(is_mark);
        let text = text.strip_prefix("is ").unwrap_or(text).trim_start_matches(is_mark);
        kind.all_words().find_map(|word| {
            let begins = text.get(..word.len()).and_then(|begin| kind.verdict_in_answer(begin));
            let ends =
                text.get(word.len()..).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            begins.filter(|_| ends)
        })
    })
}
