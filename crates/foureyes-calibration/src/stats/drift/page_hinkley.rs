//! A rise of a mean, found as it happens (Page, Biometrika 41, 1954; Hinkley, Biometrika 58, 1971).
//!
//! Nothing shown rests on it: scores are watched by [`super::Cusum`]. It is kept to be compared with,
//! and stands by a published number.

/// The test, looking for a rise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageHinkley {
    least: u64,
    tolerance: f64,
    limit: f64,
    forgetting: f64,
    seen: u64,
    mean: f64,
    sum: f64,
    lowest: f64,
}

impl PageHinkley {
    /// Waits for `least` values; `tolerance` and `limit` are in the unit of the values.
    ///
    /// `forgetting` lies in (0, 1]: what the sum keeps of itself at each step.
    pub fn new(least: u64, tolerance: f64, limit: f64, forgetting: f64) -> Self {
        Self {
            least,
            tolerance,
            limit,
            forgetting,
            seen: 0,
            mean: 0.0,
            sum: 0.0,
            lowest: f64::INFINITY,
        }
    }

    /// Takes the next value, and tells whether a rise is found; it starts anew after one.
    pub fn take(&mut self, value: f64) -> bool {
        if !value.is_finite() {
            return false;
        }
        self.seen += 1;
        self.mean += (value - self.mean) / self.seen as f64;
        self.sum = self.forgetting * self.sum + value - self.mean - self.tolerance;
        self.lowest = self.lowest.min(self.sum);
        let found = self.seen >= self.least && self.sum - self.lowest > self.limit;
        if found {
            *self = Self::new(self.least, self.tolerance, self.limit, self.forgetting);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rise_after_a_hundred_values_is_found_at_index_105() {
        let quiet = [0.0, 0.0, 0.0, 0.0, 1.0].repeat(20);
        let loud = [1.0, 1.0, 0.0, 1.0, 1.0].repeat(20);
        let mut test = PageHinkley::new(30, 0.005, 5.0, 0.9999);
        let found = quiet.iter().chain(&loud).position(|x| test.take(*x));
        assert_eq!(found, Some(105));
    }

    #[test]
    fn a_steady_mean_is_never_found() {
        let mut test = PageHinkley::new(30, 0.005, 5.0, 0.9999);
        assert!(!(0..10_000).any(|i| test.take(f64::from(i % 2))));
        assert!(!test.take(f64::INFINITY));
    }
}
