//! Documents that people read as plain text and programs as JSON.

use crate::boxes::{BoxReport, EnableReport, RollbackReport};
use crate::hook::rehearsal_report::RehearsalReport;
use crate::report::json;
use serde::Serialize;
use std::io::{self, Write};

/// A document with two forms, which have the same numbers.
pub trait PlainOrJson: Serialize + Sized {
    /// Writes it as plain text. Texts from outside are escaped.
    ///
    /// # Errors
    /// Those of the writer.
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes it as a line of JSON, or as plain text.
    ///
    /// # Errors
    /// Those of the writer.
    fn write(&self, out: &mut dyn Write, as_json: bool) -> io::Result<()> {
        if as_json { json::value(out, self, false) } else { self.write_plain(out) }
    }
}

/// Documents whose plain text is a value already.
macro_rules! with_text {
    ($($document:ty),*) => {
        $(impl PlainOrJson for $document {
            fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
                out.write_all(self.plain().as_bytes())
            }
        })*
    };
}

with_text!(BoxReport, EnableReport, RehearsalReport, RollbackReport);
