//! `foureyes override`.

mod back;
mod claim;
mod decide;
mod delivery;
mod here;
mod logs;

pub(super) use claim::claims_of;
pub(super) use delivery::{caveat, of_record, open, warn_unconfirmed};
pub(super) use here::with_task_log;

use super::reading::{self, From};
use super::{Context, Failure, ledger, output};
use crate::domain::review::EntryId;
use crate::failure::UNREACHED;
use crate::overrides::{self, Back};
use crate::report::PlainOrJson;
use crate::report::overrides::Document;
use delivery::{deliveries_of, send};
use std::process::ExitCode;

/// Override verdicts (accept or reject), or list overrides
///
/// Without arguments, lists overrides and whether their boxes confirmed them.
///
/// The decision is saved to your ledger first, and then written to the record's box over SSH. It is
/// pending until the box confirms it; `override --retry` and every `pull` try again. An override is not
/// a label and changes no rate.
///
/// With `--task`, answers the last run of a task, whichever judge spoke last. The log of tasks on this
/// machine (`[task] log`) counts as one more box, named `local`.
///
/// Of several records, those that can be overridden are; the others are listed with the reason. If
/// an ID matches no record or several, nothing is overridden.
///
/// Exit codes: 0, confirmed by the boxes; 69, saved locally, not yet confirmed by a box; 1, saved
/// for some records and refused for others; 64, nothing saved; 74, not everything could be saved.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct Args {
    /// Records, then `accept` or `reject`. Name a record by a prefix of its id (at least 4 digits)
    /// or of its commit, if only one record matches. With `--task`, only the word
    #[arg(value_name = "ID… WORD")]
    words: Vec<String>,
    /// Task whose last run is decided
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Claim the task's escalation, so that others see who will decide it
    #[arg(long, requires = "task", conflicts_with_all = ["words", "release", "json"])]
    claim: bool,
    /// End the claim of the task's escalation, whoever made it
    #[arg(long, requires = "task", conflicts_with_all = ["words", "json"])]
    release: bool,
    /// Reason, at most 4096 bytes, required unless `--task` is given; `-` reads it from standard input,
    /// which keeps it out of the process list
    #[arg(long, value_name = "TEXT", requires = "words")]
    reason: Option<String>,
    /// Box to write to, if several have the record [default: the first]
    #[arg(long = "box", value_name = "NAME")]
    box_name: Option<String>,
    /// Reviewer who decides [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    #[command(flatten)]
    from: From,
    /// Retry overrides that no box has confirmed
    #[arg(long, conflicts_with_all = ["words", "task"])]
    retry: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Revoke overrides
    ///
    /// Nothing is deleted: an entry is added to your ledger, and a record to the box.
    Undo(back::Args),
    /// Restore revoked overrides
    ///
    /// Nothing is deleted: an entry is added to your ledger, and a record to the box.
    Redo(back::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let context = &here::with_task_log(context);
    match (&args.command, &args.task) {
        (Some(Command::Undo(args)), _) => back::run(context, args, Back::Undo),
        (Some(Command::Redo(args)), _) => back::run(context, args, Back::Redo),
        (None, Some(task)) if args.claim || args.release => claim::run(context, args, task),
        (None, _) if args.retry => retry(context, args.json),
        (None, None) if args.words.is_empty() => status(context, args.json),
        (None, _) => decide::run(context, args),
    }
}

fn retry(context: &Context, json: bool) -> Result<ExitCode, Failure> {
    let (ledgers, mut book) = open(context)?;
    ledger::warn_unsound(&ledgers, context.now);
    let waited = overrides::deliveries(&ledgers, &book, context.now);
    let waited = waited.into_iter().filter(|one| one.state.is_waiting());
    let ids: Vec<EntryId> = waited.map(|one| one.id).collect();
    let due = overrides::pending(&ledgers, &book, context.now);
    let sent = match send(context, &mut book, &due)? {
        Ok(sent) => sent,
        Err(code) => return Ok(code),
    };
    conclude(context, Document::new(deliveries_of(context, &ledgers, &book, &ids), &sent), json)
}

fn status(context: &Context, json: bool) -> Result<ExitCode, Failure> {
    let (ledgers, book) = open(context)?;
    ledger::warn_unsound(&ledgers, context.now);
    let document = Document::new(overrides::deliveries(&ledgers, &book, context.now), &[]);
    output::to_stdout(|out| document.write(out, json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}

fn conclude(context: &Context, document: Document, json: bool) -> Result<ExitCode, Failure> {
    output::to_stdout(|out| document.write(out, json, context.command_line))?;
    if document.unconfirmed() == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let text = "saved here; `foureyes override --retry` and every pull try again";
    reading::note(&context.command_line.complete(text));
    Ok(ExitCode::from(UNREACHED))
}
