//! Whether ledgers are as they were written, as a document.

use crate::domain::Timestamp;
use crate::report::{PlainOrJson, counted};
use crate::store::ledger::{BreakKind, FileCheck, Ledger};
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// How the ledgers are.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Verified {
    /// `foureyes/ledger-verify/1`.
    schema: &'static str,
    /// All that was acknowledged counts.
    sound: bool,
    /// Labels and overrides before the first bad line that do not count for want of what follows,
    /// and those behind it: a reviewer and record each.
    distrusted: u64,
    /// The ledgers.
    ledgers: Vec<OneLedger>,
}

/// How a ledger is.
#[derive(Debug, Serialize, JsonSchema)]
struct OneLedger {
    /// Name of the file.
    file: String,
    /// Who wrote its last entry that can be read.
    reviewer: Option<String>,
    /// On which machine.
    machine: Option<String>,
    /// Entries that are as they were written.
    entries: u64,
    /// Entries that can be read and are not believed.
    doubted: u64,
    /// The first line that is not as it was written.
    first_bad: Option<FirstBad>,
    /// Lines of entries whose time has not come yet.
    future: Vec<u64>,
    /// Lines whose time is more than ten minutes after that of a later line: what follows them
    /// counts as said no earlier.
    ahead: Vec<u64>,
    /// Lines that a killed writer left. Nothing that was acknowledged was in them.
    torn: Vec<u64>,
    /// The last line has no end; the next entry gives it one.
    unfinished: bool,
}

/// The first line that is not as it was written.
#[derive(Debug, Serialize, JsonSchema)]
struct FirstBad {
    /// Its number, from 1.
    line: u64,
    /// `changed`, `out_of_place` or `cut`.
    what: &'static str,
}

impl Verified {
    /// Checks all ledgers of the data directory.
    pub fn new(ledger: &Ledger, now: Timestamp) -> Self {
        let checks = ledger.check(now);
        Self {
            schema: "foureyes/ledger-verify/1",
            sound: checks.iter().all(FileCheck::is_sound),
            distrusted: ledger.present(now).distrusted as u64,
            ledgers: checks.into_iter().map(one).collect(),
        }
    }

    /// Whether every acknowledged entry counts.
    pub fn is_sound(&self) -> bool {
        self.sound
    }
}

impl PlainOrJson for Verified {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.ledgers.is_empty() {
            return writeln!(out, "there is no ledger yet");
        }
        for ledger in &self.ledgers {
            let good = ledger.first_bad.is_none() && ledger.future.is_empty();
            let state = if good { "sound" } else { "NOT SOUND" };
            let entries = counted(ledger.entries, "entry", "entries");
            writeln!(out, "{}: {state}, {entries}", visible(&ledger.file))?;
            if let Some(bad) = &ledger.first_bad {
                writeln!(out, "  first bad line {}: {}", bad.line, break_text(bad.what))?;
                let doubted = counted(ledger.doubted, "entry", "entries");
                writeln!(
                    out,
                    "  not believed: {doubted}; what they speak of counts as unlabelled"
                )?;
            }
            for line in &ledger.future {
                writeln!(out, "  line {line}: dated in the future; it does not count")?;
            }
            for line in &ledger.ahead {
                let what = "its time is ahead of later lines, which count as no earlier than it";
                writeln!(out, "  line {line}: {what}")?;
            }
            for line in &ledger.torn {
                writeln!(
                    out,
                    "  line {line}: incomplete, left by a killed writer; nothing is missing"
                )?;
            }
            if ledger.unfinished {
                writeln!(out, "  the last line has no line end; the next entry adds it")?;
            }
        }
        if self.sound { writeln!(out, "all ledgers are intact") } else { Ok(()) }
    }
}

fn one(check: FileCheck) -> OneLedger {
    let first_bad =
        check.broken.map(|broken| FirstBad { line: broken.line, what: word(broken.what) });
    OneLedger {
        file: check.file,
        reviewer: check.reviewer,
        machine: check.machine,
        entries: check.entries,
        doubted: check.doubted,
        first_bad,
        future: check.future,
        ahead: check.ahead,
        torn: check.torn,
        unfinished: check.unfinished,
    }
}

fn word(what: BreakKind) -> &'static str {
    match what {
        BreakKind::Changed => "changed",
        BreakKind::OutOfPlace => "out_of_place",
        BreakKind::Cut => "cut",
    }
}

/// What is wrong with a line, in words.
fn break_text(what: &str) -> &'static str {
    match what {
        "changed" => "it was changed",
        "cut" => "it was cut",
        _ => "it does not follow the previous line: a line was removed, inserted or moved",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Verified);
        crate::asset_tests::assert_asset("ledger-verify.schema.json", &schema);
    }
}
