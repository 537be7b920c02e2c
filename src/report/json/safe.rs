//! A JSON formatter that writes hidden characters as escapes.

use crate::text::escape::is_hidden;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Adds the escapes to another formatter, which keeps its layout.
pub(super) struct Safe<F>(pub(super) F);

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
    use crate::report::json::value;
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
