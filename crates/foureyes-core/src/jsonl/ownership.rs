//! Which objects are records of a judge, and which are lines of other programs.
//!
//! Builds, linters and traces lie beside verdicts, and share keys with them: a commit alone is no verdict on it.

use super::canonical::{members, text};
use super::fields::Field;
use super::scan::{Kind, Tape};
use crate::domain::{PICK_SCHEMA, PROMPT_SCHEMA, PUSH_SCHEMA, RecordId, TASK_SCHEMA};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// Whose an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ownership {
    /// A record.
    Ours,
    /// A record only where somebody says so: it has a key that records have, too.
    Named,
    /// Of another program.
    Foreign,
}

/// Schemas of records, without their version.
const SCHEMAS: [&str; 4] = [PUSH_SCHEMA, TASK_SCHEMA, PICK_SCHEMA, PROMPT_SCHEMA];
/// What a verdict is of.
const SUBJECTS: [Field; 2] = [Field::Commit, Field::TaskId];
/// What only a judge writes, or who answers one. Linters and builds have findings, authors and times, too.
const OF_JUDGES: [Field; 5] =
    [Field::JudgeModel, Field::JudgeTier, Field::Scores, Field::Files, Field::HumanOverride];

/// Whose an object is that has these fields, whatever their values, and this schema.
pub(super) fn of(has: impl Fn(Field) -> bool, schema: Option<&str>) -> Ownership {
    let any = |fields: &[Field]| fields.iter().any(|field| has(*field));
    let own_schema = schema.is_some_and(|name| SCHEMAS.iter().any(|own| name.starts_with(own)));
    let (subject, judged) = (any(&SUBJECTS), any(&OF_JUDGES));
    match own_schema || has(Field::Verdict) || subject && judged {
        true => Ownership::Ours,
        false if subject || judged => Ownership::Named,
        false => Ownership::Foreign,
    }
}

/// Whether an object is a record by the keys that it has, each of them as often as it comes.
pub(super) fn of_keys(tape: &Tape, source: &str) -> bool {
    is_ours(tape, source, &[])
}

/// Whether it would be one also without a verdict.
pub(super) fn without_verdict(tape: &Tape, source: &str) -> bool {
    is_ours(tape, source, &[Field::Verdict])
}

fn is_ours(tape: &Tape, source: &str, but: &[Field]) -> bool {
    let node = |at: usize| tape.nodes.get(at);
    let all = || members(tape, 0).filter_map(|(key, value)| Some((node(key)?, node(value)?)));
    let field = |key| Field::from_key(&text(source, key));
    let has = |wanted| !but.contains(&wanted) && all().any(|(key, _)| field(key) == wanted);
    let is_text = |kind| matches!(kind, Kind::Plain | Kind::Escaped);
    let schemas = all().filter(|(key, value)| field(key) == Field::Schema && is_text(value.kind));
    let is_ours = |schema: Option<&str>| of(has, schema) == Ownership::Ours;
    is_ours(None) || schemas.map(|(_, value)| text(source, value)).any(|name| is_ours(Some(&name)))
}

/// Finds the records that are named somewhere.
type Find = Box<dyn FnOnce() -> HashSet<RecordId> + Send>;

/// Records that entries of ledgers name. A line that is none by its keys is one where it is among them: it was
/// read as one when the entry was made. They are looked for when the first such line is met.
#[derive(Clone, Default)]
pub struct Named(Option<Arc<LazyLock<HashSet<RecordId>, Find>>>);

impl Named {
    /// Those that `find` gives.
    pub fn new(find: impl FnOnce() -> HashSet<RecordId> + Send + 'static) -> Self {
        Self(Some(Arc::new(LazyLock::new(Box::new(find)))))
    }

    /// Whether a record is one of them.
    pub fn has(&self, id: RecordId) -> bool {
        self.0.as_ref().is_some_and(|ids| ids.contains(&id))
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = RecordId> + '_ {
        self.0.iter().flat_map(|ids| ids.iter().copied())
    }
}

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").finish_non_exhaustive()
    }
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (one, two) => one.is_none() && two.is_none(),
        }
    }
}

impl Eq for Named {}

#[cfg(test)]
mod tests;
