//! The table as a JSON document.

use crate::frame::trend::Trend;
use crate::text::json;
use std::io;

/// The document, indented; hidden characters in texts are written as escapes.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn text(trend: &Trend) -> io::Result<String> {
    json::pretty(trend)
}
