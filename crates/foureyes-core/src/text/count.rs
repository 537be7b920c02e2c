//! Counts in sentences.

use std::fmt::Display;

/// `1 box`, `2 boxes`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let noun = if count == N::from(1) { one } else { many };
    format!("{count} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noun_follows_count() {
        assert_eq!(
            [0_u64, 1, 2].map(|n| counted(n, "box", "boxes")),
            ["0 boxes", "1 box", "2 boxes"]
        );
        assert_eq!(counted(1_usize, "box", "boxes"), "1 box");
    }
}
