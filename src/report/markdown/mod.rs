//! Triage and records as Markdown that stays what it is, whatever the data say.
//!
//! Text from outside stands only in code spans and code fences: there no Markdown reader makes a
//! link, an image, a mention or HTML of it. Fences and spans are longer than any run of backticks
//! inside.

mod table;
mod triage;

pub use triage::write;

pub(super) use table::{record_head, record_row};
