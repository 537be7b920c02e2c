//! The writers. What is not ours is masked and made harmless here, and nowhere else.

pub mod console;
mod html;
mod markdown;
mod plain;

pub use html::write as html;
pub use markdown::write as markdown;
pub use plain::{items as plain_items, spoken, write as plain};

use super::{Forms, Measure, Part, Text};
use foureyes_core::text::mask::mask;
use foureyes_core::text::{CommandLine, escape};
use std::borrow::Cow;

/// How a page is written.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether what looks like a secret in texts from outside is replaced.
    pub is_masked: bool,
    /// Columns of plain text, at least 40; other documents ignore it.
    pub width: usize,
    /// What commands in texts are completed with.
    pub command_line: CommandLine,
}

impl Options {
    /// A text as one harmless line. Commands in it have the options of the run.
    pub fn line(&self, text: &Text) -> String {
        let masked = self.masked(text);
        self.command_line.complete(&escape::line(&masked)).into_owned()
    }

    /// A text with its secrets masked, else raw. It is masked as a whole: what makes a secret of a value may
    /// stand in the piece before it.
    fn masked(&self, text: &Text) -> String {
        let raw = text.raw();
        match self.is_masked && !text.is_ours() {
            true => mask(&raw).0.into_owned(),
            false => raw,
        }
    }
}

/// Parts of a row as one text.
fn whole(parts: &[Part]) -> Text {
    Text::joined(parts.iter().map(|part| part.text.clone()), "")
}

/// The name of a measure, with the short one where people know one: `false positive rate (FPR)`.
fn name(measure: &Measure) -> Cow<'static, str> {
    match &*measure.symbol {
        "" => measure.name.into(),
        symbol => format!("{} ({symbol})", measure.name).into(),
    }
}

/// Whether a document shows what is left to some forms.
const fn is_in_documents(forms: Forms) -> bool {
    matches!(forms, Forms::All | Forms::Documents)
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
