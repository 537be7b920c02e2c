//! The wealths of an error rate that hold however the errors of a cluster depend on each other.

use crate::calibration::days::Judged;
use crate::calibration::kept;
use crate::calibration::tally::Reading;
use crate::calibration::{Measure, Policy};
use crate::stats::sequential::error::{Above, Below};

/// Evidence by whole clusters that an error rate is met, and that it is not.
#[derive(Debug, Clone)]
pub(in crate::calibration) struct Clusters {
    below: Below,
    above: Above,
    /// Clusters with anything that counts.
    count: u64,
    /// Their shares of errors on the worst reading, added up.
    errors: f64,
}

impl Clusters {
    pub(super) fn new(measure: Measure, policy: &Policy) -> Self {
        let t = policy.threshold(measure).value;
        Self { below: Below::new(t), above: Above::new(t), count: 0, errors: 0.0 }
    }

    /// Takes the labelled records of a cluster; nothing kept of them changes nothing.
    pub(super) fn take(&mut self, measure: Measure, cluster: &[&Judged], smallest: f64) {
        let share = |reading| kept::share(measure, cluster.iter().copied(), smallest, reading);
        if let Some(errors) = share(Reading::Worst) {
            self.below.clusters(errors, 1.0);
            self.count += 1;
            self.errors += errors;
        }
        if let Some(errors) = share(Reading::Best) {
            self.above.clusters(errors, 1.0);
        }
    }

    /// Logarithm of the wealth on *met*.
    pub(in crate::calibration) fn ln_met(&self) -> f64 {
        self.below.wealth().ln()
    }

    /// Logarithm of the wealth on *not met*.
    pub(in crate::calibration) fn ln_not_met(&self) -> f64 {
        self.above.wealth().ln()
    }

    /// Clusters with anything that counts.
    pub(in crate::calibration) fn count(&self) -> u64 {
        self.count
    }

    /// Logarithm of the wealth on *met* after so many clusters more with the mean share of errors seen
    /// so far, none where no cluster was seen.
    pub(in crate::calibration) fn ln_met_after(&self, more: u64) -> f64 {
        let mut below = self.below;
        below.clusters(self.errors / self.count.max(1) as f64, more as f64);
        below.wealth().ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::gate::Gate;
    use crate::calibration::tally::Tally;
    use crate::calibration::{Cluster, Word};
    use crate::domain::RecordId;
    use crate::stats::near;

    fn judged(flagged: bool, poor: bool, draw: f64) -> Judged {
        let pi = 0.3;
        Judged {
            id: RecordId([0; 32]),
            flagged,
            agent: 0,
            judge: 0,
            stratum: 0,
            word: Some(if poor { Word::Poor } else { Word::Acceptable }),
            pi: Some(if flagged { 1.0 } else { pi }),
            rate: pi,
            draw,
            smallest: pi,
            covered: true,
            planned: true,
            double: false,
            times: 1,
        }
    }

    /// The wealths of misses by days and by records, after these days.
    fn after(days: &[(u32, Vec<Judged>)]) -> (f64, f64) {
        let policy = Policy { cluster: Cluster::Day, ..Policy::default() };
        let mut gate = Gate::new(&policy);
        for (times, labelled) in days {
            for _ in 0..*times {
                let mut tally = Tally::default();
                labelled.iter().for_each(|j| tally.add(j));
                gate.day(tally, labelled);
            }
        }
        let track = gate.track(Measure::FalseNegativeRate).unwrap_or_else(|| unreachable!());
        let whole = track.clusters.as_ref().map_or(0.0, |c| c.ln_met().exp());
        (whole, track.evidence.ln_met().exp())
    }

    #[test]
    fn a_day_is_one_factor_however_many_records_it_has() {
        let clean = vec![judged(true, true, 0.1); 8];
        let (whole, records) = after(&[(69, clean.clone())]);
        near(whole, 25.659_076, 5e-7);
        assert!(records > whole);
        let half = vec![judged(true, true, 0.1), judged(false, true, 0.2)];
        let (whole, _) = after(&[(30, clean.clone()), (1, half), (60, clean)]);
        near(whole, 39.114_672, 5e-7);
    }

    #[test]
    fn flagged_clusters_count_drawn_records_only() {
        // Three were caught, of which the draw at .3 would have chosen none: the share is 1 of 1.
        let mut day = vec![judged(true, true, 0.5); 3];
        day.push(judged(false, true, 0.2));
        // Nothing is left of a half of the first wealth: what is kept back of each bet.
        let lost = after(&[(1, day)]).0;
        near(lost, 0.2 * 0.1 + 0.12 * 0.2 + 0.1 * 0.35 + 0.08 * 0.5, 1e-12);
        // Where none of them is kept, the day says nothing.
        near(after(&[(5, vec![judged(true, true, 0.5); 3])]).0, 1.0, 1e-12);
    }

    #[test]
    fn partially_drawn_day_gives_no_cluster() {
        let aside = Judged { rate: 0.0, planned: false, ..judged(false, false, 0.1) };
        near(after(&[(9, vec![judged(true, true, 0.1), aside])]).0, 1.0, 1e-12);
    }

    #[test]
    fn both_wealths_must_be_at_the_bar() {
        let policy = Policy { cluster: Cluster::Day, ..Policy::default() };
        let met = |days: i32, records: usize| {
            let mut gate = Gate::new(&policy);
            for day in 0..days {
                let labelled = vec![judged(true, true, 0.1); records];
                let mut tally = Tally::default();
                labelled.iter().for_each(|j| tally.add(j));
                gate.day(tally, &labelled);
                gate.end_of_day(day, true);
            }
            gate.track(Measure::FalseNegativeRate).and_then(|t| t.met)
        };
        // At .3 a caught record is worth three tenths of one at 1.
        assert_eq!((met(68, 8), met(70, 8)), (None, Some(68)));
        assert_eq!(met(100, 1), None);
    }

    #[test]
    fn the_agents_of_a_day_are_clusters_of_their_own() {
        let policy = Policy { cluster: Cluster::AgentDay, ..Policy::default() };
        let wealth = |days: u32, agents: u32| {
            let mut gate = Gate::new(&policy);
            for _ in 0..days {
                let of = |agent| vec![Judged { agent, ..judged(true, true, 0.1) }; 4];
                let labelled: Vec<Judged> = (0..agents).flat_map(of).collect();
                let mut tally = Tally::default();
                labelled.iter().for_each(|j| tally.add(j));
                gate.day(tally, &labelled);
            }
            let track = gate.track(Measure::FalseNegativeRate).unwrap_or_else(|| unreachable!());
            track.clusters.as_ref().map_or(0.0, |c| c.ln_met().exp())
        };
        near(wealth(69, 1), 25.659_076, 5e-7);
        near(wealth(23, 3), 25.659_076, 5e-7);
        assert!(wealth(23, 1) < 5.0);
    }
}
