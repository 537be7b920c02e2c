//! Quantiles of the normal distribution, from `statrs`.

use statrs::function::erf::erfc_inv;

/// How many standard errors a two-sided interval of that confidence reaches to each side.
///
/// `confidence` lies in (0, 1); for 0.95 it is 1.96.
pub fn reach(confidence: f64) -> f64 {
    std::f64::consts::SQRT_2 * erfc_inv(1.0 - confidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn printed_tables_of_the_normal_distribution() {
        near(reach(0.95), 1.959_963_984_540, 1e-9);
        near(reach(0.90), 1.644_853_626_951, 1e-9);
    }
}
