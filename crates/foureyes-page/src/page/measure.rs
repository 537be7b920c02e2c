//! A number with its interval and its threshold.

use super::gauge::Gauge;
use super::row::{Focus, Part, Row};
use super::{Ours, Sign, Text};

/// A number that is compared with a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Where the cursor can be on it.
    pub focus: Focus,
    /// Its name: `false positive rate`.
    pub name: &'static str,
    /// Its name in formulas, in capitals: `FPR`; empty where it has none that people know.
    pub symbol: Ours,
    /// What was found of it, in a sign and words; `None` where nothing is decided by it here.
    pub result: Option<(Sign, Text)>,
    /// The estimate with its unit, or that there is none.
    pub estimate: Text,
    /// What the estimate is made of: counts that lead to their records.
    pub counts: Vec<Part>,
    /// The interval with its unit; empty where there is none.
    pub interval: Text,
    /// The threshold with its unit.
    pub threshold: Text,
    /// The same numbers on a scale.
    pub gauge: Gauge,
    /// Why there is no estimate, or what else must be known of it.
    pub below: Vec<Row>,
    /// How much of it a console shows.
    pub detail: Detail,
}

/// How much of a measure a console shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Its numbers, its scale, and what else must be known of it.
    #[default]
    All,
    /// Its numbers and its scale, on one row where there is room.
    Row,
    /// Its numbers below heads; the rest once it is unfolded.
    Folded,
}
