//! Reasons of labels.

use super::{Verdict, has_hidden, is_plain_word};

/// Refuses what cannot be the code of a reason, and codes of the list that comes with the program.
pub(in crate::config) fn reason_code(text: &str) -> Verdict {
    if text.len() > 64 || !is_plain_word(text) {
        return Err("a code has letters, digits, `.`, `_`, `-`, no leading dash, at most 64 bytes");
    }
    if crate::config::reasons::frozen().iter().any(|reason| reason.code == text) {
        return Err("a code of the list that comes with the program keeps its meaning");
    }
    Ok(())
}

/// Refuses what cannot be the meaning of a reason.
pub(in crate::config) fn reason_meaning(text: &str) -> Verdict {
    if text.trim().is_empty() || text.len() > 256 || has_hidden(text) {
        return Err("a meaning is visible text of at most 256 bytes");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{reason_code, reason_meaning};

    #[test]
    fn codes_are_plain_words_and_keep_their_meaning() {
        assert_eq!(reason_code("too_long"), Ok(()));
        for bad in ["", "-x", "a b", "wrong_fact", &"x".repeat(65)] {
            assert!(reason_code(bad).is_err(), "{bad:?}");
        }
        assert_eq!(reason_meaning("It is too long"), Ok(()));
        for bad in ["", " ", "a\nb", &"x".repeat(257)] {
            assert!(reason_meaning(bad).is_err(), "{bad:?}");
        }
    }
}
