//! Many tests at once.

/// The p-values of several tests, each as it counts where all of them are looked at: the chance that any of
/// them falls to a level by accident is at most that level, however they depend on each other.
///
/// Step-down by Holm (Scandinavian Journal of Statistics 6, 1979). In the order of the input.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut adjusted = vec![1.0; values.len()];
    let mut reached = 0.0_f64;
    for (rank, at) in order.into_iter().enumerate() {
        reached = reached.max((values[at] * (values.len() - rank) as f64).min(1.0));
        adjusted[at] = reached;
    }
    adjusted
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn values_are_those_of_r() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
        let got = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, expected) in got.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            near(got, expected, 1e-12);
        }
        assert_eq!(holm(&[0.4, 0.9]), [0.8, 0.9]);
        assert!(holm(&[]).is_empty());
    }
}
