//! Which characters a reader sees: the one table for what is shown and for what is refused.

mod command_line;
mod count;
pub mod escape;
mod hash;
pub mod hex;
pub mod json;
pub mod markdown;
pub mod mask;
pub mod position;
pub mod room;
pub mod spelling;

pub use command_line::CommandLine;
pub use count::{counted, separated};
pub use hash::short_hash;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// What a character does on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It shows, or is an ordinary space.
    Seen,
    /// It sits on the character before it.
    Mark,
    /// It shows nothing, moves others, or means something to a terminal.
    Hidden,
}

/// Whether a character is hidden where it stands alone.
///
/// Joiners and variation selectors inside an emoji are hidden in this sense too.
pub fn is_hidden(c: char) -> bool {
    !matches!(c, ' '..='~') && class(c) == Class::Hidden
}

/// Sorts a character by its general category, and by name where the category misleads.
pub fn class(c: char) -> Class {
    use GeneralCategory as G;
    if matches!(c, ' '..='~') {
        return Class::Seen;
    }
    if is_blank_of_another_category(c) {
        return Class::Hidden;
    }
    match c.general_category() {
        // Signs that span the digits after them: format characters by name only.
        G::Format if matches!(c, '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{8e2}') => Class::Seen,
        G::Control
        | G::Format
        | G::Surrogate
        | G::PrivateUse
        | G::Unassigned
        | G::LineSeparator
        | G::ParagraphSeparator => Class::Hidden,
        G::NonspacingMark | G::EnclosingMark => Class::Mark,
        _ => Class::Seen,
    }
}

/// Characters that show nothing although they count as letters, marks or symbols.
fn is_blank_of_another_category(c: char) -> bool {
    matches!(
        c,
        // Combining grapheme joiner; Khmer inherent vowels.
        '\u{34f}' | '\u{17b4}' | '\u{17b5}'
        // Hangul fillers.
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'
        // Variation selectors, Mongolian ones first.
        | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'
        // Braille without dots.
        | '\u{2800}'
    )
}
