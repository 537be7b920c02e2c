//! Numbers that look random, in slices of about the same size: what is fetched at once is bounded, however
//! much there is.

/// Some of all numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice {
    first: u64,
    last: u64,
}

impl Slice {
    /// The condition that a column is in it.
    pub(super) fn of(&self, column: &str) -> String {
        match self {
            Self { first: 0, last: u64::MAX } => "1".to_owned(),
            Self { first, last } => format!("{column} >= {first} AND {column} <= {last}"),
        }
    }
}

/// All numbers, so that of `count` rows about `together` are in each.
pub(super) fn slices(count: u64, together: u64) -> Vec<Slice> {
    let slices = u128::from(count.div_ceil(together.max(1)).max(1));
    let start = |at: u128| u64::try_from((at << 64) / slices).unwrap_or(u64::MAX);
    let slice = |at: u128| match at + 1 == slices {
        true => Slice { first: start(at), last: u64::MAX },
        false => Slice { first: start(at), last: start(at + 1).saturating_sub(1) },
    };
    (0..slices).map(slice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_rows_need_no_condition() {
        for (count, together) in [(0, 10), (10, 10), (1, 0)] {
            let all = slices(count, together);
            assert_eq!(all.iter().map(|one| one.of("unit")).collect::<Vec<_>>(), ["1"]);
        }
        let half = 1_u64 << 63;
        let two = slices(11, 10);
        assert_eq!(two[0].of("head"), format!("head >= 0 AND head <= {}", half - 1));
        assert_eq!(two[1].of("head"), format!("head >= {half} AND head <= {}", u64::MAX));
    }

    proptest! {
        #[test]
        fn every_number_is_in_one_slice(count in 0..100_000_u64, together in 500..9000_u64) {
            let all = slices(count, together);
            prop_assert_eq!(all.len() as u64, count.div_ceil(together).max(1));
            prop_assert_eq!((all[0].first, all[all.len() - 1].last), (0, u64::MAX));
            for two in all.windows(2) {
                prop_assert_eq!(two[0].last + 1, two[1].first);
            }
        }
    }
}
