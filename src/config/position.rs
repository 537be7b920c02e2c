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

impl Position {
    /// The place of byte `offset`; one past the end is the end.
    pub(super) fn of(text: &str, offset: usize) -> Self {
        let end = text.floor_char_boundary(offset.min(text.len()));
        let before = &text[..end];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before[start..].trim_start_matches('\u{feff}').chars().count() + 1;
        Self { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_skip_the_byte_order_mark() {
        let text = "\u{feff}a = 1\r\né = \"ü\" x";
        assert_eq!(Position::of(text, 3), Position { line: 1, column: 1 });
        assert_eq!(Position::of(text, text.len() - 1), Position { line: 2, column: 9 });
        assert_eq!(Position::of(text, 9_999).line, 2);
        assert_eq!(Position::of("", 0), Position { line: 1, column: 1 });
    }
}
