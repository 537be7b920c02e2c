//! Bytes to a TOML tree, with every error of syntax.

use super::problem::quoted;
use super::problem::{Fault, Problem};
use crate::text::position::Lines;
use toml::Spanned;
use toml::de::DeTable;

/// Takes bytes for text; where they are none, says at which place.
pub fn text(bytes: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(bytes).map_err(|error| {
        let end = error.valid_up_to();
        let head = std::str::from_utf8(&bytes[..end]).unwrap_or_default();
        let fault = Fault::Syntax("the file is not UTF-8 text".to_owned());
        Problem { position: Lines::new(head).position(end), fault }
    })
}

/// Parses as far as can be; what could not be parsed is not in the tree.
pub fn tree<'a>(text: &'a str, lines: &Lines<'_>) -> (Spanned<DeTable<'a>>, Vec<Problem>) {
    let (tree, errors) = DeTable::parse_recoverable(text);
    let problems = errors
        .iter()
        .map(|error| Problem {
            position: lines.position(error.span().map_or(0, |s| s.start)),
            fault: Fault::Syntax(message(text, error)),
        })
        .collect();
    (tree, problems)
}

/// The parser's message in one line, with the key where it complains of one.
fn message(text: &str, error: &toml::de::Error) -> String {
    let message: Vec<_> = error.message().lines().collect();
    let mut message = message.join(", ");
    let place = error.span().and_then(|s| text.get(s)).unwrap_or_default().trim();
    // Of a line that is about a key nothing is repeated: it may be the key itself.
    let line = error.span().and_then(|s| text.get(..s.start)?.lines().last()).unwrap_or_default();
    let of_key = ["key_env", "key_command"].iter().any(|key| line.trim_start().starts_with(key));
    if !place.is_empty() && !place.contains('\n') && !of_key {
        message = format!("{message} at {}", quoted(place));
    }
    message
}
