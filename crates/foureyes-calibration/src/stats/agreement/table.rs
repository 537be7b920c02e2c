//! Two raters on the same items, as a square table of counts.
//!
//! Kappa: Cohen, Educational and Psychological Measurement 20, 1960; its standard error and the
//! weighted form: Fleiss, Cohen and Everitt, Psychological Bulletin 72, 1969. AC1: Gwet, British
//! Journal of Mathematical and Statistical Psychology 61, 2008. Prevalence index: Byrt, Bishop and
//! Carlin, Journal of Clinical Epidemiology 46, 1993.

use crate::stats::normal::reach;

/// Counts of what the first rater (rows) and the second one (columns) said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    categories: usize,
    counts: Vec<u64>,
}

impl Table {
    /// An empty table of so many categories.
    pub fn new(categories: usize) -> Self {
        Self { categories, counts: vec![0; categories * categories] }
    }

    /// Counts one item; categories run from 0, and one outside is not counted.
    pub fn add(&mut self, first: usize, second: usize) {
        if first < self.categories && second < self.categories {
            self.counts[first * self.categories + second] += 1;
        }
    }

    /// Items in it.
    pub fn items(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Items of two categories.
    pub fn count(&self, first: usize, second: usize) -> u64 {
        let inside = first < self.categories && second < self.categories;
        if inside { self.counts[first * self.categories + second] } else { 0 }
    }

    /// Share of items on which both say the same; `None` without items.
    pub fn agreement(&self) -> Option<f64> {
        self.observed(Weights::Same)
    }

    /// Cohen's kappa; `None` without items, or where both always say one and the same.
    pub fn kappa(&self) -> Option<f64> {
        self.chance_corrected(Weights::Same)
    }

    /// Cohen's kappa with quadratic weights, for ordered categories; `None` as for kappa.
    pub fn quadratic_kappa(&self) -> Option<f64> {
        self.chance_corrected(Weights::Quadratic)
    }

    /// Standard error of kappa; `None` where there is no kappa.
    pub fn kappa_error(&self) -> Option<f64> {
        let kappa = self.kappa()?;
        let (rows, columns) = self.margins();
        let expected = self.expected(Weights::Same);
        let sum = self.sum(|i, j| {
            let same = if i == j { 1.0 } else { 0.0 };
            let by_chance = columns[i] + rows[j];
            self.part(i, j) * (same - (1.0 - kappa) * by_chance).powi(2)
        });
        let centre = self.agreement()? - 2.0 * (1.0 - kappa) * expected;
        let variance = (sum - centre * centre) / (self.items() as f64 * (1.0 - expected).powi(2));
        Some(variance.max(0.0).sqrt())
    }

    /// Gwet's AC1; `None` without items or with fewer than two categories.
    pub fn ac1(&self) -> Option<f64> {
        let observed = self.agreement().filter(|_| self.categories > 1)?;
        let (rows, columns) = self.margins();
        let of = |(row, column): (&f64, &f64)| {
            let mean = (row + column) * 0.5;
            mean * (1.0 - mean)
        };
        let spread: f64 = rows.iter().zip(&columns).map(of).sum();
        let expected = spread / (self.categories - 1) as f64;
        Some((observed - expected) / (1.0 - expected))
    }

    /// Standard error of AC1, its items drawn from many; `None` where there is no AC1.
    ///
    /// Gwet 2008: the mean square of what each item adds to the coefficient, over the items.
    pub fn ac1_error(&self) -> Option<f64> {
        let ac1 = self.ac1()?;
        let (rows, columns) = self.margins();
        let mean: Vec<f64> = rows.iter().zip(&columns).map(|(r, c)| (r + c) * 0.5).collect();
        let others = (self.categories - 1) as f64;
        let expected = mean.iter().map(|m| m * (1.0 - m)).sum::<f64>() / others;
        let adds = |i: usize, j: usize| {
            let same = if i == j { 1.0 } else { 0.0 };
            let by_chance = (1.0 - (mean[i] + mean[j]) * 0.5) / others;
            let own = same - expected - 2.0 * (1.0 - ac1) * (by_chance - expected);
            own / (1.0 - expected) - ac1
        };
        let square = self.sum(|i, j| self.part(i, j) * adds(i, j).powi(2));
        Some((square / self.items() as f64).sqrt())
    }

    /// Lower bound of AC1, one-sided, of that confidence; `None` where there is no AC1.
    pub fn ac1_lower(&self, confidence: f64) -> Option<f64> {
        Some(self.ac1()? - reach(2.0 * confidence - 1.0) * self.ac1_error()?)
    }

    /// Lower bound of kappa, one-sided, of that confidence; `None` where there is no kappa.
    pub fn kappa_lower(&self, confidence: f64) -> Option<f64> {
        Some(self.kappa()? - reach(2.0 * confidence - 1.0) * self.kappa_error()?)
    }

    /// How unevenly both use two categories: 0 where evenly, 1 where one is never used.
    ///
    /// `None` without items or with another number of categories.
    pub fn prevalence_index(&self) -> Option<f64> {
        let n = self.items();
        (self.categories == 2 && n > 0)
            .then(|| self.count(0, 0).abs_diff(self.count(1, 1)) as f64 / n as f64)
    }

    fn part(&self, first: usize, second: usize) -> f64 {
        self.count(first, second) as f64 / self.items() as f64
    }

    /// Shares of each category, by the first and by the second rater.
    fn margins(&self) -> (Vec<f64>, Vec<f64>) {
        let all = 0..self.categories;
        let rows = all.clone().map(|i| all.clone().map(|j| self.part(i, j)).sum()).collect();
        let columns = all.clone().map(|j| all.clone().map(|i| self.part(i, j)).sum()).collect();
        (rows, columns)
    }

    fn observed(&self, weights: Weights) -> Option<f64> {
        (self.items() > 0)
            .then(|| self.sum(|i, j| weights.weight(i, j, self.categories) * self.part(i, j)))
    }

    fn expected(&self, weights: Weights) -> f64 {
        let (rows, columns) = self.margins();
        self.sum(|i, j| weights.weight(i, j, self.categories) * rows[i] * columns[j])
    }

    fn sum(&self, of: impl Fn(usize, usize) -> f64) -> f64 {
        let all = 0..self.categories;
        all.clone().map(|i| all.clone().map(|j| of(i, j)).sum::<f64>()).sum()
    }

    fn chance_corrected(&self, weights: Weights) -> Option<f64> {
        let observed = self.observed(weights)?;
        let expected = self.expected(weights);
        // Where both always say the same, agreement tells nothing about chance.
        (expected < 1.0 - 1e-12).then(|| (observed - expected) / (1.0 - expected))
    }
}

/// What a pair of categories is worth, 1 where they are the same.
#[derive(Clone, Copy)]
enum Weights {
    Same,
    Quadratic,
}

impl Weights {
    fn weight(self, i: usize, j: usize, categories: usize) -> f64 {
        match self {
            Self::Same => f64::from(u8::from(i == j)),
            Self::Quadratic => {
                let widest = categories.saturating_sub(1).max(1) as f64;
                1.0 - (i.abs_diff(j) as f64 / widest).powi(2)
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    fn table<const N: usize>(rows: [[u64; N]; N]) -> Table {
        Table { categories: N, counts: rows.concat() }
    }

    #[test]
    fn fifty_items_of_the_textbook() {
        let t = table([[20, 5], [10, 15]]);
        near(t.kappa().unwrap(), 0.40, 1e-9);
        near(t.ac1().unwrap(), 0.405_941, 5e-7);
    }

    #[test]
    fn same_agreement_other_prevalence_other_kappa() {
        let (rare, even) = (table([[80, 10], [5, 5]]), table([[40, 9], [6, 45]]));
        for t in [&rare, &even] {
            near(t.agreement().unwrap(), 0.85, 1e-9);
        }
        near(rare.kappa().unwrap(), 0.318_182, 5e-7);
        near(even.kappa().unwrap(), 0.699_519, 5e-7);
        near(rare.ac1().unwrap(), 0.808, 5e-7);
        near(even.ac1().unwrap(), 0.700_748, 5e-7);
        near(rare.prevalence_index().unwrap(), 0.75, 1e-9);
        near(even.prevalence_index().unwrap(), 0.05, 1e-9);
    }

    #[test]
    fn cohen_1960_two_hundred_items() {
        let t = table([[88, 10, 2], [14, 40, 6], [18, 10, 12]]);
        near(t.kappa().unwrap(), 0.491_525, 5e-7);
    }

    #[test]
    fn gwet_hundred_items_with_standard_error() {
        let t = table([[13, 0, 0], [0, 20, 7], [0, 4, 56]]);
        near(t.kappa().unwrap(), 0.796_409_4, 5e-8);
        near(t.kappa_error().unwrap(), 0.058_910_72, 5e-9);
        near(t.ac1().unwrap(), 0.849_331, 5e-7);
        near(t.ac1_error().unwrap(), 0.043_217_47, 5e-9);
    }

    #[test]
    fn lower_bounds_are_one_sided() {
        let t = table([[20, 5], [10, 15]]);
        // 1.644854 standard errors of .130152.
        near(t.ac1_lower(0.95).unwrap(), 0.405_941 - 0.214_081, 5e-6);
        near(t.kappa_lower(0.95).unwrap(), 0.40 - 1.644_854 * t.kappa_error().unwrap(), 1e-6);
        let same = table([[9, 0], [0, 21]]);
        near(same.ac1_lower(0.95).unwrap(), 1.0, 1e-12);
        assert_eq!(table([[9, 0], [0, 0]]).kappa_lower(0.95), None);
    }

    #[test]
    fn judge_and_human_of_the_prevalence_example() {
        let t = table([[30, 10], [2, 78]]);
        near(t.agreement().unwrap(), 0.90, 1e-9);
        near(t.kappa().unwrap(), 0.763, 5e-4);
    }

    #[test]
    fn quadratic_kappa_of_sixteen_scores() {
        let judge = [[1; 4], [2; 4], [3; 4]].concat().into_iter().chain([1, 1, 2, 2]);
        let human = [[1; 4], [2; 4], [3; 4]].concat().into_iter().chain([2, 2, 3, 3]);
        let mut t = Table::new(3);
        judge.zip(human).for_each(|(a, b): (usize, usize)| t.add(a - 1, b - 1));
        assert_eq!(t.items(), 16);
        near(t.quadratic_kappa().unwrap(), 0.804_878_048_8, 5e-11);
    }

    #[test]
    fn degenerate_tables_have_no_kappa() {
        assert_eq!(Table::new(2).kappa(), None);
        assert_eq!(Table::new(2).ac1(), None);
        assert_eq!(Table::new(0).agreement(), None);
        let one_word = table([[9, 0], [0, 0]]);
        assert_eq!((one_word.kappa(), one_word.kappa_error()), (None, None));
        near(one_word.ac1().unwrap(), 1.0, 1e-12);
        let mut t = Table::new(2);
        t.add(2, 0);
        assert_eq!(t.items(), 0);
    }

    proptest! {
        #[test]
        fn exchanging_the_raters_changes_nothing(counts in prop::array::uniform9(0_u64..50)) {
            let mut one = Table::new(3);
            one.counts = counts.to_vec();
            let mut two = Table::new(3);
            for i in 0..3 {
                for j in 0..3 {
                    two.counts[j * 3 + i] = one.count(i, j);
                }
            }
            let pairs = [
                (one.kappa(), two.kappa()), (one.ac1(), two.ac1()),
                (one.quadratic_kappa(), two.quadratic_kappa()),
                (one.kappa_error(), two.kappa_error()),
            ];
            for (a, b) in pairs {
                prop_assert_eq!(a.is_some(), b.is_some());
                if let (Some(a), Some(b)) = (a, b) {
                    prop_assert!((a - b).abs() < 1e-9);
                }
            }
            if let Some(kappa) = one.kappa() {
                prop_assert!((-1.0..=1.0).contains(&kappa));
            }
        }
    }
}
