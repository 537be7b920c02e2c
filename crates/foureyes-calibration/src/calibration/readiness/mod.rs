//! The decision: what is given, and what follows from it.

mod arriving;
mod blocks;
mod caveats;
mod contradictions;
mod dates;
mod double_labels;
mod expiry;
mod facts;
mod family_steps;
mod fold;
mod freshness;
mod history;
mod keep;
mod label_rules;
mod natural;
mod next;
mod qualifiers;
mod read;
mod remarks;
mod remedies;
mod rows;
mod stated;
mod together;
mod unnamed;
mod way;

pub use blocks::no_window;
pub use freshness::overdue_labels;

use super::agreement::agreement;
use super::point_estimate::literal;
use super::prevalence::prevalence;
use super::reviewer_error::reviewer_error;
use super::{
    Block, Input, Inputs, KpiResult, KpiRow, LabelQuality, Measure, Needed, READINESS_RULES,
    READINESS_SCHEMA, Readiness, ReadinessResult, Release, ShareRow, WindowRow,
};
use crate::domain::{Caveat, Timestamp};
use crate::stats::order::Median;
use facts::Facts;
use fold::Fold;
use label_rules::Broken;

/// Decides, and says what the decision rests on.
///
/// Takes time proportional to the evaluations in the window. Text in it (reviewers, models, box
/// names) is raw: escape it before it is shown.
pub fn readiness(input: &Input<'_>) -> Readiness {
    decided(input).0
}

/// The same, with the hashes of what it rests on.
pub fn decided(input: &Input<'_>) -> (Readiness, Inputs) {
    let (mut readiness, inputs) = rayon::join(|| without_evidence(input), || Inputs::new(input));
    readiness.evidence = inputs.whole();
    (readiness, inputs)
}

fn without_evidence(input: &Input<'_>) -> Readiness {
    let mut fold = Fold::new(input);
    let median = fold.median();
    let needed: Vec<Needed> = fold.needed();
    let prevalence = prevalence(
        &fold.gate.tally,
        fold.contents,
        input.policy.confidence,
        &rows::unlooked(&fold),
    );
    let (kpis, beside) = kpi_rows(&fold, median, &needed, prevalence.estimate);
    let quality = label_rules::quality(&fold);
    let first = label_rules::first_words(input).map(|input| without_evidence(&input));
    let (blocks, caveats) = blocks_and_caveats(&fold, &quality, &kpis, first.as_ref());
    let rests_on = label_rules::rests_on(&fold, &kpis, first.as_ref());
    let verdicts = fold.first_verdicts();
    let facts = Facts::new(&fold, &kpis, &needed, result(&kpis, &blocks));
    let facts = facts.with_kpis_as_words_stand(&kpis_as_words_stand(&fold, &kpis, &blocks));
    let mut readiness = Readiness {
        schema: READINESS_SCHEMA.to_owned(),
        rules: (input.release == Release::V03).then_some(READINESS_RULES),
        family: input.family,
        generated: input.now,
        result: result(&kpis, &blocks),
        qualifiers: qualifiers::not_ready_as_words_stand(&fold, &facts.unmet_as_words_stand)
            .into_iter()
            .chain(qualifiers::qualifiers(&fold, &kpis, &blocks, rests_on))
            .collect(),
        window: window(&fold),
        wrong_blocks: remarks::wrong_blocks(input.family, kpis.iter().chain(&beside)),
        reviewer_error: reviewer_error(
            kpis.iter().chain(&beside),
            input.labels,
            &verdicts,
            fold.second_words.clone(),
        ),
        next: undecided(needed, &kpis, &facts),
        beside,
        kpis,
        blocks,
        literal: literal(&fold.gate.counts, median, fold.pooled(), input.policy),
        steps: Vec::new(),
        arriving: arriving::arriving(&fold),
        prices: Vec::new(),
        history: fold.history.rows(input.policy),
        pending_looks: fold.gate.pending.iter().map(|d| day_text(*d)).collect(),
        conflicts: fold.conflicts(),
        second_look: fold.second_look(),
        prevalence: Some(prevalence),
        agreement: agreement(input.labels, &verdicts, &fold.rulings, input.scores),
        judges: blocks::seen(&fold),
        retried: caveats::retried(&fold),
        caveats,
        label_quality: Some(quality),
        evidence: String::new(),
        days: fold.days,
    };
    readiness.steps = next::steps(&readiness, &facts);
    readiness
}

/// The rows of what decides or may decide, and those beside them.
fn kpi_rows(
    fold: &Fold<'_>,
    median: Option<Median>,
    needed: &[Needed],
    poor: Option<f64>,
) -> (Vec<KpiRow>, Vec<KpiRow>) {
    let row = |m: Measure| {
        let row = rows::row(fold, m, median, needed.iter().find(|n| n.kpi == m));
        KpiRow { remarks: remarks::remarks(fold, &row, poor), ..row }
    };
    let policy = fold.input.policy;
    let (kpis, beside): (Vec<_>, Vec<_>) =
        Measure::ALL.into_iter().partition(|m| m.definition().is_kpi || policy.gates(*m));
    (kpis.into_iter().map(row).collect(), beside.into_iter().map(row).collect())
}

/// What stands against a decision, and what to know beside it. Which of the two a broken rule on
/// labels is depends on the rules that the window was begun under.
fn blocks_and_caveats(
    fold: &Fold<'_>,
    quality: &LabelQuality,
    kpis: &[KpiRow],
    first: Option<&Readiness>,
) -> (Vec<Block>, Vec<Caveat>) {
    let (mut blocks, mut caveats) = (blocks::blocks(fold), caveats::caveats(fold));
    let without = (kpis, result(kpis, &blocks));
    for Broken { id, text, always } in label_rules::broken(fold, quality, without, first) {
        match always || fold.input.rules.has_label_rules() {
            true => blocks.push(blocks::block(fold, id, text)),
            false => caveats.push(Caveat { id: id.to_owned(), text }),
        }
    }
    if result(kpis, &blocks) == ReadinessResult::Ready {
        blocks.extend(freshness::stale(fold, kpis));
    }
    (blocks, caveats)
}

/// What would decide the measures that are not decided, unless confirmations do: the fewest labels first.
fn undecided(needed: Vec<Needed>, kpis: &[KpiRow], facts: &Facts<'_>) -> Vec<Needed> {
    let lacks = |n: &Needed| is_open(kpis, n.kpi) && !facts.met_as_words_stand.contains(&n.kpi);
    let mut next: Vec<_> = needed.into_iter().filter(lacks).collect();
    next.sort_by_key(|n| n.least_labels().unwrap_or(u64::MAX));
    next
}

/// NOT READY where anything that decides is not met, READY where all is met and nothing blocks.
fn result(kpis: &[KpiRow], blocks: &[Block]) -> ReadinessResult {
    let blocked = blocks.iter().any(|b| b.waived.is_none());
    let mut deciding = kpis.iter().filter(|k| k.gated && k.waived_by.is_none());
    if deciding.clone().any(|k| k.result == KpiResult::NotMet || k.withdrawn.is_some()) {
        return ReadinessResult::NotReady;
    }
    if !blocked && deciding.all(|k| k.result == KpiResult::Met || k.not_recorded) {
        return ReadinessResult::Ready;
    }
    ReadinessResult::NotEnoughEvidence
}

/// The KPIs as the words stand, where some wait for a confirmation and the answer is open; else none.
fn kpis_as_words_stand(fold: &Fold<'_>, kpis: &[KpiRow], blocks: &[Block]) -> Vec<KpiRow> {
    let open = result(kpis, blocks) == ReadinessResult::NotEnoughEvidence;
    // Not asked of what is answered for another answer.
    let input = Some(fold.input).filter(|input| !input.as_words_stand && input.spoken.is_none());
    let waits = fold.second_words.to_confirm() > 0;
    let Some(input) = input.filter(|_| waits && open) else { return Vec::new() };
    without_evidence(&Input { as_words_stand: true, first_labels: None, ..*input }).kpis
}

/// Whether a KPI decides and is not decided.
fn is_open(kpis: &[KpiRow], id: Measure) -> bool {
    let open = [KpiResult::NotEnoughEvidence, KpiResult::NotEstimable];
    let decides = |k: &&KpiRow| k.gated && k.waived_by.is_none() && !k.not_recorded;
    kpis.iter().filter(decides).any(|k| k.id == id && open.contains(&k.result))
}

fn window(fold: &Fold<'_>) -> WindowRow {
    let with_data = fold.days_with_data();
    let open = fold.days.iter().find(|d| d.state == super::DayState::Open);
    let started = fold.input.window_start.and(fold.input.start());
    WindowRow {
        from: started,
        to: (!fold.days.is_empty()).then(|| Timestamp::of_day(fold.input.end_day())),
        days: fold.days.len() as u64,
        days_with_data: with_data,
        days_needed: u64::from(fold.input.policy.days),
        missing_days: fold.missing_days(),
        closed_days: fold.traffic.days,
        first_open_day: open.map(|d| d.day.clone()),
        evidence_until: freshness::last_closed_day(fold)
            .filter(|_| fold.input.release >= Release::V03),
        share: started.map(|_| ShareRow::new(&fold.input.allowance, fold.input.policy)),
        entered: fold.input.natural.map(|natural| natural.entered),
    }
}

/// A day since 1970 as `YYYY-MM-DD`.
fn day_text(day: i32) -> String {
    Timestamp::of_day(day).day_text()
}

#[cfg(test)]
pub(super) mod tests;
