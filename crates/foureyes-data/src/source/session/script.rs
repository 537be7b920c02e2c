//! A fixed script, and how it gets to a box.

use super::error::Error;
use std::sync::LazyLock;

/// What scripts begin with.
pub(in crate::source) const BEGIN: &str = include_str!("../../../../../assets/begin.sh");
/// What scripts that write have in common.
pub(in crate::source) const LOCK: &str = include_str!("../../../../../assets/lock.sh");

/// The script of a pull.
static PULL: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[BEGIN, include_str!("../../../../../assets/pull.sh")]));

/// A script that is the same for every box and every question.
pub(in crate::source) struct Script(String);

impl Script {
    /// Takes the parts of a script one after the other, without what only people read.
    pub(in crate::source) fn new(parts: &[&str]) -> Self {
        let lines = parts.iter().flat_map(|part| part.lines()).map(str::trim_start);
        Self(
            lines
                .filter(|l| !l.is_empty() && !l.starts_with('#'))
                .map(|l| format!("{l}\n"))
                .collect(),
        )
    }

    /// The one command ever given to a box for it: it runs the script it reads from standard input.
    ///
    /// It means the same to `sh`, `csh` and `fish`, and holds nothing but the script's length. A
    /// shell that reads its script from standard input by itself may swallow the data behind it;
    /// `dd` reads no byte too many.
    pub(in crate::source) fn command(&self) -> String {
        format!(r#"exec sh -c 'eval "$(dd bs=1 count={} 2>/dev/null)"'"#, self.0.len())
    }

    /// What is sent first: the script, and the word that frames its answers.
    pub(in crate::source) fn opening(&self, word: &str) -> String {
        format!("{}{word}\n", self.0)
    }
}

/// The one command that a pull gives to a box.
pub fn command() -> String {
    PULL.command()
}

/// What a pull sends first: the script, the word that frames its answers, the paths.
pub(super) fn opening(word: &str, roots: &[String]) -> Result<Vec<u8>, Error> {
    let mut text = format!("{}{}\n", PULL.opening(word), roots.len());
    for root in roots {
        text.push_str(line(root)?);
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// A path that can stand on a line of its own.
pub(in crate::source) fn line(path: &str) -> Result<&str, Error> {
    if path.is_empty() || path.contains(['\n', '\0']) {
        return Err(Error::Path { path: path.to_owned() });
    }
    Ok(path)
}
