//! The contents of a day, each with what its labels say and how it was chosen.

use super::audit::InForce;
use super::days::{Day, DayState, Judged};
use super::readiness::Input;
use super::{Drawn, Evaluation, Policy, Ruling};
use crate::domain::{IdMap, Outcome, Timestamp};
use crate::stats::sample;
use rayon::prelude::*;

/// Strata as bits: there are few, and those beyond the last bit share it.
type Bits = u32;

fn bit(stratum: u16) -> Bits {
    1 << stratum.min(31)
}

/// Evaluations that are looked at from all sides before the next ones: they stay near at hand.
const BLOCK: usize = 256;

/// What is needed to read a day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    input: &'a Input<'a>,
    rulings: &'a IdMap<Ruling>,
    /// Strata of which labels state how they were chosen, among what the plan leaves aside.
    stated: Bits,
    /// The smallest probability that any of these labels states.
    ///
    /// It is one number for all days. That of a day's own labels would depend on what was drawn: on
    /// a day without a label of the thinnest part it would be larger, just where a miss of that part
    /// cannot show up.
    smallest: f64,
}

/// What labels of a day state of what passed and the plan leaves aside.
#[derive(Debug, Clone, Copy)]
struct Looked {
    /// The smallest probability.
    smallest: f64,
    /// Strata that have such labels.
    stated: Bits,
    /// Strata of which a label states that all of them are labelled.
    whole: Bits,
    /// Strata of which anything passed.
    there: Bits,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a Input<'a>, rulings: &'a IdMap<Ruling>) -> Self {
        let mut reader = Self { input, rulings, stated: 0, smallest: f64::INFINITY };
        if rulings.values().any(|r| r.stated.is_some()) {
            let days = input.in_window().par_chunk_by(|a, b| a.at.day() == b.at.day());
            let looked = days.map(|day| reader.looked(day));
            let all = looked.reduce(|| Looked::NOTHING, Looked::join);
            (reader.stated, reader.smallest) = (all.stated, all.smallest);
        }
        reader
    }

    /// The rules.
    pub(super) fn policy(&self) -> &'a Policy {
        self.input.policy
    }

    /// Whether labels state how what passed was chosen, and count as they state.
    pub(super) fn is_stated(&self) -> bool {
        self.stated != 0
    }

    /// How a day stands. Its evaluations are given to `block` piece by piece, and each content to
    /// `take`, in order.
    pub(super) fn read(
        &self,
        day: i32,
        rows: &[Evaluation],
        mut block: impl FnMut(&[Evaluation]),
        mut take: impl FnMut(&Judged),
    ) -> Day {
        let looked = self.looked_if_stated(rows);
        let mut report = Day {
            day: Timestamp::of_day(day).day_text(),
            state: DayState::Empty,
            evaluations: rows.len() as u64,
            no_go: 0,
            no_go_labelled: 0,
            audit: 0,
            audit_labelled: 0,
            missing: Vec::new(),
        };
        for rows in rows.chunks(BLOCK) {
            block(rows);
            self.each(rows, looked, |j| {
                if j.pi.is_some() || (!j.planned && looked.whole & bit(j.stratum) != 0) {
                    note(&mut report, j);
                }
                take(j);
            });
        }
        if !rows.is_empty() {
            report.state =
                if report.missing.is_empty() { DayState::Closed } else { DayState::Open };
        }
        report
    }

    /// Gives each content of a day to `take`, in order.
    pub(super) fn contents(&self, rows: &[Evaluation], take: impl FnMut(&Judged)) {
        self.each(rows, self.looked_if_stated(rows), take);
    }

    fn each(&self, rows: &[Evaluation], looked: Looked, mut take: impl FnMut(&Judged)) {
        let mut force = InForce::default();
        let mut least = (0.0, false);
        for e in rows.iter().filter(|e| e.is_judged()) {
            if !force.holds(e.at) {
                force = self.input.plan.in_force(e.at, self.input.strata.len());
                least = self.smallest(&force, looked);
            }
            take(&self.judged(e, &force, least));
        }
    }

    /// One content; `smallest` is the smallest probability in force, and whether what passed was
    /// looked at at all.
    fn judged(
        &self,
        e: &Evaluation,
        force: &InForce<'_>,
        (smallest, covered): (f64, bool),
    ) -> Judged {
        let ruling = self.rulings.get(&e.id);
        let flagged = e.outcome == Outcome::NoGo;
        let stratum = self.stratum(e);
        let rate = force.rate(stratum);
        let (pi, draw) = match rate {
            _ if flagged => (Some(1.0), 0.0),
            Some(rate) => {
                let draw = rate.draw(&e.id);
                (Some(rate.pi).filter(|pi| draw < *pi), draw)
            }
            // Chosen elsewhere: spread over what that probability leaves, to thin it evenly.
            None => {
                let stated = ruling.and_then(|r| r.stated).map(Drawn::pi);
                let draw = stated.map(|pi| pi * sample::public_draw(THINNING, &e.id.0));
                (stated, draw.unwrap_or(1.0))
            }
        };
        Judged {
            id: e.id,
            flagged,
            stratum,
            word: ruling.map(|r| r.word),
            pi,
            rate: rate.map_or(0.0, |r| r.pi),
            draw,
            smallest,
            covered,
            planned: rate.is_some(),
        }
    }

    /// The smallest probability in force for what passed, and whether it was looked at at all.
    ///
    /// What the plan leaves aside has the smallest probability that labels of the window state. A
    /// day of which none of it was looked at says nothing on misses.
    fn smallest(&self, force: &InForce<'_>, looked: Looked) -> (f64, bool) {
        let left = force.left_aside();
        if left == 0 {
            return (force.smallest(), true);
        }
        // Where no rate is in force, what is stated is of all that passed; beside a plan it must be
        // there for each stratum that the plan leaves aside.
        let covered = match force.is_none() {
            true => self.stated != 0,
            false => left & !self.stated == 0,
        };
        let seen =
            looked.stated != 0 && (force.is_none() || left & looked.there & !looked.stated == 0);
        let smallest = if seen && covered { self.smallest.min(force.smallest()) } else { 0.0 };
        (smallest, covered)
    }

    fn stratum(&self, e: &Evaluation) -> u16 {
        if self.input.strata.is_empty() { 0 } else { e.stratum }
    }

    /// What labels of a day state; where none of the window does, nothing.
    fn looked_if_stated(&self, rows: &[Evaluation]) -> Looked {
        if self.stated == 0 { Looked::NOTHING } else { self.looked(rows) }
    }

    fn looked(&self, rows: &[Evaluation]) -> Looked {
        let mut looked = Looked::NOTHING;
        let mut force = InForce::default();
        for e in rows.iter().filter(|e| e.is_judged() && e.outcome == Outcome::Go) {
            if !force.holds(e.at) {
                force = self.input.plan.in_force(e.at, self.input.strata.len());
            }
            let stratum = self.stratum(e);
            looked.there |= bit(stratum);
            let stated = self.rulings.get(&e.id).and_then(|r| r.stated);
            if let Some(stated) = stated.filter(|_| force.rate(stratum).is_none()) {
                looked.smallest = looked.smallest.min(stated.pi());
                looked.stated |= bit(stratum);
                looked.whole |= if stated == Drawn::Census { bit(stratum) } else { 0 };
            }
        }
        looked
    }
}

impl Looked {
    const NOTHING: Self = Self { smallest: f64::INFINITY, stated: 0, whole: 0, there: 0 };

    /// What labels of two days state.
    fn join(self, other: Self) -> Self {
        Self {
            smallest: self.smallest.min(other.smallest),
            stated: self.stated | other.stated,
            whole: self.whole | other.whole,
            there: self.there | other.there,
        }
    }
}

/// Counts a content that must be labelled.
fn note(report: &mut Day, j: &Judged) {
    let labelled = u64::from(j.word.is_some());
    let (count, done) = if j.flagged {
        (&mut report.no_go, &mut report.no_go_labelled)
    } else {
        (&mut report.audit, &mut report.audit_labelled)
    };
    *count += 1;
    *done += labelled;
    if labelled == 0 {
        report.missing.push(j.id);
    }
}

/// Keeps the thinning of labels apart from every other use of the hash.
const THINNING: &str = "foureyes 2026 thinning of labels to one rate";

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
