//! Sharing an allowed error over looks that were declared beforehand, and over windows.
//!
//! Bonferroni's inequality: with an error of α/K at each of K looks, the chance that any of them
//! is wrong is at most α, whatever the looks have to do with each other. One look gets all of it.
//! A smoother sharing (Lan and DeMets, Biometrika 70, 1983) needs to know beforehand how much is
//! learnt by each look, which labels given at the reviewers' pace do not tell.

/// The error allowed at each of so many looks; 0 where there is no look.
pub fn each(alpha: f64, looks: usize) -> f64 {
    if looks == 0 { 0.0 } else { alpha / looks as f64 }
}

/// The part of the allowed error of a window, by its number from 1: 0.8, then 0.1, 0.05 and so on.
///
/// All of them together are 1. The first has most of it: starting over is to be the exception.
pub fn window(number: u64) -> f64 {
    let halvings = i32::try_from(number.saturating_sub(1)).unwrap_or(i32::MAX);
    if halvings == 0 { 0.8 } else { 0.2 * 0.5_f64.powi(halvings) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_never_spend_more_than_there_is() {
        let first: Vec<f64> = (1..=4).map(window).collect();
        assert_eq!(first, [0.8, 0.1, 0.05, 0.025]);
        assert!((1..2_000).map(window).sum::<f64>() <= 1.0 + 1e-12);
    }

    #[test]
    fn spending_never_exceeds_alpha() {
        assert_eq!(each(0.05, 1), 0.05);
        assert_eq!(each(0.05, 0), 0.0);
        for looks in 1..100 {
            assert!(each(0.05, looks) * looks as f64 <= 0.05 + 1e-15);
        }
    }
}
