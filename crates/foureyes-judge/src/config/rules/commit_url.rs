//! The address of a commit's page, and the words for borders.

use super::{Verdict, has_hidden};
use crate::config::ConsoleConfig;

/// What stands where the commit's id belongs.
const COMMIT: &str = "{commit}";

/// Refuses what is not the address of a page with one place for a commit.
///
/// The browser is started with it, so it begins with `https://` or `http://` and can be nothing
/// else for the program that opens it.
pub(in crate::config) fn commit_url(text: &str) -> Verdict {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest else { return Err("an address begins with https:// or http://") };
    if text.len() > 1024 {
        return Err("an address has at most 1024 bytes");
    }
    if has_hidden(text) || text.contains(char::is_whitespace) {
        return Err("an address has no blanks, control or hidden characters");
    }
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if host.is_empty() || host.contains(['{', '@']) {
        return Err("an address has a host, and no user in it");
    }
    if path.matches(COMMIT).count() != 1 || path.replace(COMMIT, "").contains(['{', '}']) {
        return Err("the path of the address has `{commit}` once, and no other braces");
    }
    Ok(())
}

/// Refuses what names no kind of border.
pub(in crate::config) fn borders(text: &str) -> Verdict {
    if ConsoleConfig::BORDERS.contains(&text) {
        return Ok(());
    }
    Err("borders are `rounded`, `plain` or `ascii`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_with_one_place_for_the_commit_passes() {
        assert_eq!(commit_url("https://git.example.org/r/-/commit/{commit}"), Ok(()));
        assert_eq!(commit_url("http://localhost:3000/r/c/{commit}?full=1"), Ok(()));
        for bad in [
            "",
            "file:///etc/{commit}",
            "javascript:{commit}",
            "https://a/b",
            "https:///{commit}",
            "https://{commit}/a",
            "https://user@host/{commit}",
            "https://a/{commit}/{commit}",
            "https://a/{commit}/{x}",
            "https://a/ {commit}",
            "--new-window https://a/{commit}",
            "https://a/\u{202e}{commit}",
        ] {
            assert!(commit_url(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn borders_are_one_of_three_words() {
        assert_eq!(borders("ascii"), Ok(()));
        assert!(borders("double").is_err());
    }
}
