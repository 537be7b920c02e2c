//! Estimates from strata that were labelled in different parts.
//!
//! Labels gathered on what was flagged say little about what passed. Begg and Greenes (Biometrics
//! 39, 1983) weigh each stratum by its size instead of by its labels. Stratified mean: Cochran,
//! Sampling Techniques, 1977, chapter 5.

use crate::domain::Measure;

/// A stratum: its size, and what its labels said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stratum {
    /// Items in it, labelled or not.
    pub population: u64,
    /// Labelled items that are poor.
    pub poor: u64,
    /// Labelled items that are acceptable.
    pub acceptable: u64,
}

impl Stratum {
    /// Items with a label that decides.
    pub fn labelled(&self) -> u64 {
        self.poor + self.acceptable
    }

    /// The estimated number of poor and of acceptable items; `None` where nothing is labelled of
    /// what is there.
    pub fn estimated(&self) -> Option<(f64, f64)> {
        if self.population == 0 {
            return Some((0.0, 0.0));
        }
        let poor = share(self.poor as f64, self.labelled() as f64)?;
        let population = self.population as f64;
        Some((poor * population, (1.0 - poor) * population))
    }
}

/// Point estimates of the four rates; `None` is *not estimable*.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rates {
    /// Of acceptable items, the share that is flagged.
    pub false_positive: Option<f64>,
    /// Of flagged items, the share that is acceptable.
    pub false_discovery: Option<f64>,
    /// Of poor items, the share that passes.
    pub false_negative: Option<f64>,
    /// Of passed items, the share that is poor.
    pub false_omission: Option<f64>,
}

impl Rates {
    /// The estimate of an error rate; `None` where it is not estimable, and of a measure without labels.
    pub fn of(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::FalsePositiveRate => self.false_positive,
            Measure::FalseDiscoveryRate => self.false_discovery,
            Measure::FalseNegativeRate => self.false_negative,
            Measure::FalseOmissionRate => self.false_omission,
            Measure::GoRate
            | Measure::UndeterminedRate
            | Measure::Availability
            | Measure::MedianLatency => None,
        }
    }
}

/// The four rates of what was flagged and what passed, each in its strata.
pub fn rates(flagged: &[Stratum], passed: &[Stratum]) -> Rates {
    of_totals(total(flagged), total(passed))
}

/// The four rates of the poor and acceptable items that were flagged and that passed, as they are
/// estimated; `None` where they are not.
pub fn of_totals(flagged: Option<(f64, f64)>, passed: Option<(f64, f64)>) -> Rates {
    let both = flagged.zip(passed);
    let part = |of: f64, rest: f64| share(of, of + rest);
    Rates {
        false_positive: both.and_then(|(f, p)| part(f.1, p.1)),
        false_discovery: flagged.and_then(|f| part(f.1, f.0)),
        false_negative: both.and_then(|(f, p)| part(p.0, f.0)),
        false_omission: passed.and_then(|p| part(p.0, p.1)),
    }
}

/// Poor and acceptable items of several strata together.
fn total(strata: &[Stratum]) -> Option<(f64, f64)> {
    let mut sum = (0.0, 0.0);
    for stratum in strata {
        let (poor, acceptable) = stratum.estimated()?;
        sum = (sum.0 + poor, sum.1 + acceptable);
    }
    Some(sum)
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// An estimate and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error, by the delta method where it is a share of estimated counts.
    pub error: f64,
}

/// Sensitivity and specificity with standard errors from the delta method on the logit scale.
///
/// `None` where a stratum lacks poor or acceptable labels: the method has no error then.
pub fn accuracy(flagged: Stratum, passed: Stratum) -> Option<(Estimate, Estimate)> {
    let cells = [flagged.poor, flagged.acceptable, passed.poor, passed.acceptable];
    if cells.contains(&0) || flagged.population == 0 || passed.population == 0 {
        return None;
    }
    let rates = rates(&[flagged], &[passed]);
    let (n1, n0) = (flagged.population as f64, passed.population as f64);
    let [poor1, fine1, poor0, fine0] = cells.map(|c| c as f64);
    let sizes = (n1 + n0) / (n1 * n0);
    // Variance of the logit of a share p of m labels: 1 / (m p (1 - p)), split between the two.
    let of_poor = fine1 / (poor1 * (poor1 + fine1)) + fine0 / (poor0 * (poor0 + fine0));
    let of_fine = poor1 / (fine1 * (poor1 + fine1)) + poor0 / (fine0 * (poor0 + fine0));
    let estimate = |miss: f64, variance: f64| Estimate {
        value: 1.0 - miss,
        error: (sizes + variance).sqrt() * miss * (1.0 - miss),
    };
    Some((estimate(rates.false_negative?, of_poor), estimate(rates.false_positive?, of_fine)))
}

/// Share over strata of known weight, each with so many successes in so many trials.
///
/// `None` without strata, or where a stratum has fewer than two trials.
pub fn mean(strata: &[(f64, u64, u64)]) -> Option<Estimate> {
    let (mut value, mut variance, mut weights) = (0.0, 0.0, 0.0);
    for (weight, successes, trials) in strata {
        if *trials < 2 || successes > trials {
            return None;
        }
        let part = *successes as f64 / *trials as f64;
        weights += weight;
        value += weight * part;
        variance += weight * weight * part * (1.0 - part) / (*trials - 1) as f64;
    }
    (weights > 0.0).then(|| Estimate { value: value / weights, error: variance.sqrt() / weights })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    /// Liver scans of Drum and Christacopoulos, as in Begg and Greenes.
    const FLAGGED: Stratum = Stratum { population: 429, poor: 231, acceptable: 32 };
    const PASSED: Stratum = Stratum { population: 221, poor: 27, acceptable: 54 };

    #[test]
    fn begg_greenes_1983_liver_scans() {
        let (se, sp) = accuracy(FLAGGED, PASSED).unwrap();
        near(se.value, 0.8365, 5e-5);
        near(sp.value, 0.7384, 5e-5);
        near(se.error, 0.0245, 5e-5);
        near(sp.error, 0.0389, 5e-5);
        let poor = FLAGGED.estimated().unwrap().0 + PASSED.estimated().unwrap().0;
        near(poor / 650.0, 0.6930, 5e-5);
    }

    #[test]
    fn pooled_rate_differs_from_stratified() {
        let pooled = |p: u64, rest: u64| p as f64 / (p + rest) as f64;
        near(pooled(FLAGGED.poor, PASSED.poor), 0.8953, 5e-5);
        near(pooled(PASSED.acceptable, FLAGGED.acceptable), 0.6279, 5e-5);
    }

    #[test]
    fn flagged_only_labels_leave_two_rates_unknown() {
        let passed = Stratum { population: 221, ..Stratum::default() };
        let got = rates(&[FLAGGED], &[passed]);
        assert_eq!((got.false_negative, got.false_positive), (None, None));
        assert_eq!(got.false_omission, None);
        near(got.false_discovery.unwrap(), 32.0 / 263.0, 1e-12);
        assert_eq!(accuracy(FLAGGED, passed), None);
    }

    #[test]
    fn an_empty_stratum_hides_nothing() {
        let none = Stratum::default();
        let got = rates(&[FLAGGED], &[none]);
        assert_eq!(got.false_negative, Some(0.0));
        assert_eq!(rates(&[], &[]), Rates::default());
    }

    #[test]
    fn cochran_stratified_mean() {
        let got = mean(&[(0.80, 2, 50), (0.15, 20, 40), (0.05, 27, 30)]).unwrap();
        near(got.value, 0.152, 1e-12);
        near(got.error, 0.025_564, 5e-7);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[(1.0, 1, 1)]), None);
    }

    proptest! {
        #[test]
        fn rates_are_between_zero_and_one(counts in prop::array::uniform6(0_u64..1000)) {
            let [a, b, c, d, e, f] = counts;
            let flagged = Stratum { population: a + b + e, poor: a, acceptable: b };
            let passed = Stratum { population: c + d + f, poor: c, acceptable: d };
            let got = rates(&[flagged], &[passed]);
            for rate in [
                got.false_positive, got.false_discovery, got.false_negative, got.false_omission,
            ].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&rate));
            }
        }

        #[test]
        fn whole_labels_give_the_plain_shares(counts in prop::array::uniform4(1_u64..1000)) {
            let [a, b, c, d] = counts;
            let flagged = Stratum { population: a + b, poor: a, acceptable: b };
            let passed = Stratum { population: c + d, poor: c, acceptable: d };
            let got = rates(&[flagged], &[passed]).false_negative.unwrap();
            prop_assert!((got - c as f64 / (a + c) as f64).abs() < 1e-12);
        }
    }
}
