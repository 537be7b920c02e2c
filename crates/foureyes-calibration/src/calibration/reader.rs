//! The contents of a day, each with what its labels say and how it was chosen.

use super::audit::InForce;
use super::days::{Day, DayState, Judged};
use super::input::Input;
use super::{Drawn, Evaluation, Policy, Rate, Ruling, audit, second_words};
use crate::domain::{IdMap, Outcome, RecordId, Timestamp};
use crate::stats::sample;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// Strata as bits: there are few, and those beyond the last bit share it.
type Bits = u32;

fn bit(stratum: u16) -> Bits {
    1 << stratum.min(31)
}

/// Evaluations that are looked at from all sides before the next ones: they stay near at hand.
const BLOCK: usize = 256;

/// What is needed to read a day.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    input: &'a Input<'a>,
    rulings: &'a IdMap<Ruling>,
    /// What labels of the whole window state; the smallest probability is that of all labels.
    ///
    /// It counts on every day. That of a day's own labels would depend on what
    /// was drawn: on a day without a label of the thinnest part it would be larger, just where a miss
    /// of that part cannot show up.
    all: Looked,
    /// Where the unbroken run of closed days ends, and what labels of it state up to each of them.
    run: Run,
}

/// The unbroken run of closed days, as labels state how what passed was chosen.
#[derive(Debug, Clone, Default)]
struct Run {
    /// The first day that is not of it.
    end: Option<i32>,
    /// Its days with data, each with what labels state of it and of all before it.
    days: Vec<(i32, Looked)>,
}

/// What labels state of what passed and the plan leaves aside.
#[derive(Debug, Clone, Copy)]
struct Looked {
    /// The smallest probability.
    smallest: f64,
    /// Strata that have such labels.
    stated: Bits,
    /// Strata of which a label states that all of them are labelled.
    whole: Bits,
    /// Strata of which a label states that it was drawn with a probability of 1.
    certain: Bits,
    /// Strata of which a label states that it was drawn with a smaller one.
    thin: Bits,
    /// Strata of which anything passed while the plan left them aside.
    there: Bits,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a Input<'a>, rulings: &'a IdMap<Ruling>) -> Self {
        let mut reader = Self { input, rulings, all: Looked::NOTHING, run: Run::default() };
        if input.plan.tells_strata_apart() || rulings.values().any(|r| r.stated.is_some()) {
            let days = input.in_window().par_chunk_by(|a, b| a.at.day() == b.at.day());
            let days: Vec<&[Evaluation]> = days.collect();
            let looked: Vec<Looked> = days.par_iter().map(|day| reader.looked(day)).collect();
            reader.all = looked.iter().copied().fold(Looked::NOTHING, Looked::join);
            reader.all.smallest = reader.all.smallest.min(reader.smallest_elsewhere());
            reader.run = reader.run(&days, &looked);
        }
        reader
    }

    /// The smallest probability that labels of records outside the window state.
    ///
    /// A part that is drawn thinly has no label at first, and would be taken for one that is drawn
    /// like the others. Where it had one before, that tells.
    fn smallest_elsewhere(&self) -> f64 {
        let stated = |id: &RecordId| self.rulings.get(id).and_then(|r| r.stated);
        let ids = self.input.in_window().par_iter().map(|e| e.id);
        let inside: HashSet<RecordId> = ids.filter(|id| stated(id).is_some()).collect();
        let outside = self.rulings.iter().filter(|(id, _)| !inside.contains(*id));
        outside.filter_map(|(_, r)| r.stated).map(Drawn::pi).fold(f64::INFINITY, f64::min)
    }

    /// The run of closed days, as far as labels state anything.
    fn run(&self, days: &[&[Evaluation]], looked: &[Looked]) -> Run {
        let day = |rows: &[Evaluation]| rows.first().map_or(i32::MIN, |e| e.at.day());
        let is_open = |rows: &&[Evaluation]| {
            self.read(day(rows), rows, |_| {}, |_| {}).state == DayState::Open
        };
        let closed = days.par_iter().position_first(is_open).unwrap_or(days.len());
        let mut until = Looked::NOTHING;
        let joined = days[..closed].iter().zip(looked).map(|(rows, looked)| {
            until = until.join(*looked);
            (day(rows), until)
        });
        Run { days: joined.collect(), end: days.get(closed).map(|rows| day(rows)) }
    }

    /// The rules.
    pub(super) fn policy(&self) -> &'a Policy {
        self.input.policy
    }

    /// From when on evaluations count that need no label.
    pub(super) fn counted_from(&self) -> Timestamp {
        self.input.counted_from()
    }

    /// Whether labels state how what passed was chosen, and count as they state.
    pub(super) fn is_stated(&self) -> bool {
        self.all.stated != 0
    }

    /// The smallest probability that labels state, where they count as they state.
    pub(super) fn least(&self) -> Option<f64> {
        self.is_stated().then_some(self.all.smallest)
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
        let whole = self.whole(looked);
        let mut report = Day {
            day: Timestamp::of_day(day).day_text(),
            state: DayState::Empty,
            evaluations: rows.iter().map(|e| u64::from(e.times)).sum(),
            no_go: 0,
            no_go_labelled: 0,
            audit: 0,
            audit_labelled: 0,
            missing: Vec::new(),
            unconfirmed: Vec::new(),
        };
        for rows in rows.chunks(BLOCK) {
            block(rows);
            self.each(rows, looked, |e, j| {
                if j.pi.is_some() || (!j.planned && whole & bit(self.band(e)) != 0) {
                    note(&mut report, j);
                }
                if second_words::is_unconfirmed(self.input, j, self.rulings.get(&j.id)) {
                    report.unconfirmed.push(j.id);
                }
                take(j);
            });
        }
        if !rows.is_empty() {
            let whole = report.missing.is_empty() && report.unconfirmed.is_empty();
            report.state = if whole { DayState::Closed } else { DayState::Open };
        }
        report
    }

    fn each(
        &self,
        rows: &[Evaluation],
        looked: Looked,
        mut take: impl FnMut(&Evaluation, &Judged),
    ) {
        let mut force = InForce::default();
        let mut least = (0.0, false);
        for e in rows.iter().filter(|e| e.is_judged()) {
            if !force.holds(e.at) {
                force = self.input.plan.in_force(e.at, self.input.strata.len());
                least = self.smallest(&force, looked, e.at.day());
            }
            take(e, &self.judged(e, &force, least));
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
        let rate = force.rate(self.band(e));
        let (pi, draw) = match rate {
            // It is not drawn. Whether it would have been tells which of a day's labels are kept.
            _ if flagged => {
                let key = rate.or_else(|| force.any()).filter(|_| ruling.is_some());
                (Some(1.0), key.map_or(0.0, |rate| rate.draw(&e.id)))
            }
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
            agent: e.agent,
            judge: e.fingerprint,
            // A rate that holds only from later on tells nothing apart.
            stratum: if force.tells_strata_apart() { self.band(e) } else { UNDIVIDED },
            word: ruling.map(|r| r.word),
            pi,
            rate: rate.map_or(0.0, |r| r.pi),
            draw,
            smallest,
            covered,
            planned: rate.is_some(),
            double: pi.is_some() && ruling.is_some() && self.is_double(e, rate.or(force.any())),
            times: e.times.into(),
        }
    }

    /// Whether a record is drawn for a double label under a rate.
    fn is_double(&self, e: &Evaluation, rate: Option<&Rate>) -> bool {
        let share = self.input.policy.double_labels;
        self.input.rules.has_label_rules()
            && rate.is_some_and(|rate| audit::is_double(&rate.key, &e.id, share))
    }

    /// The smallest probability in force for what passed, and whether it was looked at at all.
    ///
    /// What the plan leaves aside has the smallest probability that labels state. Each stratum of it
    /// that is there must have such labels: by some closed day, or nothing is known of what passed
    /// until then; and on the day, or the day says nothing on misses. That holds where no rate is in
    /// force too: labels of one stratum speak for no other.
    fn smallest(&self, force: &InForce<'_>, looked: Looked, day: i32) -> (f64, bool) {
        let left = force.left_aside();
        if left == 0 {
            return (force.smallest(), true);
        }
        let drawn = force.draws();
        let covered = self.is_covered(left, drawn, day);
        let smallest = self.all.smallest.min(force.smallest());
        (if covered && looked.tells(left, drawn) { smallest } else { 0.0 }, covered)
    }

    /// Whether labels speak for all strata that were left aside.
    ///
    /// A closed day counts where at its end, or that of a closed day after it, each stratum that had
    /// been there by then had a label by then. So what comes later, on open days above all, takes
    /// nothing from days that were told; and what was tested so far is tested on: where a stratum is
    /// there and nobody looks at it, nothing counts from then on, until somebody does.
    fn is_covered(&self, left: Bits, drawn: bool, day: i32) -> bool {
        match self.run.end {
            Some(end) if day >= end => self.all.tells(left, drawn),
            _ => self.run.days.iter().any(|(at, until)| day <= *at && until.tells(left, drawn)),
        }
    }

    /// Strata of which something passed before a day, was left aside by the plan, and no label of
    /// that time states anything: how many records, and when the first was.
    pub(super) fn unseen(&self, before: i32) -> BTreeMap<u16, (u64, Timestamp)> {
        let rows = self.input.in_window();
        let rows = &rows[..rows.partition_point(|e| e.at.day() < before)];
        let looked = self.looked(rows);
        let mut unseen = BTreeMap::new();
        for (e, stratum) in self.left_aside(rows) {
            if looked.stated & bit(stratum) == 0 {
                unseen.entry(stratum).or_insert((0, e.at)).0 += u64::from(e.times);
            }
        }
        unseen
    }

    /// The strata of a day of which all must be labelled, since a label states that all are.
    ///
    /// That something was drawn with a probability of 1 says the same, unless parts of its stratum
    /// are drawn with a smaller one: else a record beside it without a label is a contradiction.
    fn whole(&self, looked: Looked) -> Bits {
        looked.whole | looked.certain & !self.all.thin
    }

    /// The stratum of an evaluation, whatever rates tell apart.
    fn band(&self, e: &Evaluation) -> u16 {
        if self.input.strata.is_empty() { 0 } else { e.stratum }
    }

    /// Strata, as bits, of which something is there that the plan leaves aside; nothing where the plan
    /// tells none apart and labels state nothing.
    pub(super) fn aside(&self) -> Bits {
        self.all.there
    }

    /// What labels of a day state, and what is there of what the plan leaves aside; where neither can
    /// be, nothing.
    fn looked_if_stated(&self, rows: &[Evaluation]) -> Looked {
        match self.all.stated | self.all.there {
            0 => Looked::NOTHING,
            _ => self.looked(rows),
        }
    }

    fn looked(&self, rows: &[Evaluation]) -> Looked {
        let mut looked = Looked::NOTHING;
        for (e, stratum) in self.left_aside(rows) {
            looked.there |= bit(stratum);
            if let Some(stated) = self.rulings.get(&e.id).and_then(|r| r.stated) {
                looked.smallest = looked.smallest.min(stated.pi());
                looked.stated |= bit(stratum);
                let kind = match stated {
                    Drawn::Census => &mut looked.whole,
                    Drawn::Audit(pi) if pi >= 1.0 => &mut looked.certain,
                    Drawn::Audit(_) => &mut looked.thin,
                };
                *kind |= bit(stratum);
            }
        }
        looked
    }

    /// What passed and the plan leaves aside, each with its stratum.
    fn left_aside<'b>(
        &'b self,
        rows: &'b [Evaluation],
    ) -> impl Iterator<Item = (&'b Evaluation, u16)> {
        let mut force = InForce::default();
        let passed = rows.iter().filter(|e| e.is_judged() && e.outcome == Outcome::Go);
        passed.filter_map(move |e| {
            if !force.holds(e.at) {
                force = self.input.plan.in_force(e.at, self.input.strata.len());
            }
            let stratum = self.band(e);
            force.rate(stratum).is_none().then_some((e, stratum))
        })
    }
}

impl Looked {
    const NOTHING: Self =
        Self { smallest: f64::INFINITY, stated: 0, whole: 0, certain: 0, thin: 0, there: 0 };

    /// Whether each of these strata that is there has a label. Where the plan draws from the others it
    /// may be that nothing of these is there; where it draws nothing at all, a label must state something.
    fn tells(&self, left: Bits, drawn: bool) -> bool {
        (drawn || self.stated != 0) && left & self.there & !self.stated == 0
    }

    /// What labels of both state.
    fn join(self, other: Self) -> Self {
        Self {
            smallest: self.smallest.min(other.smallest),
            stated: self.stated | other.stated,
            whole: self.whole | other.whole,
            certain: self.certain | other.certain,
            thin: self.thin | other.thin,
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
    *count += j.times;
    *done += labelled * j.times;
    if labelled == 0 {
        report.missing.push(j.id);
    }
}

/// The stratum of all that passed, where no rate in force tells strata apart.
const UNDIVIDED: u16 = u16::MAX;

/// Keeps the thinning of labels apart from every other use of the hash.
const THINNING: &str = "foureyes 2026 thinning of labels to one rate";

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
