//! Byte offsets to lines and columns.

use serde::Serialize;
use std::fmt;

/// A place in a text, counted as editors count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1; a byte order mark has none.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A text and where its lines begin, so that many places in it cost little.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The text, whose lines are looked up once.
    pub fn new(text: &'a str) -> Self {
        let after_newlines = text.match_indices('\n').map(|(i, _)| i + 1);
        Self { text, starts: std::iter::once(0).chain(after_newlines).collect() }
    }

    /// The place of byte `offset`; one past the end is the end.
    pub fn position(&self, offset: usize) -> Position {
        let end = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.starts.partition_point(|start| *start <= end);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.text[start..end].trim_start_matches('\u{feff}');
        Position { line, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_skip_the_byte_order_mark() {
        let text = "\u{feff}a = 1\r\né = \"ü\" x";
        let lines = Lines::new(text);
        assert_eq!(lines.position(3), Position { line: 1, column: 1 });
        assert_eq!(lines.position(text.len() - 1), Position { line: 2, column: 9 });
        assert_eq!(lines.position(9_999).line, 2);
        assert_eq!(Lines::new("").position(0), Position { line: 1, column: 1 });
    }
}
