//! Refs and patterns of refs.

use super::{Verdict, has_hidden};

/// Refuses what git could take for an option, a range or an expression.
pub(in crate::config) fn git_ref(text: &str) -> Verdict {
    if text.is_empty() || text.len() > 255 {
        return Err("a ref has 1 to 255 bytes");
    }
    if text.starts_with('-') {
        return Err("a ref does not begin with a dash");
    }
    let odd = |c: char| c.is_whitespace() || "~^:\\".contains(c);
    if has_hidden(text) || text.contains(odd) || text.contains("..") || text.contains("@{") {
        return Err("a ref has no blanks, none of ~ ^ : \\, no `..` and no `@{`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::git_ref;

    #[test]
    fn refs_and_patterns_pass_and_expressions_do_not() {
        for good in ["main", "refs/remotes", "refs/heads/*", "feature/ü"] {
            assert_eq!(git_ref(good), Ok(()), "{good}");
        }
        for bad in ["", "--all", "a b", "a..b", "HEAD~1", "a:b", "HEAD@{1}", "a\nb"] {
            assert!(git_ref(bad).is_err(), "{bad:?}");
        }
    }
}
