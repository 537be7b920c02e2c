//! All rows, found by key or by name.

use super::{Capability, EvaluationUnit, Instrument, push, task};
use crate::domain::{Family, JudgementKind};

/// A row for each key, in the order of the keys.
pub const INSTRUMENTS: [&Instrument; JudgementKind::ALL.len()] = [&push::ROW, &task::ROW];

// Each row is in the place of its key, so that a key finds its own, and codes have no gap.
const _: () = {
    let mut at = 0;
    while at < INSTRUMENTS.len() {
        assert!(INSTRUMENTS[at].kind.place() == at, "a row is in another one's place");
        at += 1;
    }
};

impl JudgementKind {
    /// All that it differs in from others.
    pub const fn instrument(self) -> &'static Instrument {
        INSTRUMENTS[self.place()]
    }

    /// Its name in documents, in filters and on the command line.
    pub const fn as_str(self) -> &'static str {
        self.instrument().name
    }

    /// Finds a family by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The option that names it on the command line, with a blank before it; empty for pushes, which are
    /// meant where nothing is named.
    pub const fn option(self) -> &'static str {
        self.instrument().option
    }

    /// What is judged, in the plural: `pushes`.
    pub const fn plural(self) -> &'static str {
        self.instrument().wording.plural
    }

    /// The filter for its records.
    pub const fn filter(self) -> &'static str {
        self.instrument().filter
    }

    /// What its evaluations are called: `push evaluations`.
    pub const fn evaluations(self) -> &'static str {
        self.instrument().wording.evaluations
    }

    /// Which family is meant, after a preposition and with a blank before it: ` of tasks`; empty for the one
    /// that is meant where none is named.
    pub fn suffix(self, preposition: &str) -> String {
        if self.is_default() {
            return String::new();
        }
        format!(" {preposition} {}", self.plural())
    }

    /// Whether it has what only some families have.
    pub fn has(self, capability: Capability) -> bool {
        self.instrument().capabilities.contains(&capability)
    }

    /// Whether its evaluations are runs of rounds, of which the last one counts.
    pub fn has_rounds(self) -> bool {
        self.instrument().unit == EvaluationUnit::Run
    }

    /// The families of record that hold its verdicts.
    pub fn families(self) -> impl Iterator<Item = Family> {
        self.instrument().records.iter().map(|vocabulary| vocabulary.family)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rows_are_those_that_ledgers_store() {
        for row in INSTRUMENTS {
            let stored = serde_json::to_value(row.kind).unwrap();
            assert_eq!(stored, row.name);
            assert_eq!(JudgementKind::from_name(row.name), Some(row.kind));
            assert_eq!(row.kind.instrument(), row);
        }
        assert_eq!(JudgementKind::from_name("pushes"), None);
    }

    #[test]
    fn only_the_first_is_meant_where_none_is_named() {
        for row in INSTRUMENTS {
            let option = format!(" --family {}", row.name);
            let expected = if row.kind.is_default() { "" } else { &option };
            assert_eq!(row.option, expected);
            assert_eq!(row.kind.suffix("of").is_empty(), row.option.is_empty());
        }
        assert_eq!(JudgementKind::Task.suffix("for"), " for tasks");
    }

    #[test]
    fn kinds_of_entries_are_of_one_row() {
        let kinds = INSTRUMENTS.iter().flat_map(|row| {
            let e = &row.entries;
            [e.window, e.window_undo, e.window_addition, e.policy, e.rate, e.look, e.mode]
        });
        let all: Vec<_> = kinds.collect();
        let each: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(each.len(), all.len(), "{all:?}");
    }
}
