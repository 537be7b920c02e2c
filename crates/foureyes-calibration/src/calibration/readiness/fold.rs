//! Days in order through the gate.

use super::contradictions::Alone;
use super::history::History;
use super::read::{DayRead, Drawn as Sample};
use super::stated::StatedLabels;
use crate::calibration::Input;
use crate::calibration::days::Judged;
use crate::calibration::gate::{self, Counts, Gate, Tests};
use crate::calibration::kept::Limits;
use crate::calibration::needed::{self, Traffic};
use crate::calibration::point_estimate::Pooled;
use crate::calibration::reader::Reader;
use crate::calibration::second_words::{rulings_under_rules, second_words};
use crate::calibration::unrecorded::Unrecorded;
use crate::calibration::{
    Day, DayState, Drawn, Evaluation, Measure, Needed, Price, Release, Ruling, SecondWords, Word,
};
use crate::domain::{IdMap, Outcome, RecordId, Timestamp};
use crate::stats::drift::Stretch;
use crate::stats::order::Median;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// So many days of a window, about, are looked at for how close rates are to their thresholds.
const LOOKS: i32 = 60;

/// What the days of the window add up to.
pub(super) struct Fold<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) rulings: IdMap<Ruling>,
    pub(super) gate: Gate<'a>,
    pub(super) days: Vec<Day>,
    /// What a closed day brings.
    pub(super) traffic: Traffic,
    /// Contents of whole days, open ones too: flagged, and passed.
    pub(super) contents: [u64; 2],
    /// The audit sample of the closed days.
    pub(super) drawn: Sample,
    /// What labels of the closed days state.
    pub(super) stated_labels: StatedLabels,
    /// Whether labels state how what passed was chosen.
    pub(super) stated: bool,
    /// The smallest probability that they state.
    pub(super) least: Option<f64>,
    /// Strata of what passed on closed days of which no label tells, where others have some: how many
    /// records each, and when the first was.
    pub(super) unseen: BTreeMap<u16, (u64, Timestamp)>,
    /// UNDETERMINED evaluations in closed days.
    pub(super) undetermined: u64,
    /// Contents of the window that have a label, in order, of open days too.
    pub(super) labelled: Vec<Judged>,
    /// The same of the closed days alone: the day, and the smallest rates in force on it.
    pub(super) closed: Vec<(i32, Limits, Judged)>,
    /// How many of them each day has.
    counts: Vec<usize>,
    /// Outages of each day.
    pub(super) outages: Vec<Stretch>,
    /// Each judge of the window, with when it was first seen.
    pub(super) judges: BTreeMap<u32, Timestamp>,
    /// Latencies of the evaluations that count at the window's end, milliseconds.
    latencies_ms: Vec<u64>,
    /// What no record before the window's entry can carry.
    pub(super) unrecorded: Unrecorded,
    /// How it went, day by day.
    pub(super) history: History,
    /// Second words on what is labelled.
    pub(super) second_words: SecondWords,
    /// What nothing but its own statement vouches for.
    alone: OnceLock<Alone>,
    /// What a day takes the place of, of days that were taken before.
    replaced: BTreeMap<i32, Counts>,
}

impl<'a> Fold<'a> {
    pub(super) fn new(input: &'a Input<'a>) -> Self {
        let rulings = rulings_under_rules(input);
        let reader = Reader::new(input, &rulings);
        let (days, stated) = (read(&reader, input), reader.is_stated());
        let mut fold = Self {
            input,
            gate: Gate::of_window(input.policy, input.allowance, Tests::of_window(input)),
            days: Vec::new(),
            traffic: Traffic::default(),
            contents: [0; 2],
            drawn: Sample::default(),
            stated_labels: StatedLabels::default(),
            stated,
            least: reader.least(),
            unseen: BTreeMap::new(),
            undetermined: 0,
            labelled: Vec::new(),
            closed: Vec::new(),
            counts: Vec::new(),
            outages: Vec::new(),
            judges: BTreeMap::new(),
            latencies_ms: Vec::new(),
            unrecorded: reader.unrecorded(),
            history: History::new(input.is_current()),
            replaced: BTreeMap::new(),
            alone: OnceLock::new(),
            second_words: SecondWords::default(),
            rulings: IdMap::default(),
        };
        let (mut unbroken, mut open) = (true, i32::MAX);
        for (day, read) in days {
            let goes_on = fold.day(day, read, unbroken);
            if unbroken && !goes_on {
                open = day;
            }
            unbroken = goes_on;
        }
        for (at, judge) in input.rounds_in_window() {
            let first = fold.judges.entry(*judge).or_insert(*at);
            *first = (*first).min(*at);
        }
        if fold.gate.tally.is_uncovered_in_part() && fold.gate.tally.labels().1 > 0 {
            fold.unseen = reader.unseen(open);
        }
        let aside = reader.aside();
        fold.rulings = rulings;
        fold.second_words = fold.second_words();
        fold.traffic.pi = fold.pi_now(aside);
        fold.traffic.stopped = input.in_force(input.now).stopped();
        fold.traffic.has_outlook = input.release >= Release::V03;
        fold
    }

    /// Takes a day, and tells whether the run of closed days goes on.
    fn day(&mut self, number: i32, read: DayRead, unbroken: bool) -> bool {
        let DayRead {
            day,
            labelled,
            tally,
            limits,
            drawn,
            stated_labels,
            contents,
            counts,
            outages,
            judges,
        } = read;
        self.contents = [self.contents[0] + contents[0], self.contents[1] + contents[1]];
        self.gate.evaluations(&counts.known, &counts.last);
        if let Some(gone) = self.replaced.remove(&number) {
            self.gate.replaced(&gone);
        }
        for (day, gone) in &counts.replaced {
            self.replaced.entry(*day).or_default().join(gone);
        }
        if self.input.folded.is_none() {
            self.latencies_ms.extend(counts.latencies_ms);
        }
        let closed = unbroken && day.state != DayState::Open;
        if closed {
            self.closed.extend(labelled.iter().map(|j| (number, limits, *j)));
            self.gate.day(tally, &labelled, limits);
            self.drawn.join(drawn);
            self.stated_labels.join(stated_labels);
            self.undetermined += counts.last.undetermined;
            self.traffic.days += u64::from(day.evaluations > 0);
            self.traffic.evaluations += counts.last.evaluations;
            self.traffic.flagged += contents[0];
            self.traffic.passed += contents[1];
        }
        self.history.take(number, counts.last, &self.gate, closed.then_some(labelled.as_slice()));
        self.counts.push(labelled.len());
        self.labelled.extend(labelled);
        self.outages.push(self.input.folded.map_or(outages, |folded| folded.outages(number)));
        for (judge, at) in judges {
            self.judges.entry(judge).or_insert(at);
        }
        self.days.push(day);
        self.gate.end_of_day(number, closed);
        if self.looks_at_closeness(number) {
            self.gate.look_at_closeness(closed);
        }
        closed
    }

    /// What nothing but its own statement vouches for.
    pub(super) fn alone(&self) -> Alone {
        *self.alone.get_or_init(|| Alone::new(self))
    }

    /// Whether a measure is not met because what would decide it is only stated, and nobody waived that.
    pub(super) fn is_only_stated(&self, measure: Measure) -> bool {
        let waived = self.input.policy.waiver("stated_alone", self.input.now).is_some();
        self.input.has_new_rules() && !waived && self.alone().carries(measure)
    }

    /// Whether it is looked on a day how close rates are to their thresholds: each look costs a pass over all
    /// labels, so not on every day of a long window.
    fn looks_at_closeness(&self, day: i32) -> bool {
        let end = self.input.end_day();
        let days = end.saturating_sub(self.input.start().map_or(end, |start| start.day()));
        let every = (days / LOOKS).max(1);
        self.input.release >= Release::V03 && (end - 1).saturating_sub(day) % every == 0
    }

    /// The median of the latencies that count.
    pub(super) fn median(&mut self) -> Option<Median> {
        match self.input.folded {
            Some(folded) => gate::median_of(&folded.latencies_ms, self.input.policy),
            None => gate::median(&mut self.latencies_ms, self.input.policy),
        }
    }

    /// What the judge said of each labelled content, from the window's start on: of today too.
    pub(super) fn first_verdicts(&self) -> Vec<(RecordId, Outcome)> {
        let outcome = |j: &Judged| match j.flagged {
            _ if j.undetermined => Outcome::Undetermined,
            true => Outcome::NoGo,
            false => Outcome::Go,
        };
        let days = self.labelled.iter().map(|j| (j.id, outcome(j)));
        let today = self.input.after_window().iter().filter(|e| e.is_judged());
        days.chain(today.map(|e| (e.id, e.outcome))).collect()
    }

    /// All labels of the window, however their records were chosen.
    pub(super) fn pooled(&self) -> Pooled {
        let mut pooled = Pooled::default();
        for j in &self.labelled {
            j.word.into_iter().for_each(|word| pooled.add(j.flagged, word));
        }
        pooled
    }

    /// The rate of the audit sample that what comes next is under: of the plan, else as labels
    /// state it. `aside` are the strata, as bits, of which something is there and nothing is drawn.
    fn pi_now(&self, aside: u32) -> f64 {
        let force = self.input.in_force(self.input.now);
        let stated = self.rulings.values().filter_map(|r| match r.stated {
            Some(Drawn::Audit(pi)) => Some(pi),
            _ => None,
        });
        let stated = || {
            let least = stated.fold(f64::INFINITY, f64::min);
            if least.is_finite() { least } else { f64::from(u8::from(self.stated)) }
        };
        match force.left_aside() {
            0 => force.smallest(),
            left if force.draws() && left & aside == 0 => force.smallest(),
            _ if force.is_none() || self.stated => stated().min(force.smallest()),
            _ => 0.0,
        }
    }

    /// What would decide each measure.
    pub(super) fn needed(&self) -> Vec<Needed> {
        let traffic = self.traffic_so_far();
        let of = |m: Measure| {
            let track = self.gate.track(m)?;
            Some(needed::needed(&self.gate, self.input.policy, track, traffic))
        };
        Measure::ALL.into_iter().filter_map(of).collect()
    }

    /// What a day brings: by the closed ones or, where none is yet, by all that are over.
    fn traffic_so_far(&self) -> Traffic {
        let mut traffic = self.traffic;
        if traffic.days == 0 {
            traffic.days = self.days.iter().filter(|d| d.evaluations > 0).count() as u64;
            traffic.evaluations = self.gate.counts.evaluations;
            if traffic.has_outlook {
                [traffic.flagged, traffic.passed] = self.contents;
            }
        }
        traffic
    }

    /// Whole days with data that a measure takes at least.
    pub(super) fn soonest(&self, measure: Measure, needed: &[Needed]) -> Option<u64> {
        let needed = needed.iter().find(|n| n.kpi == measure)?;
        let of = (&self.gate, self.input.policy, self.gate.track(measure)?);
        needed::days(of, self.traffic_so_far(), needed)
    }

    /// The same of a window that is begun anew.
    pub(super) fn days_anew(&self, measure: Measure) -> Option<u64> {
        needed::days_anew(&self.gate, self.input.policy, self.traffic_so_far(), measure)
    }

    /// What audit rates cost until these error rates are decided, where nothing that passes is drawn.
    pub(super) fn first_rates(&self, measures: &[Measure]) -> Vec<Price> {
        let lacking = u64::from(self.input.policy.days).saturating_sub(self.days_with_data());
        let of = (measures, lacking);
        needed::first_rates(&self.gate, self.input.policy, self.traffic_so_far(), of)
    }

    /// Whole days with data on which every KPI counts: the window is as long as they are many.
    pub(super) fn days_with_data(&self) -> u64 {
        let start = self.input.start().map_or(0, |s| s.day());
        let counted = self.input.counted_from().day();
        let days =
            (start..).zip(&self.days).filter(|(day, d)| *day >= counted && d.evaluations > 0);
        days.count() as u64
    }

    /// Days without data on which some were expected, those since the last evaluation among them.
    pub(super) fn missing_days(&self) -> Vec<String> {
        let start = self.input.start().map_or(0, |s| s.day());
        let numbered = (start..).zip(&self.days);
        let empty = numbered.filter(|(_, d)| d.evaluations == 0).map(|(day, _)| day);
        // Nobody chose when a judge was asked before the window was begun.
        let entered = self.input.natural.map_or(i32::MIN, |natural| natural.entered.day());
        let empty = empty.filter(|day| *day >= entered);
        let lately = self.silent_days();
        let all = empty.filter(|day| !self.input.policy.is_quiet(*day)).chain(lately);
        all.map(super::day_text).collect()
    }

    /// Whole days since the last evaluation on which some were expected: their logs are there, and
    /// say nothing. A year of them at most.
    pub(super) fn silent_days(&self) -> Vec<i32> {
        if self.days.is_empty() {
            return Vec::new();
        }
        let (from, to) = (self.input.end_day(), self.input.today());
        let days = from..to.min(from.saturating_add(366));
        days.filter(|day| !self.input.policy.is_quiet(*day)).collect()
    }

    fn second_words(&self) -> SecondWords {
        second_words(self.input, self.labelled_by_day(), &self.rulings)
    }

    /// Each day with its contents that have a label.
    fn labelled_by_day(&self) -> impl Iterator<Item = (&Day, &[Judged])> {
        let mut rest = self.labelled.as_slice();
        self.days.iter().zip(&self.counts).map(move |(day, count)| {
            let (of_day, later) = rest.split_at(*count);
            rest = later;
            (day, of_day)
        })
    }

    /// Contents with a label of the days that are not fully labelled.
    pub(super) fn labelled_of_open_days(&self) -> impl Iterator<Item = &Judged> {
        let open = self.labelled_by_day().filter(|(day, _)| day.state == DayState::Open);
        open.flat_map(|(_, labelled)| labelled)
    }

    /// Records of the window that are unsure though nobody differs.
    pub(super) fn second_look(&self) -> Vec<RecordId> {
        let doubt = |r: &Ruling| r.word == Word::Unsure && !r.conflict && !r.waits();
        let unsure = |id: &RecordId| self.rulings.get(id).is_some_and(doubt);
        self.labelled.iter().map(|j| j.id).filter(unsure).collect()
    }

    /// Records of the window on which reviewers differ, but for those that a third word settles.
    pub(super) fn conflicts(&self) -> Vec<RecordId> {
        let differ = |id: &RecordId| self.rulings.get(id).is_some_and(|r| r.conflict && !r.waits());
        self.labelled.iter().map(|j| j.id).filter(differ).collect()
    }
}

/// Each day of the window, read.
fn read(reader: &Reader<'_>, input: &Input<'_>) -> Vec<(i32, DayRead)> {
    let (Some(start), end) = (input.start(), input.end_day()) else {
        return Vec::new();
    };
    let mut rows = input.in_window();
    let split = |day| {
        let (today, later) = rows.split_at(rows.partition_point(|e| e.at.day() <= day));
        rows = later;
        (day, today)
    };
    let days: Vec<(i32, &[Evaluation])> = (start.day()..end).map(split).collect();
    let read = |(day, rows): (i32, &[Evaluation])| (day, DayRead::new(reader, day, rows, end));
    days.into_par_iter().map(read).collect()
}
