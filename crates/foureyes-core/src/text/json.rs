//! JSON that is safe to look at in a terminal: hidden characters and controls are written as escapes. A
//! reader of JSON gets the very same text.

use crate::text::is_hidden;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes any document and a line feed, on one line or indented.
///
/// # Errors
/// Those of the writer, or a value that JSON cannot hold.
pub fn value(out: &mut dyn Write, value: &impl Serialize, pretty: bool) -> io::Result<()> {
    if pretty {
        value
            .serialize(&mut Serializer::with_formatter(&mut *out, Safe(PrettyFormatter::new())))?;
    } else {
        value.serialize(&mut Serializer::with_formatter(&mut *out, Safe(CompactFormatter)))?;
    }
    out.write_all(b"\n")
}

/// An indented document with a line feed.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn pretty(document: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    value(&mut text, document, true)?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// JSON in Unicode. A text may have half of a pair of surrogates, a cut emoji, which JavaScript and Python write
/// as an escape and no other reader takes: it becomes the replacement character, as do bytes that are no UTF-8.
pub fn in_unicode(json: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(json);
    // Few texts have an escape of a surrogate at all.
    let has = |lead: &str| text.contains(lead);
    if !["\\ud", "\\uD"].into_iter().any(has) {
        return text;
    }
    let mut repaired = String::with_capacity(text.len());
    let mut rest = &text[..];
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        repaired.push_str(before);
        let (taken, length) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => (escape.get(..12), 12),
            (Some(0xD800..0xE000), _) => (Some("\\ufffd"), 6),
            // What follows a backslash is no escape of its own, even if it is another backslash.
            _ => {
                let next = escape.chars().nth(1).map_or(0, char::len_utf8);
                (escape.get(..1 + next), 1 + next)
            }
        };
        repaired.push_str(taken.unwrap_or_default());
        rest = escape.get(length..).unwrap_or_default();
    }
    repaired.push_str(rest);
    repaired.into()
}

/// The UTF-16 unit of an escape at the beginning of a text.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

/// Adds the escapes to another formatter, which keeps its layout.
struct Safe<F>(F);

/// Hands a layout method on to the inner formatter.
macro_rules! layout {
    ($($method:ident($($name:ident: $kind:ty),*)),* $(,)?) => {$(
        fn $method<W: ?Sized + Write>(&mut self, out: &mut W $(, $name: $kind)*) -> io::Result<()> {
            self.0.$method(out $(, $name)*)
        }
    )*};
}

impl<F: Formatter> Formatter for Safe<F> {
    layout!(
        begin_array(),
        end_array(),
        begin_array_value(first: bool),
        end_array_value(),
        begin_object(),
        end_object(),
        begin_object_key(first: bool),
        end_object_key(),
        begin_object_value(),
        end_object_value(),
    );

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut written = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_hidden(*c)) {
            out.write_all(&fragment.as_bytes()[written..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            written = at + c.len_utf8();
        }
        out.write_all(&fragment.as_bytes()[written..])
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{in_unicode, pretty, value};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn written(document: &Value, pretty: bool) -> String {
        let mut out = Vec::new();
        value(&mut out, document, pretty).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hidden_characters_are_escapes_in_names_too() {
        let document = json!({"a\u{202e}": "x\u{9b}31m\u{7f}\u{e0041}é\u{1b}"});
        let expected = "{\"a\\u202e\":\"x\\u009b31m\\u007f\\udb40\\udc41é\\u001b\"}\n";
        assert_eq!(written(&document, false), expected);
    }

    #[test]
    fn the_indented_layout_is_that_of_serde_json() {
        let document = json!({"a": [1, {"b": []}, null], "c": {}});
        let plain = serde_json::to_string_pretty(&document).unwrap();
        assert_eq!(written(&document, true), format!("{plain}\n"));
        assert_eq!(pretty(&document).unwrap(), format!("{plain}\n"));
    }

    #[test]
    fn half_a_pair_of_surrogates_is_replaced_and_nothing_else() {
        for (json, text) in [
            (&br#""a\ud83d b""#[..], "a\u{fffd} b"),
            (br#""\uD83D\uDE00\ude00""#, "\u{1f600}\u{fffd}"),
            (br#""\\ud83d\n""#, "\\ud83d\n"),
            (br#""\ud83d\ud83d\u0041""#, "\u{fffd}\u{fffd}A"),
            (b"\"\xff \\ude00\"", "\u{fffd} \u{fffd}"),
            (br#""plain""#, "plain"),
        ] {
            let read: Value = serde_json::from_str(&in_unicode(json)).unwrap();
            assert_eq!(read, text);
        }
        for torn in [&br#""\ud83"#[..], br#""\ud83d\"#, b"\\", br#"\ud83d\u"#] {
            assert!(serde_json::from_str::<Value>(&in_unicode(torn)).is_err());
        }
    }

    proptest! {
        #[test]
        fn escapes_lose_nothing(text in any::<String>(), pretty: bool) {
            let document = json!({ text.clone(): text });
            let shown = written(&document, pretty);
            prop_assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), document);
            prop_assert!(!shown.trim_end().contains(|c: char| c.is_control() && c != '\n'));
        }
    }
}
