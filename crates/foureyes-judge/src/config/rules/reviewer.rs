//! Names of reviewers and of their machines.

use super::{Verdict, has_hidden};

/// Refuses what cannot be such a name.
pub(in crate::config) fn reviewer(text: &str) -> Verdict {
    if text.trim().is_empty() {
        return Err("it is not empty");
    }
    if text.len() > 256 {
        return Err("it has at most 256 bytes");
    }
    if has_hidden(text) {
        return Err("it has no control or hidden characters");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::reviewer;

    #[test]
    fn a_name_is_visible_text() {
        assert_eq!(reviewer("Anna \"A\" O'Neill $(x) \u{1f984}"), Ok(()));
        for bad in ["", " ", "a\nb", "a\u{202e}b", &"x".repeat(257)] {
            assert!(reviewer(bad).is_err(), "{bad:?}");
        }
    }
}
