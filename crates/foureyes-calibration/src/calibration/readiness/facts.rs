//! What the next steps need to know besides what the document holds.

use super::{Fold, freshness};
use crate::calibration::days::Judged;
use crate::calibration::{Evaluation, KpiRow, Policy, Word};
use crate::domain::JudgementKind;

/// What the document itself does not hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) family: JudgementKind,
    pub(super) policy: &'a Policy,
    /// The first day, today or later, of which no record has a label: days since 1970.
    pub(super) unlabelled_from: i32,
    /// Records of the window that are unsure, those on which reviewers differ left out.
    pub(super) unsure: u64,
    /// The smallest rate of the audit sample in force; 0 where there is none.
    pub(super) pi: f64,
    /// The day on which READY lapses if nobody labels: days since 1970; `None` where it does not.
    pub(super) lapses_on: Option<i32>,
}

impl<'a> Facts<'a> {
    /// Those of a window.
    pub(super) fn new(fold: &Fold<'a>, kpis: &[KpiRow]) -> Self {
        Self {
            family: fold.input.family,
            policy: fold.input.policy,
            unlabelled_from: unlabelled_from(fold),
            unsure: unsure_records(fold),
            pi: fold.traffic.pi,
            lapses_on: freshness::lapses_on(fold, kpis),
        }
    }
}

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

/// Records of the window's whole days that are unsure, those on which reviewers differ left out.
fn unsure_records(fold: &Fold<'_>) -> u64 {
    let unsure = |j: &&Judged| {
        j.word == Some(Word::Unsure)
            && !fold.rulings.get(&j.id).is_some_and(|ruling| ruling.conflict || ruling.waits())
    };
    fold.labelled.iter().filter(unsure).count() as u64
}
