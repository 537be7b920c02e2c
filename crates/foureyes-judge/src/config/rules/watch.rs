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

/// Refuses what can be no name of files: `*` and an ending, or a whole name.
pub(in crate::config) fn file_name(text: &str) -> Verdict {
    let name = text.strip_prefix('*').unwrap_or(text);
    if text.is_empty() || text.len() > 255 {
        return Err("a name has 1 to 255 bytes");
    }
    if has_hidden(text) || name.contains(['/', '\\', '*', '?', '[']) {
        return Err("a name is `*` and an ending (\"*.md\"), or that of a file; no other patterns");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{file_name, watch};

    #[test]
    fn a_name_of_files_is_an_ending_or_whole() {
        for good in ["*.md", "Makefile", "*"] {
            assert_eq!(file_name(good), Ok(()), "{good}");
        }
        for bad in ["", "a/*.md", "*.m?", "**", "[a]", "a\n"] {
            assert!(file_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_prefix_begins_at_the_top() {
        assert_eq!(watch("research/"), Ok(()));
        assert_eq!(watch("nimbalyst-local/plans/"), Ok(()));
        for bad in ["", "/research", "./research", "a/../b", "a\\b", "a\nb"] {
            assert!(watch(bad).is_err(), "{bad:?}");
        }
    }
}
