//! What became of ledgers that were exchanged, as a document.

use crate::exchange::{Moved, Outcome};
use crate::report::{PlainOrJson, counted};
use crate::store::ledger::BreakKind;
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// What was exchanged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    /// `foureyes/exchange/1`.
    schema: &'static str,
    /// `push` or `pull`.
    direction: &'static str,
    /// Nothing was found that somebody must look at.
    sound: bool,
    /// The ledgers that were looked at.
    ledgers: Vec<One>,
}

/// What became of a ledger.
#[derive(Debug, Serialize, JsonSchema)]
struct One {
    /// Name of the file.
    file: String,
    /// Entries that are as they were written, in the copy that came.
    entries: u64,
    /// `same`, `new`, `grown`, `behind` (the copy that was to be added to is the longer one); and,
    /// left alone: `apart` (the copies have diverged), `broken` (it is not as it was
    /// written), `stranger` (it speaks for another reviewer than its name says), `ours` (it is of
    /// this machine, and goes on elsewhere), `failed`.
    state: &'static str,
    /// Bytes that were added.
    bytes: u64,
    /// The first line that is wrong.
    line: Option<u64>,
    /// What is wrong, in words.
    problem: Option<String>,
}

impl Document {
    /// What became of each ledger; the direction is `push` or `pull`.
    pub fn new(direction: &'static str, moved: Vec<Moved>) -> Self {
        let sound = !moved.iter().any(|one| one.outcome.is_doubtful());
        let ledgers = moved.into_iter().map(one).collect();
        Self { schema: "foureyes/exchange/1", direction, sound, ledgers }
    }

    /// Whether nothing was found that a person must look at.
    pub fn is_sound(&self) -> bool {
        self.sound
    }
}

impl PlainOrJson for Document {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.ledgers.is_empty() {
            return writeln!(out, "there is no ledger to {}", self.direction);
        }
        for one in &self.ledgers {
            let file = visible(&one.file);
            let entries = counted(one.entries, "entry", "entries");
            let bytes = counted(one.bytes, "byte", "bytes");
            match (&one.problem, one.line) {
                (None, _) if one.bytes > 0 => {
                    writeln!(out, "{file}: {}, {bytes} added, {entries}", one.state)?;
                }
                (None, _) => writeln!(out, "{file}: {}, {entries}", one.state)?,
                (Some(problem), Some(line)) => {
                    let problem = visible(problem);
                    writeln!(out, "{file}: LEFT ALONE, first bad line {line}: {problem}")?;
                }
                (Some(problem), None) => {
                    writeln!(out, "{file}: LEFT ALONE: {}", visible(problem))?;
                }
            }
        }
        Ok(())
    }
}

fn one(moved: Moved) -> One {
    let (mut bytes, mut line, mut problem) = (0, None, None);
    let state = match moved.outcome {
        Outcome::Same => "same",
        Outcome::New(new) => {
            bytes = new;
            "new"
        }
        Outcome::Grown(more) => {
            bytes = more;
            "grown"
        }
        Outcome::Behind => "behind",
        Outcome::Apart => {
            problem = Some("the copies have diverged".to_owned());
            "apart"
        }
        Outcome::Broken(broken) => {
            line = Some(broken.line);
            let what = match broken.what {
                BreakKind::Changed => "it was changed",
                BreakKind::Cut => "it was cut",
                BreakKind::OutOfPlace => "it does not follow the previous line",
            };
            problem = Some(what.to_owned());
            "broken"
        }
        Outcome::Stranger(at) => {
            line = Some(at);
            problem = Some(
                "its entries are of another reviewer or machine than its name says".to_owned(),
            );
            "stranger"
        }
        Outcome::Contested => {
            problem = Some("another machine writes under the same reviewer and name, and the copies have diverged. Set another `machine` under `[reviewer]` on one of the two".to_owned());
            "apart"
        }
        Outcome::Ours => {
            problem = Some("it is yours on this machine, but the copy there is longer: an old state was restored here, or a copy of this machine writes under its name. Copy it back by hand only if yours was lost".to_owned());
            "ours"
        }
        Outcome::Failed(error) => {
            problem = Some(error);
            "failed"
        }
    };
    One { file: moved.file, entries: moved.entries, state, bytes, line, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("exchange.schema.json", &schema);
    }
}
