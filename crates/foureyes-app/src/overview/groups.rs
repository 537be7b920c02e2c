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

/// What logs have in the place of a model where a person decides.
const PERSON: &str = "human";

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
        let mut all: Vec<(&Option<String>, &Sums)> = names.iter().collect();
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

impl GroupRow {
    /// Whether it is a judge that has this name: who decides or picks is none.
    pub fn is_judge(&self) -> bool {
        let Sums { go, no_go, undetermined, .. } = self.part.sums;
        go + no_go + undetermined > 0 && self.name.as_deref() != Some(PERSON)
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
