//! A text in the lines of a sheet, across the places where lines are wrapped.

use super::sheet::SheetLine;
use crate::tui::theme::Role;
use std::ops::Range;

/// Where a text was found: for each line that has a part of it, the number of the line and the bytes of its text.
pub type TextMatch = Vec<(usize, Range<usize>)>;

/// A character to compare, and where it stands: its line, and the bytes of the line's text.
struct Place {
    line: usize,
    bytes: Range<usize>,
}

/// All places of a text in lines, in their order; none overlap. Case does not matter, nor how much space is
/// between words. Gutters and numbers of lines are no text.
pub fn find(lines: &[SheetLine], text: &str) -> Vec<TextMatch> {
    let wanted = folded(text.trim());
    if wanted.is_empty() {
        return Vec::new();
    }
    let (chars, places) = read(lines);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = chars.get(at..)
        && let Some(before) = rest.windows(wanted.len()).position(|some| some == wanted)
    {
        let start = at + before;
        at = start + wanted.len();
        found.push(joined(places.get(start..at).unwrap_or_default()));
    }
    found
}

/// A text as it is compared.
fn folded(text: &str) -> Vec<char> {
    let mut chars = Vec::new();
    for c in text.chars() {
        match c.is_whitespace() {
            true if chars.last() == Some(&' ') => {}
            true => chars.push(' '),
            false => chars.extend(c.to_lowercase()),
        }
    }
    chars
}

/// The texts of lines as they are compared, one behind the other.
fn read(lines: &[SheetLine]) -> (Vec<char>, Vec<Place>) {
    let (mut chars, mut places) = (Vec::new(), Vec::new());
    let mut add = |c: char, line: usize, bytes: Range<usize>| {
        if c == ' ' && chars.last() == Some(&' ') {
            return;
        }
        chars.push(c);
        places.push(Place { line, bytes });
    };
    for (line, pieces) in lines.iter().enumerate() {
        let mut end = 0;
        for (role, text) in pieces {
            let start = end;
            end += text.len();
            if matches!(role, Role::Gutter | Role::LineNumber) {
                continue;
            }
            for (at, c) in text.char_indices() {
                let bytes = start + at..start + at + c.len_utf8();
                match c.is_whitespace() {
                    true => add(' ', line, bytes),
                    false => c.to_lowercase().for_each(|c| add(c, line, bytes.clone())),
                }
            }
        }
        // A line ends where a word ends.
        add(' ', line, end..end);
    }
    (chars, places)
}

fn joined(places: &[Place]) -> TextMatch {
    let mut parts: TextMatch = Vec::new();
    for Place { line, bytes } in places {
        match parts.last_mut() {
            Some((last, range)) if last == line => range.end = range.end.max(bytes.end),
            _ => parts.push((*line, bytes.clone())),
        }
    }
    parts.retain(|(_, bytes)| !bytes.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<SheetLine> {
        let line =
            |text: &&str| vec![(Role::Gutter, " │ ".to_owned()), (Role::Text, (*text).to_owned())];
        texts.iter().map(line).collect()
    }

    #[test]
    fn a_text_is_found_where_it_is_wrapped_and_in_any_case() {
        let lines = lines(&["The memory Pressure", "has no owner. Memory  pressure"]);
        let gutter = " │ ".len();
        let at =
            |line: usize, range: Range<usize>| (line, range.start + gutter..range.end + gutter);
        assert_eq!(find(&lines, "memory pressure"), [vec![at(0, 4..19)], vec![at(1, 14..30)]]);
        assert_eq!(find(&lines, " pressure has "), [vec![at(0, 11..19), at(1, 0..3)]]);
        assert!(find(&lines, "│").is_empty() && find(&lines, " ").is_empty());
        assert!(find(&[], "x").is_empty());
    }

    #[test]
    fn a_match_begins_behind_the_one_before() {
        assert_eq!(find(&lines(&["aaaaa"]), "aa").len(), 2);
        assert_eq!(find(&lines(&["İstanbul"]), "stanbul").len(), 1);
    }
}
