//! Days in order through the gate.

use super::Input;
use crate::calibration::days::Reader;
use crate::calibration::gate::{Gate, is_timed};
use crate::calibration::literal::Pooled;
use crate::calibration::needed::{self, Traffic};
use crate::calibration::{Day, DayState, Drawn, Measure, Needed, Ruling, rulings};
use crate::domain::{IdMap, Outcome, RecordId};

/// What the days of the window add up to.
pub(super) struct Fold<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) rulings: IdMap<Ruling>,
    pub(super) gate: Gate<'a>,
    pub(super) days: Vec<Day>,
    pub(super) pooled: Pooled,
    /// What a closed day brings.
    pub(super) traffic: Traffic,
    /// What passed on closed days under a plan: expected and real size of the sample, and the
    /// variance of its size.
    pub(super) drawn: (f64, u64, f64),
    /// Whether labels state how what passed was chosen.
    pub(super) stated: bool,
    /// Contents in closed days.
    pub(super) undetermined: u64,
}

impl<'a> Fold<'a> {
    pub(super) fn of(input: &'a Input<'a>) -> Self {
        let rulings = rulings(input.labels);
        let rows = input.in_window();
        let mut fold = Self {
            input,
            gate: Gate::new(input.policy),
            days: Vec::new(),
            pooled: Pooled::of(rows, &rulings),
            traffic: Traffic::default(),
            drawn: (0.0, 0, 0.0),
            stated: states_selection(input, &rulings),
            undetermined: 0,
            rulings,
        };
        fold.run();
        fold.traffic.pi = fold.pi_now();
        fold
    }

    fn run(&mut self) {
        let (Some(start), end) = (self.input.start(), self.input.end_day()) else { return };
        let mut rows = self.input.in_window();
        let mut unbroken = true;
        for day in start.day()..end {
            let (today, later) = rows.split_at(rows.partition_point(|e| e.at.day() <= day));
            rows = later;
            unbroken = self.day(day, today, unbroken);
        }
    }

    /// Takes a day, and tells whether the run of closed days goes on.
    fn day(&mut self, day: i32, rows: &[crate::calibration::Evaluation], unbroken: bool) -> bool {
        let reader = Reader { input: self.input, rulings: &self.rulings, stated: self.stated };
        let (report, judged) = reader.read(day, rows);
        self.gate.timed = is_timed(rows);
        rows.iter().filter(|e| e.latest).for_each(|e| self.gate.evaluation(e));
        let closed = unbroken && report.state != DayState::Open;
        if closed {
            for j in &judged {
                self.gate.judged(j);
                if j.planned && !j.flagged {
                    self.drawn.0 += j.rate;
                    self.drawn.1 += u64::from(j.pi.is_some());
                    self.drawn.2 += j.rate * (1.0 - j.rate);
                }
            }
            let flagged = judged.iter().filter(|j| j.flagged).count() as u64;
            let latest = |e: &&crate::calibration::Evaluation| e.latest;
            let undecided =
                |e: &&crate::calibration::Evaluation| e.outcome == Outcome::Undetermined;
            self.undetermined += rows.iter().filter(latest).filter(undecided).count() as u64;
            self.traffic.days += u64::from(!rows.is_empty());
            self.traffic.evaluations += rows.iter().filter(latest).count() as u64;
            self.traffic.flagged += flagged;
            self.traffic.passed += judged.len() as u64 - flagged;
        }
        self.days.push(report);
        self.gate.end_of_day(day, closed);
        closed
    }

    /// The rate of the audit sample that what comes next is under: of the plan, else as labels
    /// state it.
    fn pi_now(&self) -> f64 {
        let planned = self.input.plan.smallest(self.input.now, self.input.strata.len());
        let stated = self.rulings.values().filter_map(|r| match r.stated {
            Some(Drawn::Audit(pi)) => Some(pi),
            _ => None,
        });
        let stated = || {
            let least = stated.fold(f64::INFINITY, f64::min);
            if least.is_finite() { least } else { f64::from(u8::from(self.stated)) }
        };
        planned.unwrap_or_else(stated)
    }

    /// What would decide each measure.
    pub(super) fn needed(&self) -> Vec<Needed> {
        let mut traffic = self.traffic;
        if traffic.days == 0 {
            // No day is closed yet: say at least what evaluations come in.
            traffic.days = self.days.iter().filter(|d| d.evaluations > 0).count() as u64;
            traffic.evaluations = self.gate.counts.evaluations;
        }
        let of = |m: Measure| {
            let track = self.gate.track(m)?;
            Some(needed::needed(&self.gate, self.input.policy, track, traffic))
        };
        Measure::ALL.into_iter().filter_map(of).collect()
    }

    /// Days without data on which some were expected.
    pub(super) fn missing_days(&self) -> Vec<String> {
        let start = self.input.start().map_or(0, |s| s.day());
        let quiet = |i: usize| {
            let day = i32::try_from(i).map_or(i32::MAX, |i| start.saturating_add(i));
            self.input.policy.is_quiet(day)
        };
        let missing = |(i, d): &(usize, &Day)| d.evaluations == 0 && !quiet(*i);
        self.days.iter().enumerate().filter(missing).map(|(_, d)| d.day.clone()).collect()
    }

    /// Records of the window on which reviewers differ.
    pub(super) fn conflicts(&self) -> Vec<RecordId> {
        let rows = self.input.in_window().iter();
        let differ = |id: &RecordId| self.rulings.get(id).is_some_and(|r| r.conflict);
        rows.map(|e| e.id).filter(differ).collect()
    }
}

/// Whether a label on something that passed, under no plan, states how it was chosen.
fn states_selection(input: &Input<'_>, rulings: &IdMap<Ruling>) -> bool {
    let stated = |r: &Ruling| r.stated.is_some();
    if !rulings.values().any(stated) {
        return false;
    }
    input.in_window().iter().any(|e| {
        e.outcome == Outcome::Go
            && rulings.get(&e.id).is_some_and(stated)
            && input.plan.smallest(e.at, input.strata.len()).is_none()
    })
}
