//! Names of boxes.

use super::{Verdict, is_plain_word};

/// Refuses what cannot be the name of a box, which is also the name of its directory here.
pub(in crate::config) fn name(text: &str) -> Verdict {
    if text.len() > 64 {
        return Err("a name has at most 64 bytes");
    }
    if is_plain_word(text) && !text.starts_with('.') {
        return Ok(());
    }
    Err("a name has letters, digits, `.`, `_`, `-` and no leading dash or dot")
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_is_a_safe_directory() {
        assert_eq!(name("small-2.lan_x"), Ok(()));
        let long = "x".repeat(65);
        for bad in ["", ".", "..", ".hidden", "-x", "a/b", "a b", "é", "a\0", &long] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
    }
}
