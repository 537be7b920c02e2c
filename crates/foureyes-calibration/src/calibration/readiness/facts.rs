//! What the next steps need to know besides what the document holds.

use super::{Fold, freshness};
use crate::calibration::{
    Evaluation, Input, KpiResult, KpiRow, Measure, Needed, Policy, Price, ReadinessResult,
};
use crate::domain::JudgementKind;

/// What the document itself does not hold.
#[derive(Debug, Clone)]
pub(super) struct Facts<'a> {
    pub(super) family: JudgementKind,
    pub(super) policy: &'a Policy,
    /// The first day, today or later, of which no record has a label: days since 1970.
    pub(super) unlabelled_from: i32,
    /// The smallest rate of the audit sample in force; 0 where there is none.
    pub(super) pi: f64,
    /// The day on which READY lapses if nobody labels: days since 1970; `None` where it does not.
    pub(super) lapses_on: Option<i32>,
    /// Whole days with data that each undecided KPI takes at least, counted from the last closed day where
    /// labels tell and from the last whole one elsewhere.
    pub(super) soonest: Vec<(Measure, u64)>,
    /// Undecided KPIs that were met, and that a block alone keeps from it.
    pub(super) held: Vec<Measure>,
    /// The KPIs that are not met unless words that are still to come say otherwise.
    pub(super) unmet_as_words_stand: Vec<Measure>,
    /// Undecided KPIs that are met unless words that are still to come say otherwise.
    pub(super) met_as_words_stand: Vec<Measure>,
    /// The first day on which those words can all be there: days since 1970.
    pub(super) confirmed_from: i32,
    /// Whole days with data that the error rates take at least in a window that is begun anew.
    pub(super) anew: u64,
    /// What audit rates cost until the error rates are decided, where nothing that passes is drawn.
    pub(super) first_rates: Vec<Price>,
}

impl<'a> Facts<'a> {
    /// Those of a window; `needed` is what would decide its KPIs.
    pub(super) fn new(
        fold: &Fold<'a>,
        kpis: &[KpiRow],
        needed: &[Needed],
        result: ReadinessResult,
    ) -> Self {
        let undecided = [KpiResult::NotEnoughEvidence, KpiResult::NotEstimable];
        let deciding = kpis.iter().filter(|k| k.gated && k.waived_by.is_none() && !k.not_recorded);
        let deciding: Vec<&KpiRow> = deciding.collect();
        let open = deciding.iter().filter(|k| undecided.contains(&k.result)).map(|k| k.id);
        let open: Vec<Measure> = open.filter(|_| result != ReadinessResult::Ready).collect();
        let labelled = |ids: &mut dyn Iterator<Item = Measure>| -> Vec<Measure> {
            ids.filter(|id| id.needs_labels()).collect()
        };
        let rates = labelled(&mut deciding.iter().map(|k| k.id));
        let is_ready = result == ReadinessResult::Ready;
        let anew = rates.iter().filter(|_| !is_ready).filter_map(|m| fold.days_anew(*m)).max();
        let first_rates = match fold.traffic.pi > 0.0 {
            true => Vec::new(),
            false => fold.first_rates(&labelled(&mut open.iter().copied())),
        };
        let was_met = |m: &&Measure| fold.gate.track(**m).is_some_and(|track| track.met.is_some());
        Self {
            unmet_as_words_stand: Vec::new(),
            met_as_words_stand: Vec::new(),
            confirmed_from: confirmed_from(fold.input),
            held: open.iter().filter(was_met).copied().collect(),
            family: fold.input.family,
            policy: fold.input.policy,
            unlabelled_from: unlabelled_from(fold),
            pi: fold.traffic.pi,
            lapses_on: freshness::lapses_on(fold, kpis),
            soonest: open.iter().filter_map(|m| Some((*m, fold.soonest(*m, needed)?))).collect(),
            anew: anew.unwrap_or(0),
            first_rates,
        }
    }

    /// With what the KPIs are as the words stand.
    pub(super) fn with_kpis_as_words_stand(mut self, kpis: &[KpiRow]) -> Self {
        let deciding = || kpis.iter().filter(|k| k.gated && k.waived_by.is_none());
        let of = |result| deciding().filter(move |k| k.result == result).map(|k| k.id);
        self.unmet_as_words_stand = of(KpiResult::NotMet).collect();
        self.met_as_words_stand = of(KpiResult::Met).collect();
        self
    }
}

/// Today, where several label; a lone reviewer gives the second words on the day after the first ones.
fn confirmed_from(input: &Input<'_>) -> i32 {
    let today = input.now.day();
    let since = today.saturating_sub(AT_WORK);
    let at_work = input.labels.iter().filter(|l| l.import.is_none() && l.at.day() >= since);
    let (mut names, last) = (at_work.clone(), at_work.map(|label| label.at.day()).max());
    let first = names.next().map(|label| &label.reviewer);
    match last.filter(|_| names.all(|label| Some(&label.reviewer) == first)) {
        Some(last) => today.max(last.saturating_add(1)),
        None => today,
    }
}

/// Days for which somebody who labelled counts as at work.
const AT_WORK: i32 = 14;

/// The first day, today or later, of which no record has a label.
fn unlabelled_from(fold: &Fold<'_>) -> i32 {
    let today = fold.input.now.day();
    let is_labelled = |e: &&Evaluation| fold.rulings.contains_key(&e.id);
    let latest = match fold.rulings.is_empty() {
        true => None,
        false => fold.input.evaluations.iter().rev().find(is_labelled),
    };
    latest.map_or(today, |e: &Evaluation| today.max(e.at.day().saturating_add(1)))
}
