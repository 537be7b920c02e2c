//! How a field of a record is shown, wherever it is shown.

use super::{Improvement, PreviousRound, Record, Usage};
use crate::domain::{Cause, Dimension, Family, Origin, Outcome, RecordId, Scores, Timestamp};
use serde_json::{Map, Value as Json};

/// What changes a text in place.
pub type Edit<'e> = &'e mut dyn FnMut(&mut String);

/// Where documents and screens put a field. Inside a section fields keep the order of
/// [`Record::FIELDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Part of every title: what it is, when, and where it came from.
    Identity,
    /// As written in the log, where that differs from what was read from it.
    AsWritten,
    /// Why there is no decision.
    Cause,
    /// What was judged, and by whom.
    Subject,
    /// Scores, and what is wrong with them.
    Scores,
    /// Texts of several lines, in full.
    Findings,
    /// The rest that has a name.
    Details,
    /// Fields of the log that have no name here.
    Extra,
}

/// One field of a record: a row of [`Record::FIELDS`].
pub struct Field {
    /// Name in JSON and, unless it spreads over several columns, in CSV.
    pub name: &'static str,
    /// Name for people; at most ten characters where the record pane shows it.
    pub label: &'static str,
    /// Where it is shown.
    pub section: Section,
    pub(super) value: fn(&Record) -> Value<'_>,
    pub(super) texts: fn(&mut Record, Edit<'_>),
}

impl Field {
    /// What a record holds in it.
    pub fn value<'r>(&self, record: &'r Record) -> Value<'r> {
        (self.value)(record)
    }

    /// Passes each text that came from outside to `edit`: lists item by item.
    pub fn edit_texts(&self, record: &mut Record, edit: Edit<'_>) {
        (self.texts)(record, edit);
    }
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'r> {
    /// The record does not say; an empty list says nothing either.
    Absent,
    /// A text from outside, which may be hostile.
    Text(&'r str),
    /// Texts from outside.
    Texts(&'r [String]),
    /// A word of this program.
    Word(&'static str),
    /// The content hash.
    Id(RecordId),
    /// A time that could be read.
    Time(Timestamp),
    /// A number as written.
    Number(f32),
    /// A count, or milliseconds where the name of the field ends in `_ms`.
    Count(u64),
    /// Whether it is so.
    Flag(bool),
    /// Dimensions of the rubric.
    Dimensions(&'r [Dimension]),
    /// One score a dimension.
    Scores(&'r Scores),
    /// What to improve.
    Improvements(&'r [Improvement]),
    /// Earlier rounds of a task run.
    Rounds(&'r [PreviousRound]),
    /// Tokens.
    Usage(Usage),
    /// Places in logs.
    Origins(&'r [Origin]),
    /// Fields without a name here.
    Extra(&'r Map<String, Json>),
}

/// A type that a field of a record may have.
pub(super) trait Content {
    fn value(&self) -> Value<'_>;

    /// Passes on each text that came from outside. No text by default, so that a type with texts has
    /// to implement it: [`Value::Text`] and its like are only made by types that do.
    fn edit_texts(&mut self, _edit: Edit<'_>) {}
}

impl<T: Content> Content for Option<T> {
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Absent, T::value)
    }

    fn edit_texts(&mut self, edit: Edit<'_>) {
        if let Some(content) = self {
            content.edit_texts(edit);
        }
    }
}

impl Content for String {
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }

    fn edit_texts(&mut self, edit: Edit<'_>) {
        edit(self);
    }
}

impl Content for Vec<String> {
    fn value(&self) -> Value<'_> {
        if self.is_empty() { Value::Absent } else { Value::Texts(self) }
    }

    fn edit_texts(&mut self, edit: Edit<'_>) {
        self.iter_mut().for_each(edit);
    }
}

impl Content for Vec<Dimension> {
    fn value(&self) -> Value<'_> {
        if self.is_empty() { Value::Absent } else { Value::Dimensions(self) }
    }
}

impl Content for Vec<Improvement> {
    fn value(&self) -> Value<'_> {
        if self.is_empty() { Value::Absent } else { Value::Improvements(self) }
    }

    fn edit_texts(&mut self, edit: Edit<'_>) {
        for Improvement { dimension, location, issue, suggestion } in self {
            [dimension, location, issue, suggestion].into_iter().flatten().for_each(&mut *edit);
        }
    }
}

impl Content for Vec<PreviousRound> {
    fn value(&self) -> Value<'_> {
        if self.is_empty() { Value::Absent } else { Value::Rounds(self) }
    }

    fn edit_texts(&mut self, edit: Edit<'_>) {
        self.iter_mut().for_each(|PreviousRound(fields)| fields.edit_texts(edit));
    }
}

impl Content for Vec<Origin> {
    fn value(&self) -> Value<'_> {
        if self.is_empty() { Value::Absent } else { Value::Origins(self) }
    }

    fn edit_texts(&mut self, edit: Edit<'_>) {
        for Origin { box_name, file, line: _, byte: _, len: _ } in self {
            edit(box_name);
            edit(file);
        }
    }
}

impl Content for Map<String, Json> {
    fn value(&self) -> Value<'_> {
        if self.is_empty() { Value::Absent } else { Value::Extra(self) }
    }

    /// Names are texts as well, so the map is built anew.
    fn edit_texts(&mut self, edit: Edit<'_>) {
        for (mut name, mut json) in std::mem::take(self) {
            edit(&mut name);
            edit_json(&mut json, edit);
            // Two names that are masked alike must not become one field.
            while self.contains_key(&name) {
                name.push('\'');
            }
            self.insert(name, json);
        }
    }
}

fn edit_json(json: &mut Json, edit: Edit<'_>) {
    match json {
        Json::String(text) => edit(text),
        Json::Array(items) => items.iter_mut().for_each(|item| edit_json(item, edit)),
        Json::Object(fields) => fields.edit_texts(edit),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

impl Content for RecordId {
    fn value(&self) -> Value<'_> {
        Value::Id(*self)
    }
}

impl Content for Timestamp {
    fn value(&self) -> Value<'_> {
        Value::Time(*self)
    }
}

impl Content for Family {
    fn value(&self) -> Value<'_> {
        Value::Word(self.as_str())
    }
}

impl Content for Outcome {
    fn value(&self) -> Value<'_> {
        Value::Word(self.as_str())
    }
}

impl Content for Cause {
    fn value(&self) -> Value<'_> {
        Value::Word(self.as_str())
    }
}

impl Content for f32 {
    fn value(&self) -> Value<'_> {
        Value::Number(*self)
    }
}

impl Content for u64 {
    fn value(&self) -> Value<'_> {
        Value::Count(*self)
    }
}

impl Content for bool {
    fn value(&self) -> Value<'_> {
        Value::Flag(*self)
    }
}

impl Content for Scores {
    fn value(&self) -> Value<'_> {
        Value::Scores(self)
    }
}

impl Content for Usage {
    fn value(&self) -> Value<'_> {
        Value::Usage(*self)
    }
}
