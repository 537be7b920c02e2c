//! Some of the records, what is counted of them, and the filter that finds them.

use super::what::{What, query};
use crate::domain::Dimension;
use crate::frame::grid::{Scored, Sums};
use crate::frame::query::{Node, Query};
use crate::frame::trend::{Estimate, Rate};
use serde::{Serialize, Serializer};

/// A count and the filter for its records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// So many records.
    pub count: u64,
    /// The filter that matches just these in the window of the document.
    #[serde(serialize_with = "text")]
    pub query: Query,
}

/// Some of the records of the window: those of a day, a box, a judge.
///
/// In JSON the filter for one of its counts is `query`, a space, and the entry of
/// [`super::Breakdowns::filters`] for that count; here it is [`Part::figure`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// The filter for its records. It may hold hostile text: escape it on output.
    #[serde(serialize_with = "text")]
    pub query: Query,
    /// What is counted of them.
    #[serde(flatten)]
    pub sums: Sums,
}

impl Part {
    pub(super) fn new(place: Vec<Node>, sums: Sums) -> Self {
        Self { query: query(place), sums }
    }

    /// One of its counts with the filter for it.
    pub fn figure(&self, what: What) -> Figure {
        let mut nodes = match self.query.root() {
            Node::All => Vec::new(),
            Node::And(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        nodes.extend(what.nodes());
        Figure { count: self.count(what), query: query(nodes) }
    }

    /// One of its counts.
    pub fn count(&self, what: What) -> u64 {
        let sums = &self.sums;
        match what {
            What::Records => sums.records,
            What::Go => sums.go,
            What::NoGo => sums.no_go,
            What::Undetermined => sums.undetermined,
            What::Overrides => sums.overrides,
            What::Memories => sums.memories,
            What::Bypassed => sums.bypassed,
            What::Flagged => sums.flagged,
            What::Repeats => sums.repeats,
            What::Units => sums.units,
            What::UnitGo => sums.unit_go,
            What::UnitNoGo => sums.unit_no_go,
            What::UnitUndetermined => sums.unit_undetermined,
            What::UnitFlagged => sums.unit_no_go + sums.unit_undetermined,
            What::Scored(dimension) => self.scored(dimension).n,
        }
    }

    /// GO among the units.
    pub fn go_rate(&self) -> Rate {
        Rate::new(self.sums.unit_go, self.sums.units)
    }

    /// NO-GO among the units.
    pub fn no_go_rate(&self) -> Rate {
        Rate::new(self.sums.unit_no_go, self.sums.units)
    }

    /// UNDETERMINED among the units.
    pub fn undetermined_rate(&self) -> Rate {
        Rate::new(self.sums.unit_undetermined, self.sums.units)
    }

    /// Mean score of a dimension over the units that carry one.
    pub fn mean(&self, dimension: Dimension) -> Estimate {
        let scored = self.scored(dimension);
        Estimate { estimate: scored.mean(), n: scored.n }
    }

    /// Tells whether nothing stands here, not even a record that is counted elsewhere: a box that
    /// says nothing at all, where its hook may be dead.
    pub fn is_silent(&self) -> bool {
        self.sums.records == 0 && self.sums.doubles == 0
    }

    fn scored(&self, dimension: Dimension) -> Scored {
        let all = Dimension::ALL.into_iter().zip(self.sums.scores);
        all.filter(|(d, _)| *d == dimension).map(|(_, s)| s).next().unwrap_or_default()
    }
}

/// Writes a filter as its text.
pub(super) fn text<S: Serializer>(query: &Query, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(query)
}
