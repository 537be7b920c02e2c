//! Families of judgements differ by their rows in `instruments`; who goes by the name of one is listed.

use super::tokens;

/// Where the names belong.
const ROOMS: [&str; 2] =
    ["crates/foureyes-core/src/domain/", "crates/foureyes-core/src/instruments/"];

/// Files that name a family nevertheless, each with the reason.
const LISTED: [(&str, &str); 4] = [
    ("crates/foureyes-core/src/engine/judgements/kind.rs", "the words of the service's protocol"),
    ("crates/foureyes-judge/src/config/hook.rs", "each protocol of the hook has its family"),
    ("src/cli/judge/task/input.rs", "the command judges a task"),
    ("src/tui/perform/judging/run.rs", "the two ways in which the engine asks judges"),
];

/// The lines of a file that go by the name of one family, tests aside.
pub(super) fn named(path: &str, text: &str) -> Vec<usize> {
    let is_test = path.ends_with("tests.rs") || path.contains("/tests/");
    if is_test || ROOMS.iter().any(|room| path.starts_with(room)) {
        return Vec::new();
    }
    let tokens = tokens::of(path, text);
    let is = |at: usize, expected: &[&str]| {
        tokens.get(at).is_some_and(|token| expected.contains(&token.text.as_str()))
    };
    let is_name = |at: usize| {
        is(at, &["JudgementKind"]) && is(at + 1, &["::"]) && is(at + 2, &["Push", "Task", "{", "*"])
    };
    let is_counted = |at: &usize| !tokens[*at].test && is_name(*at);
    (0..tokens.len()).filter(is_counted).map(|at| tokens[at].line).collect()
}

/// What is wrong: a file that is not listed, and one that needs no place in the list.
pub(super) fn wrong(files: &[(String, String)]) -> Vec<String> {
    let found: Vec<_> = files
        .iter()
        .map(|(path, text)| (path.as_str(), named(path, text)))
        .filter(|(_, lines)| !lines.is_empty())
        .collect();
    let is_listed = |path: &str| LISTED.iter().any(|(listed, _)| *listed == path);
    let unlisted = found.iter().filter(|(path, _)| !is_listed(path));
    let unlisted = unlisted.map(|(path, lines)| {
        format!("{path}: line {} names a family: what it differs in is in its row", lines[0])
    });
    let is_stale = |listed: &str| !found.iter().any(|(path, _)| *path == listed);
    let stale = LISTED.iter().filter(|(listed, _)| is_stale(listed));
    unlisted.chain(stale.map(|(path, _)| format!("{path}: names no family any more"))).collect()
}
