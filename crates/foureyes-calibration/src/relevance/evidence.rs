//! What the picks of a window prove: a wealth for each condition, and one against it.
//!
//! A wealth does not grow on average while its condition fails, whatever the order of the picks and however
//! often one looks (Ville's inequality). Where several candidates of one prompt count, they are one factor.

use super::tally::Prompt;
use super::{CheckId, Labelled, Pick, Policy, Share, Source};
use crate::stats::Interval;
use crate::stats::sequential::error::{Above, Below};
use crate::stats::sequential::margin::{self, Margin};
use crate::stats::sequential::{share, sign};
use schemars::JsonSchema;
use serde::Serialize;

/// A mean over prompts with bounds that hold at every look, 97.5 % each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Mean {
    /// The mean.
    pub estimate: f64,
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

/// What is known of one condition.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Evidence {
    /// The share that is tested, with its exact interval of 95 %; `null` of a mean, and of nothing.
    pub share: Option<Share>,
    /// The mean that is tested: of recall the judge's less that of search, of precision that of the memories
    /// kept for a prompt; `null` of a share, and of nothing.
    pub mean: Option<Mean>,
    /// Prompts or calls that it is of.
    pub count: u64,
    /// What the share or the mean is compared with.
    pub limit: f64,
    /// The wealth on *met*: 1 at first.
    pub wealth: f64,
    /// Where it is met.
    pub bar: f64,
    /// The wealth on *not met*.
    pub wealth_against: f64,
    /// Where it is not met.
    pub bar_against: f64,
}

/// Conditions that evidence decides.
pub(super) const TESTS: usize = 7;

/// A share on either side of a threshold.
#[derive(Debug, Clone, Copy)]
struct Sides {
    threshold: f64,
    below: share::Share,
    above: share::Share,
    part: u64,
    whole: u64,
}

impl Sides {
    /// A threshold of 1 asks for nothing, and has no odds.
    fn new(threshold: f64) -> Self {
        let threshold = threshold.min(1.0 - 1e-9);
        let (below, above) = (share::Share::below(threshold), share::Share::above(threshold));
        Self { threshold, below, above, part: 0, whole: 0 }
    }

    fn take(&mut self, is_counting: bool) {
        let (part, rest) = (f64::from(u8::from(is_counting)), f64::from(u8::from(!is_counting)));
        self.below.take(part, rest);
        self.above.take(part, rest);
        self.part += u64::from(is_counting);
        self.whole += 1;
    }

    /// Takes what may count or not: it counts for *met*, and not at all for *not met*.
    fn take_unknown(&mut self) {
        self.below.take(1.0, 0.0);
        self.part += 1;
        self.whole += 1;
    }

    fn wealths(&self) -> (f64, f64) {
        (self.below.wealth().value(), self.above.wealth().value())
    }

    fn figures(&self) -> Figures {
        (Share::new(self.part, self.whole), None, self.whole, self.threshold)
    }
}

/// Share, mean, denominator and limit.
type Figures = (Option<Share>, Option<Mean>, u64, f64);

/// Prompts that went one way, and the other; those that went neither way are in neither.
#[derive(Debug, Clone, Copy, Default)]
struct Signs {
    first: u64,
    second: u64,
}

impl Signs {
    fn take(&mut self, difference: i64) {
        self.first += u64::from(difference > 0);
        self.second += u64::from(difference < 0);
    }

    fn figures(&self) -> Figures {
        let count = self.first + self.second;
        (Share::new(self.first, count), None, count, 0.5)
    }
}

/// All bets of a window.
pub(super) struct Bets {
    policy: Policy,
    recall: Margin,
    differences: Vec<f64>,
    /// Prompts with a memory that helps for which nothing was kept.
    silent: Sides,
    to_none: Signs,
    to_search: Signs,
    precise: Below,
    imprecise: Above,
    precisions: Vec<f64>,
    fallbacks: Sides,
    slow: Sides,
}

impl Bets {
    pub(super) fn new(policy: &Policy) -> Self {
        Self {
            policy: *policy,
            recall: Margin::new(policy.recall_margin),
            differences: Vec::new(),
            silent: Sides::new(1.0 - policy.keeps),
            to_none: Signs::default(),
            to_search: Signs::default(),
            precise: Below::new(1.0 - policy.precision),
            imprecise: Above::new(1.0 - policy.precision),
            precisions: Vec::new(),
            fallbacks: Sides::new(policy.fallback_rate),
            slow: Sides::new(0.5),
        }
    }

    /// Takes a pick with its labels, where it has any.
    pub(super) fn take(&mut self, pick: &Pick, labelled: Option<&Labelled>) {
        match pick.source {
            Source::Search | Source::Script => {}
            Source::Fallback => {
                self.fallbacks.take(true);
                self.slow.take(true);
            }
            Source::Judge => {
                self.fallbacks.take(false);
                match pick.latency_ms {
                    Some(latency) => self.slow.take(latency > self.policy.latency_ms),
                    None => self.slow.take_unknown(),
                }
                if let Some(relevant) = labelled.filter(|of| of.is_drawn).and_then(Labelled::agreed)
                {
                    self.label(Prompt::new(pick, &relevant));
                }
            }
        }
    }

    fn label(&mut self, Prompt { judge, search }: Prompt) {
        self.to_none.take(judge.worth());
        self.to_search.take(judge.worth() - search.worth());
        if judge.relevant > 0 {
            let difference = (judge.hits as f64 - search.hits as f64) / judge.relevant as f64;
            self.recall.take(difference);
            self.differences.push(difference);
            self.silent.take(judge.kept == 0);
        }
        if judge.kept > 0 {
            let helping = judge.hits as f64 / judge.kept as f64;
            self.precise.clusters(1.0 - helping, 1.0);
            self.imprecise.clusters(1.0 - helping, 1.0);
            self.precisions.push(helping);
        }
    }

    /// The wealth on *met* and on *not met* of a condition; 1 of one that evidence does not decide.
    pub(super) fn wealths(&self, id: CheckId) -> (f64, f64) {
        let signs =
            |of: Signs| (sign::evidence(of.first, of.second), sign::evidence(of.second, of.first));
        match id {
            CheckId::Labelled | CheckId::Cost => (1.0, 1.0),
            CheckId::Recall => (self.recall.within().value(), self.recall.beyond().value()),
            CheckId::Keeps => self.silent.wealths(),
            CheckId::BetterThanNone => signs(self.to_none),
            CheckId::Better => signs(self.to_search),
            CheckId::Precision => (self.precise.wealth().value(), self.imprecise.wealth().value()),
            CheckId::FallbackRate => self.fallbacks.wealths(),
            CheckId::Latency => self.slow.wealths(),
        }
    }

    /// The evidence of a condition at its bars; `None` of one that evidence does not decide.
    pub(super) fn evidence(&self, id: CheckId, (bar, bar_against): (f64, f64)) -> Option<Evidence> {
        let (share, mean, count, limit) = match id {
            CheckId::Labelled | CheckId::Cost => return None,
            CheckId::Recall => self.recall(),
            CheckId::Precision => self.precision(),
            CheckId::Keeps => self.silent.figures(),
            CheckId::BetterThanNone => self.to_none.figures(),
            CheckId::Better => self.to_search.figures(),
            CheckId::FallbackRate => self.fallbacks.figures(),
            CheckId::Latency => self.slow.figures(),
        };
        let (wealth, wealth_against) = self.wealths(id);
        Some(Evidence { share, mean, count, limit, wealth, bar, wealth_against, bar_against })
    }

    fn recall(&self) -> Figures {
        let count = self.differences.len() as u64;
        (None, mean(&self.differences, |y| y), count, -self.policy.recall_margin)
    }

    fn precision(&self) -> Figures {
        let scaled: Vec<f64> = self.precisions.iter().map(|x| 2.0 * x - 1.0).collect();
        let mean = mean(&scaled, |y| f64::midpoint(y, 1.0));
        (None, mean, scaled.len() as u64, self.policy.precision)
    }
}

/// The mean of numbers in [-1, 1], brought back to their own scale; `None` of none.
fn mean(numbers: &[f64], scale: fn(f64) -> f64) -> Option<Mean> {
    let Interval { lower, upper } = margin::bounds(numbers, 0.975);
    let estimate = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let [estimate, lower, upper] = [estimate, lower, upper].map(scale);
    (!numbers.is_empty()).then_some(Mean { estimate, lower, upper })
}
