//! What a judge wants changed, as a record lists it.

use super::Draft;
use super::fields::Field;
use super::scan::Kind;
use crate::domain::Improvement;

impl Draft<'_> {
    pub(super) fn improvements(&self) -> Vec<Improvement> {
        let field = if self.reading.node(Field::Suggestions).is_some() {
            Field::Suggestions
        } else {
            Field::Improvements
        };
        self.list(field).filter_map(|node| self.improvement(node)).collect()
    }

    fn improvement(&self, node: usize) -> Option<Improvement> {
        if self.kind(node) != Some(Kind::Object) {
            let issue = self.reading.text_at(node)?.into_owned();
            return Some(Improvement { issue: Some(issue), ..Improvement::default() });
        }
        let part = |key| {
            let node = self.reading.member(node, key)?;
            Some(self.reading.text_at(node)?.into_owned())
        };
        let read = Improvement {
            dimension: part("dimension"),
            location: part("location"),
            issue: part("issue"),
            suggestion: part("suggestion"),
        };
        if read != Improvement::default() {
            return Some(read);
        }
        let whole = self.reading.text_at(node)?.into_owned();
        Some(Improvement { issue: Some(whole), ..Improvement::default() })
    }
}
