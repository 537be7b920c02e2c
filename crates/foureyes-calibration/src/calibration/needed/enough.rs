//! How many records are enough in nearly every case, and not only where errors come as they came.

use super::least;
use crate::stats::binomial;

/// How likely so many records suffice, and how likely so many evaluations bring them: so in 95 of
/// 100 cases both do.
pub(super) const SURE: f64 = 0.975;

/// So many records are followed one by one.
const FOLLOWED: u64 = 5_000;

/// What is less likely than this changes nothing.
const NEGLIGIBLE: f64 = 1e-12;

/// The least number of records by which `is_met(errors, correct)` was so at one of them, nearly
/// surely, where each of them is an error with probability `part`.
///
/// Fewer errors, and more that is right, must never undo it.
pub(super) fn at_any(part: f64, is_met: &impl Fn(u64, u64) -> bool) -> Option<u64> {
    // What holds at the last of many records was so at one of them: a number that is too large, and
    // the less so the more there are.
    followed(part, is_met).or_else(|| at_last(part, is_met))
}

/// The least number of records at which `is_met(errors, correct)` is so, nearly surely.
pub(super) fn at_last(part: f64, is_met: &impl Fn(u64, u64) -> bool) -> Option<u64> {
    least(|m| {
        let errors = binomial::quantile(part, m, SURE);
        is_met(errors, m - errors)
    })
}

/// The least number of evaluations that bring so many records nearly surely, where each brings one
/// with probability `share`, which lies in (0, 1].
pub(super) fn evaluations(records: u64, share: f64) -> u64 {
    let bring = |all: u64| all - binomial::quantile(1.0 - share, all, SURE) >= records;
    least(bring).unwrap_or((records as f64 / share).ceil() as u64)
}

/// Follows each number of errors, until it is met or unlikely not to be.
fn followed(part: f64, is_met: &impl Fn(u64, u64) -> bool) -> Option<u64> {
    // With so many errors it is met from this number of records on.
    let from = |errors: u64| least(|right| is_met(errors, right)).map(|right| errors + right);
    // How likely so many errors were seen and it was never met.
    let mut open = vec![1.0_f64];
    let (mut met, mut next) = (0, from(0));
    for m in 1..=FOLLOWED {
        let mut more = 0.0;
        for likely in &mut open {
            let here = *likely;
            *likely = here * (1.0 - part) + more;
            more = here * part;
        }
        if more > NEGLIGIBLE {
            open.push(more);
        }
        while next.is_some_and(|n| n <= m) {
            open.iter_mut().skip(met).take(1).for_each(|likely| *likely = 0.0);
            met += 1;
            next = from(met as u64);
        }
        if open.iter().sum::<f64>() <= 1.0 - SURE {
            return Some(m);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Met where errors are below a tenth of what is right, less three records.
    fn is_met(errors: u64, right: u64) -> bool {
        errors * 10 + 30 <= right
    }

    #[test]
    fn without_errors_it_is_the_number_that_is_clean() {
        assert_eq!((at_any(0.0, &is_met), at_last(0.0, &is_met)), (Some(30), Some(30)));
    }

    #[test]
    fn it_is_met_by_then_nearly_surely_and_not_a_record_before() {
        // By the last record of 30 no error was seen, or by the 41st one, and so on.
        let part = 0.03;
        let named = at_any(part, &is_met).unwrap_or_default();
        let mut state = 88_172_645_463_325_252_u64;
        let mut draw = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut met_by = |m: u64| {
            let mut errors = 0;
            (1..=m).any(|n| {
                errors += u64::from(draw() < part);
                is_met(errors, n - errors)
            })
        };
        let mut share = |m| (0..40_000).filter(|_| met_by(m)).count() as f64 / 40_000.0;
        let (at, before) = (share(named), share(named - 10));
        assert!(at > SURE - 0.003 && before < SURE - 0.001, "{named}: {at}, {before}");
        assert!(at_last(part, &is_met).is_some_and(|m| m > named));
    }

    #[test]
    fn evaluations_bring_records_in_nearly_every_case() {
        assert_eq!(evaluations(64, 1.0), 64);
        // Of 24 that bring one in every second case, fewer than seven come in 1.1 % of cases, and of
        // 20 fewer than seven in 5.8 %.
        assert!((21..=24).contains(&evaluations(7, 0.5)), "{}", evaluations(7, 0.5));
        let many = evaluations(5_000_000, 0.000_1);
        assert_eq!(many, 50_000_000_000);
    }

    #[test]
    fn required_labels_is_none_with_too_many_errors() {
        assert_eq!(at_any(0.2, &is_met), None);
    }

    #[test]
    fn many_records_are_not_followed_and_have_a_number_all_the_same() {
        let many = |errors: u64, right: u64| errors * 10 + 10_000 <= right;
        let m = at_any(0.03, &many).unwrap_or_default();
        assert!((15_000..17_000).contains(&m), "{m}");
    }
}
