//! Contents that show nothing.

use crate::text::{Class, class};

/// Whether bytes are none, or only characters that show nothing.
///
/// Tags and variation selectors of the supplement show nothing either, but spell letters: those are judged.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    // The two byte order marks of UTF-16, alone.
    if matches!(bytes, [0xff, 0xfe] | [0xfe, 0xff]) {
        return true;
    }
    // What is no text ends early: most files have a letter soon.
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => return false,
    };
    text.chars().all(shows_nothing)
}

fn shows_nothing(c: char) -> bool {
    if c.is_whitespace() {
        return true;
    }
    let spells = matches!(c, '\u{e0000}'..='\u{e01ef}');
    // Of what is called hidden, control characters, private ones and those without a name are something.
    let is_something = c.is_control() || super::is_unnamed(c);
    !spells && !is_something && class(c) == Class::Hidden
}
