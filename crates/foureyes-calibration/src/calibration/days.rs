//! Days, and whether one is closed: all that must be labelled of it is.
//!
//! Only the unbroken run of closed days from the window's start counts. Else days that close late,
//! because something bad was found on them, would bend the answer.

use super::label::Unconfirmed;
use super::reading::Reading;
use super::{Measure, Word};
use crate::domain::RecordId;
use crate::stats::sequential::error::Inclusion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// How a day stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DayState {
    /// Its NO-GOs and its audit sample are labelled whole, with the second words that the policy
    /// asks for before poor counts.
    Closed,
    /// Something of that is missing.
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
    /// Contents that were flagged and must have a label: all, or those that were drawn.
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
    /// Those of them that were flagged. In no report: it would show verdicts before their labels.
    #[serde(skip)]
    pub missing_no_go: Vec<RecordId>,
    /// What was called poor and must have a second word, where the policy asks for one; a written
    /// report names the first hundred of a day.
    #[serde(default, serialize_with = "first_missing", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub unconfirmed: Vec<RecordId>,
}

/// How many records without a label a report names of a day.
pub(super) const MISSING_WRITTEN: usize = 100;

/// Writes the first of them: counts beside them say how many there are.
fn first_missing<S: Serializer>(missing: &[RecordId], to: S) -> Result<S::Ok, S::Error> {
    missing.get(..MISSING_WRITTEN).unwrap_or(missing).serialize(to)
}

/// The stratum of all that passed, where no rate in force tells strata apart.
pub(super) const UNDIVIDED: u16 = u16::MAX;

/// That of what passed after its author was stopped on the same path.
pub(super) const RETRIED: u16 = u16::MAX - 1;

/// That of UNDETERMINED.
pub(super) const UNDETERMINED: u16 = u16::MAX - 2;

/// One content with its first verdict, and what its labels say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Judged {
    pub(super) id: RecordId,
    /// Whether it is stopped: NO-GO, and UNDETERMINED where the policy says that it blocks.
    pub(super) flagged: bool,
    /// Whether it is UNDETERMINED, which the policy counts in the error rates.
    pub(super) undetermined: bool,
    /// Its author, as in [`super::Evaluation::agent`].
    pub(super) agent: u32,
    /// Its judge, as in [`super::Evaluation::fingerprint`].
    pub(super) judge: u32,
    pub(super) stratum: u16,
    pub(super) word: Option<Word>,
    /// Probability with which it was chosen; `None` where it was not, or nobody knows.
    pub(super) pi: Option<f64>,
    /// Probability of its stratum under the plan, chosen or not; 0 where the plan leaves it aside, and 1
    /// of a NO-GO where every one is labelled.
    pub(super) rate: f64,
    /// What was drawn: chosen at any rate above it.
    pub(super) draw: f64,
    /// The smallest probability in force for what passed; 0 where part of it was not looked at.
    pub(super) smallest: f64,
    /// The same for what is stopped.
    pub(super) stopped: f64,
    /// Whether what passed was looked at at all when it was judged.
    pub(super) covered: bool,
    /// Whether the plan may draw from its stratum: else how it was chosen is what its label states.
    pub(super) planned: bool,
    /// Whether it is drawn for a double label. Of what has no label it is not said.
    pub(super) double: bool,
    /// Whether its word waits for others.
    pub(super) unconfirmed: Unconfirmed,
    /// How many contents it stands for, as in [`super::Evaluation::times`].
    pub(super) times: u64,
}

impl Judged {
    /// Whether the judge erred, as a measure counts it, where the content is poor or not; `None` where the
    /// measure does not count it.
    pub(super) fn is_error(&self, measure: Measure, poor: bool) -> Option<bool> {
        let counts = match measure {
            Measure::FalseNegativeRate => self.covered && poor,
            // Where a stratum is never looked at, neither side counts: one alone would bend it.
            Measure::FalsePositiveRate => self.covered && !poor,
            Measure::FalseDiscoveryRate => self.flagged && !self.undetermined,
            Measure::FalseOmissionRate => self.covered && !self.flagged && !self.undetermined,
            _ => false,
        };
        counts.then_some(self.flagged != poor)
    }

    /// With which probabilities records of a measure were to be labelled when it was judged; `record` is
    /// its own.
    pub(super) fn inclusion(&self, measure: Measure, record: f64) -> Inclusion {
        let (errors, right) = match measure {
            Measure::FalseNegativeRate => (self.smallest, self.stopped),
            Measure::FalsePositiveRate => (self.stopped, self.smallest),
            Measure::FalseOmissionRate => (self.smallest, self.smallest),
            _ => (self.stopped, self.stopped),
        };
        Inclusion { record, errors, right }
    }

    /// Its word as a decision reads it: unsure while it waits for others, and for evidence against the
    /// judge only in the first days of that, so that nobody keeps READY by not asking.
    pub(super) fn deciding_word(&self, reading: Reading) -> Option<Word> {
        let waits = match reading {
            Reading::Worst => self.unconfirmed != Unconfirmed::No,
            Reading::Best => self.unconfirmed == Unconfirmed::Recently,
        };
        self.word.map(|word| if waits { Word::Unsure } else { word })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::Input;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::calibration::label::tests::label;
    use crate::calibration::reader::Reader;
    use crate::calibration::readiness::tests::{input, plan};
    use crate::calibration::{Drawn, Evaluation, Labelled, Plan, Rate, Stratum, rulings};
    use crate::domain::{Outcome, Timestamp};

    fn read(plan: &Plan, rows: &[Evaluation], labels: &[Labelled]) -> (Day, Vec<Judged>) {
        let rulings = rulings(labels);
        let base = input(rows, labels, plan);
        let mut contents = Vec::new();
        let day = Reader::new(&base, &rulings).read(3, rows, |_| {}, |j| contents.push(*j));
        (day, contents)
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
    fn large_day_lists_missing_records_and_report_lists_first_ones() {
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
    fn picked_records_are_outside_samples() {
        let (rows, plan) = (rows(), plan(0.0));
        let labels = [label(rows[9].id, "a", 1, Word::Poor)];
        let (day, judged) = read(&plan, &rows, &labels);
        assert_eq!(day.audit, 0);
        assert_eq!((judged[9].pi, judged[9].word), (None, Some(Word::Poor)));
        assert!(judged.iter().all(|j| !j.covered));
    }

    #[test]
    fn stated_census_requires_all_records() {
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
    fn day_without_stated_audit_gives_no_misses() {
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

    #[test]
    fn stated_selection_counts_only_outside_drawn_strata() {
        // Two strata: the plan draws from the first, and leaves the second to an import.
        let mut rows = rows();
        rows.iter_mut().zip(0_u16..).for_each(|(e, n)| e.stratum = n % 2);
        let rate = Rate { from: Timestamp(0), stratum: Stratum::Band(0), pi: 0.3, key: [3; 32] };
        let plan = Plan { rates: vec![rate] };
        let names = ["first".to_owned(), "second".to_owned()];
        let of = |labels: &[Labelled]| {
            let base = Input { strata: &names, ..input(&rows, labels, &plan) };
            let mut contents = Vec::new();
            let rulings = rulings(labels);
            Reader::new(&base, &rulings).read(3, &rows, |_| {}, |j| contents.push(*j));
            contents
        };
        let before = of(&[]);
        assert!(before.iter().all(|j| j.smallest == 0.0 && !j.covered));
        let stated = |n: usize| Labelled {
            stated: Some(Drawn::Audit(0.25)),
            ..label(rows[n].id, "a", 1, Word::Poor)
        };
        let undrawn = (4..40).step_by(2).find(|n| before[*n].pi.is_none()).unwrap();
        let drawn = (4..40).step_by(2).find(|n| before[*n].pi.is_some()).unwrap();
        let got = of(&[stated(undrawn), stated(drawn), stated(9)]);
        assert_eq!(got[undrawn].pi, None, "the draw could have come upon it, and did not");
        assert_eq!(got[drawn].pi, Some(0.3), "it is of the draw, whatever else is said of it");
        assert_eq!(got[9].pi, Some(0.25));
        assert!(got.iter().all(|j| j.smallest == 0.25 && j.covered));
        // What is stated of a stratum that the plan draws from leaves the other one unseen.
        assert!(of(&[stated(undrawn)]).iter().all(|j| j.smallest == 0.0 && !j.covered));
    }
}
