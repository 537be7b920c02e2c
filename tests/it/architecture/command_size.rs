//! How much a file of the command line may hold: it parses, makes one call and prints one document.

use super::tokens;
use std::collections::BTreeSet;

/// Most lines of code of a file in `src/cli`. Comments, blank lines and tests are none.
const MAX_CODE: usize = 120;

/// A sentence on a file that has too much.
pub(super) fn check(path: &str, text: &str) -> Option<String> {
    let package = super::rules::in_package(path);
    let is_test = package.trim_end_matches(".rs").ends_with("tests");
    let lines = (package.starts_with("src/cli/") && !is_test).then(|| code(path, text))?;
    (lines > MAX_CODE).then(|| format!("{path}: {lines} lines of code, more than {MAX_CODE}"))
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
