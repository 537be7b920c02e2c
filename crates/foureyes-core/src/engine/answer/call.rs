//! The call word: what tells the judge's own object from every other one.

use super::find::{Found, find};
use super::form::CALL;
use super::keep;
use super::node::Node;
use super::object::is_about_a_verdict;
use std::ops::Range;

/// Whether an object carries the word; not what is inside it.
pub(super) fn is_in(node: &Node, call: &str) -> bool {
    let same = |text: &String| text.trim().eq_ignore_ascii_case(call);
    !call.is_empty() && node.all(CALL).any(|value| matches!(value, Node::Text(text) if same(text)))
}

/// Where the word stands in an answer, and where whole objects with it begin. A text may be full of
/// broken objects, so nothing is searched for each.
pub(super) struct Places {
    words: Vec<usize>,
    own: Vec<usize>,
}

impl Places {
    pub(super) fn new(text: &str, found: &[(Range<usize>, Found)], call: &str) -> Self {
        let words = match call {
            "" => Vec::new(),
            call => text.match_indices(call).map(|(at, _)| at).collect(),
        };
        let own = |(span, one): &(Range<usize>, Found)| match one {
            Found::Whole { node } => is_in(node, call).then_some(span.start),
            _ => None,
        };
        Self { words, own: found.iter().filter_map(own).collect() }
    }

    /// Whether a broken object that begins here carries the word: before the next whole object
    /// that does.
    pub(super) fn is_in_broken(&self, start: usize) -> bool {
        let next =
            |places: &[usize]| places.get(places.partition_point(|place| *place < start)).copied();
        next(&self.words).is_some_and(|word| next(&self.own).is_none_or(|own| word < own))
    }
}

/// Whether an object is one of an answer, of whatever kind.
fn is_about_an_answer(node: &Node) -> bool {
    is_about_a_verdict(node) || keep::is_about(node)
}

/// An answer whose objects of its own carry the word, as a judge would write it: for providers
/// that answer from a file. An object that has the key already stays as it is.
pub fn with_call(text: &str, call: &str) -> String {
    let (mut out, mut at, mut broken) = (String::with_capacity(text.len() + 40), 0, false);
    for (span, found) in find(text, "", is_about_an_answer) {
        broken |= matches!(found, Found::Broken { .. });
        let has = match &found {
            // Beside a broken object, scores without a verdict may be a part of it.
            Found::Whole { node } => node.has(CALL) || (broken && !node.has("verdict")),
            Found::Broken { .. } => span.is_empty() || text.contains(&format!("\"{CALL}\"")),
            Found::Around { .. } => true,
        };
        if has {
            continue;
        }
        let open = span.start + 1;
        out.push_str(text.get(at..open).unwrap_or_default());
        out.push_str(&format!("\"{CALL}\":\"{call}\","));
        at = open;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
