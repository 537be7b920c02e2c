//! The word at a place of a text that is being typed, be the text a query already or not.

use super::display;
use super::known::Field;
use super::lex::{self, Kind, Token};
use std::ops::Range;

/// What stands at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtCursor {
    /// The name of a field, or a word that stands for itself.
    Word {
        /// The bytes that another name or word takes the place of; the colon is among them.
        range: Range<usize>,
        /// What of it stands before the cursor.
        begun: String,
    },
    /// The value of a field.
    Value {
        /// The field.
        field: Field,
        /// `:=` stands before it: it is asked for to the letter.
        exact: bool,
        /// The bytes of the value, that another takes the place of.
        range: Range<usize>,
        /// What of it stands before the cursor, without quotes.
        begun: String,
    },
    /// The value of a name that is no field.
    Unknown,
}

impl AtCursor {
    /// Looks at byte `cursor` of a text.
    pub fn find(text: &str, cursor: usize) -> Self {
        let cursor = text.floor_char_boundary(cursor.min(text.len()));
        let mut from = 0;
        loop {
            match lex::next(text, from) {
                Ok(Some(token)) if token.range.end < cursor => from = token.range.end,
                Ok(Some(Token { range, kind: Kind::Word(_) })) if range.start < cursor => {
                    return word(text, range, cursor);
                }
                // A sign that ends here is behind the cursor; a word may follow it at once.
                Ok(Some(token)) if token.range.start < cursor => from = token.range.end,
                Ok(_) => return Self::Word { range: cursor..cursor, begun: String::new() },
                Err(_) => return broken(text, from, cursor),
            }
        }
    }
}

/// A word that cannot be read, such as one whose quote is not closed yet: what follows the cursor
/// may be words of their own, and stays.
fn broken(text: &str, from: usize, cursor: usize) -> AtCursor {
    let rest = &text[from..];
    let start = from + rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
    if start >= cursor {
        return AtCursor::Word { range: cursor..cursor, begun: String::new() };
    }
    word(text, start..cursor, cursor)
}

/// A word with its bytes; the cursor is behind its beginning.
fn word(text: &str, range: Range<usize>, cursor: usize) -> AtCursor {
    let whole = &text[range.clone()];
    let named = match whole.starts_with('"') {
        true => None,
        false => whole.find(':').map(|colon| range.start + colon),
    };
    let Some(colon) = named else {
        return AtCursor::Word { begun: bare(&text[range.start..cursor]), range };
    };
    if cursor <= colon {
        let begun = text[range.start..cursor].to_owned();
        return AtCursor::Word { range: range.start..colon + 1, begun };
    }
    let Some(field) = Field::named(&text[range.start..colon]) else { return AtCursor::Unknown };
    let exact = text[colon + 1..range.end].starts_with('=');
    let start = colon + 1 + usize::from(exact);
    let begun = bare(&text[start..cursor.max(start)]);
    AtCursor::Value { field, exact, range: start..range.end.max(start), begun }
}

/// A text without its quotes and escapes, as far as it goes.
fn bare(text: &str) -> String {
    let Some(inside) = text.strip_prefix('"') else { return text.to_owned() };
    if let Ok(Some(Token { kind: Kind::Word(word), .. })) = lex::next(text, 0) {
        return word.value;
    }
    inside.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// A text as the value of a field, in quotes where it needs them.
pub fn quoted(text: &str, exact: bool) -> String {
    display::word(text, !exact && text.starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> AtCursor {
        let cursor = text.find('^').unwrap();
        AtCursor::find(&text.replacen('^', "", 1), cursor)
    }

    fn a_word(range: Range<usize>, begun: &str) -> AtCursor {
        AtCursor::Word { range, begun: begun.to_owned() }
    }

    fn value(name: &str, exact: bool, range: Range<usize>, begun: &str) -> AtCursor {
        let field = Field::named(name).unwrap();
        AtCursor::Value { field, exact, range, begun: begun.to_owned() }
    }

    #[test]
    fn the_name_is_replaced_with_its_colon_and_the_value_alone() {
        assert_eq!(at("ver^"), a_word(0..3, "ver"));
        assert_eq!(at("a ve^rdict:go b"), a_word(2..10, "ve"));
        assert_eq!(at("verdict:^"), value("verdict", false, 8..8, ""));
        assert_eq!(at("a verdict:n^o-go b"), value("verdict", false, 10..15, "n"));
        assert_eq!(at("box:=sm^all"), value("box", true, 5..10, "sm"));
        assert_eq!(at("modle:ll^"), AtCursor::Unknown);
    }

    #[test]
    fn negation_groups_and_bars_are_not_part_of_words() {
        assert_eq!(at("-ver^"), a_word(1..4, "ver"));
        assert_eq!(at("a | -(box:sm^ | b)"), value("box", false, 10..12, "sm"));
        for text in ["^", "a ^", "(^", "a|^", "-^", "a ^b", "(a^)", "a^|b"] {
            let AtCursor::Word { range, begun } = at(text) else { panic!("{text}") };
            assert_eq!(range.len(), begun.len(), "{text}");
        }
    }

    #[test]
    fn a_quote_that_is_not_closed_yet_takes_nothing_behind_the_cursor() {
        assert_eq!(at("path:\"my no^ verdict:go"), value("path", false, 5..11, "my no"));
        assert_eq!(at("path:\"my notes/\"^ b"), value("path", false, 5..16, "my notes/"));
        assert_eq!(at("\"fr^"), a_word(0..3, "fr"));
    }

    #[test]
    fn any_text_and_cursor_position_is_accepted() {
        let odd = ["", "\"", "a\"b", "::", ":=\"", "ä:ö", "-(", "\"\\", "box:=\"é\\u{"];
        for text in odd {
            for cursor in 0..text.len() + 3 {
                match AtCursor::find(text, cursor) {
                    AtCursor::Word { range, .. } | AtCursor::Value { range, .. } => {
                        assert!(text.get(range.clone()).is_some(), "{text:?} {cursor} {range:?}");
                    }
                    AtCursor::Unknown => {}
                }
            }
        }
    }
}
