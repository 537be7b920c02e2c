//! What picks and their labels come to.
//!
//! These types are also parts of the document of `memories readiness`. Their schema keeps the names and the bare
//! descriptions that it had before they were.

use super::tally::{Prompt, Tally};
use super::{Candidate, Labelled, Pick, Source};
use crate::domain::Timestamp;
use crate::stats::order::{Median, median};
use crate::stats::sequential::sign;
use crate::stats::{CONFIDENCE, Interval, binomial};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A share with its exact interval of 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ShareRow", description = "")]
pub struct Share {
    /// The share, in [0, 1].
    pub estimate: f64,
    /// Lower end of its exact interval of 95 % confidence (Clopper-Pearson).
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Numerator.
    pub n: u64,
    /// Denominator.
    pub of: u64,
}

impl Share {
    /// `None` of nothing.
    pub(super) fn new(n: u64, of: u64) -> Option<Self> {
        let (estimate, Interval { lower, upper }) = binomial::share(n, of)?;
        Some(Self { estimate, lower, upper, n, of })
    }
}

/// How good the choices of a chooser are, over all candidates of labelled picks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ChoiceRow", description = "")]
pub struct Choice {
    /// Memories that help, of those kept.
    pub precision: Option<Share>,
    /// Memories kept, of those that help.
    pub recall: Option<Share>,
}

/// The judge and search on the same prompts. What a choice is worth is the number of memories in it that
/// help, less those that do not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Prompts for which the judge's choice is worth more.
    pub better: u64,
    /// Prompts for which it is worth less.
    pub worse: u64,
    /// Prompts for which both are worth the same.
    pub same: u64,
    /// Evidence that it is better more often than worse: at 1/α the error is α, however often one looks.
    pub evidence_better: f64,
    /// Evidence of the opposite.
    pub evidence_worse: f64,
}

/// Picks, by where their choice comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(description = "")]
pub struct PickCounts {
    /// All.
    pub picks: u64,
    /// By a judge.
    pub judged: u64,
    /// Of these, picks without any memory.
    pub kept_none: u64,
    /// By search, since no judge was to be asked.
    pub unjudged: u64,
    /// By a file of answers in place of a judge: no evidence.
    pub scripted: u64,
    /// By search, since the judge did not choose: number of picks by the reason.
    pub fallbacks: BTreeMap<String, u64>,
    /// Share of calls without a choice.
    pub fallback_rate: Option<Share>,
}

impl PickCounts {
    /// Picks for which a judge was to be asked and did not choose.
    pub fn fallen_back(&self) -> u64 {
        self.fallbacks.values().sum()
    }
}

/// Picks by a judge, by how far they are labelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(description = "")]
pub struct LabelCounts {
    /// Drawn, and labelled as a whole: the evidence.
    pub labelled: u64,
    /// Some candidates have no label, or reviewers differ.
    pub incomplete: u64,
    /// Chosen by a reviewer, so no evidence.
    pub not_drawn: u64,
    /// Candidates on which reviewers differ.
    pub conflicts: u64,
    /// Picks that can be labelled.
    pub due: u64,
    /// Picks that cannot, since their prompt was not kept.
    pub without_text: u64,
}

/// A median time in milliseconds, and the ends of its interval where there are enough calls for one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "LatencyRow", description = "")]
pub struct Latency {
    /// The median.
    #[schemars(description = "")]
    pub median: f64,
    /// Lower end.
    #[schemars(description = "")]
    pub lower: Option<u64>,
    /// Upper end.
    #[schemars(description = "")]
    pub upper: Option<u64>,
}

/// What the calls cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CostRow", description = "")]
pub struct Cost {
    /// All picks together, as far as it is known.
    pub total: f64,
    /// The dearest UTC day.
    pub dearest_day: f64,
    /// Picks by a judge whose cost is not known.
    pub unknown: u64,
}

/// What picks and labels come to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Measured {
    /// Picks, by where their choice comes from.
    pub picks: PickCounts,
    /// Picks by how far they are labelled.
    pub labels: LabelCounts,
    /// What the judge chose, of labelled picks.
    pub judge: Choice,
    /// What search alone would have chosen for the same prompts.
    pub search: Choice,
    /// Both, prompt by prompt.
    pub comparison: Comparison,
    /// Median time of the judge's calls in milliseconds, with its interval.
    pub latency_ms: Option<Latency>,
    /// What the calls cost.
    pub cost: Cost,
}

/// Measures picks with what was said of each, in the order in which they were made.
pub fn measure<'a>(picks: impl Iterator<Item = (&'a Pick, Option<Labelled>)>) -> Measured {
    let mut fold = Fold::default();
    picks.for_each(|(pick, labelled)| fold.add(pick, labelled));
    fold.finish()
}

#[derive(Default)]
struct Fold {
    picks: PickCounts,
    labels: LabelCounts,
    cost: Cost,
    judge: Tally,
    search: Tally,
    /// Prompts for which the judge is better, worse, and the same.
    comparison: [u64; 3],
    latencies: Vec<u64>,
    days: BTreeMap<i32, f64>,
}

impl Fold {
    fn add(&mut self, pick: &Pick, labelled: Option<Labelled>) {
        let picks = &mut self.picks;
        picks.picks += 1;
        self.cost.total += pick.cost.unwrap_or(0.0);
        let day = pick.at.map_or(i32::MIN, Timestamp::day);
        *self.days.entry(day).or_default() += pick.cost.unwrap_or(0.0);
        match pick.source {
            Source::Search => picks.unjudged += 1,
            Source::Script => picks.scripted += 1,
            Source::Fallback => {
                let why = pick.fallback.clone().unwrap_or_else(|| "unknown".to_owned());
                *picks.fallbacks.entry(why).or_default() += 1;
            }
            Source::Judge => {
                picks.judged += 1;
                picks.kept_none += u64::from(!pick.candidates.iter().any(Candidate::is_chosen));
                self.cost.unknown += u64::from(pick.cost.is_none());
                self.latencies.extend(pick.latency_ms);
                if let Some(labelled) = labelled {
                    self.label(pick, &labelled);
                }
            }
        }
    }

    fn label(&mut self, pick: &Pick, labelled: &Labelled) {
        let labels = &mut self.labels;
        labels.conflicts += labelled.conflicts as u64;
        let relevant = match (labelled.agreed(), labelled.is_drawn) {
            (Some(relevant), true) => relevant,
            (None, _) => return labels.incomplete += 1,
            (Some(_), false) => return labels.not_drawn += 1,
        };
        labels.labelled += 1;
        let Prompt { judge, search } = Prompt::new(pick, &relevant);
        self.judge += judge;
        self.search += search;
        let [better, worse, same] = &mut self.comparison;
        match judge.worth().cmp(&search.worth()) {
            std::cmp::Ordering::Greater => *better += 1,
            std::cmp::Ordering::Less => *worse += 1,
            std::cmp::Ordering::Equal => *same += 1,
        }
    }

    fn finish(mut self) -> Measured {
        let [better, worse, same] = self.comparison;
        let latency = |median: Median| Latency {
            median: median.estimate,
            lower: median.interval.map(|(lower, _)| lower),
            upper: median.interval.map(|(_, upper)| upper),
        };
        let fallen_back = self.picks.fallen_back();
        let asked = self.picks.judged + fallen_back;
        let dearest_day = self.days.values().copied().fold(0.0, f64::max);
        Measured {
            picks: PickCounts { fallback_rate: Share::new(fallen_back, asked), ..self.picks },
            labels: self.labels,
            judge: self.judge.choice(),
            search: self.search.choice(),
            comparison: Comparison {
                better,
                worse,
                same,
                evidence_better: sign::evidence(better, worse),
                evidence_worse: sign::evidence(worse, better),
            },
            latency_ms: median(&mut self.latencies, CONFIDENCE).map(latency),
            cost: Cost { dearest_day, ..self.cost },
        }
    }
}
