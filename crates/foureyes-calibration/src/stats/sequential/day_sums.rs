//! How many errors one cluster may bring at most, by how large those before it were.
//!
//! Bets on the sums of clusters hold under any dependence within a cluster as long as none brings more
//! errors than the bet allows for: `B = K·m + √(K·m)`, with m the mean number of records in the clusters
//! before it and K how many times as large as the others the largest may be.

/// So many clusters come before the first that counts.
const AT_LEAST: u32 = 5;

/// Sizes of the clusters so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClusterSizes {
    clusters: u32,
    records: f64,
}

impl ClusterSizes {
    /// Takes the size of a cluster, in records; one without any is a cluster too.
    pub fn take(&mut self, records: u64) {
        self.clusters += 1;
        self.records += records as f64;
    }

    /// The most errors that the next cluster may bring, at least 1, where the largest is at most
    /// `largest` times as large as the others; `None` while too few came before it.
    pub fn most(&self, largest: f64) -> Option<f64> {
        let mean = self.records / f64::from(self.clusters.max(1));
        let size = largest * mean;
        (self.clusters >= AT_LEAST).then(|| (size + size.sqrt()).max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::{Above, Below};
    use super::*;
    use crate::stats::near;

    /// Days of so many records and errors, and how often each.
    type Days = [(u32, (u64, u64))];

    fn each(days: &Days, mut take: impl FnMut(f64, f64, f64)) {
        let mut sizes = ClusterSizes::default();
        for (times, (records, errors)) in days {
            for _ in 0..*times {
                let most = sizes.most(3.0);
                sizes.take(*records);
                if let Some(most) = most {
                    take(*errors as f64, (*records - *errors) as f64, most);
                }
            }
        }
    }

    fn below(t: f64, days: &Days) -> f64 {
        let mut test = Below::new(t);
        each(days, |errors, right, most| test.cluster_sums(errors, right, most, 1.0));
        test.wealth().value()
    }

    #[test]
    fn sums_of_days_as_in_the_reference() {
        near(below(0.05, &[(105, (6, 0))]), 3.543561, 5e-7);
        near(below(0.05, &[(65, (6, 0)), (1, (6, 3)), (60, (6, 0))]), 4.048662, 5e-7);
        near(below(0.05, &[(105, (6, 0)), (1, (18, 18))]), 0.930256, 5e-7);
        near(below(0.10, &[(105, (30, 0))]), 20.372865, 5e-7);
    }

    #[test]
    fn clean_days_until_the_first_bar_as_in_the_reference() {
        let bar = |t: f64, records| (1..600).find(|n| below(t, &[(*n, (records, 0))]) >= 25.0);
        assert_eq!((bar(0.05, 6), bar(0.10, 34)), (Some(255), Some(111)));
    }

    #[test]
    fn the_mirror_gains_where_many_are_wrong_and_loses_else() {
        let above = |days: &Days| {
            let mut test = Above::new(0.05);
            each(days, |errors, right, most| test.cluster_sums(errors, right, most, 1.0));
            test.wealth().value()
        };
        assert!(above(&[(5, (6, 6))]) == 1.0, "the first days are for their sizes");
        assert!(above(&[(5, (6, 0)), (20, (6, 3))]) > 100.0);
        assert!(above(&[(5, (6, 0)), (60, (6, 0))]) < 0.5);
    }

    #[test]
    fn a_day_beyond_what_is_allowed_for_takes_no_more_than_all() {
        let mut test = Below::new(0.05);
        test.cluster_sums(50.0, 0.0, 2.0, 1.0);
        near(test.wealth().value(), 0.0, 1e-12);
    }

    #[test]
    fn quiet_days_are_days() {
        let mut sizes = ClusterSizes::default();
        (0..4).for_each(|_| sizes.take(12));
        assert_eq!(sizes.most(3.0), None);
        sizes.take(0);
        // 48 in five days: K·m = 28.8.
        near(sizes.most(3.0).unwrap_or_default(), 28.8 + 28.8_f64.sqrt(), 1e-12);
        let mut none = ClusterSizes::default();
        (0..9).for_each(|_| none.take(0));
        assert_eq!(none.most(3.0), Some(1.0));
    }
}
