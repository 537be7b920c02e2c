//! Issues for people who must decide.

use crate::hook::check::Finding;

/// The program that makes issues.
pub(super) fn check() -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|dir| dir.join("gh")).find(|file| file.is_file());
    match found {
        Some(file) => Finding::ok("issues", format!("{} makes them", file.display())),
        None => Finding::warn("issues", "`create_issues` is set, and gh is not in the PATH")
            .hint("install gh, or remove `create_issues` from [task]"),
    }
}
