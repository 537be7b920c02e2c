//! Cumulative sums of how far values lie from a target (Page, Biometrika 41, 1954).
//!
//! Tabular form of the NIST/SEMATECH e-Handbook, section 6.3.2.3: a sum up and a sum down, each
//! cut at 0, each lessened by an allowance a step.

/// Two cumulative sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cusum {
    target: f64,
    allowance: f64,
    limit: f64,
    up: f64,
    down: f64,
}

/// Both sums after a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Sum of what lies above the target.
    pub up: f64,
    /// Sum of what lies below it.
    pub down: f64,
    /// Whether one of them is beyond the limit.
    pub alarm: bool,
}

impl Cusum {
    /// Sums of 0. All in the unit of the values; `allowance` and `limit` are positive.
    pub fn new(target: f64, allowance: f64, limit: f64) -> Self {
        Self { target, allowance, limit, up: 0.0, down: 0.0 }
    }

    /// Takes the next value; one that is no number changes nothing.
    pub fn take(&mut self, value: f64) -> Step {
        if value.is_finite() {
            self.up = (self.up + value - self.target - self.allowance).max(0.0);
            self.down = (self.down + self.target - self.allowance - value).max(0.0);
        }
        let alarm = self.up > self.limit || self.down > self.limit;
        Step { up: self.up, down: self.down, alarm }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    const NIST: [f64; 20] = [
        324.925, 324.675, 324.725, 324.350, 325.350, 325.225, 324.125, 324.525, 325.225, 324.600,
        324.625, 325.150, 328.325, 327.250, 327.825, 328.500, 326.675, 327.775, 326.875, 328.350,
    ];

    #[test]
    fn nist_handbook_alarms_at_14() {
        let mut sums = Cusum::new(325.0, 0.3175, 4.1959);
        let steps: Vec<Step> = NIST.iter().map(|x| sums.take(*x)).collect();
        assert_eq!(steps.iter().position(|s| s.alarm), Some(13));
        near(steps[13].up, 4.94, 5e-3);
    }

    #[test]
    fn nan_changes_nothing() {
        let mut sums = Cusum::new(0.0, 0.1, 1.0);
        let before = sums.take(0.8);
        assert_eq!(sums.take(f64::NAN), before);
    }
}
