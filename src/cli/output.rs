//! Writing to stdout, where a reader that went away is no failure.

use super::Failure;
use std::io::{self, Write};

/// Writes to stdout. A broken pipe is success: whoever read had enough.
pub(super) fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// One line of text from elsewhere, with control and hidden characters visible.
pub(super) fn visible(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        let hidden = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}');
        if c.is_control() || hidden {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}

/// Compares a schema with its file in `assets/`; `UPDATE_ASSETS=1` writes it.
#[cfg(test)]
pub(super) fn assert_asset(name: &str, schema: &schemars::Schema) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert_eq!(stored, text, "{name} is not what the code says: run once with UPDATE_ASSETS=1");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_elsewhere_cannot_move_the_cursor_or_turn_the_line() {
        assert_eq!(visible("a\u{1b}[2J\n\u{202e}b\t"), "a\\u{1b}[2J\\u{a}\\u{202e}b\\u{9}");
        assert_eq!(visible("ü 'x' \"y\""), "ü 'x' \"y\"");
    }
}
