//! Paths, here and on a box.

use super::{Verdict, has_hidden};
use std::path::{Path, PathBuf};

/// Refuses a path that depends on where the program is started.
pub(in crate::config) fn rooted(text: &str) -> Verdict {
    if text.len() > 4096 {
        return Err("a path has at most 4096 bytes");
    }
    if has_hidden(text) {
        return Err("a path has no control or hidden characters");
    }
    if text.starts_with('/') || (text.starts_with("~/") && text.len() > 2) {
        return Ok(());
    }
    Err("a path begins with `/` or `~/`")
}

/// How directories of overrides are named.
const OVERRIDES: &str = "judge-overrides";
/// How directories of verdicts are: whoever reads one takes all in it for verdicts.
const VERDICTS: &str = "judge-verdicts";

/// Tells whether a path is that of a directory of overrides, by its name.
pub(in crate::config) fn is_override_place(path: &str) -> bool {
    path.trim_end_matches('/').rsplit('/').next() == Some(OVERRIDES)
}

/// Refuses a place for overrides where they would be taken for verdicts.
pub(in crate::config) fn overrides(text: &str) -> Verdict {
    rooted(text)?;
    match text.trim_end_matches('/').rsplit('/').next() {
        Some(VERDICTS) => Err("verdicts are read from there, and an override is none"),
        Some("") | None => Err("it is no directory of its own"),
        Some(_) => Ok(()),
    }
}

/// Refuses a path that `ssh` would change: it expands `%` and `$`, and takes quotes away.
pub(in crate::config) fn plain_for_ssh(text: &str) -> Verdict {
    rooted(text)?;
    if text.contains(['%', '$', '"', '\'', '\\', '`']) {
        return Err("a path for ssh has no %, $, quotes or backslashes, which ssh would change");
    }
    Ok(())
}

/// Refuses a path that `ssh` would take for several.
pub(in crate::config) fn without_blanks(text: &str) -> Verdict {
    plain_for_ssh(text)?;
    if text.contains(char::is_whitespace) {
        return Err("ssh would take a path with a blank for two");
    }
    Ok(())
}

/// Puts the home in place of a leading `~/`.
pub(in crate::config) fn expand_home(text: &str, home: Option<&Path>) -> Option<PathBuf> {
    match text.strip_prefix("~/") {
        Some(rest) => Some(home?.join(rest.trim_start_matches('/'))),
        None => Some(PathBuf::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_where_it_begins() {
        assert_eq!(rooted("/a b/ü"), Ok(()));
        assert_eq!(rooted("~/.openclaw"), Ok(()));
        for bad in ["", "a", "./a", "~", "~/", "~root/x", "-x", "/a\nb", "/a\0"] {
            assert!(rooted(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_path_for_ssh_means_itself() {
        assert_eq!(plain_for_ssh("~/.ssh/id ed"), Ok(()));
        assert!(without_blanks("~/.ssh/id ed").is_err());
        for bad in ["/%h", "/${HOME}/x", "/a\"b", "/a\\b"] {
            assert!(plain_for_ssh(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_a_leading_tilde_is_the_home() {
        let home = Some(Path::new("/h"));
        assert_eq!(expand_home("~/a/~/b", home), Some("/h/a/~/b".into()));
        assert_eq!(expand_home("~//etc", home), Some("/h/etc".into()));
        assert_eq!(expand_home("/a", None), Some("/a".into()));
        assert_eq!(expand_home("~/a", None), None);
    }
}
