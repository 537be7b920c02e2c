//! `foureyes override`.

mod back;
mod document;
mod logs;

pub(super) use document::{Document, warn_unconfirmed};

use super::reading::{self, From};
use super::{Context, Failure, ledger, output, pull, text_argument};
use crate::domain::review::{EntryId, OverrideWord};
use crate::domain::{Caveat, RecordId, chain};
use crate::overrides::{
    self, Back, BookError, DecideError, Decisions, Delivery, Due, Outbox, Sent, Wish,
};
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// Override verdicts (accept or reject), or list overrides
///
/// Without arguments, lists overrides and whether their boxes confirmed them.
///
/// The decision is saved to your ledger first, and then written to the record's box over SSH. It is
/// pending until the box confirms it; `override --retry` and every `pull` try again. An override is not
/// a label and changes no rate.
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
    /// or of its commit, if only one record matches
    #[arg(value_name = "ID… WORD", requires = "reason")]
    words: Vec<String>,
    /// Reason, at most 4096 bytes; `-` reads it from standard input, which keeps it out of the
    /// process list
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
    #[arg(long, conflicts_with = "words")]
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
    match &args.command {
        Some(Command::Undo(args)) => back::run(context, args, Back::Undo),
        Some(Command::Redo(args)) => back::run(context, args, Back::Redo),
        None if args.retry => retry(context, args.json),
        None if args.words.is_empty() => status(context, args.json),
        None => decide(context, args),
    }
}

fn decide(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let Some((word, ids)) = args.words.split_last().filter(|(_, ids)| !ids.is_empty()) else {
        return Err(Failure::usage("records and a word are needed").hint(
            "such as `foureyes override 3a27bae51430 accept --reason \"known false alarm\"`",
        ));
    };
    let word = OverrideWord::ALL.into_iter().find(|w| w.as_str() == word).ok_or_else(|| {
        Failure::usage(format!("`{word}` is not an override"))
            .hint("the last word is `accept` or `reject`")
    })?;
    if !args.from.from.is_empty() {
        return Err(Failure::usage(
            "overrides are written to boxes, but these logs were given by path",
        )
        .hint("configure its directory as a box: `local = true`"));
    }
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let rows = logs::rows(context, &args.from, ids)?;
    let reason = text_argument::text(args.reason.as_deref(), "--reason", text_argument::REASON)?;
    let reason = reason.as_deref().unwrap_or_default();
    let box_name = args.box_name.as_deref();
    let wishes: Vec<Wish<'_>> =
        rows.iter().map(|row| Wish { row, word, reason, box_name, entry: None }).collect();
    let (mut ledgers, mut book) = open(context)?;
    let config = &context.config;
    let decided =
        overrides::decide(&mut ledgers, &mut book, config, &reviewer, &wishes, context.now);
    let decided = decided.map_err(failed).and_then(some)?;
    let ids: Vec<EntryId> = decided.kept.iter().map(|one| one.id).collect();
    let due = due(context, &ledgers, &book, &ids);
    let sent = match send(context, &mut book, &due)? {
        Ok(sent) => sent,
        Err(code) => return Ok(code),
    };
    let deliveries = deliveries_of(context, &ledgers, &book, &ids);
    let code = conclude(Document::new(deliveries, &sent).with(&decided), args.json)?;
    Ok(refused_code(&decided).unwrap_or(code))
}

/// The exit code where some were not kept: trying again brings none of those to a box.
fn refused_code(decided: &Decisions) -> Option<ExitCode> {
    if decided.refused.is_empty() {
        return None;
    }
    let local = decided.refused.iter().any(|one| one.why.is_local());
    reading::note(match local {
        true => "repeat the command to add what could not be saved; nothing is added twice",
        false => "what was not saved is listed above; the others are saved",
    });
    Some(ExitCode::from(if local { 74 } else { 1 }))
}

/// What boxes are to hear of by some entries.
fn due(context: &Context, ledgers: &Ledger, book: &Outbox, entries: &[EntryId]) -> Vec<Due> {
    let mut due = overrides::pending(ledgers, book, context.now);
    due.retain(|due| entries.contains(&due.id));
    due
}

/// How some overrides stand.
fn deliveries_of(
    context: &Context,
    ledgers: &Ledger,
    book: &Outbox,
    overrides: &[EntryId],
) -> Vec<Delivery> {
    let mut all = overrides::deliveries(ledgers, book, context.now);
    all.retain(|one| overrides.contains(&one.id));
    all
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
    conclude(Document::new(deliveries_of(context, &ledgers, &book, &ids), &sent), json)
}

fn status(context: &Context, json: bool) -> Result<ExitCode, Failure> {
    let (ledgers, book) = open(context)?;
    ledger::warn_unsound(&ledgers, context.now);
    let document = Document::new(overrides::deliveries(&ledgers, &book, context.now), &[]);
    output::to_stdout(|out| document.write(out, json))?;
    Ok(ExitCode::SUCCESS)
}

fn conclude(document: Document, json: bool) -> Result<ExitCode, Failure> {
    output::to_stdout(|out| document.write(out, json))?;
    if document.unconfirmed() == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    reading::note("saved here; `foureyes override --retry` and every pull try again");
    Ok(ExitCode::from(69))
}

/// Gives overrides to their boxes; gives an exit code where a signal asked to end.
fn send(
    context: &Context,
    book: &mut Outbox,
    due: &[Due],
) -> Result<Result<Vec<Sent>, ExitCode>, Failure> {
    if due.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let signal = pull::interrupted(&runtime);
    let sent = runtime.block_on(async {
        let sending = overrides::send(&context.config, &context.data, book, due, context.now);
        tokio::select! {
            sent = sending => Ok(sent),
            code = signal => Err(ExitCode::from(code)),
        }
    });
    match sent {
        Ok(sent) => Ok(Ok(sent.map_err(book_failure)?)),
        Err(code) => Ok(Err(code)),
    }
}

/// The ledgers, and what was written to boxes.
pub(super) fn open(context: &Context) -> Result<(Ledger, Outbox), Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let book = Outbox::load(&context.data).map_err(book_failure)?;
    Ok((ledgers, book))
}

/// How the overrides of the ledgers stand; nothing is read where there is none.
pub(super) fn all_deliveries(
    context: &Context,
    ledgers: &Ledger,
) -> Result<Vec<Delivery>, Failure> {
    let book = Outbox::load(&context.data).map_err(book_failure)?;
    Ok(overrides::deliveries(ledgers, &book, context.now))
}

/// The overrides of a record in the ledgers here.
pub(super) fn of_record(context: &Context, record: RecordId) -> Result<Document, Failure> {
    let (ledgers, book) = open(context)?;
    let mut all = overrides::deliveries(&ledgers, &book, context.now);
    all.retain(|delivery| delivery.record == record);
    Ok(Document::new(all, &[]))
}

/// What a reader of what boxes say must know: some do not hold what was decided here.
pub(super) fn caveat(context: &Context) -> Result<Option<Caveat>, Failure> {
    let (ledgers, book) = open(context)?;
    let text = match overrides::count_unconfirmed(&ledgers, &book, context.now) {
        0 => return Ok(None),
        1 => "1 override is not yet confirmed by its box".to_owned(),
        n => format!("{n} overrides are not yet confirmed by their boxes"),
    };
    Ok(Some(Caveat { id: "unconfirmed_overrides".to_owned(), text }))
}

/// What to do about the journal of what was written to boxes.
pub(super) fn book_failure(error: BookError) -> Failure {
    let hint = match error.is_write() {
        true => crate::advice::PLACE,
        false => "check that it is readable; it records which boxes have confirmed what",
    };
    Failure::local(error).hint(hint)
}

/// What is kept, where anything is: else it is a failure that names all records.
fn some(mut decided: Decisions) -> Result<Decisions, Failure> {
    if !decided.kept.is_empty() {
        return Ok(decided);
    }
    match decided.refused.len() {
        0 => Ok(decided),
        1 => decided.refused.pop().map_or(Ok(decided), |one| Err(failed(one.why))),
        _ => {
            let all: Vec<String> = decided.refused.iter().map(|one| chain(&one.why)).collect();
            Err(Failure::usage(all.join("\n"))
                .hint("nothing was saved")
                .hint("`foureyes show ID` lists the boxes that have a record"))
        }
    }
}

fn failed(error: DecideError) -> Failure {
    match error {
        DecideError::Ledger(error) => ledger::failure(error),
        DecideError::Outbox(error) => book_failure(error),
        DecideError::Place { .. } => Failure::usage(error)
            .hint("nothing was saved")
            .hint("`foureyes show ID` lists the boxes that have a record"),
        _ => Failure::usage(error).hint("nothing was saved"),
    }
}
