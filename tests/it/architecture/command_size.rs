//! How much a file of the command line may hold: it parses, makes one call and prints one document.

use super::tokens;
use std::collections::BTreeSet;

/// Most lines of code of a file in `src/cli`. Comments, blank lines and tests are none.
const MAX_CODE: usize = 120;

/// Files that may have more, or folders of such, each with the reason.
const EXCEPTIONS: [(&str, &str); 1] =
    [("src/cli/judge/explain.rs", "one list of what would be asked, in its order")];

/// Whether a file has too much, and is excused; `None` where it has not.
pub(super) fn too_large(path: &str, text: &str) -> Option<usize> {
    let package = super::rules::in_package(path);
    let is_test = package.trim_end_matches(".rs").ends_with("tests");
    let lines = (package.starts_with("src/cli/") && !is_test).then(|| code(path, text))?;
    (lines > MAX_CODE).then_some(lines)
}

/// A sentence on a file that has too much, unless it is excused.
pub(super) fn check(path: &str, text: &str) -> Option<String> {
    let lines = too_large(path, text)?;
    let excused = excuses().any(|excuse| super::rules::in_package(path).starts_with(excuse));
    (!excused).then(|| format!("{path}: {lines} lines of code, more than {MAX_CODE}"))
}

/// Files and folders that may have more.
pub(super) fn excuses() -> impl Iterator<Item = &'static str> {
    EXCEPTIONS.iter().map(|(path, _)| *path)
}

/// Lines on which a token of the program stands, and not of a comment or a test.
fn code(path: &str, text: &str) -> usize {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let no_code = |line: &&str| line.starts_with("//") || *line == "#[cfg(test)]";
    let is_code = |line: usize| lines.get(line - 1).is_some_and(|line| !no_code(line));
    let tokens = tokens::of(path, text);
    let code = tokens.iter().filter(|token| !token.test && is_code(token.line));
    code.map(|token| token.line).collect::<BTreeSet<_>>().len()
}
