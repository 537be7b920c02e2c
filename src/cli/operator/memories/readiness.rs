//! `foureyes memories readiness`.

use super::{Days, Mode};
use crate::cli::operator::reading::{self, From};
use crate::cli::operator::{Context, Failure, ledger, output};
use crate::pick_labels::{Among, Picks, Question, policy};
use crate::relevance::Decision;
use crate::report::PlainOrJson;
use crate::report::picks::Document;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Report whether the judge of memories is worth being on
///
/// Decides on all picks of the window that `memories window` began, by the labels of reviewers (`memories
/// label`): recall, whether it keeps anything, whether it is better than no memories and better than search,
/// precision, fallbacks, latency and cost, against the `[memories.policy]` of that day. Without a window it
/// shows what one would say.
///
/// Exit codes: 0, ready; 1, not ready; 2, not enough evidence.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    mode: Mode,
    #[command(flatten)]
    days: Days,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let collected = super::collect(context, &args.from)?;
    let picks = reading::ask(context, &collected, |archive| Ok(Picks::find(archive)?))?;
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let (is_lenient, days) = (args.mode.lenient, args.days.window(context));
    let configured = policy(&context.config.memories);
    let question = Question { among: Among { is_lenient, days }, configured };
    let document = Document::new(picks.assess(&present, &question), is_lenient);
    output::to_stdout(|out| document.write(out, args.json, context.command_line))?;
    Ok(ExitCode::from(match document.result {
        Decision::Ready => 0,
        Decision::NotReady => 1,
        Decision::NotEnoughEvidence => 2,
    }))
}
