//! How many records stand in which file, and when each was made.

use super::dirt::{self, Dirt};
use super::recipe::Recipe;
use super::spec::{Families, Spec};
use super::stream::Seed;
use crate::domain::Timestamp;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// The records of one box and day of the push log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) box_number: u32,
    /// Day of the run, from 0.
    pub(super) day: u32,
    /// Records in it.
    pub(super) count: u64,
    /// Records in the cells before it.
    pub(super) first: u64,
}

/// The whole run, settled: every part can be made from it alone.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) spec: Spec,
    pub(super) seed: Seed,
    pub(super) recipe: Recipe,
    /// By box, then by day.
    pub(super) cells: Vec<Cell>,
    /// Task, ladder, task override and push override records of each box.
    pub(super) others: Vec<[u64; 4]>,
    pub(super) dirt: Dirt,
    first_day: i32,
}

impl Plan {
    pub(super) fn new(spec: &Spec, recipe: Recipe) -> Self {
        let last_day = Timestamp(spec.end.0 - 1).day();
        let first_day = last_day - spec.days as i32 + 1;
        let seed = Seed::new(spec.seed);
        // Task, ladder, task override, push override, push: what is left over is a push.
        let parts = match spec.families {
            Families::Push => vec![0, 0, 0, 0, spec.records],
            Families::All => split(spec.records, &[15, 8, 2, 3, 72]),
        };
        let weights: Vec<u64> = (0..spec.boxes).map(|b| [10, 7, 8, 5][b as usize % 4]).collect();
        let by_box: Vec<Vec<u64>> = parts.iter().map(|n| split(*n, &weights)).collect();
        let others = (0..spec.boxes as usize)
            .map(|b| [0, 1, 2, 3].map(|part: usize| by_box[part][b]))
            .collect();
        let mut plan = Self {
            spec: spec.clone(),
            seed,
            recipe,
            cells: Vec::new(),
            others,
            dirt: Dirt::new(spec.dirt, seed),
            first_day,
        };
        plan.cells = plan.lay_out(&by_box[4]);
        plan
    }

    /// Spreads each box's push records over the days: fewer at weekends and on a day not over.
    fn lay_out(&self, by_box: &[u64]) -> Vec<Cell> {
        let weight = |day: u32| {
            let weekend = (self.first_day + day as i32).rem_euclid(7) == 2
                || (self.first_day + day as i32).rem_euclid(7) == 3;
            let full = if weekend { 700 } else { 1_000 };
            (full * (self.span(day) / SECOND) as u64 / 86_400).max(1)
        };
        let weights: Vec<u64> = (0..self.spec.days).map(weight).collect();
        let mut cells = Vec::new();
        let mut first = 0;
        for (box_number, total) in by_box.iter().enumerate() {
            for (day, count) in split(*total, &weights).into_iter().enumerate() {
                cells.push(Cell { box_number: box_number as u32, day: day as u32, count, first });
                first += count;
            }
        }
        cells
    }

    /// The cell of a box and day.
    pub(super) fn cell(&self, box_number: u32, day: u32) -> Option<&Cell> {
        let index = u64::from(box_number) * u64::from(self.spec.days) + u64::from(day);
        self.cells.get(index as usize).filter(|c| c.day == day && c.box_number == box_number)
    }

    /// The first instant of a day of the run.
    pub(super) fn start(&self, day: u32) -> Timestamp {
        Timestamp::of_day(self.first_day + day as i32)
    }

    /// The name of a day's file: one day before the run for `None`.
    pub(super) fn file_name(&self, day: Option<u32>) -> String {
        let start = day.map_or(Timestamp(self.start(0).0 - DAY), |d| self.start(d));
        format!("{}.jsonl", start.day_text())
    }

    /// How much of a day lies before the end, in microseconds; at least a second.
    fn span(&self, day: u32) -> i64 {
        (self.spec.end.0 - self.start(day).0).clamp(SECOND, DAY)
    }

    /// When the record of a slot was made, in whole seconds.
    pub(super) fn time(&self, cell: &Cell, slot: u64, jitter: f64) -> Timestamp {
        if self.is_late(cell, slot) {
            let tomorrow = self.start(cell.day + 1).0;
            let after = (slot + 4 - cell.count) as i64 * 7 * SECOND;
            return Timestamp((tomorrow + after).min(self.spec.end.0 - SECOND).max(tomorrow));
        }
        let place = warp((slot as f64 + jitter) / cell.count as f64);
        let seconds = (place * (self.span(cell.day) / SECOND) as f64) as i64;
        Timestamp(self.start(cell.day).0 + seconds * SECOND)
    }

    /// An instant of a day between 8 and 18 o'clock, `part` in [0, 1) of the way; `None` after the end.
    pub(super) fn working_hour(&self, day: u32, part: f64) -> Option<Timestamp> {
        let seconds = (8.0 + 10.0 * part) * 3_600.0;
        let at = Timestamp(self.start(day).0 + seconds as i64 * SECOND);
        (at < self.spec.end).then_some(at)
    }

    /// Tells whether a record belongs to those that came into yesterday's file today.
    pub(super) fn is_late(&self, cell: &Cell, slot: u64) -> bool {
        let yesterday = cell.day + 2 == self.spec.days && cell.box_number == 0;
        !self.dirt.is_none() && yesterday && cell.count >= 3 && slot + 3 >= cell.count
    }

    /// An instant so far into the whole run, `part` in [0, 1).
    pub(super) fn instant(&self, part: f64) -> Timestamp {
        let whole = (self.spec.end.0 - self.start(0).0) / SECOND;
        Timestamp(self.start(0).0 + (part * whole as f64) as i64 * SECOND)
    }

    /// An instant of the run, the last possible one where it would be after the end.
    pub(super) fn before_end(&self, time: i64) -> Timestamp {
        Timestamp(time.min(self.spec.end.0 - SECOND))
    }

    /// Tells whether the writer of that time already writes the optional fields.
    pub(super) fn is_modern(&self, cell: &Cell) -> bool {
        let since = self.spec.rates.older[cell.box_number as usize % 2];
        cell.day >= self.spec.days / since.max(1)
    }

    /// Which of the two models answered on a day: it changes after three fifths, and the route that
    /// was asked for does not show it.
    pub(super) fn served(&self, day: u32) -> usize {
        usize::from(day >= (self.spec.days * 3).div_ceil(5))
    }

    /// The route that was asked for: the second box renames it in the last quarter.
    pub(super) fn route(&self, cell: &Cell) -> &str {
        let renamed =
            self.spec.rates.renames && cell.box_number == 1 && cell.day >= self.spec.days * 3 / 4;
        if renamed { &self.recipe.renamed_route } else { &self.recipe.route }
    }

    /// Tells whether it is the night in which the proxy was down: 21:00 to 04:00.
    pub(super) fn is_bad_night(&self, time: Timestamp) -> bool {
        let evening = self.start(self.spec.days * 6 / 7).0 + 21 * 3_600 * SECOND;
        (evening..evening + 7 * 3_600 * SECOND).contains(&time.0)
    }

    /// The dirt of a push record; for travelling records there must be a box to travel to.
    pub(super) fn push_dirt(&self, cell: &Cell, slot: u64) -> Option<(dirt::Kind, u64)> {
        let (kind, turn) = self.dirt.at(dirt::PUSH, "push", cell.first + slot)?;
        (kind != dirt::Kind::OnBothBoxes || self.neighbour(cell).is_some()).then_some((kind, turn))
    }

    /// The cell of the same day on the box to which records travel.
    fn neighbour(&self, cell: &Cell) -> Option<&Cell> {
        let next = (cell.box_number + 1) % self.spec.boxes;
        self.cell(next, cell.day).filter(|c| c.count > 0 && next != cell.box_number)
    }

    /// The records that travelled into a cell's file from the box before it.
    pub(super) fn travellers(&self, cell: &Cell) -> (Option<&Cell>, Vec<u64>) {
        let before = (cell.box_number + self.spec.boxes - 1) % self.spec.boxes;
        let from = self.cell(before, cell.day).filter(|_| before != cell.box_number);
        let slots = from.filter(|_| cell.count > 0).map_or_else(Vec::new, |from| {
            let all = self.dirt.places(dirt::PUSH, "push", from.first, from.count);
            all.filter(|(_, kind, _)| *kind == dirt::Kind::OnBothBoxes)
                .map(|(place, ..)| place - from.first)
                .collect()
        });
        (from, slots)
    }
}

/// Splits a number by weights, so that the parts sum to it.
fn split(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|w| u128::from(*w)).sum::<u128>().max(1);
    let mut seen = 0_u128;
    let mut given = 0;
    weights
        .iter()
        .map(|weight| {
            seen += u128::from(*weight);
            let upto = (u128::from(total) * seen / sum) as u64;
            let part = upto - given;
            given = upto;
            part
        })
        .collect()
}

/// Agents' work by hour of the day: much at night, little at noon.
const HOURS: [f64; 24] = [
    7.0, 7.0, 6.0, 6.0, 5.0, 4.0, 3.0, 3.0, 3.0, 3.0, 3.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0,
    5.0, 6.0, 7.0, 7.0, 8.0,
];

/// Maps an even place in the day, [0, 1), to one with the agents' rhythm.
fn warp(place: f64) -> f64 {
    let mut left = place * HOURS.iter().sum::<f64>();
    for (hour, weight) in HOURS.iter().enumerate() {
        if left < *weight {
            return (hour as f64 + left / weight) / 24.0;
        }
        left -= weight;
    }
    0.999_99
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_sum_to_the_whole() {
        for total in [0, 1, 2, 7, 1_000_003] {
            let parts = split(total, &[3, 0, 5, 1]);
            assert_eq!((parts.iter().sum::<u64>(), parts[1]), (total, 0));
        }
    }

    #[test]
    fn the_rhythm_keeps_the_order_and_the_day() {
        let places: Vec<f64> = (0..=1000).map(|i| warp(f64::from(i) / 1001.0)).collect();
        assert!(places.windows(2).all(|w| w[0] < w[1]));
        assert!(places[0] == 0.0 && places[1000] < 1.0);
    }
}
