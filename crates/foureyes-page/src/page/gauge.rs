//! A number on a scale, with its interval and its thresholds.

use super::{Glyphs, Role};

/// What is on a scale. Values are in their own unit; those outside the ends widen it.
#[derive(Debug, Clone, PartialEq)]
pub struct Gauge {
    /// The estimate; without one only thresholds are drawn, and the interval where there is one.
    pub estimate: Option<f64>,
    /// Lower end of the interval; `None` reaches to the end of the scale.
    pub lower: Option<f64>,
    /// Upper end of the interval; `None` reaches to the end of the scale.
    pub upper: Option<f64>,
    /// Where the ticks are.
    pub thresholds: Vec<f64>,
    /// What the ends of the scale are for at least.
    pub ends: (f64, f64),
}

impl Gauge {
    /// Whether it is of shares; a scale that ends above 1 is of seconds.
    pub(super) fn is_share(&self) -> bool {
        self.ends.1 <= 1.0
    }
}

impl Gauge {
    /// The scale in so many cells, each of one column.
    pub fn cells(&self, width: usize, glyphs: &'static Glyphs) -> Vec<(Role, &'static str)> {
        let mut cells: Vec<(Role, &str)> = vec![(Role::Dim, glyphs.track); width];
        let scale = self.scale(width);
        let known = self.estimate.is_some() || (self.lower.is_some() && self.upper.is_some());
        let (from, to) = (self.lower.unwrap_or(scale.low), self.upper.unwrap_or(scale.high));
        let end = if known { scale.cell(to) + 1 } else { 0 };
        for cell in cells.iter_mut().take(end).skip(scale.cell(from)) {
            *cell = (Role::GaugeInterval, glyphs.interval);
        }
        let mut at = self.estimate.map(|e| scale.cell(e));
        for tick in &self.thresholds {
            let place = scale.cell(*tick);
            if let Some(cell) = cells.get_mut(place) {
                *cell = (Role::Threshold, glyphs.threshold);
            }
            // Beside the threshold, on the side where it is.
            if at == Some(place) {
                let below = self.estimate.is_some_and(|e| e < *tick);
                at = Some(if below { place.saturating_sub(1) } else { place + 1 });
            }
        }
        if let Some(cell) = at.and_then(|at| cells.get_mut(at.min(width.saturating_sub(1)))) {
            *cell = (Role::Gauge, glyphs.marked);
        }
        cells
    }

    /// Wide enough for the thresholds, and for the estimate with its interval.
    fn scale(&self, width: usize) -> Scale {
        let seen = [self.estimate, self.lower, self.upper].into_iter().flatten();
        let seen = seen.chain(self.thresholds.iter().copied());
        let (low, high) = seen.fold(self.ends, |(low, high), v| (low.min(v), high.max(v)));
        Scale { low, high, width }
    }
}

/// What the ends of a gauge are for.
struct Scale {
    low: f64,
    high: f64,
    width: usize,
}

impl Scale {
    fn cell(&self, value: f64) -> usize {
        let share = (value - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE);
        // A float becomes the nearest whole number inside the bounds.
        let last = self.width.saturating_sub(1);
        ((share * last as f64).round() as usize).min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(estimate: f64, lower: f64, upper: f64) -> String {
        let gauge = Gauge {
            estimate: Some(estimate),
            lower: Some(lower),
            upper: Some(upper),
            thresholds: vec![0.15],
            ends: (0.0, 0.3),
        };
        gauge.cells(31, &Glyphs::ASCII).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_gauge_shows_interval_threshold_and_estimate_in_their_order() {
        assert_eq!(drawn(0.10, 0.05, 0.20), ".....-----*----|-----..........");
        assert_eq!(drawn(0.20, 0.16, 0.25), "...............|----*-----.....");
    }

    #[test]
    fn estimate_at_threshold_is_drawn_on_its_side() {
        assert!(drawn(0.149, 0.10, 0.20).contains("*|"));
        assert!(drawn(0.151, 0.10, 0.20).contains("|*"));
    }

    #[test]
    fn gauge_spans_its_interval() {
        assert!(drawn(0.9, 0.5, 1.0).ends_with('-'));
    }

    #[test]
    fn missing_estimate_shows_thresholds_only() {
        let none = Gauge {
            estimate: None,
            lower: None,
            upper: None,
            thresholds: vec![0.5],
            ends: (0.0, 1.0),
        };
        let text: String = none.cells(11, &Glyphs::ASCII).into_iter().map(|(_, t)| t).collect();
        assert_eq!(text, ".....|.....");
    }
}
