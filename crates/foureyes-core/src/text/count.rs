//! Counts in sentences.

use std::fmt::Display;

/// A whole number with a comma between its thousands: `1,012`.
pub fn separated(number: impl Display) -> String {
    let text = number.to_string();
    let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
    let mut out = sign.to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 box`, `2 boxes`, `1,012 boxes`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let noun = if count == N::from(1) { one } else { many };
    format!("{} {noun}", separated(count))
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
        assert_eq!(counted(5_210_u64, "box", "boxes"), "5,210 boxes");
    }

    #[test]
    fn thousands_have_a_comma_between_them() {
        let shown = [0_i64, 999, 1_012, 10_776, 1_383_959, -1_000, -999].map(separated);
        assert_eq!(shown, ["0", "999", "1,012", "10,776", "1,383,959", "-1,000", "-999"]);
        assert_eq!(separated(u64::MAX), "18,446,744,073,709,551,615");
    }
}
