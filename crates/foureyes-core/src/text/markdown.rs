//! Markdown: code spans and fences around text from outside.

use super::escape::{line, text, truncate};

/// Columns of a cell in a table; what is longer is cut with an ellipsis.
const CELL: usize = 60;

/// One line as a code span, or a dash where there is none.
pub fn span(text: &str) -> String {
    code(&line(text))
}

/// One line as a code span in a table: cut to a width, and no pipe that would end the cell.
pub fn cell(text: &str) -> String {
    let shown = line(text);
    code(&pipes(&truncate(&shown, CELL)))
}

/// The same, whole: for sentences of ours, which may name something from outside.
pub fn whole_cell(text: &str) -> String {
    code(&pipes(&line(text)))
}

/// Several lines as a fenced block with a line feed after it.
pub fn fence(findings: &str) -> String {
    fence_of("text", findings)
}

/// The same with the name of a language, which is a word of ours.
pub fn fence_of(language: &str, content: &str) -> String {
    let shown = text(content);
    let ticks = "`".repeat(longest_run(&shown).max(2) + 1);
    format!("{ticks}{language}\n{}\n{ticks}\n", shown.trim_end_matches('\n'))
}

fn code(shown: &str) -> String {
    if shown.is_empty() {
        return "–".to_owned();
    }
    let ticks = "`".repeat(longest_run(shown) + 1);
    // A reader strips one space at each end where both are there; so two are given for it.
    let ends = |c| shown.starts_with(c) || shown.ends_with(c);
    let space = if ends('`') || ends(' ') { " " } else { "" };
    format!("{ticks}{space}{shown}{space}{ticks}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Escapes pipes; one behind a backslash gets its name, for readers differ on two backslashes.
fn pipes(text: &str) -> String {
    text.replace("\\|", "\\⟨U+007C⟩").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_longer_than_the_ticks_inside() {
        assert_eq!(span("a.md"), "`a.md`");
        assert_eq!(span("a`b``c"), "```a`b``c```");
        assert_eq!(span("`a"), "`` `a ``");
        assert_eq!(span(""), "–");
        assert_eq!(span("a\n# b"), "`a␊# b`");
    }

    #[test]
    fn cells_escape_pipes() {
        assert_eq!(cell("a | b"), "`a \\| b`");
        assert_eq!(cell("a \\| b || c"), "`a \\⟨U+007C⟩ b \\|\\| c`");
        assert_eq!(cell(&"x".repeat(100)), format!("`{}…`", "x".repeat(59)));
        assert_eq!(whole_cell(&"x|".repeat(50)), format!("`{}`", "x\\|".repeat(50)));
    }

    #[test]
    fn fences_are_longer_than_those_inside() {
        assert_eq!(fence("x\n````\ny\n"), "`````text\nx\n````\ny\n`````\n");
        assert_eq!(fence("x"), "```text\nx\n```\n");
    }
}
