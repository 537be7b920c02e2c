//! A wealth: the weighted mean of several bets that run side by side.

/// How many bets run side by side.
pub const CELLS: usize = 5;

/// The weighted mean of [`CELLS`] products of factors, each kept as a logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wealth {
    weights: [f64; CELLS],
    ln: [f64; CELLS],
}

impl Wealth {
    /// A wealth of 1, spread by weights that add up to 1.
    pub fn new(weights: [f64; CELLS]) -> Self {
        Self { weights, ln: [0.0; CELLS] }
    }

    /// Multiplies every bet by its own factor, at least 0.
    pub fn take(&mut self, factors: [f64; CELLS]) {
        self.take_times(factors, 1.0);
    }

    /// Multiplies every bet by its own factor so many times; a part of a time is allowed.
    ///
    /// Parts are for expectations only, where a factor is no 0.
    pub fn take_times(&mut self, factors: [f64; CELLS], times: f64) {
        if times <= 0.0 {
            return;
        }
        self.take_ln(factors.map(|f| f.max(0.0).ln()), times);
    }

    /// As [`Wealth::take_times`], with factors given as logarithms.
    pub fn take_ln(&mut self, ln_factors: [f64; CELLS], times: f64) {
        if times > 0.0 {
            self.ln.iter_mut().zip(ln_factors).for_each(|(ln, f)| *ln += f * times);
        }
    }

    /// Logarithm of the wealth; minus infinity where all is lost.
    pub fn ln(&self) -> f64 {
        let top = self.ln.into_iter().fold(f64::NEG_INFINITY, f64::max);
        if top == f64::NEG_INFINITY {
            return top;
        }
        let sum: f64 = self.weights.iter().zip(self.ln).map(|(w, ln)| w * (ln - top).exp()).sum();
        top + sum.ln()
    }

    /// The wealth; the largest finite number where it is beyond that.
    pub fn value(&self) -> f64 {
        self.ln().exp().min(f64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn wealth_starts_at_one_and_loses_at_most_its_bet() {
        let mut w = Wealth::new([0.5, 0.2, 0.12, 0.1, 0.08]);
        near(w.value(), 1.0, 1e-12);
        w.take([0.0, 1.0, 1.0, 1.0, 1.0]);
        near(w.value(), 0.5, 1e-12);
        w.take([9.0; CELLS]);
        near(w.value(), 4.5, 1e-12);
        w.take([0.0; CELLS]);
        assert_eq!((w.value(), w.ln()), (0.0, f64::NEG_INFINITY));
    }

    #[test]
    fn a_wealth_beyond_all_numbers_stays_a_number() {
        let mut w = Wealth::new([0.2; CELLS]);
        w.take_times([10.0; CELLS], 1e6);
        assert_eq!(w.value(), f64::MAX);
        assert!(w.ln().is_finite());
        w.take_times([0.0; CELLS], 0.0);
        assert!(w.ln().is_finite());
    }
}
