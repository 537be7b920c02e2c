//! Two classical sequential tests, to compare with: Wald's ratio and a single bet.
//!
//! Wald, Sequential Analysis, 1947. The bet: Waudby-Smith and Ramdas 2024, equation 2.

/// Wald's logarithm of the likelihood ratio of a share `alternative` against `null`.
///
/// Both lie in (0, 1); it decides for the alternative at `ln((1 - β)/α)`.
pub fn ln_ratio(null: f64, alternative: f64, counting: u64, others: u64) -> f64 {
    let of_counting = (alternative / null).ln() * counting as f64;
    let of_others = ((1.0 - alternative) / (1.0 - null)).ln() * others as f64;
    of_counting + of_others
}

/// The factor of one bet that a mean is below `null`: `1 + size·(null - seen)`.
///
/// `seen` lies in [0, 1], and `size` in [0, 1/(1 - null)].
pub fn bet(null: f64, size: f64, seen: f64) -> f64 {
    1.0 + size * (null - seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn wald_decides_a_clean_stream_at_40() {
        let decided = (1..1000).find(|n| ln_ratio(0.10, 0.03, 0, *n) >= 19.0_f64.ln());
        assert_eq!(decided, Some(40));
    }

    #[test]
    fn betting_on_a_clean_stream_stops_where_published() {
        for (null, size, stops, at_ten) in
            [(0.10, 1.0, 32, 2.593_742), (0.10, 0.5, 62, 1.628_895), (0.05, 1.0, 62, 1.628_895)]
        {
            let factor = bet(null, size, 0.0);
            assert_eq!((1..999).find(|n| factor.powi(*n) >= 20.0), Some(stops));
            near(factor.powi(10), at_ten, 5e-7);
        }
    }
}
