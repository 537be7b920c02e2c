//! The trend table as text, CSV, Markdown and JSON: the same cells in each.

mod cells;
mod csv;
mod json;
mod markdown;
mod plain;

pub use csv::text as csv;
pub use json::text as json;
pub use markdown::text as markdown;
pub use plain::text as plain;

/// Columns of the table after its key.
pub const COLUMNS: usize = cells::HEADS.len();
