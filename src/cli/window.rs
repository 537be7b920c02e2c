//! `foureyes window`.

use super::label::Document;
use super::{Context, Failure, ledger};
use crate::domain::Timestamp;
use crate::domain::review::{Act, WindowStart};
use crate::report::counted;
use crate::store::ledger::{Ledger, fresh_id};
use std::process::ExitCode;

/// Say when the time of calibration begins
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Start(StartArgs),
}

/// Let it begin with a UTC day; of several beginnings the one that was said last counts
#[derive(Debug, clap::Args)]
struct StartArgs {
    /// The first day, YYYY-MM-DD
    #[arg(value_name = "DATE", value_parser = day)]
    date: Timestamp,
    /// Who says so [default: as configured, else the name of the account]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn day(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse_day(text).ok_or_else(|| "a day is written YYYY-MM-DD".to_owned())
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let Command::Start(args) = &args.command;
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let act = Act::Window(WindowStart { from: args.date });
    let stands = crate::assess::window_in_force(&ledgers.present(context.now), context.now)
        .is_some_and(|window| window.what.from == args.date);
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let mut document = Document::of(&reviewer, context.now, &act, &saved);
    let labelled = ledgers.present(context.now).known.before(saved.entry).len() as u64;
    // Which of them it reaches only the logs know, and `readiness` reads those.
    if !stands && args.date <= context.now && labelled > 0 {
        let text = format!(
            "{} already: where such a record was judged from that day on, the start was chosen \
             after its label, and `foureyes readiness` says so (`window_after_labels`)",
            counted(labelled, "record has a label", "records have labels")
        );
        document = document.with_caveat("labels_before", text);
    }
    ledger::print(&document, args.json)
}
