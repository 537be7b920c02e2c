//! Scores over time and their distribution.

use super::breakdowns::Bar;
use super::part;
use super::what::{EVALUATION, query};
use crate::domain::Dimension;
use crate::frame::grid::{Bin, Grid, Sums};
use crate::frame::query::{Node, Query, Term, Test};
use crate::frame::trend::Estimate;
use serde::Serialize;

/// The scores that units were given in a dimension.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreStrip {
    /// Which dimension.
    pub dimension: Dimension,
    /// Mean over the window.
    pub mean: Estimate,
    /// How often each score was given.
    pub histogram: [ScoreBin; 5],
    /// Mean of each bar, in their order; the filter is that of the bar for
    /// [`super::What::Scored`].
    pub means: Vec<Estimate>,
}

/// Scores that are nearest to one of 1 to 5; a half goes up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreBin {
    /// 1 to 5.
    pub score: u8,
    /// So many units.
    pub count: u64,
    /// The filter for them.
    #[serde(serialize_with = "part::text")]
    pub query: Query,
}

pub(super) fn strips(grid: &Grid, whole: &Sums, bars: &[Bar]) -> [ScoreStrip; 3] {
    let [semantic, pragmatic, syntactic] = Dimension::ALL;
    let [a, b, c] = grid.histogram;
    [(semantic, a), (pragmatic, b), (syntactic, c)].map(|(dimension, bins)| {
        let [one, two, three, four, five] = bins;
        let histogram = [(1, one), (2, two), (3, three), (4, four), (5, five)]
            .map(|(score, bin)| ScoreBin::new(dimension, score, bin));
        let all = part::Part::new(Vec::new(), *whole);
        let means = bars.iter().map(|bar| bar.part.mean(dimension)).collect();
        ScoreStrip { dimension, mean: all.mean(dimension), histogram, means }
    })
}

impl ScoreBin {
    fn new(dimension: Dimension, score: u8, bin: Bin) -> Self {
        let nodes = tests(score, bin.n == bin.whole);
        let nodes = nodes.into_iter().map(|t| Node::Term(Term::Score(Some(dimension), t)));
        Self { score, count: bin.n, query: query([EVALUATION].into_iter().chain(nodes).collect()) }
    }
}

/// What its scores are: just that one where none is a fraction, which reads better.
fn tests(score: u8, whole: bool) -> Vec<Test<f32>> {
    let middle = f32::from(score);
    let (low, high) = (Test::AtLeast(middle - 0.5), Test::Below(middle + 0.5));
    match score {
        _ if whole => vec![Test::Equal(middle)],
        1 => vec![high],
        5 => vec![low],
        _ => vec![low, high],
    }
}
