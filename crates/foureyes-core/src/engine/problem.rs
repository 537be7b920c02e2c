//! What is wrong with a file that an operator wrote for the judge, and where.

use std::fmt;

/// One thing that is wrong, at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, one clause. Texts of the file in it are quoted.
    pub what: String,
}

/// All that is wrong with one file, in its order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", listed(.0))]
pub struct Problems(pub Vec<Problem>);

fn listed(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.what)
    }
}

impl Problem {
    /// A problem at a byte of the text; one past its end is the end.
    pub(super) fn at(text: &str, offset: usize, what: impl Into<String>) -> Self {
        let end = text.floor_char_boundary(offset.min(text.len()));
        let before = text.get(..end).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        Self { line, column, what: what.into() }
    }
}

/// Quotes a text of a file: control characters visible, at most 60 characters.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let head: String = text.chars().take(MOST).collect();
    if head.len() == text.len() { format!("{head:?}") } else { format!("{head:?}…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_counted_as_editors_count() {
        let text = "é = 1\nü x\n";
        let place = |offset| {
            let problem = Problem::at(text, offset, "x");
            (problem.line, problem.column)
        };
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(3), (1, 3));
        assert_eq!(place(text.find('x').unwrap()), (2, 3));
        assert_eq!(place(999), (3, 1));
    }

    #[test]
    fn problems_are_one_per_line() {
        let both = Problems(vec![Problem::at("ab", 0, "one"), Problem::at("ab", 1, "two")]);
        assert_eq!(both.to_string(), "1:1: one\n1:2: two");
        assert!(quoted(&"x".repeat(99)).len() < 70);
    }
}
