//! Users, before they can reach `ssh`.

use super::{Verdict, is_plain_word};

/// Refuses what is no plain login name.
pub(in crate::config) fn user(text: &str) -> Verdict {
    if text.len() > 64 {
        return Err("a user has at most 64 bytes");
    }
    if is_plain_word(text) {
        return Ok(());
    }
    Err("a user has letters, digits, `.`, `_`, `-` and no leading dash")
}

#[cfg(test)]
mod tests {
    use super::user;

    #[test]
    fn only_plain_words_pass() {
        assert_eq!(user("j.doe-2_x"), Ok(()));
        let long = "x".repeat(65);
        for bad in ["", "-l", "a b", "a@b", "$(id)", "`id`", "%r", "a:b", "a\\b", &long] {
            assert!(user(bad).is_err(), "{bad:?}");
        }
    }
}
