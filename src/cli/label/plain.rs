//! `foureyes label --export`.

use super::row::LabelRow;
use crate::cli::output::{self, visible};
use crate::cli::{Context, Failure, ledger};
use crate::domain::review::Given;
use crate::report::json;
use crate::store::ledger::Ledger;
use std::io::{self, Write};
use std::process::ExitCode;

/// Lists the labels that count, the earliest first.
pub(super) fn export(context: &Context, as_json: bool) -> Result<ExitCode, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::say_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let mut given: Vec<&Given> = present.labels.values().flatten().collect();
    // Nothing in it depends on which ledger says it.
    given.sort_by(|a, b| {
        let key = |g: &Given| (g.time, g.label.record, g.reviewer.clone());
        key(a).cmp(&key(b))
    });
    output::to_stdout(|out| match as_json {
        true => given.iter().try_for_each(|one| json::value(out, &LabelRow::of(one), false)),
        false => given.iter().try_for_each(|one| line(out, one)),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn line(out: &mut dyn Write, given: &Given) -> io::Result<()> {
    let label = &given.label;
    write!(out, "{}  {}  {:10}", given.time, label.record.short(), label.label.as_str())?;
    write!(out, "  {:6}", label.selection.as_str())?;
    if let Some(pi) = label.pi {
        write!(out, " {pi}")?;
    }
    write!(out, "  {}", visible(&given.reviewer))?;
    if label.blind {
        write!(out, "  blind")?;
    }
    if let Some(reason) = &label.reason {
        write!(out, "  {}", visible(reason))?;
    }
    if let Some(note) = &label.note {
        write!(out, "  {}", visible(note))?;
    }
    if let Some(import) = &given.import {
        write!(out, "  (from {})", visible(import))?;
    }
    writeln!(out)
}
