//! How much poor content arrives: as GO, and because the judge did not decide.
//!
//! Of UNDETERMINED that the policy keeps apart a few a day are drawn at the rate of GO. They are for display:
//! they decide nothing and hold no day open.

use super::{Fold, rows};
use crate::calibration::days::UNDETERMINED;
use crate::calibration::{
    Arriving, DayState, Evaluation, Measure, PoorContent, Stratum, Undetermined, Word,
};
use crate::domain::RecordId;

/// At most so many UNDETERMINED are drawn on a day: an outage of forty pushes costs no forty labels.
const MOST_A_DAY: usize = 5;

/// What arrives; `None` where nothing is UNDETERMINED or such content does not pass, in windows of earlier
/// versions, and where evaluations without a label are not one by one.
pub(super) fn arriving(fold: &Fold<'_>) -> Option<Arriving> {
    let input = fold.input;
    if !input.is_current() || input.folded.is_some() {
        return None;
    }
    let mut missing = Vec::new();
    let undetermined = match input.policy.undetermined {
        Undetermined::Blocks => return None,
        Undetermined::Passes => of_stratum(fold),
        Undetermined::Apart => drawn(fold, &mut missing),
    };
    let is_there = undetermined.contents > 0 || !missing.is_empty();
    is_there.then(|| Arriving { go: go(fold), undetermined, missing })
}

/// What passes as GO, by the false omission rate.
fn go(fold: &Fold<'_>) -> PoorContent {
    let tally = &fold.gate.tally;
    let [_, passed] = tally.sizes();
    let of_go = passed.iter().filter(|(stratum, _)| **stratum != UNDETERMINED);
    let contents = of_go.map(|(_, sizes)| sizes.population).sum();
    let measure = Measure::FalseOmissionRate;
    let (errors, right) = tally.sure(measure);
    let share = tally.rates().of(measure).filter(|_| rows::is_estimable(fold, measure));
    let bounds = tally.sampled(measure).bounds(fold.input.policy.confidence);
    PoorContent::new(
        contents,
        errors + right,
        share.map(|share| [share, bounds.lower, bounds.upper]),
    )
}

/// UNDETERMINED that the policy counts as passed: labelled like the rest.
fn of_stratum(fold: &Fold<'_>) -> PoorContent {
    let [_, passed] = fold.gate.tally.sizes();
    let sizes = passed.get(&UNDETERMINED).copied().unwrap_or_default();
    let labels = sizes.labelled.saturating_sub(sizes.unsure);
    PoorContent::of_sample(sizes.population, (sizes.poor, labels), fold.input.policy.confidence)
}

/// UNDETERMINED that is kept apart: on each day the drawn ones.
fn drawn(fold: &Fold<'_>, missing: &mut Vec<RecordId>) -> PoorContent {
    let input = fold.input;
    let first = input.start().map_or(0, |start| start.day());
    let is_open = (first..).zip(&fold.days).find(|(_, day)| day.state == DayState::Open);
    let open = is_open.map_or(i32::MAX, |(day, _)| day);
    let (mut contents, mut poor, mut labels) = (0, 0, 0);
    for day in input.in_window().chunk_by(|a, b| a.at.day() == b.at.day()) {
        let is_closed = day.first().is_some_and(|e| e.at.day() < open);
        let all = || day.iter().filter(|e| e.is_undecided());
        contents += if is_closed { all().map(|e| u64::from(e.times)).sum() } else { 0 };
        for id in sample(fold, all()) {
            match fold.rulings.get(&id).map(|ruling| ruling.word) {
                Some(Word::Unsure) => {}
                Some(word) if is_closed => {
                    labels += 1;
                    poor += u64::from(word == Word::Poor);
                }
                None if !is_closed => missing.push(id),
                _ => {}
            }
        }
    }
    PoorContent::of_sample(contents, (poor, labels), input.policy.confidence)
}

/// Those of a day that are drawn: at the rate of GO, and of them those with the smallest draws.
fn sample<'e>(fold: &Fold<'_>, all: impl Iterator<Item = &'e Evaluation>) -> Vec<RecordId> {
    let mut drawn: Vec<(f64, RecordId)> = Vec::new();
    for e in all {
        let force = fold.input.in_force(e.at);
        let Some(rate) = force.rate(Stratum::Band(e.stratum)).or_else(|| force.any()) else {
            continue;
        };
        let draw = rate.draw(&e.id);
        drawn.extend((draw < rate.pi).then_some((draw, e.id)));
    }
    drawn.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    drawn.into_iter().take(MOST_A_DAY).map(|(_, id)| id).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::{agreed, input, plan, planted, single};
    use super::*;
    use crate::calibration::{Input, Labelled, Policy, Readiness, readiness};
    use crate::domain::Outcome;

    /// Thirty days of twenty, of which eight are UNDETERMINED on each; the labels of the others, and of so many
    /// of the drawn ones of each day, one of them poor.
    fn world(labelled: usize, policy: &Policy) -> Readiness {
        let (mut rows, plan) = (planted(30, 4), plan(1.0));
        let labels = agreed(&rows);
        for day in rows.chunks_mut(20) {
            for e in &mut day[12..] {
                e.outcome = Outcome::Undetermined;
            }
        }
        let judged: Vec<Labelled> = {
            let is_judged = |l: &&Labelled| rows.iter().any(|e| e.id == l.record && e.is_judged());
            labels.iter().filter(is_judged).cloned().collect()
        };
        // Nothing is labelled at first: what is drawn of each day.
        let none = readiness(&Input { policy, ..input(&rows, &[], &plan) });
        let drawn = none.arriving.map(|arriving| arriving.missing).unwrap_or_default();
        let mut all = judged;
        for day in drawn.chunks(MOST_A_DAY) {
            for (at, id) in day.iter().take(labelled).enumerate() {
                let mut label = labels.iter().find(|l| l.record == *id).unwrap().clone();
                label.word = if at == 0 { Word::Poor } else { Word::Acceptable };
                all.push(label);
            }
        }
        readiness(&Input { policy, ..input(&rows, &all, &plan) })
    }

    #[test]
    fn five_a_day_tell_how_much_poor_content_is_undetermined() {
        let r = world(5, &single());
        let arriving = r.arriving.clone().unwrap();
        let undetermined = arriving.undetermined;
        assert_eq!((undetermined.contents, undetermined.labels), (240, 150));
        assert_eq!(undetermined.poor, Some(240.0 * 30.0 / 150.0));
        assert!(undetermined.lower.unwrap() > 30.0 && undetermined.upper.unwrap() < 66.0);
        assert_eq!((arriving.go.contents, arriving.go.labels), (240, 240));
        let text = arriving.sentence();
        assert!(text.contains("about 48 of 240 UNDETERMINED"), "{text}");
    }

    #[test]
    fn they_hold_no_day_open_and_change_no_rate() {
        let (without, with) = (world(0, &single()), world(5, &single()));
        assert_eq!(without.window.closed_days, 30);
        assert_eq!((&without.kpis, without.result), (&with.kpis, with.result));
        let text = without.arriving.unwrap().sentence();
        assert!(text.contains("an unknown part of 240 UNDETERMINED"), "{text}");
    }

    #[test]
    fn nothing_arrives_of_what_the_policy_blocks() {
        let policy = Policy { undetermined: Undetermined::Blocks, ..single() };
        assert_eq!(world(0, &policy).arriving, None);
    }
}
