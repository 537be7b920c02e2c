//! How a labelled record was chosen, by the window and the rates of the ledgers.

use super::{Evaluations, Rules};
use crate::calibration::Draws;
use crate::domain::review::Drawn;
use crate::domain::{Outcome, RecordId};

/// How a record came to be labelled as evidence: NO-GOs of the window are where every one is labelled (a
/// census), and others are where the rate in force drew them. `None` of all else, which is evidence for
/// no rate.
///
/// Labels are saved without it, since here the rates say it; where they are taken to a machine
/// without these rates, they must state it.
pub fn drawn(all: &Evaluations, rules: &Rules, record: RecordId) -> Option<Drawn> {
    let start = rules.window_start?;
    let place = all.find(record)?;
    let evaluation = all.all().get(place)?;
    let is_outside = rules.inside.as_ref().is_some_and(|inside| inside.get(place) != Some(&true));
    if evaluation.at < start || is_outside {
        return None;
    }
    let draws = Draws::under(rules.window_rules, &rules.policy);
    let chance = rules.plan.chance(evaluation, rules.strata.len(), draws)?;
    let is_census = evaluation.outcome == Outcome::NoGo && chance >= 1.0;
    Some(if is_census { Drawn::Census } else { Drawn::Audit(chance) })
}
