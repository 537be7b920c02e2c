//! A key in a text, in the ways in which it can be written there.
//!
//! A body is shown as it came: in JSON each character may stand behind backslashes or as `\u` and its
//! number, in an address as `%` and its bytes. And a body that breaks off may do so inside the key.

use super::mask::SHORTEST;

/// What stands where the key was.
const MASK: &str = "[key]";

/// Most backslashes before a character.
const MOST_SLASHES: usize = 16;

/// Most bytes of a character that is written as numbers.
const MOST_NUMBER: usize = 48;

/// The text without the key, wherever it stands whole, and at the end also where it begins.
pub(super) fn cut_out(text: &str, key: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match key_at(rest, key) {
            Some(length) => {
                out.push_str(MASK);
                rest = rest.get(length..).unwrap_or_default();
            }
            None => {
                out.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

/// Bytes of the key at the beginning of a text, or of as much of it as stands at the text's end.
fn key_at(text: &str, key: &str) -> Option<usize> {
    let mut rest = text;
    for (matched, c) in key.chars().enumerate() {
        match character(rest, c) {
            Some(length) => rest = rest.get(length..)?,
            None if matched >= SHORTEST && ends_within(rest) => {
                return Some(text.len());
            }
            None => return None,
        }
    }
    Some(text.len() - rest.len())
}

/// Bytes of the first character of a text, where it is this one, however it is written.
fn character(text: &str, c: char) -> Option<usize> {
    if text.starts_with(c) {
        return Some(c.len_utf8());
    }
    match text.as_bytes().first()? {
        b'\\' => {
            let behind = behind_slashes(text);
            let slashes = text.len() - behind.len();
            if behind.starts_with(c) && !c.is_alphanumeric() {
                return Some(slashes + c.len_utf8());
            }
            let mut units = [0; 2];
            let mut rest = text;
            for unit in c.encode_utf16(&mut units) {
                rest = numbered(rest, *unit)?;
            }
            Some(text.len() - rest.len())
        }
        b'%' => {
            let mut bytes = [0; 4];
            let mut rest = text;
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let digits = rest.strip_prefix('%')?.get(..2)?;
                rest = (u8::from_str_radix(digits, 16).ok()? == byte).then(|| rest.get(3..))??;
            }
            Some(text.len() - rest.len())
        }
        _ => None,
    }
}

/// What follows after backslashes, `u` and the four digits of this unit.
fn numbered(text: &str, unit: u16) -> Option<&str> {
    let behind = behind_slashes(text);
    let digits = behind.strip_prefix('u').filter(|_| behind.len() < text.len())?;
    let same = u16::from_str_radix(digits.get(..4)?, 16).ok()? == unit;
    same.then(|| digits.get(4..))?
}

/// The text behind its first backslashes. More of them than a few layers of JSON make are not
/// counted, so that a text of nothing else takes no longer than another one.
fn behind_slashes(text: &str) -> &str {
    let slashes = text.bytes().take(MOST_SLASHES).take_while(|b| *b == b'\\').count();
    text.get(slashes..).unwrap_or_default()
}

/// Whether nothing is left, or only the beginning of a character's number.
fn ends_within(rest: &str) -> bool {
    // What is cut inside a character of several bytes came out as the sign for that.
    let of_number = |c: char| c.is_ascii_hexdigit() || matches!(c, '\\' | 'u' | '%' | '\u{fffd}');
    let number = rest.starts_with(['\\', '%', '\u{fffd}']) && rest.len() < MOST_NUMBER;
    rest.is_empty() || (number && rest.chars().all(of_number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: &str = "sk-Ab/1+2_xyzü😀9";

    fn written(ways: &[u8]) -> String {
        let mut out = String::new();
        for (c, way) in KEY.chars().zip(ways) {
            let mut units = [0; 2];
            let units = c.encode_utf16(&mut units);
            let mut bytes = [0; 4];
            match way {
                0 => units.iter().for_each(|u| out.push_str(&format!("\\u{u:04x}"))),
                1 => units.iter().for_each(|u| out.push_str(&format!("\\\\u{u:04X}"))),
                2 => c
                    .encode_utf8(&mut bytes)
                    .bytes()
                    .for_each(|b| out.push_str(&format!("%{b:02X}"))),
                3 if !c.is_alphanumeric() => out.extend(['\\', c]),
                _ => out.push(c),
            }
        }
        out
    }

    #[test]
    fn truncated_key_is_masked_completely() {
        let key = "sk-live-abcdef";
        for cut in 6..=key.len() {
            assert_eq!(cut_out(&format!("bad {}", &key[..cut]), key), "bad [key]", "{cut}");
        }
        assert_eq!(cut_out("bad sk-li", key), "bad sk-li", "five characters say nothing");
        for end in ["\\", "\\u", "\\u00", "\\u006", "\\\\u00", "%", "%6", "\u{fffd}"] {
            assert_eq!(cut_out(&format!("sk-live-{end}"), key), "[key]", "{end:?}");
        }
        assert_eq!(cut_out("sk-live- and more", key), "sk-live- and more");
        assert_eq!(cut_out("sk-live-abcdeX", key), "sk-live-abcdeX");
        assert_eq!(cut_out("sk-live-sk-live-abcdefsk-live-a", key), "sk-live-[key][key]");
    }

    #[test]
    fn a_text_made_to_be_slow_is_not() {
        // So large that a quadratic search would take hours.
        for text in [
            "\\".repeat(1 << 22),
            format!("{}{}", "sk-live-".repeat(160_000), "\u{fffd}".repeat(1 << 22)),
            format!("{}{}", "sk-live-\\".repeat(160_000), "\\".repeat(1 << 22)),
        ] {
            assert_eq!(cut_out(&text, "sk-live-abcdef"), text);
        }
    }

    #[test]
    fn incomplete_escape_sequences_are_preserved() {
        assert_eq!(cut_out("sk-live\\n", "sk-live-abcdef"), "sk-live\\n");
        assert_eq!(cut_out("100%", "sk-live-abcdef"), "100%");
        assert_eq!(cut_out("\\u0073k", "sk-live-abcdef"), "\\u0073k");
    }

    proptest! {
        #[test]
        fn the_key_is_found_however_it_is_written(
            ways in proptest::collection::vec(0..6_u8, 16), around in "[ a-z\"]{0,8}",
        ) {
            let text = format!("{around}{}{around}", written(&ways));
            prop_assert_eq!(cut_out(&text, KEY), format!("{around}[key]{around}"));
        }

        #[test]
        fn a_cut_anywhere_behind_the_sixth_character_leaves_nothing(
            ways in proptest::collection::vec(0..6_u8, 16), part in 0.0..1.0_f64,
        ) {
            let (least, whole) = (written(&ways[..6]).len(), written(&ways));
            let cut = least + ((whole.len() - least) as f64 * part) as usize;
            let text = String::from_utf8_lossy(&whole.as_bytes()[..cut]).into_owned();
            prop_assert_eq!(cut_out(&text, KEY), "[key]");
        }

        #[test]
        fn a_text_without_the_key_is_as_it_was(text in ".{0,60}") {
            prop_assume!(!text.contains("sk-"));
            prop_assert_eq!(cut_out(&text, "sk-live-abcdef"), text);
        }
    }
}
