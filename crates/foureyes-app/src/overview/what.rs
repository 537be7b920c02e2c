//! What can be counted, and the filter that finds it.

use crate::domain::{Cause, Dimension, Family, JudgementKind, Measure, Outcome, Threshold};
use crate::frame::query::{CauseTest, Match, Node, Query, Term, Test, TextField};

/// A count of [`super::Sums`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum What {
    /// Distinct records of all families.
    Records,
    /// Evaluations of all families that said GO.
    Go,
    /// Evaluations of all families that said NO-GO.
    NoGo,
    /// Evaluations of all families that are UNDETERMINED, bypasses among them.
    Undetermined,
    /// Overrides.
    Overrides,
    /// Picks of memories and their prompts.
    Memories,
    /// Bypasses.
    Bypassed,
    /// NO-GO and UNDETERMINED of all families by a judge.
    Flagged,
    /// Push evaluations that a later one repeats, and verdicts on a part of another commit's NO-GO.
    Repeats,
    /// Units of the KPIs.
    Units,
    /// Units that said GO.
    UnitGo,
    /// Units that said NO-GO.
    UnitNoGo,
    /// Units that are UNDETERMINED.
    UnitUndetermined,
    /// Units that a person should look at: NO-GO and UNDETERMINED.
    UnitFlagged,
    /// Units with a score of 1 to 5 in that dimension.
    Scored(Dimension),
}

impl What {
    /// All that the sums have a field for.
    pub const ALL: [Self; 16] = [
        Self::Records,
        Self::Go,
        Self::NoGo,
        Self::Undetermined,
        Self::Overrides,
        Self::Memories,
        Self::Bypassed,
        Self::Flagged,
        Self::Repeats,
        Self::Units,
        Self::UnitGo,
        Self::UnitNoGo,
        Self::UnitUndetermined,
        Self::Scored(Dimension::Semantic),
        Self::Scored(Dimension::Pragmatic),
        Self::Scored(Dimension::Syntactic),
    ];

    /// The name of the count in JSON; of scores, the dimension.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Go => "go",
            Self::NoGo => "no_go",
            Self::Undetermined => "undetermined",
            Self::Overrides => "overrides",
            Self::Memories => "memories",
            Self::Bypassed => "bypassed",
            Self::Flagged => "flagged",
            Self::Repeats => "repeats",
            Self::Units => "units",
            Self::UnitGo => "unit_go",
            Self::UnitNoGo => "unit_no_go",
            Self::UnitUndetermined => "unit_undetermined",
            Self::UnitFlagged => "unit_flagged",
            Self::Scored(dimension) => dimension.as_str(),
        }
    }

    /// The filter for it over the whole window.
    pub fn filter(self) -> Query {
        query(self.nodes())
    }

    /// The conditions on its records, all of which hold.
    pub(super) fn nodes(self) -> Vec<Node> {
        let unit = |more| vec![EVALUATION, more];
        match self {
            Self::Records => Vec::new(),
            Self::Go => vec![with_outcome(Some(Outcome::Go))],
            Self::NoGo => vec![with_outcome(Some(Outcome::NoGo))],
            Self::Undetermined => vec![with_outcome(Some(Outcome::Undetermined))],
            Self::Overrides => vec![Node::Term(Term::Family(Family::Override))],
            Self::Memories => {
                let override_family = Node::Term(Term::Family(Family::Override));
                vec![with_outcome(None), Node::Not(Box::new(override_family))]
            }
            Self::Bypassed => vec![because(Cause::Bypassed)],
            Self::Flagged => vec![Node::Term(Term::Flagged)],
            Self::Repeats => {
                vec![Node::Term(Term::Family(Family::Push)), Node::Term(Term::Repeat(true))]
            }
            Self::Units => vec![EVALUATION],
            Self::UnitGo => unit(with_outcome(Some(Outcome::Go))),
            Self::UnitNoGo => unit(with_outcome(Some(Outcome::NoGo))),
            Self::UnitUndetermined => unit(with_outcome(Some(Outcome::Undetermined))),
            Self::UnitFlagged => unit(Node::Not(Box::new(with_outcome(Some(Outcome::Go))))),
            Self::Scored(dimension) => {
                unit(Node::Term(Term::Score(Some(dimension), Test::Between(1.0, 5.0))))
            }
        }
    }
}

/// The units of the KPIs.
pub(super) const EVALUATION: Node = Node::Term(Term::Evaluation(JudgementKind::DEFAULT));

pub(super) fn with_outcome(outcome: Option<Outcome>) -> Node {
    Node::Term(Term::Outcome(outcome))
}

fn because(cause: Cause) -> Node {
    Node::Term(Term::Cause(CauseTest::Is(cause)))
}

/// A filter of conditions that all hold.
pub(super) fn query(mut nodes: Vec<Node>) -> Query {
    Query::new(match (nodes.len(), nodes.pop()) {
        (_, None) => Node::All,
        (1, Some(only)) => only,
        (_, Some(last)) => {
            nodes.push(last);
            Node::And(nodes)
        }
    })
}

/// The filter for the records of a box, by its whole name.
pub fn of_box(name: &str) -> Query {
    query(vec![in_box(name)])
}

pub(super) fn in_box(name: &str) -> Node {
    Node::Term(Term::Text(TextField::Box, Match::Exact, name.to_owned()))
}

/// The filter for runs of tasks that wait for a person.
pub fn escalations() -> Query {
    query(vec![Node::Term(Term::Escalation)])
}

/// The filters for the numerator and the denominator of a family's KPI with some threshold over its
/// window; `None` where it has neither, since labels decide it.
pub fn kpi_filters(family: JudgementKind, threshold: Threshold) -> Option<(Query, Query)> {
    let evaluation = Node::Term(Term::Evaluation(family));
    let with = |more: Vec<Node>| query([evaluation.clone()].into_iter().chain(more).collect());
    let latency = |test| Node::Term(Term::Latency(test));
    let all = with(Vec::new());
    let of = |outcome| with(vec![with_outcome(Some(outcome))]);
    match threshold.measure {
        Measure::GoRate => Some((of(Outcome::Go), all)),
        Measure::UndeterminedRate => Some((of(Outcome::Undetermined), all)),
        Measure::Availability => {
            let outages = Cause::ALL.into_iter().filter(|c| c.is_outage());
            let up = outages.map(|c| Node::Not(Box::new(because(c)))).collect();
            Some((with(up), all))
        }
        Measure::MedianLatency => {
            // Latencies are whole milliseconds.
            let slow = (threshold.value * 1000.0).ceil() as i64;
            Some((with(vec![latency(Test::Below(slow))]), with(vec![latency(Test::AtLeast(0))])))
        }
        Measure::FalsePositiveRate
        | Measure::FalseDiscoveryRate
        | Measure::FalseNegativeRate
        | Measure::FalseOmissionRate => None,
    }
}
