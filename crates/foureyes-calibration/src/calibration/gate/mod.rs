//! Whether each rate is on the right side of its threshold.
//!
//! Days come in order. At the end of a day, or of a declared one, each measure is looked at; what
//! is found stays found inside the window, and *not met* beats *met*.

mod closeness;
mod clusters;
mod counts;
mod detector;
mod evidence;

pub(super) use clusters::{ClusterBets, Clusters};
pub(super) use counts::{Counting, Counts, DayCounts, ErrorShare, is_slow, median, median_of};
pub(super) use evidence::{Evidence, LaidOut};

use super::days::Judged;
use super::kept::Limits;
use super::tally::Tally;
use super::{Allowance, Cluster, Input, Measure, Method, Policy, Release, WindowRules, allowance};
use crate::stats::spending;
use detector::Detectors;
use std::collections::BTreeMap;

/// How a window is tested: one that was begun under earlier rules keeps its tests for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tests {
    laid_out: LaidOut,
    clusters: ClusterBets,
    /// Whether what was met expires: in every window, but not in an answer of an earlier version.
    expires: bool,
}

impl Tests {
    /// Those of a window that is begun now.
    pub(super) const CURRENT: Self =
        Self { laid_out: LaidOut::ByProbabilities, clusters: ClusterBets::Sums, expires: true };

    /// Those of the window of an input.
    pub(super) fn of_window(input: &Input<'_>) -> Self {
        let expires = input.release >= Release::V03 && input.rules != WindowRules::NotStarted;
        match input.is_current() {
            true => Self { expires, ..Self::CURRENT },
            false => Self { laid_out: LaidOut::AsMisses, clusters: ClusterBets::Shares, expires },
        }
    }
}

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
    /// Whether it left its side, where that is looked at.
    detectors: Option<Detectors>,
    /// The day at whose end it was found to have left its side: whether it was met before or is after,
    /// that does not count.
    pub(super) withdrawn: Option<i32>,
    /// Whether its rate was found to be too close to the threshold for any number of labels, and its
    /// interval for one look allows for that ever since.
    pub(super) is_close: bool,
}

impl Track {
    fn new(measure: Measure, policy: &Policy, tests: Tests) -> Self {
        let clustered = policy.cluster != Cluster::None && measure.needs_labels();
        Self {
            measure,
            evidence: Evidence::new(measure, policy),
            clusters: clustered.then(|| Clusters::new(measure, policy, tests.clusters)),
            met: None,
            not_met: None,
            detectors: (tests.expires && policy.gates(measure))
                .then(|| Detectors::new(measure, policy)),
            withdrawn: None,
            is_close: false,
        }
    }

    /// Whether it is met: found to be, and not found not to be.
    pub(super) fn is_met(&self) -> bool {
        self.met.is_some() && !self.is_not_met()
    }

    /// Whether it was found not to be met, or to have left its side.
    pub(super) fn is_not_met(&self) -> bool {
        self.not_met.is_some() || self.withdrawn.is_some()
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
    laid_out: LaidOut,
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
        Self::of_window(policy, Allowance::FIRST, Tests::CURRENT)
    }

    /// The same of a window that may spend so much, and is tested so.
    pub(super) fn of_window(policy: &'a Policy, allowance: Allowance, tests: Tests) -> Self {
        let track = |measure| Track::new(measure, policy, tests);
        Self {
            policy,
            allowance,
            laid_out: tests.laid_out,
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
            if let Some(detectors) =
                track.detectors.as_mut().filter(|_| !track.measure.needs_labels())
            {
                detectors.evaluations(track.measure, self.policy, lasting);
            }
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

    /// Takes the contents of a closed day: their tally, and in order those with a label, of which those
    /// within the limits stand evenly for all of it.
    pub(super) fn day(&mut self, tally: Tally, labelled: &[Judged], limits: Limits) {
        match self.policy.cluster {
            Cluster::None => {}
            // A day without contents is none.
            Cluster::Day if tally.is_empty() => {}
            Cluster::Day => self.cluster(0, &labelled.iter().collect::<Vec<_>>(), limits),
            Cluster::AgentDay => {
                let mut agents: BTreeMap<u32, Vec<&Judged>> = BTreeMap::new();
                labelled.iter().for_each(|j| agents.entry(j.agent).or_default().push(j));
                agents.iter().for_each(|(agent, cluster)| self.cluster(*agent, cluster, limits));
            }
        }
        self.tally.join(tally);
        labelled.iter().for_each(|j| self.bet(j));
        self.end_labelled_day();
    }

    /// Takes a cluster of those that come one after another under one number.
    fn cluster(&mut self, of: u32, cluster: &[&Judged], limits: Limits) {
        for track in &mut self.tracks {
            if let Some(clusters) = &mut track.clusters {
                clusters.take(track.measure, of, cluster, limits);
            }
        }
    }

    fn bet(&mut self, j: &Judged) {
        for track in &mut self.tracks {
            track.evidence.judged(track.measure, self.laid_out, j);
            if let Some(detectors) = &mut track.detectors {
                detectors.judged(track.measure, self.policy, j);
            }
        }
    }

    /// Ends a day for what needs labels.
    fn end_labelled_day(&mut self) {
        let labelled = self.tracks.iter_mut().filter(|t| t.measure.needs_labels());
        labelled.filter_map(|t| t.detectors.as_mut()).for_each(Detectors::end_day);
    }

    /// Looks whether a rate is too close to its threshold, at the end of a day; `unbroken` tells whether all
    /// days up to it are closed.
    pub(super) fn look_at_closeness(&mut self, unbroken: bool) {
        closeness::look(self, unbroken);
    }

    /// Notes what left its side.
    fn look_at_detectors(&mut self, day: i32) {
        for track in &mut self.tracks {
            let days = self.policy.false_alarm_days;
            if track.detectors.as_ref().is_some_and(|detectors| detectors.is_alarmed(days)) {
                track.withdrawn.get_or_insert(day);
            }
        }
    }

    /// Looks, at the end of a day. `unbroken` tells whether all days up to it are closed.
    pub(super) fn end_of_day(&mut self, day: i32, unbroken: bool) {
        self.look_at_detectors(day);
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
pub(super) mod tests;
