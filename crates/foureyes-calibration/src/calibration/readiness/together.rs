//! Errors that come together on some days.
//!
//! The wealth of single records takes each error for a matter of its own. Where they come together it
//! is at the bar too often, for a good judge and for a bad one.

use super::Fold;
use crate::calibration::days::Judged;
use crate::calibration::{Cluster, Measure, kept};
use crate::stats::binomial;
use crate::stats::sample::KEY_BYTES;
use crate::stats::together::{Together, together};
use std::collections::BTreeMap;
use std::hash::Hash;

/// How likely it may be to find errors together that are not, over all rates and looks.
const LEVEL: f64 = 0.01;

/// What names the random orders.
const PURPOSE: &str = "foureyes 2026 orders of errors by day";

/// The rates whose errors come together, in words; `None` where none does, or whole days count anyway.
pub(super) fn found(fold: &Fold<'_>) -> Option<String> {
    let policy = fold.input.policy;
    if policy.cluster != Cluster::None {
        return None;
    }
    let gated = Measure::ALL.into_iter().filter(|m| m.needs_labels() && policy.gates(*m));
    let tested: Vec<Measure> = gated.collect();
    let level = LEVEL / tested.len().max(1) as f64;
    let of = |m| Some(by_day(m, &clustered(fold, m, level, PURPOSE, |day, _| day)?));
    let texts: Vec<String> = tested.into_iter().filter_map(of).collect();
    (!texts.is_empty()).then(|| {
        format!(
            "{}. This makes a wrong answer more likely than the policy allows; set \
             `cluster = \"day\"` in the policy to account for it",
            texts.join("; ")
        )
    })
}

/// The rates whose errors come together by agent or by served model, in words. It blocks nothing: what
/// the gate says is of the judge as it is used.
pub(super) fn by_part(fold: &Fold<'_>) -> Option<String> {
    let policy = fold.input.policy;
    let gated = Measure::ALL.into_iter().filter(|m| m.needs_labels() && policy.gates(*m));
    let gated: Vec<Measure> = gated.collect();
    let level = LEVEL / (2 * gated.len().max(1)) as f64;
    let served = |j: &Judged| {
        let judge = fold.input.fingerprints.get(j.judge as usize);
        judge.and_then(|judge| judge.served_model.as_deref())
    };
    let mut texts = Vec::new();
    for measure in gated {
        let purpose = "foureyes 2026 orders of errors by agent";
        let agents = clustered(fold, measure, level, purpose, |_, j| j.agent);
        texts.extend(agents.map(|(found, _)| part(measure, "agent", &found)));
        let purpose = "foureyes 2026 orders of errors by served model";
        let models = clustered(fold, measure, level, purpose, |_, j| served(j));
        texts.extend(models.map(|(found, _)| part(measure, "served model", &found)));
    }
    let option = fold.input.family.option();
    (!texts.is_empty())
        .then(|| format!("{}; `foureyes calibration{option}` shows each", texts.join("; ")))
}

fn part(measure: Measure, name: &str, found: &Together) -> String {
    let Together { events, most, clusters, p, limit, .. } = found;
    format!(
        "{} differ by {name}: up to {most} of the first {events} fall on one of {clusters} {name}s \
         (permutation test: p = {p:.5}, limit {limit:.5})",
        errors(measure)
    )
}

/// What the errors of a rate are called.
fn errors(measure: Measure) -> &'static str {
    match measure {
        Measure::FalseNegativeRate | Measure::FalseOmissionRate => "misses",
        _ => "wrong blocks",
    }
}

/// The first look at which errors of a rate come together, and the seed of the random orders.
fn clustered<C: Hash + Eq + Copy>(
    fold: &Fold<'_>,
    measure: Measure,
    level: f64,
    purpose: &str,
    cluster: impl Fn(i32, &Judged) -> C,
) -> Option<(Together, [u8; KEY_BYTES])> {
    let error = |j: &Judged, limits| kept::error(measure, j, limits, None);
    let kept = fold.closed.iter().filter_map(|(day, s, j)| Some((j, *day, error(j, *s)?)));
    let kept: Vec<(&Judged, i32, bool)> = kept.collect();
    // The seed depends on what is tested, so that nobody picks one, and anybody gets it again.
    let mut hasher = blake3::Hasher::new_derive_key(purpose);
    hasher.update(measure.as_str().as_bytes());
    kept.iter().for_each(|(j, ..)| {
        hasher.update(&j.id.0);
    });
    let seed: [u8; KEY_BYTES] = *hasher.finalize().as_bytes();
    let records = kept.iter().map(|(j, day, error)| (cluster(*day, j), *error));
    let records: Vec<(C, bool)> = records.collect();
    Some((together(&records, &seed, level)?, seed))
}

fn by_day(measure: Measure, (found, seed): &(Together, [u8; KEY_BYTES])) -> String {
    let Together { events, most, clusters, p, limit, orders } = found;
    let what = errors(measure);
    let seed: String = seed.iter().take(8).map(|b| format!("{b:02x}")).collect();
    format!(
        "{what} cluster by day: up to {most} of the first {events} fall on one of {clusters} days \
         (permutation test: p = {p:.5}, limit {limit:.5}, {orders} random orders, seed {seed})"
    )
}

/// What is assumed where each evaluation is taken to err by itself, and how far the days seen so far
/// bear it out.
pub(super) fn assumed(fold: &Fold<'_>) -> Option<String> {
    if fold.input.policy.cluster != Cluster::None {
        return None;
    }
    let mut days: BTreeMap<i32, (u64, u64)> = BTreeMap::new();
    for (day, limits, j) in &fold.closed {
        if let Some(missed) = kept::error(Measure::FalseNegativeRate, j, *limits, None) {
            let (errors, all) = days.entry(*day).or_default();
            *errors += u64::from(missed);
            *all += 1;
        }
    }
    let (flagged, passed) = fold.gate.tally.labels();
    if flagged + passed == 0 {
        return None;
    }
    let all = days.len() as u64;
    let bad = days.values().filter(|(errors, all)| errors * 2 >= *all).count() as u64;
    let seen = match (all, bad) {
        (0, _) => {
            "no closed day has poor content in the audit sample that could show it".to_owned()
        }
        (1, 0) => "the one day with poor content was not bad".to_owned(),
        (_, 0) => format!("none of {all} days with poor content was bad"),
        (_, 1) => format!("1 of {all} days with poor content was bad"),
        _ => format!("{bad} of {all} days with poor content were bad"),
    };
    let upper = binomial::upper(bad, all, fold.input.policy.confidence) * 100.0;
    let may = match all {
        0 => String::new(),
        _ => format!(" (half or more of it missed), but up to {upper:.1} % of all days may be"),
    };
    Some(format!(
        "error rates assume that misses do not cluster by day: {seen}{may}; `cluster = \"day\"` in the \
         policy avoids this assumption"
    ))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::calibration::readiness::tests::{agreed, input, plan, planted, single};
    use crate::calibration::{
        Cluster, Evaluation, Input, Labelled, Measure, Policy, Readiness, WindowRules, Word,
        readiness,
    };

    /// Four are poor on each day and caught. Of what passed, those of some places are poor too.
    fn missed(rows: &[Evaluation], at: impl Fn(usize, usize) -> bool) -> Vec<Labelled> {
        let mut labels = agreed(rows);
        for (day, labels) in labels.chunks_mut(20).enumerate() {
            let passed = labels.iter_mut().enumerate().skip(4);
            passed.filter(|(n, _)| at(day, *n)).for_each(|(_, l)| l.word = Word::Poor);
        }
        labels
    }

    fn text<'a>(r: &'a Readiness, list: &str) -> Option<&'a str> {
        match list {
            "block" => r.blocks.iter().find(|b| b.id == "misses_cluster").map(|b| b.text.as_str()),
            id => r.caveats.iter().find(|c| c.id == id).map(|c| c.text.as_str()),
        }
    }

    #[test]
    fn misses_on_one_day_block_unless_days_are_clusters_or_window_is_old() {
        let (rows, plan) = (planted(20, 4), plan(1.0));
        let labels = missed(&rows, |day, n| day == 7 && n < 12);
        let base = input(&rows, &labels, &plan);
        let r = readiness(&base);
        let block = text(&r, "block").unwrap();
        // Four on one day may be chance, since the fourth is counted where it falls.
        let expected = "misses cluster by day: up to 8 of the first 8 fall on one of 8 days ";
        assert!(block.starts_with(expected) && block.contains("seed "), "{block}");
        assert_eq!(text(&r, "misses_cluster"), None);
        assert_eq!(text(&readiness(&base), "block"), Some(block), "the same data, the same orders");
        let assumed = text(&r, "misses_independent").unwrap();
        assert!(assumed.contains("1 of 20 days with poor content was bad"), "{assumed}");
        let old = readiness(&Input { rules: WindowRules::Earlier, ..base });
        assert_eq!((text(&old, "block"), text(&old, "misses_cluster")), (None, Some(block)));
        let policy = Policy { cluster: Cluster::Day, ..single() };
        let days = readiness(&Input { policy: &policy, ..base });
        assert_eq!((text(&days, "block"), text(&days, "misses_independent")), (None, None));
    }

    #[test]
    fn one_miss_per_day_is_not_a_cluster() {
        let (rows, plan) = (planted(20, 4), plan(1.0));
        let labels = missed(&rows, |day, n| day % 2 == 0 && n == 9);
        assert_eq!(text(&readiness(&input(&rows, &labels, &plan)), "block"), None);
    }

    #[test]
    fn without_bad_day_the_limit_is_shown() {
        let (rows, plan) = (planted(15, 4), plan(1.0));
        let labels = agreed(&rows);
        let r = readiness(&input(&rows, &labels, &plan));
        let assumed = text(&r, "misses_independent").unwrap();
        // 1 - .05^(1/15).
        assert!(assumed.contains("none of 15 days with poor content was bad"), "{assumed}");
        assert!(assumed.contains("up to 18.1 % of all days"), "{assumed}");
    }

    #[test]
    fn whole_days_have_their_own_wealth_and_ask_for_more_days() {
        let (rows, plan) = (planted(20, 4), plan(1.0));
        let labels = agreed(&rows);
        let policy = Policy { cluster: Cluster::Day, ..single() };
        let base = input(&rows, &labels, &plan);
        let misses = |r: &Readiness| {
            let row = r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
            (row.decided_on.is_some(), row.e_value, row.e_value_cluster)
        };
        let (met, records, none) = misses(&readiness(&base));
        assert!(met && none.is_none());
        let r = readiness(&Input { policy: &policy, ..base });
        let (met, same, whole) = misses(&r);
        assert!(!met && same == records && whole.unwrap() < 25.0);
        let next = r.next.iter().find(|n| n.kpi == Measure::FalseNegativeRate).unwrap();
        // The sums of days of four: 265 days without a miss, of which 20 are there.
        assert_eq!(next.days, Some(245));
        assert!(next.text.ends_with("by whole days, it takes 245 more days"), "{}", next.text);
        // In a window of an earlier version each day is a share: 69 without a miss.
        let r = readiness(&Input { policy: &policy, rules: WindowRules::Shared, ..base });
        let next = r.next.iter().find(|n| n.kpi == Measure::FalseNegativeRate).unwrap();
        assert_eq!(next.days, Some(49));
    }

    #[test]
    fn misses_on_the_work_of_one_agent_are_named_and_block_nothing() {
        let (mut rows, plan) = (planted(20, 4), plan(1.0));
        for (n, row) in (0..).zip(&mut rows) {
            row.agent = n % 5;
        }
        // One miss a day, on the work of the same agent or of each in turn.
        let same = missed(&rows, |day, n| n == 7 && day % 2 == 0);
        let r = readiness(&input(&rows, &same, &plan));
        let found = text(&r, "misses_by_part").unwrap();
        assert!(found.starts_with("misses differ by agent: up to 8 of the first 8"), "{found}");
        assert!(!found.contains("served model"), "{found}");
        assert_eq!(text(&r, "block"), None);
        let turns = missed(&rows, |day, n| n == 5 + day / 2 % 5 && day % 2 == 0);
        assert_eq!(text(&readiness(&input(&rows, &turns, &plan)), "misses_by_part"), None);
    }
}
