//! `foureyes fleet work`.

use super::super::{ledger, look};
use super::{Context, Failure, output, shared};
use crate::assignments::work;
use crate::domain::JudgementKind;
use crate::report::PlainOrJson;
use crate::report::assignments::WorkDocument;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Show what each reviewer labelled of what is assigned, and how reviewers agree
///
/// With a store, the ledgers of all operators count, and this machine learns what is assigned to you;
/// without one, the ledgers of this machine. Exit codes: 0, answered; 69, a node did not answer or refused.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = match shared::present(context, &mut ledgers, false)? {
        Ok(present) => present,
        Err(code) => return Ok(code),
    };
    // How labels agree is a part of what the window shows.
    for family in JudgementKind::ALL {
        look::record(context, &mut ledgers, &present, family, "fleet work");
    }
    let reviewers = &context.config.reviewers;
    let found = work(&present, reviewers.keys().map(String::as_str));
    let document = WorkDocument::new(found, reviewers, context.now);
    output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}
