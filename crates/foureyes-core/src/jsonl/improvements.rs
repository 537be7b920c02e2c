//! What a judge wants changed, as a record lists it.

use super::Draft;
use super::fields::Field;
use super::scan::Kind;
use crate::domain::Improvement;
use std::borrow::Cow;

type Text<'a> = Option<Cow<'a, str>>;

impl<'a> Draft<'a> {
    pub(super) fn improvements(&self) -> Vec<Improvement> {
        let own = |part: Text<'a>| part.map(Cow::into_owned);
        let improvement = |[dimension, location, issue, suggestion]: [Text<'a>; 4]| Improvement {
            dimension: own(dimension),
            location: own(location),
            issue: own(issue),
            suggestion: own(suggestion),
        };
        self.parts_of_improvements().map(improvement).collect()
    }

    /// What [`Improvement::words`] gives of each.
    pub(super) fn words_of_improvements(&self) -> impl Iterator<Item = Cow<'a, str>> + '_ {
        let words =
            |[dimension, _, issue, suggestion]: [Text<'a>; 4]| [dimension, issue, suggestion];
        self.parts_of_improvements().flat_map(words).flatten()
    }

    /// Dimension, location, issue and suggestion of each.
    fn parts_of_improvements(&self) -> impl Iterator<Item = [Text<'a>; 4]> + '_ {
        let field = if self.reading.node(Field::Suggestions).is_some() {
            Field::Suggestions
        } else {
            Field::Improvements
        };
        self.list(field).filter_map(|node| self.parts_of_improvement(node))
    }

    fn parts_of_improvement(&self, node: usize) -> Option<[Text<'a>; 4]> {
        let whole = || Some([None, None, Some(self.reading.text_at(node)?), None]);
        if self.kind(node) != Some(Kind::Object) {
            return whole();
        }
        let part = |key| self.reading.text_at(self.reading.member(node, key)?);
        let parts = ["dimension", "location", "issue", "suggestion"].map(part);
        if parts.iter().any(Option::is_some) { Some(parts) } else { whole() }
    }
}
