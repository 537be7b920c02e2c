//! `foureyes fleet status`.

use super::{Context, Failure, failure, known, nodes, output, reading};
use crate::cli::operator::reading::{From, Trouble};
use crate::cli::operator::{ledger, signals};
use crate::fleet;
use crate::report::PlainOrJson;
use crate::report::fleet::StatusDocument;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Show what the store holds, who published when, and what it lacks
///
/// Exit codes: 0, answered; 64, the store has another schema version; 69, a node did not answer or refused.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let collected = reading::collect(context, &From::default())?;
    let status = reading::ask(context, &collected, |archive| {
        let known = known(archive, &collected, &ledgers)?;
        let asking = fleet::status(nodes(&context.config.fleet)?, known);
        match signals::unless_interrupted(asking)? {
            Ok(status) => status.map(Ok).map_err(|e| Trouble::new(e.is_outdated(), failure(e))),
            Err(code) => Ok(Err(code)),
        }
    })?;
    match status {
        Ok(status) => {
            let document = StatusDocument::new(status, context.now);
            output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(code) => Ok(code),
    }
}
