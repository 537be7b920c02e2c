//! Parts whose labels count as often as there are records that they stand for.

use crate::calibration::Word;
use crate::stats::strata::Stratum;

/// Items and labels of a cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) stratum: Stratum,
    pub(super) unsure: u64,
    /// Weights of its poor, its acceptable and its unsure labels: where labels state probabilities they may
    /// differ within a cell, and each stands for 1/π records; else all are alike, and weigh 1.
    weights: [f64; 3],
}

impl Counts {
    /// Takes a label, and how much it weighs.
    pub(super) fn take(&mut self, word: Word, weight: f64) {
        let [poor, acceptable, unsure] = &mut self.weights;
        match word {
            Word::Poor => {
                self.stratum.poor += 1;
                *poor += weight;
            }
            Word::Acceptable => {
                self.stratum.acceptable += 1;
                *acceptable += weight;
            }
            Word::Unsure => {
                self.unsure += 1;
                *unsure += weight;
            }
        }
    }

    /// Adds what another one holds.
    pub(super) fn join(&mut self, other: &Self) {
        self.stratum.population += other.stratum.population;
        self.stratum.poor += other.stratum.poor;
        self.stratum.acceptable += other.stratum.acceptable;
        self.unsure += other.unsure;
        self.weights = [0, 1, 2].map(|i| self.weights[i] + other.weights[i]);
    }

    /// For estimates; `pi` is the plan's probability, 0 where labels state it. `doubt` says whether
    /// unsure labels count as poor; without it they are left out.
    pub(super) fn weighed(&self, pi: f64, doubt: Option<bool>) -> Weighed {
        let [mut poor, mut acceptable, unsure] = self.weights;
        match doubt {
            Some(true) => poor += unsure,
            Some(false) => acceptable += unsure,
            None => {}
        }
        let each = if pi > 0.0 { 1.0 / pi } else { 1.0 };
        Weighed { population: self.stratum.population, poor, acceptable, each }
    }
}

/// What estimates need of what was chosen alike, or of several such parts together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weighed {
    /// Items in it, labelled or not.
    pub(super) population: u64,
    /// The weights of labelled items that are poor, added up.
    pub(super) poor: f64,
    /// The same of those that are acceptable.
    pub(super) acceptable: f64,
    /// What a weight of 1 stands for, where parts are joined.
    pub(super) each: f64,
}

impl Weighed {
    fn is_told(&self) -> bool {
        self.poor + self.acceptable > 0.0
    }

    /// The estimated number of poor and of acceptable items; `None` where nothing is labelled of
    /// what is there.
    fn estimated(&self) -> Option<(f64, f64)> {
        if self.population == 0 {
            return Some((0.0, 0.0));
        }
        let poor = self.is_told().then(|| self.poor / (self.poor + self.acceptable))?;
        let population = self.population as f64;
        Some((poor * population, (1.0 - poor) * population))
    }
}

/// Estimated poor and acceptable items; `None` where a part has no label.
pub(super) fn total(parts: &[Weighed]) -> Option<(f64, f64)> {
    parts.iter().try_fold((0.0, 0.0), |sum, part| {
        let (poor, acceptable) = part.estimated()?;
        Some((sum.0 + poor, sum.1 + acceptable))
    })
}

/// The same parts, or their sum where one of them has no label.
pub(super) fn join_unlabelled(parts: Vec<Weighed>) -> Vec<Weighed> {
    let each = parts.first().map_or(1.0, |p| p.each);
    if parts.iter().all(|p| p.is_told() || p.population == 0) {
        return parts;
    }
    let none = Weighed { population: 0, poor: 0.0, acceptable: 0.0, each };
    let sum = parts.iter().fold(none, |sum, part| Weighed {
        population: sum.population + part.population,
        // Exactly 1 where both were drawn at one rate.
        poor: sum.poor + part.poor * (part.each / each),
        acceptable: sum.acceptable + part.acceptable * (part.each / each),
        each,
    });
    vec![sum]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn merged_parts_are_weighted_by_their_labels() {
        let part =
            |population, poor, acceptable, each| Weighed { population, poor, acceptable, each };
        // Ten labels at a tenth, all poor; fifty at a half, none; and a part without any.
        let parts =
            [part(100, 10.0, 0.0, 10.0), part(100, 0.0, 50.0, 2.0), part(20, 0.0, 0.0, 5.0)];
        let (poor, acceptable) = total(&join_unlabelled(parts.to_vec())).unwrap();
        near(poor, 110.0, 1e-9);
        near(acceptable, 110.0, 1e-9);
        assert_eq!(join_unlabelled(parts[..2].to_vec()), parts[..2]);
        assert_eq!(total(&parts), None);
    }
}
