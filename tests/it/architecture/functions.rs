//! How long functions may be.

use super::tokens::{self, Token};

/// Longest function, in lines from `fn` to its closing brace.
const MAX_LINES: usize = 60;

/// Functions that may be longer: one flat table each, a single `match` or list, which parts would
/// make harder to read.
const TABLES: [(&str, &str, &str); 4] = [
    ("src/domain/measure.rs", "definition", "what each measure is, side by side"),
    ("src/cli/hook/message/sentence.rs", "of_note", "the sentence for each note"),
    ("src/config/rules/mod.rs", "check", "the rule of each kind of text"),
    ("src/tui/update/act.rs", "act", "what each action does"),
];

/// Functions of a file that are too long, whether or not they are excused: names and lines.
pub(super) fn long(path: &str, text: &str) -> Vec<(String, usize)> {
    let all = functions(&tokens::of(path, text));
    all.into_iter().filter(|(_, lines)| *lines > MAX_LINES).collect()
}

/// A sentence on each of them that nothing excuses.
pub(super) fn check(path: &str, text: &str) -> Vec<String> {
    let package = super::rules::in_package(path);
    let excused = |name: &str| excuses().any(|excuse| excuse == (package, name));
    let report = |(name, lines)| {
        format!("{path}: the function {name} has {lines} lines, more than {MAX_LINES}")
    };
    long(path, text).into_iter().filter(|(name, _)| !excused(name)).map(report).collect()
}

/// Files and functions that may be longer.
pub(super) fn excuses() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLES.iter().map(|(path, name, _)| (*path, *name))
}

/// The functions with a body that are no test's, with their lines.
fn functions(tokens: &[Token]) -> Vec<(String, usize)> {
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
    // `fn(u8)` is a type.
    let begins = |i: &usize| text(*i) == "fn" && text(i + 1) != "(" && !tokens[*i].test;
    let lines = |i: usize| {
        let end = end_of_body(tokens, i)?;
        Some((text(i + 1).to_owned(), tokens[end].line - tokens[i].line + 1))
    };
    (0..tokens.len()).filter(begins).filter_map(lines).collect()
}

/// The brace that closes the body of the function at `tokens[start]`; `None` where it has none.
fn end_of_body(tokens: &[Token], start: usize) -> Option<usize> {
    let mut open = 0;
    let mut body = false;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.text.as_str() {
            ";" if open == 0 => return None,
            "{" | "(" | "[" => {
                body |= open == 0 && token.text == "{";
                open += 1;
            }
            "}" | ")" | "]" => {
                open -= 1;
                if open == 0 && body {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}
