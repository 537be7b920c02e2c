//! The sum of further draws from what was seen so far, by Student's distribution.
//!
//! Of `m` draws with mean `x` and standard deviation `s`, the mean of `n` further ones lies in
//! `x ± t · s · √(1/m + 1/n)` (Hahn and Meeker, *Statistical Intervals*, 1991, section 4.7). Several groups
//! are added up, with the fewest degrees of freedom of any of them, which is never too narrow.

use super::Interval;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Values of one kind that were seen.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Seen {
    count: u64,
    mean: f64,
    /// Sum of squared differences from the mean.
    squares: f64,
}

impl Seen {
    /// Takes one value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Their variance; `None` of fewer than two.
    fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }
}

impl FromIterator<f64> for Seen {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        values.into_iter().fold(Self::default(), |mut seen, value| {
            seen.add(value);
            seen
        })
    }
}

/// The sum of further draws: of each group so many as are named with it. `None` where a group has fewer
/// than two values, or one of which there are to be draws has none. Values are never negative.
pub fn sum(groups: &[(Seen, u64)], confidence: f64) -> Option<(f64, Interval)> {
    let groups: Vec<_> = groups.iter().filter(|(_, draws)| *draws > 0).collect();
    let Some(fewest) = groups.iter().map(|(seen, _)| seen.count).min() else {
        return Some((0.0, Interval { lower: 0.0, upper: 0.0 }));
    };
    let (mut total, mut variance) = (0.0, 0.0);
    for (seen, draws) in groups {
        let n = *draws as f64;
        total += n * seen.mean;
        variance += n * n * seen.variance()? * (1.0 / seen.count as f64 + 1.0 / n);
    }
    let t = StudentsT::new(0.0, 1.0, (fewest - 1) as f64).ok()?;
    let reach = t.inverse_cdf(0.5 + confidence / 2.0) * variance.sqrt();
    Some((total, Interval { lower: (total - reach).max(0.0), upper: total + reach }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn interval_is_that_of_the_book() {
        // Five readings of mean 50.10 and deviation 1.31; the mean of ten further ones, at 95 %: t = 2.776.
        let seen = Seen { count: 5, mean: 50.10, squares: 4.0 * 1.31 * 1.31 };
        let (total, interval) = sum(&[(seen, 10)], 0.95).unwrap();
        let reach = 2.776_445 * 1.31 * (1.0_f64 / 5.0 + 1.0 / 10.0).sqrt();
        near(total, 501.0, 1e-9);
        near(interval.upper, 10.0 * (50.10 + reach), 1e-3);
        near(interval.lower, 10.0 * (50.10 - reach), 1e-3);
    }

    #[test]
    fn too_few_values_give_no_interval() {
        let one: Seen = [3.0].into_iter().collect();
        assert_eq!(sum(&[(one, 4)], 0.95), None);
        assert_eq!(sum(&[(Seen::default(), 1)], 0.95), None);
        assert_eq!(sum(&[(Seen::default(), 0)], 0.95).unwrap().0, 0.0, "nothing is to be drawn");
        let same: Seen = [2.0; 9].into_iter().collect();
        let (total, interval) = sum(&[(same, 3)], 0.95).unwrap();
        assert_eq!((total, interval.lower, interval.upper), (6.0, 6.0, 6.0));
    }
}
