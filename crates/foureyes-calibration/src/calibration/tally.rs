//! What the labels of the closed days add up to, by strata.

mod doubt;
mod weighed;

use super::days::{Judged, UNDETERMINED};
use super::kept::Limits;
use super::reading::{Reading, is_poor};
use super::{Measure, Word};
use crate::stats::sampled::Sampled;
use crate::stats::strata::{self, Rates};
use crate::stats::{Interval, binomial};
use std::collections::BTreeMap;
use weighed::{Counts, Weighed, join_unlabelled, total};

/// What was chosen alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    flagged: bool,
    covered: bool,
    stratum: u16,
    /// Bits of the probability, so that a change of the rate starts another cell; 0 where labels
    /// state it.
    pi: u64,
}

/// Sums over the closed days.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// In the order of the cells; there are few.
    cells: Vec<(Cell, Counts)>,
    /// What is labelled and in the sample.
    items: Vec<(Judged, Word)>,
}

/// Sizes and labels of one stratum, as they are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) population: u64,
    pub(super) labelled: u64,
    pub(super) poor: u64,
    pub(super) unsure: u64,
}

impl Tally {
    /// Takes a content of a closed day.
    pub(super) fn add(&mut self, j: &Judged) {
        let pi = if j.planned { j.rate.to_bits() } else { 0 };
        let Judged { flagged, covered, stratum, .. } = *j;
        let counts = self.cell(Cell { flagged, covered, stratum, pi });
        counts.stratum.population += j.times;
        let Some((word, drawn)) = j.word.zip(j.pi) else { return };
        let weight = if j.planned { 1.0 } else { 1.0 / drawn };
        counts.take(word, weight);
        self.items.push((*j, word));
    }

    fn cell(&mut self, cell: Cell) -> &mut Counts {
        let found = self.cells.iter().position(|(known, _)| *known == cell);
        let at = found.unwrap_or_else(|| {
            let at = self.cells.partition_point(|(known, _)| *known < cell);
            self.cells.insert(at, (cell, Counts::default()));
            at
        });
        &mut self.cells[at].1
    }

    /// The smallest rate of the plan for anything that passed; 0 where it drew nothing of a part, 1
    /// where nothing passed.
    pub(super) fn least_rate(&self) -> f64 {
        let passed = self.cells.iter().filter(|(cell, _)| !cell.flagged);
        passed.map(|(cell, _)| f64::from_bits(cell.pi)).fold(1.0, f64::min)
    }

    /// Whether it has no content.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Adds what another one holds.
    pub(super) fn join(&mut self, other: Self) {
        for (cell, counts) in other.cells {
            self.cell(cell).join(&counts);
        }
        self.items.extend(other.items);
    }

    /// Labels in the sample, those of doubt among them: flagged, passed.
    pub(super) fn labels(&self) -> (u64, u64) {
        let flagged = self.items.iter().filter(|(j, _)| j.flagged).count() as u64;
        (flagged, self.items.len() as u64 - flagged)
    }

    /// Whether a label in the sample is of what passed while no part of that was left out.
    pub(super) fn is_covered(&self) -> bool {
        self.items.iter().any(|(j, _)| !j.flagged && j.covered)
    }

    /// Whether anything passed while part of what passed was left out.
    pub(super) fn is_uncovered_in_part(&self) -> bool {
        self.cells.iter().any(|(cell, _)| !cell.flagged && !cell.covered)
    }

    /// Errors and what is right among the labels, as a measure sees them.
    pub(super) fn seen(&self, measure: Measure, reading: Reading) -> (u64, u64) {
        let s = self.thinned(measure, Some(reading), EVERYTHING);
        (s.errors, s.correct)
    }

    /// The same, without the labels of doubt: what the point estimate rests on.
    pub(super) fn sure(&self, measure: Measure) -> (u64, u64) {
        let s = self.thinned(measure, None, EVERYTHING);
        (s.errors, s.correct)
    }

    /// Point estimates, unsure labels left out.
    pub(super) fn rates(&self) -> Rates {
        self.rates_read(None)
    }

    /// The same with unsure labels read one way.
    fn rates_read(&self, reading: Option<Reading>) -> Rates {
        let total = |flagged, covered| self.total(flagged, covered, Of::All, reading);
        let of_verdicts = |flagged, covered| self.total(flagged, covered, Of::Verdicts, reading);
        let covered = strata::of_totals(total(true, Some(true)), total(false, Some(true)));
        // Of blocks and of passes: what has no verdict is neither.
        let flagged = strata::of_totals(of_verdicts(true, None), None);
        let passed = strata::of_totals(None, of_verdicts(false, Some(true)));
        Rates {
            false_discovery: flagged.false_discovery,
            false_omission: passed.false_omission,
            ..covered
        }
    }

    /// The share of poor content among what has a verdict; `None` where it is not estimable.
    pub(super) fn poor(&self) -> Option<f64> {
        let flagged = self.total(true, Some(true), Of::All, None)?;
        let passed = self.total(false, Some(true), Of::All, None)?;
        let (poor, acceptable) = (flagged.0 + passed.0, flagged.1 + passed.1);
        (poor + acceptable > 0.0).then(|| poor / (poor + acceptable))
    }

    /// Point estimates with so many flagged and passed items more that were right or wrong.
    pub(super) fn rates_with(&self, wrong: u64, right: u64, measure: Measure) -> Option<f64> {
        let flagged = self.total(true, Some(true), Of::All, None)?;
        let passed = self.total(false, Some(true), Of::All, None)?;
        let (errors, correct) = match measure {
            Measure::FalsePositiveRate => (flagged.1, passed.1),
            Measure::FalseNegativeRate => (passed.0, flagged.0),
            _ => return None,
        };
        let errors = errors + wrong as f64;
        let all = errors + correct + right as f64;
        (all > 0.0).then(|| errors / all)
    }

    /// Errors and what is right as they were drawn, without the labels of doubt: those that the
    /// smallest rate would have chosen too.
    pub(super) fn sampled(&self, measure: Measure) -> Sampled {
        self.thinned(measure, None, self.smallest())
    }

    /// The same with what a smallest rate would have chosen that several have together.
    pub(super) fn sampled_at(&self, measure: Measure, limits: Limits) -> Sampled {
        self.thinned(measure, None, limits)
    }

    /// The same with labels of doubt read one way.
    pub(super) fn seen_at(&self, measure: Measure, reading: Reading, limits: Limits) -> Sampled {
        self.thinned(measure, Some(reading), limits)
    }

    /// Sizes of each stratum: first of what was flagged, then of what passed.
    pub(super) fn sizes(&self) -> [BTreeMap<u16, Sizes>; 2] {
        let mut sizes = [BTreeMap::<u16, Sizes>::new(), BTreeMap::new()];
        for (cell, counts) in &self.cells {
            // NO-GO is one stratum, whatever its scores.
            let stratum = match cell.stratum {
                _ if !cell.flagged => cell.stratum,
                UNDETERMINED => UNDETERMINED,
                _ => 0,
            };
            let to = sizes[usize::from(!cell.flagged)].entry(stratum).or_default();
            to.population += counts.stratum.population;
            to.labelled += counts.stratum.labelled() + counts.unsure;
            to.poor += counts.stratum.poor;
            to.unsure += counts.unsure;
        }
        sizes
    }

    /// The smallest probabilities that were in force, where anything was drawn at all.
    pub(super) fn smallest(&self) -> Limits {
        let drawn = |pi: f64| if pi > 0.0 { pi } else { 1.0 };
        let of = |(j, _): &(Judged, Word)| Limits {
            passed: drawn(j.smallest),
            stopped: drawn(j.stopped),
        };
        self.items.iter().map(of).fold(Limits::WHOLE, Limits::join)
    }

    /// Whether a label in the sample is from when all parts of what is stopped were drawn.
    pub(super) fn is_stopped_drawn(&self) -> bool {
        self.items.iter().any(|(j, _)| j.stopped > 0.0)
    }

    /// Errors and what is right, of what would have been chosen at the smallest rates too; without a
    /// reading labels of doubt are left out.
    fn thinned(&self, measure: Measure, reading: Option<Reading>, limits: Limits) -> Sampled {
        self.thinned_by(measure, reading, limits, |_, word| Some(word))
    }

    /// The same with a word that may be another one than the label's.
    fn thinned_by(
        &self,
        measure: Measure,
        reading: Option<Reading>,
        limits: Limits,
        word_of: impl Fn(&Judged, Word) -> Option<Word>,
    ) -> Sampled {
        let (mut errors, mut correct) = (0, 0);
        for (j, word) in &self.items {
            let Some(word) = word_of(j, *word) else { continue };
            let poor = match (word, reading) {
                (Word::Unsure, None) => continue,
                _ => is_poor(j.flagged, word, reading.unwrap_or(Reading::Worst)),
            };
            let limit = if j.flagged { limits.stopped } else { limits.passed };
            let Some(is_error) = j.is_error(measure, poor) else { continue };
            if j.draw < limit && is_told(measure, j) {
                errors += u64::from(is_error);
                correct += u64::from(!is_error);
            }
        }
        let ratio = match measure {
            Measure::FalseNegativeRate => limits.passed / limits.stopped,
            Measure::FalsePositiveRate => limits.stopped / limits.passed,
            _ => 1.0,
        };
        Sampled { errors, correct, ratio }
    }

    /// Estimated poor and acceptable items of one kind: each cell on its own where it has labels,
    /// else joined to its stratum, else to all of that kind. `None` where none of it has a label.
    fn total(
        &self,
        flagged: bool,
        covered: Option<bool>,
        of: Of,
        reading: Option<Reading>,
    ) -> Option<(f64, f64)> {
        // What unsure labels count as; without a reading they are left out.
        let doubt = reading.map(|reading| is_poor(flagged, Word::Unsure, reading));
        let wanted = |c: &Cell| {
            c.flagged == flagged
                && covered.is_none_or(|v| c.covered == v)
                && (of == Of::All || c.stratum != UNDETERMINED)
        };
        let mut by_stratum: BTreeMap<u16, Vec<Weighed>> = BTreeMap::new();
        for (cell, counts) in self.cells.iter().filter(|(c, _)| wanted(c)) {
            by_stratum
                .entry(cell.stratum)
                .or_default()
                .push(counts.weighed(f64::from_bits(cell.pi), doubt));
        }
        total(&join_unlabelled(by_stratum.into_values().flat_map(join_unlabelled).collect()))
    }
}

/// Which contents are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    All,
    /// Those with GO or NO-GO.
    Verdicts,
}

/// No rate is so large: nothing is left out.
const EVERYTHING: Limits = Limits { passed: 2.0, stopped: 2.0 };

/// Whether the other side of a rate could have been seen when a content was judged: what was caught counts
/// only where a miss could have been.
fn is_told(measure: Measure, j: &Judged) -> bool {
    match measure {
        Measure::FalseNegativeRate => j.stopped > 0.0 && (!j.flagged || j.smallest > 0.0),
        Measure::FalsePositiveRate => j.stopped > 0.0,
        _ => true,
    }
}

/// A share with exact one-sided bounds, each of that confidence.
pub(super) fn share(part: u64, whole: u64, confidence: f64) -> Option<(f64, Interval)> {
    let upper = binomial::upper(part, whole, confidence);
    let lower = binomial::lower(part, whole, confidence);
    (whole > 0).then(|| (part as f64 / whole as f64, Interval { lower, upper }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests;
