//! `foureyes runbook`.

use super::{Context, Failure, ledger, output};
use crate::assess::{Progress, runbooks};
use crate::domain::Timestamp;
use crate::domain::review::{Act, StepSaid};
use crate::report::PlainOrJson;
use crate::report::runbooks::Runbooks;
use crate::report::saved::Document;
use crate::store::ledger::{Ledger, fresh_id};
use std::process::ExitCode;

/// Show step-by-step procedures and their progress
///
/// There are runbooks for enabling blocking, for too many false positives, and for a judge that is
/// down. The ledger records who completed each step, and when.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Done(DoneArgs),
    Begin(BeginArgs),
}

/// Mark a step as done
#[derive(Debug, clap::Args)]
struct DoneArgs {
    /// Runbook
    #[arg(value_name = "RUNBOOK")]
    runbook: String,
    /// Step
    #[arg(value_name = "STEP")]
    step: String,
    #[command(flatten)]
    entry: EntryArgs,
}

/// Restart a runbook; steps done before no longer count
#[derive(Debug, clap::Args)]
struct BeginArgs {
    /// Runbook
    #[arg(value_name = "RUNBOOK")]
    runbook: String,
    #[command(flatten)]
    entry: EntryArgs,
}

/// By whom, and with what
#[derive(Debug, clap::Args)]
struct EntryArgs {
    /// Note; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Reviewer who makes the entry [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        None => show(context, args.json),
        Some(Command::Done(done)) => {
            save_step(context, &done.runbook, Some(&done.step), &done.entry, args.json)
        }
        Some(Command::Begin(begin)) => {
            save_step(context, &begin.runbook, None, &begin.entry, args.json)
        }
    }
}

fn show(context: &Context, as_json: bool) -> Result<ExitCode, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let progress = Progress::all(&ledgers.present(context.now), context.now);
    let runbooks = Runbooks::new(&progress);
    output::to_stdout(|out| runbooks.write(out, as_json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}

fn save_step(
    context: &Context,
    runbook: &str,
    step: Option<&str>,
    args: &EntryArgs,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let progress = Progress::all(&ledgers.present(context.now), context.now);
    let Some(progress) = progress.into_iter().find(|p| p.runbook.id == runbook) else {
        let names: Vec<&str> = runbooks().iter().map(|r| r.id.as_str()).collect();
        return Err(Failure::usage(format!("there is no runbook `{runbook}`"))
            .hint(format!("runbooks are: {}", names.join(", "))));
    };
    if let Some(step) = step {
        check(&progress, step, context.now)?;
    }
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let act = Act::Step(StepSaid {
        runbook: runbook.to_owned(),
        step: step.map(str::to_owned),
        note: super::text_argument::text(args.note.as_deref(), "--note", super::NOTE)?,
    });
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    ledger::print(
        context,
        &Document::new(&reviewer, context.now, &act, &saved),
        as_json || args.json,
    )
}

/// Whether a step is there, and may be done.
fn check(progress: &Progress, name: &str, now: Timestamp) -> Result<(), Failure> {
    let Some(why) = progress.refusal(name, now) else { return Ok(()) };
    let names: Vec<&str> = progress.runbook.steps.iter().map(|step| step.id.as_str()).collect();
    let failure = Failure::usage(why);
    Err(match names.contains(&name) {
        true => failure,
        false => failure.hint(format!("its steps are: {}", names.join(", "))),
    })
}
