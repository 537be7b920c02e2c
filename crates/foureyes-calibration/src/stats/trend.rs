//! Whether a share rises or falls with time, within groups.
//!
//! Mantel, Journal of the American Statistical Association 58, 1963: in each group the sum of the times of
//! the cases is compared with what it would be if any items of the group were the cases, and the groups are
//! added. With one group this is the test of Cochran (Biometrics 10, 1954) and Armitage (Biometrics 11,
//! 1955), with the variance of a finite population. What changes between groups, such as the judge, counts
//! as no change.

use statrs::function::erf::erfc;

/// A change of a share with time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Standard deviations from no change; above 0 where cases come late.
    pub z: f64,
    /// Two-sided p-value, from the normal distribution: right where cases and others are ten at least.
    pub p: f64,
}

/// The trend of items in groups, each its time, in any unit, and whether it is a case. `None` where no group
/// can tell: all are cases or none is, or all have one time. The order of groups and items changes no digit.
pub fn trend<'a>(groups: impl IntoIterator<Item = &'a [(f64, bool)]>) -> Option<Trend> {
    let mut parts: Vec<(f64, f64)> = groups.into_iter().filter_map(part).collect();
    // Sums of floats depend on their order.
    parts.sort_unstable_by(|(a, x), (b, y)| a.total_cmp(b).then(x.total_cmp(y)));
    let (distance, variance) = parts.into_iter().fold((0.0, 0.0), |(a, x), (b, y)| (a + b, x + y));
    (variance > 0.0).then(|| {
        let z = distance / variance.sqrt();
        Trend { z, p: erfc(z.abs() / std::f64::consts::SQRT_2) }
    })
}

/// The distance of a group's cases from what is expected, and its variance; `None` of less than two items.
fn part(group: &[(f64, bool)]) -> Option<(f64, f64)> {
    let n = group.len() as f64;
    if n < 2.0 {
        return None;
    }
    let mut group = group.to_vec();
    group.sort_unstable_by(|(a, x), (b, y)| a.total_cmp(b).then(x.cmp(y)));
    let cases = group.iter().filter(|(_, case)| *case).count() as f64;
    let mean = group.iter().map(|(time, _)| time).sum::<f64>() / n;
    let spread: f64 = group.iter().map(|(time, _)| (time - mean).powi(2)).sum();
    let distance = group.iter().filter(|(_, case)| *case).map(|(time, _)| time - mean).sum();
    Some((distance, spread * cases * (n - cases) / (n * (n - 1.0))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    /// Items of so many cases among so many at each time.
    fn items(counts: &[(usize, usize)]) -> Vec<(f64, bool)> {
        let at = |(time, (cases, of)): (usize, &(usize, usize))| {
            let cases = *cases;
            (0..*of).map(move |n| (time as f64, n < cases)).collect::<Vec<_>>()
        };
        counts.iter().enumerate().flat_map(at).collect()
    }

    #[test]
    fn smokers_have_the_statistic_of_r() {
        // prop.trend.test(c(83, 90, 129, 70), c(86, 93, 136, 82)) gives X-squared = 8.2249, with the variance
        // of an infinite population.
        let all = items(&[(83, 86), (90, 93), (129, 136), (70, 82)]);
        let got = trend([all.as_slice()]).unwrap();
        near(got.z * got.z * 397.0 / 396.0, 8.224_9, 5e-5);
        near(trend([all.as_slice()]).unwrap().p, 0.004_132, 1e-4);
        assert!(got.z < 0.0);
    }

    #[test]
    fn what_differs_between_groups_alone_is_no_trend() {
        let (early, late) = (items(&[(10, 20), (10, 20)]), items(&[(1, 20), (1, 20)]));
        let late: Vec<_> = late.into_iter().map(|(time, case)| (time + 2.0, case)).collect();
        let apart = trend([early.as_slice(), late.as_slice()]).unwrap();
        near(apart.p, 1.0, 1e-9);
        let together = trend([[early, late].concat().as_slice()]).unwrap();
        assert!(together.p < 0.001, "{together:?}");
    }

    #[test]
    fn the_order_of_groups_and_items_changes_no_digit() {
        let item =
            |n: u32| (f64::from(n * 7919 % 1009) / 86_400.0, n.is_multiple_of(7) || n % 11 == 3);
        let mut groups: Vec<Vec<_>> =
            (0..5).map(|group| (group * 100..group * 170 + 90).map(item).collect()).collect();
        let one = trend(groups.iter().map(Vec::as_slice));
        for turn in 1..40 {
            groups.rotate_left(1);
            groups.iter_mut().for_each(|group| group.rotate_left(turn));
            assert_eq!(trend(groups.iter().map(Vec::as_slice)), one);
        }
    }

    #[test]
    fn without_cases_or_times_there_is_no_trend() {
        assert_eq!(trend([items(&[(0, 9), (0, 9)]).as_slice()]), None);
        assert_eq!(trend([items(&[(3, 9)]).as_slice()]), None);
        assert_eq!(trend([[].as_slice()]), None);
    }
}
