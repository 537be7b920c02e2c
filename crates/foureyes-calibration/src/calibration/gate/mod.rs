//! Whether each rate is on the right side of its threshold.
//!
//! Days come in order. At the end of a day, or of a declared one, each measure is looked at; what
//! is found stays found inside the window, and *not met* beats *met*.

mod clusters;
mod counts;
mod evidence;

pub(super) use clusters::Clusters;
pub(super) use counts::{Counting, Counts, DayCounts, is_slow, median, median_of};
pub(super) use evidence::Evidence;

use super::days::Judged;
use super::tally::Tally;
use super::{Allowance, Cluster, Measure, Method, Policy, allowance, kept};
use crate::stats::spending;
use std::collections::BTreeMap;

/// What is known of one measure.
#[derive(Debug, Clone)]
pub(super) struct Track {
    pub(super) measure: Measure,
    pub(super) evidence: Evidence,
    /// The evidence by whole clusters, where the policy names any and the measure needs labels.
    pub(super) clusters: Option<Clusters>,
    /// The day at whose end it was found to be met.
    pub(super) met: Option<i32>,
    /// The day at whose end it was found not to be.
    pub(super) not_met: Option<i32>,
}

impl Track {
    fn new(measure: Measure, policy: &Policy) -> Self {
        let clustered = policy.cluster != Cluster::None && measure.needs_labels();
        Self {
            measure,
            evidence: Evidence::new(measure, policy),
            clusters: clustered.then(|| Clusters::new(measure, policy)),
            met: None,
            not_met: None,
        }
    }

    /// Logarithm of the wealth that must be at the bar for *met*: where clusters count too, the smaller
    /// of the two. By shares alone a small day would weigh as much as a big one.
    fn ln_met(&self) -> f64 {
        let clusters = self.clusters.as_ref().map_or(f64::INFINITY, Clusters::ln_met);
        self.evidence.ln_met().min(clusters)
    }

    /// The same for *not met*: bad days that come together make a good judge look bad just as a bad
    /// one good.
    fn ln_not_met(&self) -> f64 {
        let clusters = self.clusters.as_ref().map_or(f64::INFINITY, Clusters::ln_not_met);
        self.evidence.ln_not_met().min(clusters)
    }
}

/// The tests of all measures, side by side.
#[derive(Debug, Clone)]
pub(super) struct Gate<'a> {
    policy: &'a Policy,
    pub(super) allowance: Allowance,
    looks: Vec<i32>,
    pub(super) tracks: Vec<Track>,
    /// Evaluations as they are known by now: what *met* rests on.
    pub(super) counts: Counts,
    /// Those of them that nothing in the window takes the place of: what *not met* rests on.
    lasting: Counts,
    pub(super) tally: Tally,
    /// Declared looks that wait for labels.
    pub(super) pending: Vec<i32>,
}

impl<'a> Gate<'a> {
    /// A gate before the first day, of the first window of a judge.
    #[cfg(test)]
    pub(super) fn new(policy: &'a Policy) -> Self {
        Self::of_window(policy, Allowance::FIRST)
    }

    /// The same of a window that may spend so much.
    pub(super) fn of_window(policy: &'a Policy, allowance: Allowance) -> Self {
        let track = |measure| Track::new(measure, policy);
        Self {
            policy,
            allowance,
            looks: policy.look_days(),
            tracks: Measure::ALL.into_iter().map(track).collect(),
            counts: Counts::default(),
            lasting: Counts::default(),
            tally: Tally::default(),
            pending: Vec::new(),
        }
    }

    /// Takes the evaluations of a day, for the rates that need no labels: as they were known at its
    /// end, and those of them that nothing later in the window takes the place of. Within a day
    /// nothing is looked at, so their order is of no account.
    pub(super) fn evaluations(&mut self, known: &Counts, lasting: &Counts) {
        self.counts.join(known);
        self.lasting.join(lasting);
        for track in &mut self.tracks {
            track.evidence.known(track.measure, self.policy, known);
            track.evidence.lasting(track.measure, self.policy, lasting);
        }
    }

    /// Takes away evaluations of earlier days that those of this day took the place of.
    ///
    /// So *met* rests on what was known at its time: what is tried again later undoes nothing of it.
    /// *Not met* never rested on them. What is tried again is mostly what failed, so with them the
    /// tested rate of errors would be larger than the one that is asked for and shown.
    pub(super) fn replaced(&mut self, gone: &Counts) {
        self.counts.leave(gone);
        for track in self.tracks.iter_mut().filter(|t| !t.measure.needs_labels()) {
            track.evidence.known_instead(track.measure, self.policy, &self.counts);
        }
    }

    /// Takes a content of a closed day.
    #[cfg(test)]
    pub(super) fn judged(&mut self, j: &Judged) {
        self.tally.add(j);
        self.bet(j);
    }

    /// Takes the contents of a closed day: their tally, and in order those with a label.
    pub(super) fn day(&mut self, tally: Tally, labelled: &[Judged]) {
        let smallest = kept::smallest(&tally, labelled);
        match self.policy.cluster {
            Cluster::None => {}
            Cluster::Day => self.cluster(&labelled.iter().collect::<Vec<_>>(), smallest),
            Cluster::AgentDay => {
                let mut agents: BTreeMap<u32, Vec<&Judged>> = BTreeMap::new();
                labelled.iter().for_each(|j| agents.entry(j.agent).or_default().push(j));
                agents.values().for_each(|cluster| self.cluster(cluster, smallest));
            }
        }
        self.tally.join(tally);
        labelled.iter().for_each(|j| self.bet(j));
    }

    fn cluster(&mut self, cluster: &[&Judged], smallest: f64) {
        for track in &mut self.tracks {
            if let Some(clusters) = &mut track.clusters {
                clusters.take(track.measure, cluster, smallest);
            }
        }
    }

    fn bet(&mut self, j: &Judged) {
        for track in &mut self.tracks {
            track.evidence.judged(track.measure, j);
        }
    }

    /// Looks, at the end of a day. `unbroken` tells whether all days up to it are closed.
    pub(super) fn end_of_day(&mut self, day: i32, unbroken: bool) {
        match self.policy.method {
            Method::Anytime => self.look_at_wealth(day),
            Method::Fixed if self.looks.contains(&(day + 1)) => self.look_at_bounds(day, unbroken),
            Method::Fixed => {}
        }
    }

    /// The track of a measure.
    pub(super) fn track(&self, measure: Measure) -> Option<&Track> {
        self.tracks.iter().find(|t| t.measure == measure)
    }

    fn look_at_wealth(&mut self, day: i32) {
        let not_met = self.policy.tests() as f64 / self.policy.alpha();
        for track in &mut self.tracks {
            if self.allowance.is_met(self.policy, track.ln_met()) {
                track.met.get_or_insert(day);
            }
            if allowance::reaches(track.ln_not_met(), not_met) {
                track.not_met.get_or_insert(day);
            }
        }
    }

    fn look_at_bounds(&mut self, day: i32, unbroken: bool) {
        let each = |alpha| spending::each(alpha, self.looks.len());
        let met = 1.0 - each(self.allowance.alpha(self.policy));
        let not_met = 1.0 - each(self.policy.alpha()) / self.policy.tests() as f64;
        if !unbroken {
            self.pending.push(day + 1);
        }
        for track in &mut self.tracks {
            if track.measure.needs_labels() && !unbroken {
                continue;
            }
            let (is_met, is_not) = match track.measure.needs_labels() {
                true => {
                    let t = self.policy.threshold(track.measure).value;
                    let upper = self.tally.bounds(track.measure, met).upper;
                    (upper < t, self.tally.bounds(track.measure, not_met).lower > t)
                }
                false => (
                    self.counts.is_met(track.measure, self.policy, met),
                    self.lasting.is_not_met(track.measure, self.policy, not_met),
                ),
            };
            if is_met {
                track.met.get_or_insert(day);
            }
            if is_not {
                track.not_met.get_or_insert(day);
            }
        }
    }
}

#[cfg(test)]
mod tests;
