//! How long what was met stays met: the day up to which there is evidence, and what contradicts it since.

use super::{Fold, day_text, rows};
use crate::calibration::number_text::counted;
use crate::calibration::{DayState, Measure, Release};

/// The unbroken run of closed days, and what came after it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// The last day of the run that has data, in days since 1970.
    until: Option<i32>,
    /// Whole days with data since.
    since: u64,
}

impl Evidence {
    pub(super) fn of_window(fold: &Fold<'_>) -> Self {
        let start = fold.input.start().map_or(0, |start| start.day());
        let mut evidence = Self::default();
        let mut unbroken = true;
        for (number, day) in (start..).zip(&fold.days).filter(|(_, day)| day.evaluations > 0) {
            unbroken &= day.state != DayState::Open;
            match unbroken {
                true => evidence.until = Some(number),
                false => evidence.since += 1,
            }
        }
        evidence
    }

    /// The last day, `YYYY-MM-DD`.
    pub(super) fn until_text(self) -> Option<String> {
        self.until.map(day_text)
    }

    /// Whole days with data since.
    pub(super) fn days_since(self) -> u64 {
        self.since
    }
}

/// That too many days with data passed since the last day of the evidence; `None` in an answer of an
/// earlier version. It is asked where everything else is met.
pub(super) fn stale(fold: &Fold<'_>) -> Option<String> {
    let evidence = Evidence::of_window(fold);
    let limit = u64::from(fold.input.policy.fresh_days);
    let until = evidence.until_text().filter(|_| expires(fold) && evidence.since > limit)?;
    Some(format!(
        "the evidence ends on {until}: {} with data since then, and the policy allows {limit}; label          the open days",
        counted(evidence.since, "day", "days")
    ))
}

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
             now",
            names.join(", ")
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
