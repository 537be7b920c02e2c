//! Whether the interval of a rate contradicts that it was met.

use super::{Fold, rows};
use crate::calibration::{Measure, Release};

/// Whether what was met expires.
fn expires(fold: &Fold<'_>) -> bool {
    fold.input.release >= Release::V03
}

/// Whether a measure was found to be met, and its interval for one look lies on the wrong side by now.
///
/// Nothing is tested by it, so it is not kept: where the interval is on the right side again, it is met.
pub(super) fn is_contradicted(fold: &Fold<'_>, m: Measure) -> bool {
    let policy = fold.input.policy;
    let met = fold.gate.track(m).is_some_and(|track| track.is_met());
    if !expires(fold) || !met || !rows::is_estimable(fold, m) {
        return false;
    }
    match m.needs_labels() {
        true => {
            let lower = fold.gate.tally.sampled(m).lower(policy.confidence);
            lower > policy.threshold(m).value
        }
        false => fold.gate.counts.is_not_met(m, policy, policy.confidence),
    }
}

/// The measures that decide and are contradicted, in words.
pub(super) fn contradicted(fold: &Fold<'_>) -> Option<String> {
    let policy = fold.input.policy;
    let all = Measure::ALL.into_iter().filter(|m| policy.gates(*m) && is_contradicted(fold, *m));
    let names: Vec<&str> = all.map(|m| m.definition().name).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} met its threshold on an earlier day, but its interval for one look is on the wrong side by \
             now{}",
            names.join(", "),
            fold.input.newness()
        )
    })
}

/// What the row of a contradicted measure says.
pub(super) fn remark(fold: &Fold<'_>, m: Measure) -> Option<String> {
    is_contradicted(fold, m).then(|| {
        "It met its threshold on an earlier day, but its interval for one look is on the wrong side by \
         now. It counts as met only while that is not so."
            .to_owned()
    })
}
