//! The table as a JSON document.

use crate::frame::trend::Trend;
use crate::report::json;
use std::io;

/// The document, indented; hidden characters in texts are written as escapes.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn text(trend: &Trend) -> io::Result<String> {
    let mut text = Vec::new();
    json::value(&mut text, trend, true)?;
    String::from_utf8(text).map_err(io::Error::other)
}
