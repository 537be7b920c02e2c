//! `foureyes memories readiness`.

use super::Which;
use crate::cli::operator::reading::{self, From};
use crate::cli::operator::{Context, Failure, ledger, output};
use crate::pick_labels::{Picks, policy};
use crate::relevance::{Decision, Policy};
use crate::report::PlainOrJson;
use crate::report::picks::Document;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Report whether the judge of memories is worth being on
///
/// Compares the judge's picks with those that search alone would have made for the same prompts, by the
/// labels of reviewers (`memories label`), and checks precision, latency, fallbacks and cost against
/// `[memories.policy]`.
///
/// Exit codes: 0, ready; 1, not ready; 2, not enough evidence.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let collected = super::collect(context, &args.from)?;
    let window = args.which.window(context);
    let picks = reading::ask(context, &collected, |archive| Ok(Picks::find(archive, window)?))?;
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let policy = Policy { since: window.from, ..policy(&context.config.memories) };
    let measured = picks.measure(&present, args.which.lenient, &policy);
    let document = Document::new(measured, &policy, args.which.lenient);
    output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
    Ok(ExitCode::from(match document.result {
        Decision::Ready => 0,
        Decision::NotReady => 1,
        Decision::NotEnoughEvidence => 2,
    }))
}
