//! The busiest judges, authors, paths and terms.

use super::part::Part;
use crate::domain::Dimension;
use crate::frame::grid::{Names, Sums};
use crate::frame::query::{Match, Node, Term, TextField};
use crate::frame::trend::{Estimate, Rate};
use serde::Serialize;
use std::cmp::Reverse;

/// Most names of a table.
pub const MOST: usize = 12;

/// A table of the names with most units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Groups {
    /// At most [`MOST`] names with most units first, then records that have none.
    pub rows: Vec<GroupRow>,
    /// What the table leaves out.
    pub rest: Rest,
}

/// One name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupRow {
    /// The name; `None` where the records have none. Hostile: escape it on output.
    pub name: Option<String>,
    /// Its records. The filter of a name of several kilobytes is longer than a typed one may be.
    #[serde(flatten)]
    pub part: Part,
    /// GO among its units.
    pub go_rate: Rate,
    /// Mean scores of its units, in the order of [`Dimension::ALL`].
    pub means: [Estimate; 3],
}

/// What a table leaves out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rest {
    /// So many names.
    pub groups: u64,
    /// Their units; of paths and terms, one in several counts in each.
    pub units: u64,
    /// Their records, likewise.
    pub records: u64,
}

/// What the names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Judge,
    Author,
    Path,
    Term,
}

impl Groups {
    pub(super) fn new(kind: Kind, names: &Names) -> Self {
        // Who decides or picks is no judge.
        let is_judge = |name: &Option<String>, sums: &Sums| {
            kind != Kind::Judge || name.is_none() || sums.overrides + sums.memories < sums.records
        };
        let all = names.iter().filter(|(name, sums)| is_judge(name, sums));
        let mut all: Vec<(&Option<String>, &Sums)> = all.collect();
        all.sort_unstable_by_key(|(name, sums)| {
            (name.is_none(), Reverse(sums.units), Reverse(sums.records), *name)
        });
        let named = all.iter().filter(|(name, _)| name.is_some()).count();
        let (shown, rest) = (named.min(MOST), named.saturating_sub(MOST));
        let left_out = || all.iter().skip(shown).take(rest);
        let rest = Rest {
            groups: rest as u64,
            units: left_out().map(|(_, s)| s.units).sum(),
            records: left_out().map(|(_, s)| s.records).sum(),
        };
        let rows = all.iter().take(shown).chain(all.iter().skip(named));
        Self { rows: rows.map(|(name, sums)| kind.row(name.as_deref(), **sums)).collect(), rest }
    }
}

impl Kind {
    fn row(self, name: Option<&str>, sums: Sums) -> GroupRow {
        let part = Part::new(vec![self.node(name)], sums);
        GroupRow {
            name: name.map(str::to_owned),
            go_rate: part.go_rate(),
            means: Dimension::ALL.map(|d| part.mean(d)),
            part,
        }
    }

    fn node(self, name: Option<&str>) -> Node {
        let (field, how) = match self {
            Self::Judge => (TextField::Judge, Match::Exact),
            Self::Author => (TextField::Author, Match::Exact),
            Self::Path => (TextField::Path, Match::Loose),
            Self::Term => (TextField::Terms, Match::Loose),
        };
        match name {
            Some(name) => Node::Term(Term::Text(field, how, name.to_owned())),
            None => Node::Not(Box::new(Node::Term(Term::Has(field)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_decides_is_no_judge() {
        let decided = Sums { records: 2, overrides: 2, ..Sums::default() };
        let judged = Sums { records: 2, overrides: 1, units: 1, ..Sums::default() };
        let named = |name: &str, sums| (Some(name.to_owned()), sums);
        let names = Names::from([named("human", decided), named("a", judged), (None, decided)]);
        let rows = |kind| {
            let groups = Groups::new(kind, &names);
            let names = groups.rows.into_iter().map(|row| row.name.unwrap_or_default());
            (names.collect::<Vec<_>>(), groups.rest.groups)
        };
        assert_eq!(rows(Kind::Judge), (vec!["a".to_owned(), String::new()], 0));
        assert_eq!(rows(Kind::Author).0.len(), 3);
    }
}
