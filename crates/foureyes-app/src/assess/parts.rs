//! Evaluations as they come, segment by segment, put in order of time.

use super::Evaluations;
use super::by_id::ById;
use super::evaluations::{Gathered, evaluation};
use super::retried::mark_retried;
use crate::calibration::{Evaluation, mark_first};
use crate::frame::{EvaluationRows, Works};
use rayon::prelude::*;
use std::collections::HashMap;
use std::num::NonZeroU64;

/// Evaluations as they come, in columns: put in order column by column, they are never there twice.
#[derive(Default)]
pub(super) struct Parts {
    gathered: Gathered,
    /// Those of the result, in the order in which they came.
    found: Evaluations,
    units: Vec<u64>,
    contents: Vec<Option<NonZeroU64>>,
    /// Whether no later one repeats it.
    latest: Vec<bool>,
    /// What each is about, by author and path.
    works: Works,
    /// Where the rows of the next segment begin.
    next_row: u32,
}

impl Parts {
    /// Makes room for so many at once: what grows is copied, and leaves holes behind. Room that is not used costs
    /// nothing, and where there is not so much, they grow.
    pub(super) fn expect(&mut self, most: u64) {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let found = &mut self.found;
        // What fails here grows when it is filled.
        let _made = [
            found.all.try_reserve_exact(most),
            found.scores.try_reserve_exact(most),
            found.rows.try_reserve_exact(most),
            found.boxes.try_reserve_exact(most),
            found.depths.try_reserve_exact(most),
            self.units.try_reserve_exact(most),
            self.contents.try_reserve_exact(most),
            self.latest.try_reserve_exact(most),
        ];
    }

    pub(super) fn take(&mut self, segment: usize, mut part: EvaluationRows) {
        self.works.join(std::mem::take(&mut part.works), part.rows.len());
        let found = &mut self.found;
        let rows = self.gathered.take(part);
        // Parts of a store elsewhere are all of one segment.
        let first = match found.segments.last() {
            Some((first, before)) if *before == segment as u32 => *first,
            _ => {
                found.segments.push((self.next_row, segment as u32));
                self.next_row
            }
        };
        let last = rows.iter().map(|row| row.row).max();
        let next = last.map_or(first, |last| first.saturating_add(last).saturating_add(1));
        self.next_row = self.next_row.max(next);
        for row in rows {
            found.all.push(evaluation(&row));
            found.scores.push(self.gathered.scores.number(row.scores.into()));
            found.rows.push(first + row.row);
            found.boxes.push(row.box_index);
            found.depths.push(row.depth);
            self.units.push(row.unit);
            self.contents.push(row.content.and_then(NonZeroU64::new));
            self.latest.push(row.latest);
        }
    }

    /// The evaluations of units of which a box has several: where each came in, ascending, and a number of its unit.
    fn of_several(&mut self) -> Vec<(u32, u32)> {
        let (units, latest) = (std::mem::take(&mut self.units), std::mem::take(&mut self.latest));
        let units = || self.found.boxes.iter().copied().zip(units.iter().copied());
        let earlier = units().zip(&latest).filter(|(_, latest)| !**latest);
        let mut several: HashMap<(u32, u64), u32> = earlier.map(|(unit, _)| (unit, 0)).collect();
        if several.is_empty() {
            return Vec::new();
        }
        several.values_mut().zip(0..).for_each(|(number, next)| *number = next);
        let numbers = units().map(|unit| several.get(&unit).copied());
        (0..).zip(numbers).filter_map(|(place, number)| Some((place, number?))).collect()
    }

    pub(super) fn end(mut self) -> Evaluations {
        let several = self.of_several();
        let found = &mut self.found;
        let mut order: Vec<u32> = (0..).take(found.all.len()).collect();
        // Of equal times the id decides, so that the order does not depend on the segments.
        let all = &found.all;
        order.par_sort_unstable_by_key(|at| all.get(*at as usize).map(|e| (e.at, e.id)));
        arrange(&mut found.all, &order);
        arrange(&mut found.scores, &order);
        arrange(&mut found.rows, &order);
        arrange(&mut found.boxes, &order);
        arrange(&mut found.depths, &order);
        arrange(&mut self.contents, &order);
        mark_first(&mut found.all, &self.contents);
        drop(self.contents);
        mark_repeated(&mut found.all, &order, &several);
        mark_retried(&mut found.all, &order, &std::mem::take(&mut self.works));
        drop((order, several));
        self.gathered.rounds.par_sort_unstable();
        Evaluations {
            by_id: ById::new(&self.found.all),
            newest: self.found.all.last().map(|last| last.fingerprint),
            rounds: std::mem::take(&mut self.gathered.rounds),
            round_ids: std::mem::take(&mut self.gathered.round_ids),
            others: std::mem::take(&mut self.gathered.others),
            ..self.gathered.end(self.found)
        }
    }
}

/// Puts values in an order, which has for each place that of the value which belongs there.
fn arrange<T>(values: &mut Vec<T>, order: &[u32]) {
    values.shrink_to_fit();
    let mut is_done = vec![false; values.len()];
    for first in 0..values.len() {
        let mut at = first;
        while let Some(done @ false) = is_done.get_mut(at) {
            *done = true;
            let from = order.get(at).map_or(first, |from| *from as usize);
            if from == first {
                break;
            }
            values.swap(at, from);
            at = from;
        }
    }
}

/// Says of each evaluation when the next one of its unit was made. `order` has where each came in, and `several`
/// the numbers of their units by that, ascending.
fn mark_repeated(all: &mut [Evaluation], order: &[u32], several: &[(u32, u32)]) {
    let mut next: HashMap<u32, i32> = HashMap::new();
    for (evaluation, place) in all.iter_mut().zip(order).rev() {
        if let Ok(at) = several.binary_search_by_key(place, |(place, _)| *place) {
            evaluation.repeated = next.insert(several[at].1, evaluation.at.day()).into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluations::an_evaluation;
    use super::*;
    use crate::domain::{Outcome, RecordId, Scores, Timestamp};
    use crate::frame::EvaluationRow;

    #[test]
    fn values_are_put_in_order_where_they_are() {
        let numbers = |n: u64| {
            let by = move |at: &u32| blake3::hash(&(u64::from(*at) * n).to_be_bytes()).to_hex();
            let mut order: Vec<u32> = (0..97).collect();
            order.sort_by_key(by);
            order
        };
        for order in [(0..97).collect(), (0..97).rev().collect(), numbers(3), numbers(5)] {
            let order: Vec<u32> = order;
            let mut values: Vec<u32> = (1000..1097).collect();
            arrange(&mut values, &order);
            assert!(values.iter().eq(order.iter().map(|at| at + 1000).collect::<Vec<_>>().iter()));
        }
        arrange::<u8>(&mut Vec::new(), &[]);
    }

    #[test]
    fn next_evaluation_of_a_unit_is_found_in_order_of_time() {
        let day = |day: i32| Evaluation {
            at: Timestamp::of_day(day),
            ..an_evaluation(RecordId([0; 32]))
        };
        // They came in as days 5, 3, 9 and 1; those of days 3 and 9 are one unit, that of day 5 another of two.
        let mut all = [1, 3, 5, 9].map(day);
        mark_repeated(&mut all, &[3, 1, 0, 2], &[(0, 7), (1, 4), (2, 4)]);
        assert_eq!(all.map(|e| e.repeated.get()), [None, Some(9), None, None]);
    }

    #[test]
    fn each_evaluation_has_its_row_in_its_segment() {
        let row = |(row, day): (u32, i32)| EvaluationRow {
            id: RecordId([row as u8; 32]),
            at: Timestamp::of_day(day),
            outcome: Outcome::Go,
            cause: None,
            reports_outages: true,
            latency_ms: None,
            content: None,
            box_index: 0,
            judge: 0,
            author: 0,
            unit: 0,
            latest: true,
            scores: Scores::default(),
            depth: None,
            row,
        };
        let mut parts = Parts::default();
        let all = [(0, vec![(4, 8), (9, 2)]), (3, vec![]), (7, vec![(3, 1)]), (7, vec![(0, 5)])];
        for (segment, rows) in all {
            let rows = rows.into_iter().map(row).collect();
            parts.take(segment, EvaluationRows { rows, ..EvaluationRows::default() });
        }
        let found = parts.end();
        let rows: Vec<_> =
            (0..5).map(|at| found.row_at(at).map(|row| (row.segment, row.row))).collect();
        assert_eq!(rows, [Some((7, 3)), Some((0, 9)), Some((7, 0)), Some((0, 4)), None]);
    }
}
