//! Days, and whether one is closed: all that must be labelled of it is.
//!
//! Only the unbroken run of closed days from the window's start counts. Else days that close late,
//! because something bad was found on them, would bend the answer.

use super::readiness::Input;
use super::{Drawn, Evaluation, Ruling, Word};
use crate::domain::{IdMap, Outcome, RecordId};
use crate::stats::sample;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::HashSet;

/// How a day stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DayState {
    /// Its NO-GOs and its audit sample are labelled whole.
    Closed,
    /// Something of them has no label.
    Open,
    /// It has no evaluation.
    Empty,
}

/// One day of the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Day {
    /// UTC day, `YYYY-MM-DD`.
    pub day: String,
    /// How it stands.
    pub state: DayState,
    /// Evaluations of that day.
    pub evaluations: u64,
    /// Contents that were flagged.
    pub no_go: u64,
    /// Those of them that have a label.
    pub no_go_labelled: u64,
    /// Contents in the audit sample.
    pub audit: u64,
    /// Those of them that have a label.
    pub audit_labelled: u64,
    /// What has no label and must have one; a written report names the first hundred of a day.
    #[serde(serialize_with = "first_missing")]
    #[schemars(with = "Vec<String>")]
    pub missing: Vec<RecordId>,
}

/// How many records without a label a report names of a day.
const MISSING_WRITTEN: usize = 100;

/// Writes the first of them: counts beside them say how many there are.
fn first_missing<S: Serializer>(missing: &[RecordId], to: S) -> Result<S::Ok, S::Error> {
    missing.get(..MISSING_WRITTEN).unwrap_or(missing).serialize(to)
}

/// One content with its first verdict, and what its labels say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Judged {
    pub(super) id: RecordId,
    /// Whether it said NO-GO.
    pub(super) flagged: bool,
    pub(super) stratum: u16,
    pub(super) word: Option<Word>,
    /// Probability with which it was chosen; `None` where it was not, or nobody knows.
    pub(super) pi: Option<f64>,
    /// Probability of its stratum, chosen or not; 0 where labels state it.
    pub(super) rate: f64,
    /// What was drawn: chosen at any rate above it.
    pub(super) draw: f64,
    /// The smallest probability in force for what passed.
    pub(super) smallest: f64,
    /// Whether what passed was looked at at all when it was judged.
    pub(super) covered: bool,
    /// Whether the plan says so, not the labels.
    pub(super) planned: bool,
}

/// What is needed to read a day.
pub(super) struct Reader<'a> {
    pub(super) input: &'a Input<'a>,
    pub(super) rulings: &'a IdMap<Ruling>,
    /// Whether any label states how it was chosen among what passed.
    pub(super) stated: bool,
}

impl Reader<'_> {
    /// A day's contents, and how it stands.
    pub(super) fn read(&self, day: i32, rows: &[Evaluation]) -> (Day, Vec<Judged>) {
        let all = self.contents(rows);
        let whole = self.whole_strata(&all);
        let due = |j: &Judged| j.pi.is_some() || (!j.planned && whole.contains(&j.stratum));
        let mut report = Day {
            day: crate::domain::Timestamp::of_day(day).day_text(),
            state: DayState::Empty,
            evaluations: rows.len() as u64,
            no_go: 0,
            no_go_labelled: 0,
            audit: 0,
            audit_labelled: 0,
            missing: Vec::new(),
        };
        for j in all.iter().filter(|j| due(j)) {
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
        if !rows.is_empty() {
            report.state =
                if report.missing.is_empty() { DayState::Closed } else { DayState::Open };
        }
        (report, all)
    }

    /// A day's contents.
    pub(super) fn contents(&self, rows: &[Evaluation]) -> Vec<Judged> {
        let judged = rows.iter().filter(|e| e.is_judged());
        let mut all: Vec<Judged> = judged.map(|e| self.judged(e)).collect();
        self.fill_smallest(&mut all);
        all
    }

    fn judged(&self, e: &Evaluation) -> Judged {
        let ruling = self.rulings.get(&e.id);
        let flagged = e.outcome == Outcome::NoGo;
        let strata = self.input.strata.len();
        let stratum = if strata == 0 { 0 } else { e.stratum };
        let smallest = self.input.plan.smallest(e.at, strata);
        let stated = ruling.and_then(|r| r.stated).map(Drawn::pi);
        let rate = self.input.plan.rate(e.at, stratum).map_or(0.0, |r| r.pi);
        let (pi, draw) = match smallest {
            _ if flagged => (Some(1.0), 0.0),
            Some(_) => self.drawn(e, stratum, rate),
            // Chosen elsewhere: spread over what that probability leaves, to thin it evenly.
            None => (stated, stated.unwrap_or(1.0) * sample::public_draw(THINNING, &e.id.0)),
        };
        Judged {
            id: e.id,
            flagged,
            stratum,
            word: ruling.map(|r| r.word),
            pi,
            rate,
            draw,
            smallest: smallest.unwrap_or(0.0),
            covered: smallest.map_or(self.stated, |s| s > 0.0),
            planned: smallest.is_some(),
        }
    }

    /// What the plan says of a record that passed.
    fn drawn(&self, e: &Evaluation, stratum: u16, rate: f64) -> (Option<f64>, f64) {
        let draw = self.input.plan.draw(e.at, stratum, &e.id).unwrap_or(1.0);
        (Some(rate).filter(|pi| draw < *pi), draw)
    }

    /// Where no plan holds, the smallest probability is that which the day's labels state: a day
    /// of which none of what passed was looked at says nothing on misses.
    fn fill_smallest(&self, all: &mut [Judged]) {
        let stated = all.iter().filter(|j| !j.planned && !j.flagged).filter_map(|j| j.pi);
        let smallest = stated.fold(f64::INFINITY, f64::min);
        if smallest.is_finite() {
            all.iter_mut().filter(|j| !j.planned).for_each(|j| j.smallest = smallest);
        }
    }

    /// Strata of which a label states that all of them are labelled.
    fn whole_strata(&self, all: &[Judged]) -> HashSet<u16> {
        let census = |j: &&Judged| {
            let stated = self.rulings.get(&j.id).and_then(|r| r.stated);
            !j.flagged && !j.planned && stated == Some(Drawn::Census)
        };
        all.iter().filter(census).map(|j| j.stratum).collect()
    }
}

/// Keeps the thinning of labels apart from every other use of the hash.
const THINNING: &str = "foureyes 2026 thinning of labels to one rate";

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::calibration::label::tests::label;
    use crate::calibration::readiness::tests::{input, plan};
    use crate::calibration::{Labelled, Plan, rulings};

    fn read(plan: &Plan, rows: &[Evaluation], labels: &[Labelled]) -> (Day, Vec<Judged>) {
        let rulings = rulings(labels);
        let base = input(rows, labels, plan);
        let stated = labels.iter().any(|l| l.stated.is_some());
        Reader { input: &base, rulings: &rulings, stated }.read(3, rows)
    }

    fn rows() -> Vec<Evaluation> {
        let outcome = |n| if n < 3 { Outcome::NoGo } else { Outcome::Go };
        (0..40).map(|n| evaluation(n, 3, outcome(n))).collect()
    }

    #[test]
    fn a_day_is_open_until_all_that_was_flagged_and_drawn_is_labelled() {
        let (rows, plan) = (rows(), plan(0.3));
        let (open, judged) = read(&plan, &rows, &[]);
        assert_eq!((open.state, open.no_go, open.no_go_labelled), (DayState::Open, 3, 0));
        assert!(open.audit > 2 && open.audit < 30, "{open:?}");
        let due: Vec<RecordId> = judged.iter().filter(|j| j.pi.is_some()).map(|j| j.id).collect();
        assert_eq!(due, open.missing);
        // A word of doubt is a label too.
        let mut labels: Vec<_> = due.iter().map(|id| label(*id, "a", 1, Word::Unsure)).collect();
        assert_eq!(read(&plan, &rows, &labels).0.state, DayState::Closed);
        labels.pop();
        assert_eq!(read(&plan, &rows, &labels).0.missing.len(), 1);
    }

    #[test]
    fn a_big_day_names_all_that_it_lacks_and_a_report_the_first_of_them() {
        let rows: Vec<_> = (0..250).map(|n| evaluation(n, 3, Outcome::NoGo)).collect();
        let (day, _) = read(&plan(0.3), &rows, &[]);
        assert_eq!((day.missing.len(), day.no_go), (250, 250));
        let written = serde_json::to_value(&day).unwrap();
        assert_eq!(written["missing"].as_array().unwrap().len(), 100);
        let again: Day = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(again.missing, day.missing[..100]);
        assert_eq!(serde_json::to_value(&again).unwrap(), written);
    }

    #[test]
    fn what_somebody_picked_is_in_no_sample() {
        let (rows, plan) = (rows(), plan(0.0));
        let labels = [label(rows[9].id, "a", 1, Word::Poor)];
        let (day, judged) = read(&plan, &rows, &labels);
        assert_eq!(day.audit, 0);
        assert_eq!((judged[9].pi, judged[9].word), (None, Some(Word::Poor)));
        assert!(judged.iter().all(|j| !j.covered));
    }

    #[test]
    fn labels_that_state_a_census_ask_for_all_of_it() {
        let rows = rows();
        let stated = |n: usize| Labelled {
            stated: Some(Drawn::Census),
            ..label(rows[n].id, "a", 1, Word::Acceptable)
        };
        let labels: Vec<_> = (0..39).map(stated).collect();
        let (day, _) = read(&Plan::default(), &rows, &labels);
        assert_eq!((day.state, day.audit, day.audit_labelled), (DayState::Open, 37, 36));
        let labels: Vec<_> = (0..40).map(stated).collect();
        assert_eq!(read(&Plan::default(), &rows, &labels).0.state, DayState::Closed);
    }

    #[test]
    fn a_day_without_a_stated_look_at_what_passed_says_nothing_on_misses() {
        let rows = rows();
        let flagged: Vec<_> = (0..3).map(|n| label(rows[n].id, "a", 1, Word::Poor)).collect();
        let (day, judged) = read(&Plan::default(), &rows, &flagged);
        assert_eq!(day.state, DayState::Closed);
        assert!(judged.iter().all(|j| j.smallest == 0.0 && !j.covered));
        let audit = Labelled {
            stated: Some(Drawn::Audit(0.25)),
            ..label(rows[8].id, "a", 1, Word::Acceptable)
        };
        let (_, judged) = read(&Plan::default(), &rows, &[flagged, vec![audit]].concat());
        assert!(judged.iter().all(|j| j.smallest == 0.25 && j.covered));
        assert!(judged[8].pi == Some(0.25) && judged[8].draw < 0.25);
    }
}
