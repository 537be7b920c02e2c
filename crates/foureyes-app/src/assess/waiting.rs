//! The calibration queue as a whole: what waits for a reviewer, and what is to be done once
//! nothing does.

use super::{Assessment, Due, Evaluations, Turn, Wanted, due};
use crate::calibration::{DayState, Needed, Readiness};
use crate::domain::review::Present;
use crate::domain::{Outcome, RecordId, Timestamp};
use rayon::prelude::*;
use std::collections::HashSet;

/// For whom, and how.
#[derive(Debug, Clone, Copy)]
pub struct Reviewer<'a> {
    /// Whose queue it is.
    pub name: &'a str,
    /// Share of what they labelled that comes back, from 0 to 1.
    pub repeats: f64,
    /// In which order.
    pub turn: Turn,
}

/// What waits for a label, and how far the days are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Waiting {
    /// What to label, in order.
    pub due: Vec<Due>,
    /// Second and third labels that are asked for and not due to this reviewer now: they are for others,
    /// or for a later day.
    pub later_seconds: usize,
    /// First instant of the window; `None` where none was started.
    pub window: Option<Timestamp>,
    /// Whether anything of what passes is drawn.
    pub audited: bool,
    /// Whole days of the window that are closed, and those that are open.
    pub days: [u64; 2],
    /// What would decide a KPI that is not decided by labels yet, the cheapest first.
    pub next: Vec<Needed>,
    /// Whether labels of NO-GOs decide soonest, or of what passed; `None` where no number of labels
    /// is known to decide anything.
    pub decides: Option<bool>,
}

/// What waits for a reviewer, by an assessment of these evaluations and labels.
pub fn waiting(
    all: &Evaluations,
    assessed: &Assessment,
    present: &Present,
    who: Reviewer<'_>,
    now: Timestamp,
) -> Waiting {
    let days = &assessed.readiness.days;
    let count = |state| days.iter().filter(|day| day.state == state).count() as u64;
    let next: Vec<Needed> =
        assessed.readiness.next.iter().filter(|n| n.stratum != "all").cloned().collect();
    let mut due = due(
        Wanted::new(&assessed.readiness),
        &assessed.rules.plan,
        present,
        who.name,
        who.repeats,
        now,
    );
    let decides = decides(&next);
    let later_seconds = later_seconds(&assessed.readiness, &due);
    if let (Turn::Decides, Some(flagged)) = (who.turn, decides) {
        deciding_first(&mut due, flagged, |record| is_flagged(all, record));
    }
    Waiting {
        due,
        later_seconds,
        window: assessed.rules.window_start,
        audited: assessed.rules.rates.iter().any(|rate| rate.rate > 0.0),
        days: [count(DayState::Closed), count(DayState::Open)],
        next,
        decides,
    }
}

/// How many of the second and third labels that are asked for are not due here.
fn later_seconds(readiness: &Readiness, due: &[Due]) -> usize {
    let here: HashSet<RecordId> = due.iter().map(|due| due.record).collect();
    let asked = readiness.reviewer_error.second_words.waiting.iter();
    asked.filter(|second| !here.contains(&second.record)).count()
}

/// Whether NO-GOs decide soonest, or what passed; `None` where no number of labels is named.
fn decides(next: &[Needed]) -> Option<bool> {
    next.iter()
        .find(|needed| needed.least_labels().is_some())
        .map(|needed| needed.stratum == "no_go")
}

/// Puts those first that decide; their order among themselves stays.
fn deciding_first(
    due: &mut Vec<Due>,
    flagged: bool,
    is_flagged: impl Fn(RecordId) -> Option<bool> + Sync,
) {
    let decides = |due: &Due| is_flagged(due.record) == Some(flagged);
    let (mut first, later): (Vec<Due>, Vec<Due>) = due.par_iter().partition(|due| decides(due));
    first.extend(later);
    *due = first;
}

fn is_flagged(all: &Evaluations, record: RecordId) -> Option<bool> {
    let evaluation = all.all().get(all.find(record)?)?;
    Some(evaluation.outcome == Outcome::NoGo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::Measure;

    fn needed(stratum: &str, labels: Option<u64>) -> Needed {
        Needed {
            kpi: Measure::FalseNegativeRate,
            stratum: stratum.to_owned(),
            records: labels,
            records_safe: labels,
            labels,
            evaluations: None,
            days: None,
            text: String::new(),
            prices: Vec::new(),
            outlook: None,
            limit: None,
            range: None,
        }
    }

    #[test]
    fn cheapest_decisive_stratum_comes_first_in_sample_order() {
        assert_eq!(decides(&[needed("go", None), needed("no_go", Some(9))]), Some(true));
        assert_eq!(decides(&[needed("go", Some(3)), needed("no_go", Some(9))]), Some(false));
        assert_eq!(decides(&[needed("go", None)]), None);
        let id = |n| RecordId([n; 32]);
        let mut due: Vec<Due> =
            (0..6).map(|n| Due { record: id(n), repeat: n == 4, requested: None }).collect();
        deciding_first(&mut due, true, |record| Some(record.0[0] % 3 == 1));
        let order: Vec<u8> = due.iter().map(|due| due.record.0[0]).collect();
        assert_eq!(order, [1, 4, 0, 2, 3, 5]);
    }
}
