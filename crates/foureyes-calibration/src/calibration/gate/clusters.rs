//! The wealths of an error rate that hold however the errors of a cluster depend on each other.

use crate::calibration::days::Judged;
use crate::calibration::kept::{self, Limits};
use crate::calibration::reading::Reading;
use crate::calibration::{Measure, Policy};
use crate::stats::sequential::ClusterSizes;
use crate::stats::sequential::error::{Above, Below};
use std::collections::BTreeMap;

/// What is bet on of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::calibration) enum ClusterBets {
    /// Its share of errors: a small cluster weighs like a large one. Windows of earlier versions.
    Shares,
    /// Its numbers of errors and of what is right.
    Sums,
}

/// Evidence by whole clusters that an error rate is met, and that it is not.
#[derive(Debug, Clone)]
pub(in crate::calibration) struct Clusters {
    bets: ClusterBets,
    below: Below,
    above: Above,
    /// How many times as large as the others the largest cluster may be.
    largest: f64,
    /// Sizes of the clusters before, of each that comes again and again: with doubts read against the judge
    /// and for it.
    sizes: BTreeMap<u32, [ClusterSizes; 2]>,
    /// Clusters with anything that counts.
    count: u64,
    /// Their shares of errors on the worst reading, added up.
    shares: f64,
    /// Their errors and records on that reading, added up.
    sums: [u64; 2],
}

impl Clusters {
    pub(super) fn new(measure: Measure, policy: &Policy, bets: ClusterBets) -> Self {
        let t = policy.threshold(measure).value;
        Self {
            bets,
            below: Below::new(t),
            above: Above::new(t),
            largest: policy.largest_day,
            sizes: BTreeMap::new(),
            count: 0,
            shares: 0.0,
            sums: [0; 2],
        }
    }

    /// Takes the labelled records of a cluster, of those that come under one number; nothing kept of
    /// them changes no evidence.
    pub(super) fn take(&mut self, measure: Measure, of: u32, cluster: &[&Judged], limits: Limits) {
        let sums = |reading| kept::sums(measure, cluster.iter().copied(), limits, reading);
        let (worst, best) = (sums(Reading::Worst), sums(Reading::Best));
        match self.bets {
            ClusterBets::Shares => self.take_shares(worst, best),
            ClusterBets::Sums => self.take_sums(of, worst, best),
        }
        if let Some(share) = share(worst) {
            self.count += 1;
            self.shares += share;
            self.sums = [self.sums[0] + worst.0, self.sums[1] + worst.1];
        }
    }

    fn take_shares(&mut self, worst: (u64, u64), best: (u64, u64)) {
        share(worst).into_iter().for_each(|errors| self.below.clusters(errors, 1.0));
        share(best).into_iter().for_each(|errors| self.above.clusters(errors, 1.0));
    }

    fn take_sums(&mut self, of: u32, worst: (u64, u64), best: (u64, u64)) {
        let [for_worst, for_best] = self.sizes.entry(of).or_default();
        let [most_worst, most_best] = [&*for_worst, &*for_best].map(|s| s.most(self.largest));
        for_worst.take(worst.1);
        for_best.take(best.1);
        if let Some(most) = most_worst {
            self.below.cluster_sums(worst.0 as f64, (worst.1 - worst.0) as f64, most, 1.0);
        }
        if let Some(most) = most_best {
            self.above.cluster_sums(best.0 as f64, (best.1 - best.0) as f64, most, 1.0);
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

    /// Logarithm of the wealth on *met* after so many clusters more that are as those seen so far are in
    /// the mean; none where no cluster was seen.
    pub(in crate::calibration) fn ln_met_after(&self, more: u64) -> f64 {
        let mut below = self.below;
        let count = self.count.max(1) as f64;
        match self.bets {
            ClusterBets::Shares => below.clusters(self.shares / count, more as f64),
            ClusterBets::Sums => {
                let [errors, all] = self.sums.map(|sum| sum as f64 / count);
                let mut sizes = ClusterSizes::default();
                (0..self.count.max(5)).for_each(|_| sizes.take(all.round() as u64));
                let most = sizes.most(self.largest).unwrap_or(1.0);
                below.cluster_sums(errors, all - errors, most, more as f64);
            }
        }
        below.wealth().ln()
    }
}

/// The share of errors; `None` where nothing is kept.
fn share((errors, all): (u64, u64)) -> Option<f64> {
    (all > 0).then(|| errors as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::gate::{Gate, Tests};
    use crate::calibration::label::Unconfirmed;
    use crate::calibration::tally::Tally;
    use crate::calibration::{Allowance, Cluster, Word};
    use crate::domain::RecordId;
    use crate::stats::near;

    const BY_SHARES: Tests = Tests { clusters: ClusterBets::Shares, ..Tests::CURRENT };

    fn judged(flagged: bool, poor: bool, draw: f64) -> Judged {
        let pi = 0.3;
        Judged {
            id: RecordId([0; 32]),
            flagged,
            undetermined: false,
            agent: 0,
            judge: 0,
            stratum: 0,
            word: Some(if poor { Word::Poor } else { Word::Acceptable }),
            pi: Some(if flagged { 1.0 } else { pi }),
            rate: if flagged { 1.0 } else { pi },
            draw,
            smallest: pi,
            stopped: 1.0,
            covered: true,
            planned: true,
            double: false,
            unconfirmed: Unconfirmed::No,
            times: 1,
        }
    }

    /// The wealths of misses by days and by records, after these days.
    fn after(days: &[(u32, Vec<Judged>)]) -> (f64, f64) {
        let policy = Policy { cluster: Cluster::Day, ..Policy::default() };
        let mut gate = Gate::of_window(&policy, Allowance::FIRST, BY_SHARES);
        for (times, labelled) in days {
            for _ in 0..*times {
                let mut tally = Tally::default();
                labelled.iter().for_each(|j| tally.add(j));
                gate.day(tally.clone(), labelled, Limits::seen(&tally, labelled));
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
            let mut gate = Gate::of_window(&policy, Allowance::FIRST, BY_SHARES);
            for day in 0..days {
                let labelled = vec![judged(true, true, 0.1); records];
                let mut tally = Tally::default();
                labelled.iter().for_each(|j| tally.add(j));
                gate.day(tally.clone(), &labelled, Limits::seen(&tally, &labelled));
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
            let mut gate = Gate::of_window(&policy, Allowance::FIRST, BY_SHARES);
            for _ in 0..days {
                let of = |agent| vec![Judged { agent, ..judged(true, true, 0.1) }; 4];
                let labelled: Vec<Judged> = (0..agents).flat_map(of).collect();
                let mut tally = Tally::default();
                labelled.iter().for_each(|j| tally.add(j));
                gate.day(tally.clone(), &labelled, Limits::seen(&tally, &labelled));
            }
            let track = gate.track(Measure::FalseNegativeRate).unwrap_or_else(|| unreachable!());
            track.clusters.as_ref().map_or(0.0, |c| c.ln_met().exp())
        };
        near(wealth(69, 1), 25.659_076, 5e-7);
        near(wealth(23, 3), 25.659_076, 5e-7);
        assert!(wealth(23, 1) < 5.0);
    }
}
