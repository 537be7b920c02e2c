//! What counts may not tell of hidden verdicts: where few hidden pushes are in a count, it tells them.

/// A count with at least so many hidden pushes tells none of them.
pub const FEWEST_HIDDEN: u64 = 10;

/// Which cells of a breakdown leave their hidden pushes out, given how many each has. A sum is a breakdown of one cell.
///
/// Those with fewer than [`FEWEST_HIDDEN`] do, and of the others the smallest, if the sum of all cells less the rest
/// would tell what was left out. So at least as many are left out, or all.
pub fn suppressed(hidden: &[u64]) -> Vec<bool> {
    let is_few = |count: u64| (1..FEWEST_HIDDEN).contains(&count);
    let mut suppressed: Vec<bool> = hidden.iter().map(|count| is_few(*count)).collect();
    let left_out: u64 = hidden.iter().filter(|count| is_few(**count)).sum();
    if is_few(left_out) {
        let others = hidden.iter().enumerate().filter(|(_, count)| **count >= FEWEST_HIDDEN);
        let smallest = others.min_by_key(|(_, count)| **count).map(|(at, _)| at);
        if let Some(cell) = smallest.and_then(|at| suppressed.get_mut(at)) {
            *cell = true;
        }
    }
    suppressed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_hidden_pushes_are_left_out() {
        assert_eq!(suppressed(&[9]), [true]);
        assert_eq!(suppressed(&[10]), [false]);
        assert_eq!(suppressed(&[0]), [false], "nothing is hidden there");
        assert_eq!(suppressed(&[9, 9, 40]), [true, true, false]);
        assert!(suppressed(&[]).is_empty());
    }

    #[test]
    fn the_sum_of_cells_does_not_tell_what_one_leaves_out() {
        assert_eq!(suppressed(&[40, 3, 12, 0]), [false, true, true, false]);
        assert_eq!(suppressed(&[3, 4, 0]), [true, true, false], "the sum leaves them out, too");
    }
}
