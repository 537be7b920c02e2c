//! How much of each file is shown where not all of it can be.

/// Shares out `most` bytes among files of these sizes: small ones whole, the others alike.
pub(super) fn shares(sizes: &[usize], most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    let size = |i: &usize| sizes.get(*i).copied().unwrap_or(0);
    order.sort_by_key(size);
    let (mut shares, mut left) = (vec![0; sizes.len()], most);
    for (taken, i) in order.iter().enumerate() {
        let each = left / (order.len() - taken);
        let share = size(i).min(each);
        left -= share;
        if let Some(slot) = shares.get_mut(*i) {
            *slot = share;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_files_are_whole_and_large_ones_share_the_rest() {
        assert_eq!(shares(&[10, 1000, 20, 1000], 430), [10, 200, 20, 200]);
        assert_eq!(shares(&[10, 20], 100), [10, 20]);
        assert_eq!(shares(&[10, 20], 0), [0, 0]);
        assert_eq!(shares(&[], 5), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn share_never_exceeds_content_or_limit(
            sizes in proptest::collection::vec(0_usize..5000, 0..40),
            most in 0_usize..40_000,
        ) {
            let shares = shares(&sizes, most);
            prop_assert!(shares.iter().zip(&sizes).all(|(share, size)| share <= size));
            let shown: usize = shares.iter().sum();
            prop_assert!(shown <= most);
            let all: usize = sizes.iter().sum();
            // What division leaves over is less than a byte a file.
            prop_assert!(shown + sizes.len() >= most.min(all));
        }
    }
}
