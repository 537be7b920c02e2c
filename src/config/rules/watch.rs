//! Path prefixes inside a repository.

use super::{Verdict, has_hidden};

/// Refuses what can be no prefix of a path in a repository.
pub(in crate::config) fn watch(text: &str) -> Verdict {
    if text.is_empty() || text.len() > 1024 {
        return Err("a prefix has 1 to 1024 bytes");
    }
    if has_hidden(text) || text.contains('\\') {
        return Err("a prefix has no backslashes and no control or hidden characters");
    }
    if text.starts_with('/') || text.split('/').any(|part| part == ".." || part == ".") {
        return Err("a prefix begins at the top of the repository: no leading `/`, no `.` or `..`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::watch;

    #[test]
    fn a_prefix_begins_at_the_top() {
        assert_eq!(watch("research/"), Ok(()));
        assert_eq!(watch("nimbalyst-local/plans/"), Ok(()));
        for bad in ["", "/research", "./research", "a/../b", "a\\b", "a\nb"] {
            assert!(watch(bad).is_err(), "{bad:?}");
        }
    }
}
