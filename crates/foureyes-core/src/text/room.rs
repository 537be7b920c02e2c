//! Texts that go into the context of an agent, which has room for so many characters.

/// Most characters of what goes into the context of an agent at once, as [`utf16`] counts them. Claude Code
/// takes 10,000 of what a hook prints: of more, its model is shown a preview and the path of a file.
pub const MOST_CONTEXT: usize = 9_500;

/// The length of a text in units of UTF-16, as JavaScript counts: never less than its characters.
pub fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// A long beginning of a text, of `most` characters or fewer, that fits. Where more fits in the whole, that is the
/// longest; and it is empty where nothing does.
pub fn beginning(text: &str, most: usize, fits: impl Fn(&str) -> bool) -> &str {
    let ends: Vec<usize> =
        text.char_indices().map(|(at, c)| at + c.len_utf8()).take(most).collect();
    let first = |count: usize| {
        let end = count.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
        text.get(..end).unwrap_or_default()
    };
    if fits(first(ends.len())) {
        return first(ends.len());
    }
    // What is `low` fits, or is nothing.
    let (mut low, mut high) = (0, ends.len());
    while high - low > 1 {
        let middle = low.midpoint(high);
        match fits(first(middle)) {
            true => low = middle,
            false => high = middle,
        }
    }
    first(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_that_of_javascript() {
        for (text, length) in [("", 0), ("abc", 3), ("\u{e9}\u{4e2d}", 2), ("a\u{1f980}b", 4)] {
            assert_eq!(utf16(text), length, "{text}");
        }
    }

    #[test]
    fn beginning_is_the_longest_that_fits_and_parts_no_character() {
        let crab = "\u{1f980}".repeat(10);
        assert_eq!(beginning(&crab, 99, |part| utf16(part) <= 7).chars().count(), 3);
        assert_eq!(beginning(&crab, 2, |_| true).chars().count(), 2);
        assert_eq!(beginning(&crab, 99, |_| true), crab);
        assert_eq!(beginning(&crab, 99, |part| part.is_empty()), "");
        assert_eq!(beginning("", 99, |_| false), "");
    }
}
