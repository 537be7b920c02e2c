//! Documents that people read as plain text and programs as JSON.

use crate::boxes::{BoxReport, EnableReport, RollbackReport};
use crate::hook::rehearsal_report::RehearsalReport;
use crate::report::json;
use crate::text::CommandLine;
use serde::Serialize;
use std::io::{self, Write};

/// A document with two forms, which have the same numbers.
pub trait PlainOrJson: Serialize + Sized {
    /// Writes it as plain text. Texts from outside are escaped.
    ///
    /// # Errors
    /// Those of the writer.
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes it as a line of JSON, or as plain text whose commands have the options of the run.
    ///
    /// # Errors
    /// Those of the writer.
    fn write(
        &self,
        out: &mut dyn Write,
        as_json: bool,
        command_line: CommandLine,
    ) -> io::Result<()> {
        if as_json {
            return json::value(out, self, false);
        }
        let mut plain = Vec::new();
        self.write_plain(&mut plain)?;
        let plain = String::from_utf8_lossy(&plain);
        out.write_all(command_line.complete(&plain).as_bytes())
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
