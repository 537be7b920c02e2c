//! Paths, here, in a repository and on a box, and addresses.

use super::Verdict;
use super::names::has_hidden;
use std::path::{Path, PathBuf};

/// Refuses a path that depends on where the program is started.
pub(super) fn rooted(text: &str) -> Verdict {
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

/// Refuses what is neither a path nor the bare name of a program.
pub(super) fn program(text: &str) -> Verdict {
    match text.contains('/') {
        true => rooted(text),
        false if text.starts_with('-') || text.is_empty() || has_hidden(text) => {
            Err("a program is a path that begins with `/` or `~/`, or a name")
        }
        false => Ok(()),
    }
}

/// Refuses a log of tasks where its lines would be taken for verdicts on pushes.
pub(super) fn task_log(text: &str) -> Verdict {
    rooted(text)?;
    let mut parts = text.trim_end_matches('/').rsplit('/').skip(1);
    match parts.next() {
        Some(VERDICTS | OVERRIDES) => Err("this directory is read for pushes, and tasks are none"),
        _ if text.ends_with('/') => Err("it is a directory, and is to be a file"),
        _ => Ok(()),
    }
}

/// Refuses a place for overrides where they would be taken for verdicts.
pub(super) fn overrides(text: &str) -> Verdict {
    rooted(text)?;
    match text.trim_end_matches('/').rsplit('/').next() {
        Some(VERDICTS) => Err("verdicts are read from there, and an override is none"),
        Some("") | None => Err("it is not a directory of its own"),
        Some(_) => Ok(()),
    }
}

/// Refuses a path that `ssh` would change: it expands `%` and `$`, and takes quotes away.
pub(super) fn plain_for_ssh(text: &str) -> Verdict {
    rooted(text)?;
    if text.contains(['%', '$', '"', '\'', '\\', '`']) {
        return Err("a path for ssh has no %, $, quotes or backslashes, which ssh would change");
    }
    Ok(())
}

/// Refuses a path that `ssh` would take for several.
pub(super) fn without_blanks(text: &str) -> Verdict {
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

/// The same as text; `None` too where the home is no UTF-8.
pub(in crate::config) fn expand_home_text(text: &str, home: Option<&Path>) -> Option<String> {
    expand_home(text, home)?.into_os_string().into_string().ok()
}

/// Refuses what can be no prefix of a path in a repository.
pub(super) fn prefix(text: &str) -> Verdict {
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

/// Refuses what is no pattern of paths in a repository.
pub(super) fn path_glob(text: &str) -> Verdict {
    if has_hidden(text) {
        return Err("a pattern has no control or hidden characters");
    }
    crate::engine::risk::problem(text).map_or(Ok(()), Err)
}

/// Refuses what can be no name of files: `*` and an ending, or a whole name.
pub(super) fn file_name(text: &str) -> Verdict {
    let name = text.strip_prefix('*').unwrap_or(text);
    if text.is_empty() || text.len() > 255 {
        return Err("a name has 1 to 255 bytes");
    }
    if has_hidden(text) || name.contains(['/', '\\', '*', '?', '[']) {
        return Err("a name is `*` and an ending (\"*.md\"), or that of a file; no other patterns");
    }
    Ok(())
}

/// What stands where the commit's id belongs.
const COMMIT: &str = "{commit}";

/// Refuses what is not the address of a page with one place for a commit.
///
/// The browser is started with it, so it begins with `https://` or `http://` and can be nothing
/// else for the program that opens it.
pub(super) fn commit_url(text: &str) -> Verdict {
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

/// Refuses what is no address of an endpoint, or holds a key or a user.
pub(super) fn endpoint(text: &str) -> Verdict {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest else { return Err("an endpoint begins with https:// or http://") };
    if text.len() > 1024 {
        return Err("an endpoint has at most 1024 bytes");
    }
    if has_hidden(text) || text.contains(char::is_whitespace) {
        return Err("an endpoint has no blanks, control or hidden characters");
    }
    if text.contains(['?', '#', '@']) {
        return Err("an endpoint has a host and a path, and no user, query or fragment");
    }
    if rest.split('/').next().is_none_or(str::is_empty) {
        return Err("an endpoint has a host");
    }
    Ok(())
}

/// Tells whether an endpoint is spoken to in plain http, and is another machine.
pub(in crate::config) fn is_plain_to_others(endpoint: &str) -> bool {
    let Some(rest) = endpoint.strip_prefix("http://") else { return false };
    let place = rest.split('/').next().unwrap_or_default();
    let host = match place.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
        None => place.split(':').next().unwrap_or_default(),
    };
    let address = host.parse::<std::net::IpAddr>();
    host != "localhost" && !address.is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_requires_explicit_start() {
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
        assert_eq!(prefix("research/"), Ok(()));
        assert_eq!(prefix("nimbalyst-local/plans/"), Ok(()));
        for bad in ["", "/research", "./research", "a/../b", "a\\b", "a\nb"] {
            assert!(prefix(bad).is_err(), "{bad:?}");
        }
    }

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
    fn an_endpoint_is_an_address_without_a_user() {
        for good in ["http://127.0.0.1:3456", "https://api.example.org/v1", "http://[::1]:80/x/"] {
            assert_eq!(endpoint(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "api.example.org",
            "ftp://a",
            "https://",
            "https:///v1",
            "https://key@host/v1",
            "https://a/v1?key=x",
            "https://a b",
            "https://a\u{202e}",
            "file:///etc/passwd",
        ] {
            assert!(endpoint(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn plain_http_is_for_this_machine() {
        for here in ["http://127.0.0.1:3456", "http://localhost/x", "http://[::1]:1", "https://a"] {
            assert!(!is_plain_to_others(here), "{here}");
        }
        for away in
            ["http://10.0.0.1", "http://localhost.example.org", "http://127.0.0.1.example.org:1"]
        {
            assert!(is_plain_to_others(away), "{away}");
        }
    }
}
