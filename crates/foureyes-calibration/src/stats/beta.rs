//! The beta distribution, from `statrs`.

/// The share of a beta distribution with shapes `a` and `b` (both positive) below `x` in [0, 1].
///
/// For simulated worlds only: far out in the tails its continued fraction ends before it has
/// converged. Bounds of shares are in [`super::binomial`].
pub fn cdf(x: f64, a: f64, b: f64) -> f64 {
    statrs::function::beta::beta_reg(a, b, x)
}

#[cfg(test)]
mod tests {
    use super::super::near;
    use super::*;

    #[test]
    fn uniform_and_power_distributions_are_exact() {
        near(cdf(0.3, 1.0, 1.0), 0.3, 1e-12);
        near(cdf(0.5, 3.0, 1.0), 0.125, 1e-12);
        near(cdf(0.5, 1.0, 3.0), 0.875, 1e-12);
    }
}
