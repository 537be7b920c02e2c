//! The fixed script, and how it gets to a box.

use super::error::Error;
use std::sync::LazyLock;

/// The script without what only people read.
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    include_str!("../../../assets/pull.sh")
        .lines()
        .map(str::trim_start)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(|l| format!("{l}\n"))
        .collect()
});

/// The one command ever given to a box: it runs the script it reads from standard input.
///
/// It means the same to `sh`, `csh` and `fish`, and holds nothing but the script's length. A shell
/// that reads its script from standard input by itself may swallow the data behind it; `dd` reads
/// no byte too many.
pub fn command() -> String {
    format!(r#"exec sh -c 'eval "$(dd bs=1 count={} 2>/dev/null)"'"#, SCRIPT.len())
}

/// What is said first: the script, the word that frames its answers, the paths.
pub(super) fn opening(word: &str, roots: &[String]) -> Result<Vec<u8>, Error> {
    let mut text = format!("{}{word}\n{}\n", *SCRIPT, roots.len());
    for root in roots {
        if root.is_empty() || root.contains(['\n', '\0']) {
            return Err(Error::Path { path: root.clone() });
        }
        text.push_str(root);
        text.push('\n');
    }
    Ok(text.into_bytes())
}
