//! One log file under construction: every line of it is counted as it is written.

use super::Error;
use super::dirt::Kind;
use super::fields::Fields;
use super::recipe::Recipe;
use super::stream::Stream;
use super::summary::Summary;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// Bytes that are held before they are written.
const FULL: usize = 1 << 20;

/// A log file under construction.
pub(super) struct Page {
    path: PathBuf,
    file: File,
    pending: Vec<u8>,
    /// The last line has no newline yet, since another record is to follow on it.
    open: bool,
    pub(super) summary: Summary,
}

impl Page {
    /// Makes a file that was not there.
    pub(super) fn create(path: PathBuf) -> Result<Self, Error> {
        let file = File::create_new(&path)
            .map_err(|source| Error::Write { path: path.clone(), source })?;
        let summary = Summary { files: 1, ..Summary::default() };
        Ok(Self { path, file, pending: Vec::with_capacity(FULL + 4096), open: false, summary })
    }

    /// Writes a distinct record that is a line already, and clean.
    pub(super) fn line(&mut self, line: &str) -> Result<(), Error> {
        self.pending.extend_from_slice(line.as_bytes());
        self.count_line();
        self.pending.push(b'\n');
        self.flush(FULL)
    }

    /// Counts the line of a record, which may be the one before it.
    fn count_line(&mut self) {
        if std::mem::take(&mut self.open) {
            self.summary.corrupt(Kind::TwoOnOneLine);
            self.summary.accounting.split += 1;
        } else {
            self.summary.accounting.lines += 1;
        }
    }

    /// Writes a distinct record in the way its dirt asks for.
    pub(super) fn record(
        &mut self,
        record: &Fields,
        dirt: Option<Kind>,
        words: (&Recipe, &mut Stream),
    ) -> Result<(), Error> {
        if self.open && dirt.is_some() {
            self.end_line();
        }
        let (recipe, stream) = words;
        self.before(record, dirt, recipe, stream);
        if dirt == Some(Kind::Indented) {
            let breaks = record.indented(&mut self.pending);
            self.summary.accounting.lines += breaks;
            self.summary.accounting.joined += breaks;
        } else {
            record.compact(&mut self.pending);
        }
        self.count_line();
        match dirt {
            Some(Kind::TwoOnOneLine) => {
                self.open = true;
                return self.flush(FULL);
            }
            Some(Kind::CrLf) => self.pending.extend_from_slice(b"\r\n"),
            _ => self.pending.push(b'\n'),
        }
        match dirt {
            Some(Kind::Twice) => self.again(record),
            Some(Kind::TwiceReordered) => self.reordered(record),
            _ => {}
        }
        if let Some(kind) = dirt {
            self.summary.corrupt(kind);
        }
        self.flush(FULL)
    }

    /// Writes lines and heads that stand before a record.
    fn before(&mut self, record: &Fields, dirt: Option<Kind>, recipe: &Recipe, s: &mut Stream) {
        match dirt {
            Some(Kind::Blank) => self.blank(b""),
            Some(Kind::White) => self.blank(b"  \t "),
            Some(Kind::Garbage) => self.reject(s.pick(&recipe.garbage).as_bytes()),
            Some(Kind::HalfOverwritten) => {
                let mut line = head(record);
                // The rest of an older, longer line shows behind the new one's head.
                line.extend_from_slice(
                    b":5,\"syntactic\":4},\"verdict\":\"GO\",\"findings\":\"ok\"}",
                );
                self.reject(&line);
            }
            Some(Kind::DuplicateKey) => {
                let mut line = Vec::new();
                record.compact(&mut line);
                line.pop();
                line.extend_from_slice(b",\"verdict\":\"GO\"}");
                self.reject(&line);
            }
            Some(Kind::InvalidUtf8) => {
                let mut line = Vec::new();
                record.compact(&mut line);
                line.truncate(line.len() - 1);
                line.extend_from_slice(b",\"note\":\"\xff\xfe\xc3\"}");
                self.reject(&line);
            }
            Some(Kind::TornHead) => {
                self.pending.extend_from_slice(&head(record));
                self.summary.accounting.rejected += 1;
                self.summary.accounting.split += 1;
            }
            _ => {}
        }
    }

    /// Writes a record that is on this box or another already.
    pub(super) fn again(&mut self, record: &Fields) {
        self.end_line();
        record.compact(&mut self.pending);
        self.pending.push(b'\n');
        self.summary.accounting.lines += 1;
        self.summary.accounting.duplicates += 1;
    }

    /// Writes the record again with its keys in another order: the same content.
    fn reordered(&mut self, record: &Fields) {
        let mut copy = record.clone();
        copy.turn(3);
        self.again(&copy);
    }

    fn reject(&mut self, line: &[u8]) {
        self.pending.extend_from_slice(line);
        self.pending.push(b'\n');
        self.summary.accounting.lines += 1;
        self.summary.accounting.rejected += 1;
    }

    fn blank(&mut self, line: &[u8]) {
        self.pending.extend_from_slice(line);
        self.pending.push(b'\n');
        self.summary.accounting.lines += 1;
        self.summary.accounting.blank += 1;
    }

    /// Ends a line on which another record was to follow.
    fn end_line(&mut self) {
        if std::mem::take(&mut self.open) {
            self.pending.push(b'\n');
        }
    }

    /// Ends the file with a line that its writer has not finished.
    pub(super) fn incomplete(&mut self, record: &Fields) {
        self.end_line();
        let start = self.pending.len();
        record.compact(&mut self.pending);
        self.pending.truncate(start + (self.pending.len() - start) * 3 / 5);
        self.summary.accounting.lines += 1;
        self.summary.accounting.incomplete += 1;
        self.summary.corrupt(Kind::Incomplete);
    }

    /// Takes the last newline away: the record is whole all the same.
    pub(super) fn no_final_newline(&mut self) {
        self.end_line();
        if self.pending.ends_with(b"}\n") {
            self.pending.pop();
            self.summary.corrupt(Kind::NoFinalNewline);
        }
    }

    /// Writes what is held and gives the counts.
    pub(super) fn finish(mut self) -> Result<Summary, Error> {
        self.end_line();
        self.flush(0)?;
        Ok(self.summary)
    }

    /// Writes what is held once it is more than `most`; the last line always stays.
    fn flush(&mut self, most: usize) -> Result<(), Error> {
        if self.pending.len() > most {
            let keep = if most == 0 { 0 } else { 2 };
            let upto = self.pending.len().saturating_sub(keep);
            let written = self.file.write_all(&self.pending[..upto]);
            written.map_err(|source| Error::Write { path: self.path.clone(), source })?;
            self.summary.bytes += upto as u64;
            self.pending.drain(..upto);
        }
        Ok(())
    }
}

/// The start of a record, torn within its first text.
fn head(record: &Fields) -> Vec<u8> {
    let mut line = Vec::new();
    record.compact(&mut line);
    let text = line.iter().enumerate().filter(|(_, b)| **b == b'"').nth(2);
    line.truncate(text.map_or(1, |(i, _)| i + 5));
    line
}
