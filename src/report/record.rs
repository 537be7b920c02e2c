//! One record in full: what it says, where it stands, and its raw bytes.

use crate::answers::record_fields::{self, listed, section};
use crate::domain::{Origin, Record, Section};
use crate::engine::task_question::{KnownQuestion, MaskedQuestion, NO_ACCEPTANCE};
use crate::report::page::Page;
use crate::report::{Masking, Options, mask};
use crate::text::escape::has_hidden;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes one record as plain text, with the bytes it was read from where they are at hand.
///
/// Bytes that are no UTF-8 are shown as `⟨0x9B⟩`.
pub fn write(
    out: &mut dyn Write,
    row: &Record,
    question: Option<&KnownQuestion>,
    raw: Option<&[u8]>,
    options: &Options,
) -> io::Result<()> {
    let mut page = Page::new(out, options);
    let (row, mut hidden, mut masked) = page.take(row);
    page.line(
        0,
        &format!("{}  {}  {}", record_fields::outcome(&row), row.id, row.family.as_str()),
    )?;
    let time = row.timestamp.map_or("undated".to_owned(), |t| t.to_string());
    page.line(5, &format!("time: {time}"))?;
    page.items(5, &listed(&row, 0))?;
    if let Some(known) = question {
        masked += write_question(&mut page, 5, known, &mut hidden)?;
    }
    page.items(5, &section(&row, Section::Details, 0))?;
    page.items(5, &section(&row, Section::Extra, 0))?;
    for origin in &row.origins {
        place(&mut page, origin)?;
    }
    if let Some(raw) = raw {
        let text = bytes(raw);
        let (shown, more) =
            if options.masking == Masking::On { mask::mask(&text) } else { (text.into(), 0) };
        masked += more;
        if has_hidden(&shown) {
            hidden.push("raw");
        }
        page.block(5, "raw:", &shown)?;
    }
    page.badges(5, &hidden, masked)
}

/// Writes what the task was, or why that is not known; gives how many secrets are masked in it.
fn write_question(
    page: &mut Page<'_>,
    indent: usize,
    known: &KnownQuestion,
    hidden: &mut Vec<&'static str>,
) -> io::Result<usize> {
    let KnownQuestion::Kept(MaskedQuestion { question, masked }) = known else {
        page.maybe(indent, "question:", known.absence().as_deref())?;
        return Ok(0);
    };
    let texts = match question.is_one_text() {
        true => vec![("description and acceptance criteria", question.acceptance.as_ref())],
        false => vec![
            ("description", Some(&question.description)),
            ("acceptance criteria", question.acceptance.as_ref()),
        ],
    };
    for (name, shown) in texts {
        let Some(shown) = shown else {
            page.line(indent, &format!("{name}: {NO_ACCEPTANCE}"))?;
            continue;
        };
        page.block(indent, &format!("{name}:"), shown)?;
        if has_hidden(shown) {
            hidden.push(name);
        }
    }
    Ok(*masked)
}

fn place(page: &mut Page<'_>, origin: &Origin) -> io::Result<()> {
    let Origin { box_name, file, line, byte, len } = origin;
    page.line(5, &format!("origin: line {line}, byte {byte}, length {len}"))?;
    page.field(7, "box:", box_name)?;
    page.field(7, "file:", file)
}

/// Bytes as text, those that are none by their value.
fn bytes(raw: &[u8]) -> String {
    let mut out = String::with_capacity(raw.len());
    for chunk in raw.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(out, "⟨0x{byte:02X}⟩");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf8_bytes_are_shown_by_value() {
        assert_eq!(bytes(b"{\"a\":\"\x9b\xff\"}"), "{\"a\":\"⟨0x9B⟩⟨0xFF⟩\"}");
        assert_eq!(bytes("é".as_bytes()), "é");
    }
}
