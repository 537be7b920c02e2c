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

/// Spread of events over days, each the evaluations of a day in order, `true` for an event.
pub fn dispersion<'a>(days: impl IntoIterator<Item = &'a [bool]>) -> Dispersion {
    let mut counts = Vec::new();
    let (mut run, mut longest_run) = (0_u64, 0_u64);
    for day in days {
        for event in day {
            run = if *event { run + 1 } else { 0 };
            longest_run = longest_run.max(run);
        }
        let events = day.iter().filter(|e| **e).count();
        if !day.is_empty() {
            counts.push((events as f64, day.len() as f64));
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
        let (bad, good) = ([true; 10], [false; 10]);
        let burst = dispersion([&good[..], &bad, &good, &good]);
        assert_eq!(burst.longest_run, 10);
        // p = 1/4: three days of (2.5)^2 and one of (7.5)^2 over 10/4 · 3/4, by three.
        near(burst.factor.unwrap(), 75.0 / 1.875 / 3.0, 1e-12);
        let mut even = good;
        even[4] = true;
        let spread = dispersion([&even[..]; 4]);
        assert_eq!((spread.longest_run, spread.factor), (1, Some(0.0)));
    }

    #[test]
    fn a_run_goes_on_over_midnight_and_nothing_is_told_of_nothing() {
        assert_eq!(dispersion([&[false, true][..], &[true, false]]).longest_run, 2);
        assert_eq!(dispersion([]), Dispersion { longest_run: 0, factor: None });
        assert_eq!(dispersion([&[true][..], &[true]]).factor, None);
    }
}
