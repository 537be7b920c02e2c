//! What passed on a path on which its author was stopped before.

use crate::calibration::Evaluation;
use crate::domain::{Outcome, Timestamp};
use crate::frame::Works;
use std::collections::HashMap;

/// Microseconds of a day.
const DAY: u64 = 86_400_000_000;

/// When each author was last stopped on each path, in order of time.
#[derive(Debug, Default)]
pub(super) struct Stopped(HashMap<u32, Timestamp>);

impl Stopped {
    /// Takes the next evaluation; of a GO, how many days after a NO-GO on one of its paths it was made, rounded
    /// up. Record times alone decide: one that arrives late changes what was made after it.
    pub(super) fn take(&mut self, outcome: Outcome, at: Timestamp, works: &[u32]) -> Option<u8> {
        match outcome {
            Outcome::NoGo => {
                self.0.extend(works.iter().map(|work| (*work, at)));
                None
            }
            Outcome::Go => {
                let last = works.iter().filter_map(|work| self.0.get(work)).max()?;
                let since = at.0.checked_sub(last.0).and_then(|since| u64::try_from(since).ok())?;
                let days = Some(since.div_ceil(DAY)).filter(|days| *days > 0)?;
                u8::try_from(days).ok().filter(|days| *days < u8::MAX)
            }
            Outcome::Undetermined => None,
        }
    }
}

/// Says of each GO, in order of time, whether it was retried. `order` has where each came in, and `works` its
/// paths by that.
pub(super) fn mark_retried(all: &mut [Evaluation], order: &[u32], works: &Works) {
    let mut stopped = Stopped::default();
    for (evaluation, place) in all.iter_mut().zip(order) {
        let works = works.of(*place as usize);
        evaluation.retried_after = stopped.take(evaluation.outcome, evaluation.at, works).into();
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluations::an_evaluation;
    use super::*;
    use crate::domain::RecordId;

    #[test]
    fn a_go_is_retried_by_time_path_and_author() {
        let hour = |hours: i64| Timestamp(hours * 3_600_000_000);
        let of = |n: u8, at: i64, outcome| Evaluation {
            at: hour(at),
            outcome,
            ..an_evaluation(RecordId([n; 32]))
        };
        let (go, no_go) = (Outcome::Go, Outcome::NoGo);
        let mut works = Works::default();
        // They came in the other way round; a number names author and path.
        let mut all = vec![
            of(0, 1, go),
            of(1, 2, no_go),
            of(2, 2, go),
            of(3, 26, go),
            of(4, 51, go),
            of(5, 60, go),
            of(6, 99, no_go),
            of(7, 100, go),
            of(8, 24 * 300, go),
        ];
        let paths: [&[u32]; 9] = [&[7], &[7, 8], &[7], &[8], &[7], &[9], &[9], &[8, 9], &[9]];
        let order: Vec<u32> = (0..9).rev().collect();
        paths.iter().rev().for_each(|paths| works.push(paths.iter().copied()));
        mark_retried(&mut all, &order, &works);
        let after: Vec<_> = all.iter().map(|e| e.retried_after.get()).collect();
        let expected = [None, None, None, Some(1), Some(3), None, None, Some(1), None];
        assert_eq!(after, expected);
        assert!(all[3].is_retried(2) && !all[4].is_retried(2) && all[4].is_retried(3));
    }
}
