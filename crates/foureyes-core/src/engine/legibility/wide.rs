//! Texts of two or four bytes a character.

/// What is said of such data without a text in it.
const NO_TEXT_16: &str = "UTF-16 without a text";
const NO_TEXT_32: &str = "UTF-32 without a text";

/// How bytes read as characters of two or four bytes.
pub(super) enum Wide {
    /// They are none.
    No,
    /// A text, in UTF-8, without its byte order mark.
    Text(String),
    /// They say that they are, and are no text.
    Illegible(&'static str),
}

/// Reads what has a byte order mark of UTF-16 or UTF-32, and what is UTF-16 without one beyond doubt.
pub(super) fn decoded(bytes: &[u8]) -> Wide {
    let text = |text: Option<String>, none| text.map_or(Wide::Illegible(none), Wide::Text);
    match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => text(utf32(rest, u32::from_le_bytes), NO_TEXT_32),
        [0, 0, 0xfe, 0xff, rest @ ..] => text(utf32(rest, u32::from_be_bytes), NO_TEXT_32),
        [0xff, 0xfe, rest @ ..] => text(utf16(rest, u16::from_le_bytes), NO_TEXT_16),
        [0xfe, 0xff, rest @ ..] => text(utf16(rest, u16::from_be_bytes), NO_TEXT_16),
        _ => unmarked(bytes).map_or(Wide::No, Wide::Text),
    }
}

/// UTF-16 without a mark: most of every other byte is NUL, and none of the rest is.
fn unmarked(bytes: &[u8]) -> Option<String> {
    let pairs = bytes.as_chunks::<2>().0;
    let first = pairs.iter().filter(|[first, _]| *first == 0).count();
    let second = pairs.iter().filter(|[_, second]| *second == 0).count();
    let is_most = |count: usize| count * 10 >= pairs.len() * 6 && pairs.len() >= 4;
    match (first, second) {
        (0, nuls) if is_most(nuls) => utf16(bytes, u16::from_le_bytes),
        (nuls, 0) if is_most(nuls) => utf16(bytes, u16::from_be_bytes),
        _ => None,
    }
}

/// Decodes pairs; a half of one at the end is left out, since no more may have been read.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    legible(text.collect())
}

fn utf32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> Option<String> {
    let units = bytes.as_chunks::<4>().0.iter().map(|four| unit(*four));
    legible(units.map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// A text of which nearly all is one.
fn legible(text: String) -> Option<String> {
    let is_wrong = |c: &char| {
        *c == char::REPLACEMENT_CHARACTER
            || c.is_control() && !c.is_whitespace()
            || super::is_unnamed(*c)
    };
    let (all, wrong) = (text.chars().count(), text.chars().filter(is_wrong).count());
    (wrong * 20 <= all).then_some(text)
}
