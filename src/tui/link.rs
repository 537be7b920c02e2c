//! Addresses of what leads elsewhere. An address is printable ASCII without blanks, so that it can neither end the
//! sequence of a terminal that it stands in nor begin another one.

use crate::git::CommitId;
use ratatui::layout::Rect;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::sync::Arc;

/// A part of the screen that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Which part; it is one row high.
    pub place: Rect,
    /// Where it leads: printable ASCII without blanks.
    pub address: Arc<str>,
}

/// The address of a commit; `None` where it is no commit id, or where no address is configured that is one.
///
/// Only hexadecimal digits of the commit reach it.
pub fn commit(template: Option<&str>, commit: &str) -> Option<String> {
    let address = template?.replace("{commit}", commit);
    (is_commit(commit) && address.bytes().all(|byte| byte.is_ascii_graphic())).then_some(address)
}

/// Whether a text is the id of a commit, or at least seven digits of its beginning.
pub fn is_commit(text: &str) -> bool {
    text.len() >= 7
        && text.len() <= 64
        && (text.parse::<CommitId>().is_ok() || text.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The address of a file of this machine; `None` where its path is not absolute.
pub fn file(path: &Path) -> Option<String> {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let mut address = "file://".to_owned();
    for byte in path.as_os_str().as_bytes() {
        let _ = match is_bare(*byte) {
            true => write!(address, "{}", char::from(*byte)),
            false => write!(address, "%{byte:02X}"),
        };
    }
    path.is_absolute().then_some(address)
}

/// What is read and not run by what opens it: an agent gave the file its name and its bytes.
const TEXTS: [&str; 6] = ["adoc", "log", "markdown", "md", "rst", "txt"];

/// The address of a text of a clone; `None` for other files, and where its name would lead out of it.
pub fn file_in(clone: &Path, name: &str) -> Option<String> {
    let path = Path::new(name);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_text = ending.is_some_and(|ending| TEXTS.contains(&ending));
    if is_text && is_inside { file(&clone.join(name)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_nothing_that_a_terminal_acts_on() {
        let hostile = "a\u{1b}]8;;\u{7}\u{9b}b \u{202e}ü.md";
        let address = file_in(Path::new("/srv/kb"), hostile).unwrap();
        assert_eq!(address, "file:///srv/kb/a%1B%5D8%3B%3B%07%C2%9Bb%20%E2%80%AE%C3%BC.md");
        for out in ["../x.md", "/etc/motd.txt", "a/../../x.md", "", "x.command", "x.html", "md"] {
            assert_eq!(file_in(Path::new("/srv/kb"), out), None, "{out}");
        }
        assert_eq!(file(Path::new("a.md")), None);
    }

    #[test]
    fn only_the_digits_of_a_commit_reach_an_address() {
        let template = Some("https://git.example/{commit}");
        assert_eq!(commit(template, "51757b4f").as_deref(), Some("https://git.example/51757b4f"));
        for trap in ["51757b4;x", "../../x", "%68%65", "abcdef", "51757b4\u{1b}\\"] {
            assert_eq!(commit(template, trap), None, "{trap:?}");
        }
        assert_eq!(commit(Some("https://x/{commit}\u{1b}\\"), "51757b4f"), None);
        assert_eq!(commit(None, "51757b4f"), None);
    }
}
