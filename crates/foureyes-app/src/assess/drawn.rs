//! How a labelled record was chosen, by the window and the rates of the ledgers.

use super::{Evaluations, Rules};
use crate::domain::review::Drawn;
use crate::domain::{Outcome, RecordId};
use crate::stats::sample;

/// How a record came to be labelled as evidence: every NO-GO of the window is (a census), and what
/// passed is where the rate in force drew it. `None` of all else, which is evidence for no rate.
///
/// Labels are saved without it, since here the rates say it; where they are taken to a machine
/// without these rates, they must state it.
pub fn drawn(all: &Evaluations, rules: &Rules, record: RecordId) -> Option<Drawn> {
    let start = rules.window_start?;
    let evaluation = all.all().get(all.find(record)?)?;
    if !evaluation.first || evaluation.at < start {
        return None;
    }
    match evaluation.outcome {
        Outcome::NoGo => Some(Drawn::Census),
        Outcome::Go => {
            let rate = rules.plan.rate(evaluation.at, evaluation.stratum)?;
            let chosen = sample::draw(&rate.key, &record.0) < rate.pi;
            (chosen && rate.pi > 0.0).then_some(Drawn::Audit(rate.pi))
        }
        Outcome::Undetermined => None,
    }
}
