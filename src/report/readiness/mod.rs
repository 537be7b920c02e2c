//! The readiness report for people: text, Markdown, HTML; one set of sentences for all three.

mod html;
mod label_quality;
mod markdown;
mod plain;
pub(super) mod words;

pub use html::write as html;
pub use label_quality::label_quality;
pub use markdown::write as markdown;
pub use plain::write as plain;
pub(crate) use words::question;
pub use words::share;
