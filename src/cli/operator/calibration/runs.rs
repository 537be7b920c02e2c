//! `foureyes calibration runs`.

use super::{Context, Failure, ledger, output};
use crate::domain::review::Run;
use crate::report::PlainOrJson;
use crate::report::runs::{OneRun, Runs};
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// List re-judging runs, or show one run's results by content
///
/// A run is compared with the original verdicts, and with the run it repeats. Only ledgers are
/// read, including those of other reviewers. Runs count in no rate.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Run id, or a prefix of at least 4 digits
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    match &args.id {
        None => {
            let document = Runs::new(present.runs.iter().rev());
            output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
        }
        Some(id) => {
            let run = named(&present.runs, id)?;
            let repeats = run.begun.what.repeats;
            let before = present.runs.iter().find(|before| Some(before.id()) == repeats);
            let run = OneRun::new(run, before);
            output::to_stdout(|out| run.write(out, args.json, context.command_line))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The run whose id begins so.
fn named<'a>(runs: &'a [Run], id: &str) -> Result<&'a Run, Failure> {
    let id = id.to_lowercase();
    if id.len() < 4 || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Failure::usage(format!("`{id}` is not a run id"))
            .hint("at least the first 4 digits are needed"));
    }
    let mut found = runs.iter().filter(|run| run.id().to_string().starts_with(&id));
    match (found.next(), found.next()) {
        (Some(run), None) => Ok(run),
        (None, _) => Err(Failure::usage(format!("no run id starts with `{id}`"))
            .hint("`foureyes calibration runs` lists them")),
        (Some(_), Some(_)) => Err(Failure::usage(format!("`{id}` matches several runs"))
            .hint("give more digits; `foureyes calibration runs --json` lists all")),
    }
}
