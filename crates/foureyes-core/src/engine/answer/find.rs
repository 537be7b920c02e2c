//! Objects in a text of whatever kind.

use super::Fault;
use super::node::Node;
use super::object::{self, About};
use crate::engine::verdict::{Kind, Verdict};
use std::ops::Range;

/// Most braces of a text that are tried from its beginning.
const MOST_TRIES: usize = 10_000;
/// Braces before the last call word that are tried where a text has more than that.
const LAST_TRIES: usize = 64;

/// What stands where an object begins.
#[derive(Debug)]
pub(super) enum Found {
    /// A whole object that is one.
    Whole { node: Node },
    /// A whole object that is not, and has one that is inside it.
    Around { node: Node },
    /// The beginning of an object that has no right end.
    Broken { fault: Fault },
}

/// How far a broken object is searched for its verdict, in bytes.
const NEAR: usize = 16 << 10;

/// The objects that an answer is to have in a text, none inside another, and all that are broken.
/// Of a text with too many braces those at its beginning, and those next to the last call word.
pub(super) fn find(text: &str, call: &str, is_about: About) -> Vec<(Range<usize>, Found)> {
    let mut scan = Scan { text, is_about, at: 0, found: Vec::new() };
    if scan.go(MOST_TRIES) {
        return scan.found;
    }
    let broken = Found::Broken { fault: Fault::Garbled };
    scan.found.push((scan.at..scan.at, broken));
    if let Some(last) = text.rfind(call).filter(|last| !call.is_empty() && *last > scan.at) {
        let before = text.get(scan.at..last).unwrap_or_default();
        let nearest = before.rmatch_indices('{').take(LAST_TRIES).last();
        scan.at += nearest.map_or(before.len(), |(at, _)| at);
        scan.go(LAST_TRIES);
    }
    scan.found
}

struct Scan<'a> {
    text: &'a str,
    is_about: About,
    at: usize,
    found: Vec<(Range<usize>, Found)>,
}

impl Scan<'_> {
    /// Tries so many braces; tells whether those were all.
    fn go(&mut self, tries: usize) -> bool {
        let text = self.text;
        for _ in 0..tries {
            let rest = text.get(self.at..).unwrap_or_default();
            let Some(open) = rest.find('{').map(|i| self.at + i) else { return true };
            let rest = text.get(open..).unwrap_or_default();
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Node>();
            self.at = match values.next() {
                Some(Ok(node)) => {
                    let end = open + values.byte_offset();
                    if (self.is_about)(&node) {
                        self.found.push((open..end, Found::Whole { node }));
                    } else if object::holds(&node, self.is_about) {
                        self.found.push((open..end, Found::Around { node }));
                    }
                    end
                }
                Some(Err(error)) if looks_like_an_object(rest) => {
                    let fault = if error.is_eof() { Fault::Torn } else { Fault::Garbled };
                    self.found.push((open..open + 1, Found::Broken { fault }));
                    open + 1
                }
                _ => open + 1,
            };
        }
        !text.get(self.at..).unwrap_or_default().contains('{')
    }
}

/// Whether what begins with a brace goes on as a JSON object with a key.
fn looks_like_an_object(text: &str) -> bool {
    text.get(1..).is_some_and(|rest| rest.trim_start().starts_with('"'))
}

/// The first verdict that a broken object states near its beginning.
pub(super) fn verdict_in<V: Verdict>(kind: &Kind<V>, text: &str) -> Option<V> {
    let text = text.get(..text.floor_char_boundary(NEAR)).unwrap_or_default();
    let after = text.split_once("\"verdict\"")?.1.trim_start().strip_prefix(':')?;
    let word = after.trim_start().strip_prefix('"')?.split('"').next()?;
    kind.verdict_in_answer(word)
}
