//! The contents of a day, each with what its labels say and how it was chosen.

mod how;
mod looked;

use super::audit::InForce;
use super::days::{Day, DayState, Judged, RETRIED, UNDETERMINED, UNDIVIDED};
use super::input::Input;
use super::kept::Limits;
use super::label::Unconfirmed;
use super::unrecorded::Unrecorded;
use super::{Drawn, Evaluation, Policy, Rate, Ruling, Stratum, audit, second_words};
use crate::domain::{IdMap, Outcome, RecordId, Timestamp};
use how::{How, Least};
use looked::{Bits, Looked, bit};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

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
    /// What no record before the window's entry can carry.
    unrecorded: Unrecorded,
}

/// The unbroken run of closed days, as labels state how what passed was chosen.
#[derive(Debug, Clone, Default)]
struct Run {
    /// The first day that is not of it.
    end: Option<i32>,
    /// Its days with data, each with what labels state of it and of all before it.
    days: Vec<(i32, Looked)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a Input<'a>, rulings: &'a IdMap<Ruling>) -> Self {
        let (all, unrecorded) = (Looked::NOTHING, Unrecorded::new(input));
        let mut reader = Self { input, rulings, all, run: Run::default(), unrecorded };
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

    /// What no record before the window's entry can carry.
    pub(super) fn unrecorded(&self) -> Unrecorded {
        self.unrecorded
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
            missing_no_go: Vec::new(),
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
        let (mut force, mut least) = (InForce::default(), Least::default());
        for e in self.input.judged(rows) {
            if !force.holds(e.at) {
                force = self.input.in_force(e.at);
                least = self.least_in_force(&force, looked, e.at.day());
            }
            take(e, &self.judged(e, &force, least));
        }
    }

    /// One content, by what is in force when it was judged.
    fn judged(&self, e: &Evaluation, force: &InForce, least: Least) -> Judged {
        let ruling = self.rulings.get(&e.id);
        let undetermined = e.outcome == Outcome::Undetermined;
        let flagged = e.outcome == Outcome::NoGo || undetermined && force.stops_undetermined();
        let stratum = force.stratum(e, self.band(e));
        let rate = force.rate(stratum);
        let how = match rate {
            // What no plan thins is labelled whole.
            None if flagged && !undetermined => self.of_census(e, force, ruling.is_some()),
            Some(rate) => How::drawn(rate, &e.id),
            None => How::stated(ruling.and_then(|r| r.stated), &e.id),
        };
        Judged {
            id: e.id,
            flagged,
            undetermined,
            agent: e.agent,
            judge: e.fingerprint,
            stratum: match stratum {
                Stratum::Retried => RETRIED,
                Stratum::Undetermined => UNDETERMINED,
                // A rate that holds only from later on tells nothing apart.
                _ if force.tells_strata_apart() => self.band(e),
                _ => UNDIVIDED,
            },
            word: ruling.map(|r| r.word),
            pi: how.pi,
            rate: how.rate,
            draw: how.draw,
            smallest: least.smallest,
            stopped: least.stopped,
            covered: least.covered,
            planned: rate.is_some() || flagged && !undetermined,
            double: how.pi.is_some() && ruling.is_some() && self.is_double(e, force),
            unconfirmed: ruling.map_or(Unconfirmed::No, |r| r.unconfirmed),
            times: e.times.into(),
        }
    }

    /// A NO-GO where every one is labelled. Whether it would have been drawn tells which of a day's
    /// labels are kept.
    fn of_census(&self, e: &Evaluation, force: &InForce, is_labelled: bool) -> How {
        let rate = self.rate_of_band(e, force).filter(|_| is_labelled);
        How { pi: Some(1.0), rate: 1.0, draw: rate.map_or(0.0, |rate| rate.draw(&e.id)) }
    }

    /// The rate of the band that a record would be of as GO, else that of any.
    fn rate_of_band<'f>(&self, e: &Evaluation, force: &'f InForce) -> Option<&'f Rate> {
        force.rate(Stratum::Band(self.band(e))).or_else(|| force.any())
    }

    /// Whether a record is drawn for a double label.
    fn is_double(&self, e: &Evaluation, force: &InForce) -> bool {
        let share = self.input.policy.double_labels;
        let rate = self.rate_of_band(e, force);
        // What is drawn from what was judged before has a key that everybody knows.
        let secret = self.input.natural.and_then(|natural| natural.key.as_ref());
        self.input.rules.has_label_rules()
            && rate.is_some_and(|rate| audit::is_double(secret.unwrap_or(&rate.key), &e.id, share))
    }

    /// The smallest probabilities in force, and whether what passed was looked at at all.
    ///
    /// What the plan leaves aside has the smallest probability that labels state. Each stratum of it
    /// that is there must have such labels: by some closed day, or nothing is known of what passed
    /// until then; and on the day, or the day says nothing on misses. That holds where no rate is in
    /// force too: labels of one stratum speak for no other.
    fn least_in_force(&self, force: &InForce, looked: Looked, day: i32) -> Least {
        let (left, stopped) = (force.left_aside(), force.stopped());
        let passed = force.smallest();
        if left == 0 || passed <= 0.0 {
            return Least { smallest: passed, stopped, covered: passed > 0.0 };
        }
        let drawn = force.draws();
        let covered = self.is_covered(left, drawn, day);
        let is_known = covered && looked.tells(left, drawn);
        let smallest = if is_known { self.all.smallest.min(passed) } else { 0.0 };
        Least { smallest, stopped, covered }
    }

    /// The smallest probabilities that are in force at any time of a day, whatever came of it; `None` in
    /// a window of an earlier version, which goes by what came.
    pub(super) fn limits(&self, day: i32, rows: &[Evaluation]) -> Option<Limits> {
        self.input.is_current().then(|| self.limits_in_force(day, rows))
    }

    fn limits_in_force(&self, day: i32, rows: &[Evaluation]) -> Limits {
        let looked = self.looked_if_stated(rows);
        let first = self.input.start().unwrap_or(Timestamp(i64::MIN));
        let (mut at, end) = (first.max(Timestamp::of_day(day)), Timestamp::of_day(day + 1));
        let mut limits = Limits::WHOLE;
        while at < end {
            let force = self.input.in_force(at);
            let least = self.least_in_force(&force, looked, day);
            let Least { smallest: passed, stopped, .. } = least;
            limits = limits.join(Limits { passed, stopped });
            at = force.until();
        }
        limits
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
        let passed = self.input.judged(rows).filter(|e| e.outcome == Outcome::Go);
        passed.filter_map(move |e| {
            if !force.holds(e.at) {
                force = self.input.in_force(e.at);
            }
            let stratum = self.band(e);
            force.rate(force.stratum(e, stratum)).is_none().then_some((e, stratum))
        })
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
        report.missing_no_go.extend(j.flagged.then_some(j.id));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
