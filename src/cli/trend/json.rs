//! The table as a JSON document.

use crate::frame::trend::Trend;
use crate::report::visible;

/// The document, indented; hidden characters in texts are written as escapes.
pub(super) fn text(trend: &Trend) -> String {
    // A tree of numbers and texts with text keys always serializes.
    let json = serde_json::to_string_pretty(trend).unwrap_or_default();
    let mut out = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        // Outside ASCII a character stands in a text only, where an escape means the same.
        if c == '\u{7f}' || !c.is_ascii() && is_hidden(c) {
            let mut units = [0; 2];
            out.extend(c.encode_utf16(&mut units).iter().map(|u| format!("\\u{u:04x}")));
        } else {
            out.push(c);
        }
    }
    out.push('\n');
    out
}

fn is_hidden(c: char) -> bool {
    let mut bytes = [0; 4];
    let text = c.encode_utf8(&mut bytes);
    visible::line(text) != *text
}
