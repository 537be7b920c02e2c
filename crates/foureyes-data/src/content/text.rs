//! Bytes of a file as a text that can be shown.

/// As git does it, a file is no text where NUL is among so many bytes at its beginning.
pub(super) const SNIFF: usize = 8000;

/// Whether bytes are those of no text.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(SNIFF).any(|b| *b == 0)
}

/// The text, and whether bytes that are no UTF-8 were replaced. A character that was cut in two at
/// the end is left out.
pub(super) fn text(bytes: &[u8], cut: bool) -> (String, bool) {
    let bytes = if cut { whole(bytes) } else { bytes };
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), true),
    }
}

fn whole(bytes: &[u8]) -> &[u8] {
    let last = bytes.utf8_chunks().last();
    let torn = last
        .map(|chunk| chunk.invalid())
        .filter(|rest| std::str::from_utf8(rest).is_err_and(|e| e.error_len().is_none()));
    &bytes[..bytes.len() - torn.map_or(0, <[u8]>::len)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_does_not_make_a_text_lossy() {
        let euro = "ab€".as_bytes();
        assert_eq!(text(&euro[..4], true), ("ab".to_owned(), false));
        assert_eq!(text(&euro[..4], false), ("ab\u{fffd}".to_owned(), true));
        assert_eq!(text(euro, true), ("ab€".to_owned(), false));
        assert_eq!(text(b"a\xffb", true), ("a\u{fffd}b".to_owned(), true));
        assert_eq!(text(b"", true), (String::new(), false));
    }

    #[test]
    fn nul_far_from_the_beginning_is_not_looked_for() {
        assert!(is_binary(b"a\0"));
        assert!(!is_binary(&[vec![b'a'; SNIFF], vec![0]].concat()));
    }
}
