//! Makes hostile text harmless, and what is hidden in it visible.
//!
//! Control characters become their pictures (`␛`, `␍`), invisible characters and those that
//! reorder a line become `⟨U+202E⟩`, and marks piled on one letter are cut with their number.
//! The result holds no byte that a terminal acts on. It is for reading: a text that itself
//! contains `␛` looks the same, and JSON is the form that keeps every character.

mod path;
mod wrap;

pub use crate::text::is_hidden;
pub use path::truncate_path;
pub use wrap::{block, field, field_behind, pad, text, truncate, truncate_start, width};

use crate::text::{Class, class};
use std::borrow::Cow;
use std::fmt::Write;
use unicode_properties::UnicodeEmoji;
use unicode_segmentation::UnicodeSegmentation;

/// Marks that one letter may carry; the most that living scripts pile up is about four.
const MARKS: usize = 6;

/// Joins an emoji sequence where it stands inside one; hidden elsewhere.
const JOINER: char = '\u{200d}';

/// Makes a text harmless as one line; clean text comes back as it is.
///
/// A line feed becomes `␊` and a tab `␉`, so the result never has a second line.
pub fn line(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for cluster in text.graphemes(true) {
        push(&mut out, cluster);
    }
    Cow::Owned(out)
}

/// Whether a text holds characters that a reader would not see or not expect.
///
/// Line ends and tabs are expected; an escape character, a bidirectional override and a
/// zero-width space are not.
pub fn has_hidden(text: &str) -> bool {
    if is_clean(text) {
        return false;
    }
    let mut scratch = String::new();
    text.graphemes(true).any(|cluster| {
        scratch.clear();
        !matches!(cluster, "\n" | "\r\n" | "\t") && push(&mut scratch, cluster)
    })
}

/// Printable ASCII only: nothing to do, and the common case.
fn is_clean(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~'))
}

/// Writes one grapheme cluster; tells whether it held a hidden character.
fn push(out: &mut String, cluster: &str) -> bool {
    let (mut hidden, mut marks) = (false, 0_usize);
    let mut before = None;
    let mut rest = cluster.chars();
    while let Some(c) = rest.next() {
        match class(c) {
            Class::Seen => out.push(c),
            Class::Mark => {
                if before.is_none() {
                    // Without a letter of its own it would sit on a character of ours.
                    out.push('◌');
                }
                marks += 1;
                if marks <= MARKS {
                    out.push(c);
                }
            }
            Class::Hidden if in_place(before, c, rest.clone().next()) => out.push(c),
            Class::Hidden => {
                hidden = true;
                name(out, c);
            }
        }
        before = Some(c);
    }
    if marks > MARKS {
        // Writing to a string does not fail.
        let _ = write!(out, "⟨+{} marks⟩", marks - MARKS);
    }
    hidden
}

/// Whether an invisible character does its proper work in an emoji sequence.
fn in_place(before: Option<char>, c: char, after: Option<char>) -> bool {
    match c {
        JOINER => before.is_some() && after.is_some_and(|a| class(a) == Class::Seen),
        '\u{fe0e}' | '\u{fe0f}' => before
            .is_some_and(|b| b.is_emoji_char() && (!b.is_ascii() || after == Some('\u{20e3}'))),
        _ => false,
    }
}

/// Writes what stands for a hidden character.
fn name(out: &mut String, c: char) {
    match c {
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
        '\u{7f}' => out.push('␡'),
        _ => {
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
        }
    }
}

/// A harmless line as one word for a shell that a person copies it into.
pub fn shell_word(line: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    match !line.is_empty() && line.chars().all(is_plain) {
        true => line.to_owned(),
        false => format!("'{}'", line.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn clean_text_is_not_copied() {
        assert!(matches!(line("research/signal.md ~ ok"), Cow::Borrowed(_)));
    }

    #[test]
    fn terminal_escapes_become_pictures() {
        assert_eq!(line("\u{1b}]52;c;QQ==\u{7}"), "␛]52;c;QQ==␇");
        assert_eq!(line("\u{9b}31m\u{9d}52;x\u{9c}"), "⟨U+009B⟩31m⟨U+009D⟩52;x⟨U+009C⟩");
        assert_eq!(line("NO-GO\rGO    "), "NO-GO␍GO    ");
        assert_eq!(line("a\nb\tc\r\nd\0\u{8}\u{7f}"), "a␊b␉c␍␊d␀␈␡");
    }

    #[test]
    fn invisible_and_reordering_characters_get_their_names() {
        for (c, expected) in [
            ('\u{202e}', "⟨U+202E⟩"),
            ('\u{2066}', "⟨U+2066⟩"),
            ('\u{200b}', "⟨U+200B⟩"),
            ('\u{feff}', "⟨U+FEFF⟩"),
            ('\u{ad}', "⟨U+00AD⟩"),
            ('\u{e0041}', "⟨U+E0041⟩"),
            ('\u{3164}', "⟨U+3164⟩"),
            ('\u{2028}', "⟨U+2028⟩"),
            ('\u{e000}', "⟨U+E000⟩"),
            ('\u{fe0f}', "⟨U+FE0F⟩"),
            ('\u{e0100}', "⟨U+E0100⟩"),
            ('\u{2800}', "⟨U+2800⟩"),
            ('\u{85}', "⟨U+0085⟩"),
        ] {
            assert_eq!(line(&format!("G{c}O")), format!("G{expected}O"));
            assert!(has_hidden(&format!("G{c}O")), "{expected}");
        }
    }

    #[test]
    fn living_scripts_and_emoji_stay_as_they_are() {
        for text in [
            "é",
            "e\u{301}",
            "日本語",
            "Ελληνικά",
            "한국어",
            "हिन्दी",
            "שָׁלוֹם",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "👍🏽",
        ] {
            assert_eq!(line(text), text);
            assert!(!has_hidden(text), "{text}");
        }
    }

    #[test]
    fn ten_thousand_marks_are_cut_and_counted() {
        let zalgo = format!("a{}b", "\u{301}".repeat(10_000));
        let shown = line(&zalgo);
        assert_eq!(shown, format!("a{}⟨+9994 marks⟩b", "\u{301}".repeat(6)));
        assert!(!has_hidden(&zalgo));
    }

    #[test]
    fn a_mark_without_a_letter_gets_a_circle() {
        assert_eq!(line("\u{301}x"), "◌\u{301}x");
        assert_eq!(line("x\n\u{301}"), "x␊◌\u{301}");
    }

    #[test]
    fn line_ends_and_tabs_are_not_hidden() {
        assert!(!has_hidden("a\r\nb\n\tc"));
        assert!(has_hidden("a\rb"));
        assert!(has_hidden("\u{1b}[2J"));
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_acts_on_is_left(text in any::<String>()) {
            let shown = line(&text);
            let acts = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
            prop_assert!(!shown.contains(acts), "{shown:?}");
            prop_assert_eq!(line(&shown), shown.as_ref());
        }
    }
}
