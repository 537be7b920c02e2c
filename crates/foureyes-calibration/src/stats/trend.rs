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
/// can tell: all are cases or none is, or all have one time.
pub fn trend<'a>(groups: impl IntoIterator<Item = &'a [(f64, bool)]>) -> Option<Trend> {
    let (mut distance, mut variance) = (0.0, 0.0);
    for group in groups {
        let n = group.len() as f64;
        let cases = group.iter().filter(|(_, case)| *case).count() as f64;
        if n < 2.0 {
            continue;
        }
        let mean = group.iter().map(|(time, _)| time).sum::<f64>() / n;
        let spread: f64 = group.iter().map(|(time, _)| (time - mean).powi(2)).sum();
        distance +=
            group.iter().filter(|(_, case)| *case).map(|(time, _)| time - mean).sum::<f64>();
        variance += spread * cases * (n - cases) / (n * (n - 1.0));
    }
    (variance > 0.0).then(|| {
        let z = distance / variance.sqrt();
        Trend { z, p: erfc(z.abs() / std::f64::consts::SQRT_2) }
    })
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
    fn without_cases_or_times_there_is_no_trend() {
        assert_eq!(trend([items(&[(0, 9), (0, 9)]).as_slice()]), None);
        assert_eq!(trend([items(&[(3, 9)]).as_slice()]), None);
        assert_eq!(trend([[].as_slice()]), None);
    }
}
