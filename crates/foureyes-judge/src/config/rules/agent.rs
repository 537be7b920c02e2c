//! Names of committers.

use super::{Verdict, has_hidden};

/// Refuses what cannot be the name of a committer.
pub(in crate::config) fn agent(text: &str) -> Verdict {
    if text.trim().is_empty() {
        return Err("the name of a committer is not empty");
    }
    if text.len() > 256 {
        return Err("the name of a committer has at most 256 bytes");
    }
    if has_hidden(text) {
        return Err("the name of a committer has no control or hidden characters");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::agent;

    #[test]
    fn a_name_is_visible_text() {
        assert_eq!(agent("OpenClaw Agent"), Ok(()));
        for bad in ["", "  ", "a\nb", "a\u{202e}b", &"x".repeat(257)] {
            assert!(agent(bad).is_err(), "{bad:?}");
        }
    }
}
