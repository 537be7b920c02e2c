//! Whether events come in bursts.
//!
//! Pearson's statistic over its degrees of freedom (McCullagh and Nelder, Generalized Linear
//! Models, 1989, section 4.5): 1 where days differ as chance lets them, more where events cluster.

/// How events are spread over days.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dispersion {
    /// Longest unbroken run of events.
    pub longest_run: u64,
    /// Variance of the daily counts over what chance alone gives; `None` where it cannot be told:
    /// fewer than two days, no event, or nothing else.
    pub factor: Option<f64>,
}

/// What a stretch of time tells of the events in it: collected from its evaluations in order,
/// `true` for an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Evaluations.
    pub all: u64,
    /// Events among them.
    pub events: u64,
    /// Longest unbroken run of events.
    pub longest: u64,
    /// Events with which it begins.
    pub first: u64,
    /// Events with which it ends.
    pub last: u64,
}

impl FromIterator<bool> for Stretch {
    fn from_iter<I: IntoIterator<Item = bool>>(events: I) -> Self {
        let mut s = Self::default();
        s.extend(events);
        s
    }
}

impl Extend<bool> for Stretch {
    fn extend<I: IntoIterator<Item = bool>>(&mut self, events: I) {
        for event in events {
            self.all += 1;
            self.events += u64::from(event);
            self.last = if event { self.last + 1 } else { 0 };
            self.longest = self.longest.max(self.last);
            if self.events == self.all {
                self.first = self.all;
            }
        }
    }
}

/// Spread of events over days, in their order.
pub fn dispersion(days: impl IntoIterator<Item = Stretch>) -> Dispersion {
    let mut counts = Vec::new();
    let (mut run, mut longest_run) = (0_u64, 0_u64);
    for day in days {
        longest_run = longest_run.max(day.longest).max(run + day.first);
        run = if day.events == day.all { run + day.all } else { day.last };
        if day.all > 0 {
            counts.push((day.events as f64, day.all as f64));
        }
    }
    Dispersion { longest_run, factor: factor(&counts) }
}

fn factor(counts: &[(f64, f64)]) -> Option<f64> {
    let (events, all) = counts.iter().fold((0.0, 0.0), |s, c| (s.0 + c.0, s.1 + c.1));
    if counts.len() < 2 || events == 0.0 || events == all {
        return None;
    }
    let p = events / all;
    let term = |(x, n): &(f64, f64)| (x - n * p).powi(2) / (n * p * (1.0 - p));
    Some(counts.iter().map(term).sum::<f64>() / (counts.len() - 1) as f64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn an_outage_of_a_day_is_a_burst_and_one_a_day_is_not() {
        let of = |day: &[bool]| day.iter().copied().collect::<Stretch>();
        let (bad, good) = ([true; 10], [false; 10]);
        let burst = dispersion([of(&good), of(&bad), of(&good), of(&good)]);
        assert_eq!(burst.longest_run, 10);
        // p = 1/4: three days of (2.5)^2 and one of (7.5)^2 over 10/4 · 3/4, by three.
        near(burst.factor.unwrap(), 75.0 / 1.875 / 3.0, 1e-12);
        let mut even = good;
        even[4] = true;
        let spread = dispersion([of(&even); 4]);
        assert_eq!((spread.longest_run, spread.factor), (1, Some(0.0)));
    }

    #[test]
    fn run_spans_midnight_and_empty_input_has_none() {
        let of = |days: &[&[bool]]| {
            dispersion(days.iter().map(|day| day.iter().copied().collect::<Stretch>()))
        };
        assert_eq!(of(&[&[false, true], &[true, false]]).longest_run, 2);
        assert_eq!(of(&[&[false, true], &[true, true], &[], &[true]]).longest_run, 4);
        assert_eq!(of(&[&[true, false, true, true], &[false]]).longest_run, 2);
        assert_eq!(of(&[]), Dispersion { longest_run: 0, factor: None });
        assert_eq!(of(&[&[true], &[true]]).factor, None);
    }
}
