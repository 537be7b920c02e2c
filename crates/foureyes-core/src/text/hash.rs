//! Hashes and ids in sentences.

/// Digits of a hash that tell it from others, as a record or an entry is named in listings.
const DIGITS: usize = 12;

/// The first 12 digits of a hash or an id; whatever is shorter as it is.
pub fn short_hash(text: &str) -> &str {
    text.get(..DIGITS).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_hash_is_cut_and_short_or_foreign_text_is_not() {
        assert_eq!(short_hash(&"0123456789abcdef".repeat(4)), "0123456789ab");
        assert_eq!(short_hash("abc"), "abc");
        assert_eq!(short_hash("abcdefghijkéx"), "abcdefghijkéx", "no character is cut in two");
    }
}
