//! Sharing an allowed error over looks that were declared beforehand.
//!
//! Bonferroni's inequality: with an error of α/K at each of K looks, the chance that any of them
//! is wrong is at most α, whatever the looks have to do with each other. One look gets all of it.
//! A smoother sharing (Lan and DeMets, Biometrika 70, 1983) needs to know beforehand how much is
//! learnt by each look, which labels given at the reviewers' pace do not tell.

/// The error allowed at each of so many looks; 0 where there is no look.
pub fn each(alpha: f64, looks: usize) -> f64 {
    if looks == 0 { 0.0 } else { alpha / looks as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_never_spend_more_than_there_is() {
        assert_eq!(each(0.05, 1), 0.05);
        assert_eq!(each(0.05, 0), 0.0);
        for looks in 1..100 {
            assert!(each(0.05, looks) * looks as f64 <= 0.05 + 1e-15);
        }
    }
}
