//! Fleiss' kappa: the same number of raters on every item, not always the same ones.
//!
//! Fleiss, Psychological Bulletin 76, 1971.

/// Kappa of items, each a count of raters for every category.
///
/// `None` without items, where items have different numbers of raters, fewer than two, or
/// different numbers of categories, and where only one category is ever used.
pub fn fleiss(items: &[Vec<u64>]) -> Option<f64> {
    let raters: u64 = items.first()?.iter().sum();
    let categories = items.first()?.len();
    let even = |i: &Vec<u64>| i.iter().sum::<u64>() == raters && i.len() == categories;
    if raters < 2 || !items.iter().all(even) {
        return None;
    }
    let (n, r) = (items.len() as f64, raters as f64);
    let pairs = |i: &Vec<u64>| i.iter().map(|c| (c * c) as f64).sum::<f64>();
    let observed = items.iter().map(|i| (pairs(i) - r) / (r * (r - 1.0))).sum::<f64>() / n;
    let share = |k: usize| items.iter().map(|i| i[k] as f64).sum::<f64>() / (n * r);
    let expected: f64 = (0..categories).map(|k| share(k).powi(2)).sum();
    (expected < 1.0 - 1e-12).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn fourteen_raters_of_the_textbook() {
        let items = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        let items: Vec<Vec<u64>> = items.iter().map(|i| i.to_vec()).collect();
        near(fleiss(&items).unwrap(), 0.209_93, 5e-6);
    }

    #[test]
    fn uneven_items_are_refused() {
        assert_eq!(fleiss(&[]), None);
        assert_eq!(fleiss(&[vec![1, 1], vec![2, 1]]), None);
        assert_eq!(fleiss(&[vec![1, 1], vec![2]]), None);
        assert_eq!(fleiss(&[vec![1, 0]]), None);
        assert_eq!(fleiss(&[vec![2, 0], vec![2, 0]]), None);
    }
}
