//! What stands right behind the answer, wherever it is shown.

use super::{Fold, natural};
use crate::calibration::{Block, KpiRow, Measure, Undetermined};
use crate::instruments::Capability;

/// Sentences without which the answer would say more than is known; empty where it needs none.
/// `rests_on` says which later words the answer rests on, where it does.
pub(super) fn qualifiers(
    fold: &Fold<'_>,
    kpis: &[KpiRow],
    blocks: &[Block],
    rests_on: Option<String>,
) -> Vec<String> {
    let weaker = fold.input.policy.weaker(fold.input.family);
    let weaker = (!weaker.is_empty())
        .then(|| format!("The policy is weaker than the default: {}.", weaker.join(", ")));
    // Where the hook blocks anything, that is by a NO-GO alone.
    let passes = fold.input.policy.undetermined == Undetermined::Blocks
        && fold.input.family.has(Capability::Runbooks);
    let passes = passes.then(|| {
        "The policy counts UNDETERMINED as blocked, but the hook lets it pass.".to_owned()
    });
    let natural = natural::qualifiers(fold, kpis).into_iter().chain(passes);
    let first = withdrawn(fold, kpis).into_iter().chain(rests_on).chain(weaker);
    first.chain(waived(kpis, blocks)).chain(judges(fold)).chain(natural).collect()
}

/// That READY does not hold any more, of which KPIs, and since when. Where a KPI was never met, READY never
/// was.
pub(super) fn withdrawn(fold: &Fold<'_>, kpis: &[KpiRow]) -> Option<String> {
    let deciding = |k: &&KpiRow| k.gated && k.waived_by.is_none() && !k.not_recorded;
    let was_met = |k: &KpiRow| fold.gate.track(k.id).is_some_and(|track| track.met.is_some());
    if !kpis.iter().filter(deciding).all(was_met) {
        return None;
    }
    let one = |k: &KpiRow| Some(format!("{} since {}", k.id.title(), k.withdrawn.as_ref()?));
    let all: Vec<String> = kpis.iter().filter(|k| k.is_withdrawn()).filter_map(one).collect();
    (!all.is_empty()).then(|| format!("READY is withdrawn: {}.", all.join(", ")))
}

/// That KPIs are not met as the words stand, where any is.
pub(super) fn not_ready_as_words_stand(fold: &Fold<'_>, unmet: &[Measure]) -> Option<String> {
    let names: Vec<&str> = unmet.iter().map(|id| id.title()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "NOT READY as the words stand, {} to confirm: not met: {}.",
            fold.second_words.to_confirm(),
            names.join(", ")
        )
    })
}

/// Each judge version that is tried may be found READY wrongly, and so may any of several.
fn judges(fold: &Fold<'_>) -> Option<String> {
    let (tried, alpha) = (fold.input.allowance.judges, fold.input.policy.alpha());
    (tried > 1 && fold.input.window_start.is_some()).then(|| {
        let chance = (tried as f64 * alpha * 100.0).min(100.0);
        format!(
            "{tried} judges were tried in this gate: the risk of a false READY is up to {} %.",
            format!("{chance:.1}").trim_end_matches(".0")
        )
    })
}

/// Names what is wrong, or not tested, and was waived.
fn waived(kpis: &[KpiRow], blocks: &[Block]) -> Option<String> {
    let kpis = kpis.iter().filter(|k| k.gated && k.waived_by.is_some()).map(|k| k.id.as_str());
    let blocks = blocks.iter().filter(|b| b.waived.is_some()).map(|b| b.id.as_str());
    let mut names: Vec<&str> = kpis.chain(blocks).collect();
    names.dedup();
    (!names.is_empty()).then(|| format!("Waived: {}.", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use crate::calibration::Allowance;
    use crate::calibration::readiness::tests::{agreed, input, plan, planted};
    use crate::calibration::{Input, Policy, readiness};

    #[test]
    fn only_second_judge_routes_count_as_hidden() {
        let (rows, plan) = (planted(20, 4), plan(1.0));
        let labels = agreed(&rows);
        let of = |judges| {
            let allowance = Allowance::new(1, judges);
            let policy = &Policy::default();
            readiness(&Input { policy, allowance, ..input(&rows, &labels, &plan) }).qualifiers
        };
        assert!(of(1).is_empty());
        let expected = "2 judges were tried in this gate: the risk of a false READY is \
                    up to 10 %.";
        assert_eq!(of(2), [expected]);
    }
}
