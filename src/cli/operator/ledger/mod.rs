//! `foureyes ledger`.

mod backup;
mod exchange;

use super::label::Document;
use super::output::visible;
use super::{Context, Failure, output};
use crate::domain::Timestamp;
use crate::domain::review::Reviewer;
use crate::report::{counted, json};
use crate::store::ledger::{BreakKind, FileCheck, Ledger};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// Verify, exchange, back up and restore your ledgers
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

impl Args {
    /// Whether it needs no configuration, which may be in the backup.
    pub(in crate::cli) fn is_restore(&self) -> bool {
        matches!(self.command, Command::Restore(_))
    }
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Verify(VerifyArgs),
    /// Upload this machine's ledgers
    ///
    /// Ledgers are append-only. Exit codes: 0, done; 1, some files were left alone, each with its
    /// reason; 69, the box could not be reached; 74, a directory could not be read.
    Push(exchange::Args),
    /// Download other reviewers' ledgers; their labels and decisions then count here too
    ///
    /// Ledgers are append-only. Exit codes: 0, done; 1, some files were left alone, each with its
    /// reason; 69, the box could not be reached; 74, a directory could not be read.
    Pull(exchange::Args),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
}

/// Verify that no ledger was changed since it was written
///
/// Exit codes: 0, every acknowledged entry counts; 1, a line was changed, removed, moved or dated
/// in the future, and what depends on it counts as unlabelled.
#[derive(Debug, clap::Args)]
struct VerifyArgs {
    /// Start a new ledger file next to a damaged one
    #[arg(long)]
    renew: bool,
    /// Reviewer whose ledger to renew [default: as configured, else the account name]
    #[arg(long, value_name = "NAME", requires = "renew")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long, conflicts_with = "renew")]
    json: bool,
}

/// How the ledgers are.
#[derive(Debug, Serialize, JsonSchema)]
struct Verified {
    /// `foureyes/ledger-verify/1`.
    schema: &'static str,
    /// All that was acknowledged counts.
    sound: bool,
    /// Labels and overrides before the first bad line that do not count for want of what follows,
    /// and those behind it: a reviewer and record each.
    distrusted: u64,
    /// The ledgers.
    ledgers: Vec<OneLedger>,
}

/// How a ledger is.
#[derive(Debug, Serialize, JsonSchema)]
struct OneLedger {
    /// Name of the file.
    file: String,
    /// Who wrote its last entry that can be read.
    reviewer: Option<String>,
    /// On which machine.
    machine: Option<String>,
    /// Entries that are as they were written.
    entries: u64,
    /// Entries that can be read and are not believed.
    doubted: u64,
    /// The first line that is not as it was written.
    first_bad: Option<FirstBad>,
    /// Lines of entries whose time has not come yet.
    future: Vec<u64>,
    /// Lines whose time is more than ten minutes after that of a later line: what follows them
    /// counts as said no earlier.
    ahead: Vec<u64>,
    /// Lines that a killed writer left. Nothing that was acknowledged was in them.
    torn: Vec<u64>,
    /// The last line has no end; the next entry gives it one.
    unfinished: bool,
}

/// The first line that is not as it was written.
#[derive(Debug, Serialize, JsonSchema)]
struct FirstBad {
    /// Its number, from 1.
    line: u64,
    /// `changed`, `out_of_place` or `cut`.
    what: &'static str,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Verify(args) if args.renew => renew(context, args.reviewer.as_deref()),
        Command::Verify(args) => verify(context, args.json),
        Command::Push(args) => exchange::run(context, args, "push"),
        Command::Pull(args) => exchange::run(context, args, "pull"),
        Command::Backup(args) => backup::create(context, args),
        Command::Restore(args) => backup::restore(context, args),
    }
}

fn verify(context: &Context, as_json: bool) -> Result<ExitCode, Failure> {
    let ledger = Ledger::load(&context.data).map_err(failure)?;
    let checks = ledger.check(context.now);
    let sound = checks.iter().all(FileCheck::is_sound);
    let verified = Verified {
        schema: "foureyes/ledger-verify/1",
        sound,
        distrusted: ledger.present(context.now).distrusted as u64,
        ledgers: checks.into_iter().map(one).collect(),
    };
    output::to_stdout(|out| match as_json {
        true => json::value(out, &verified, false),
        false => plain(out, &verified),
    })?;
    Ok(ExitCode::from(u8::from(!sound)))
}

fn one(check: FileCheck) -> OneLedger {
    let first_bad =
        check.broken.map(|broken| FirstBad { line: broken.line, what: word(broken.what) });
    OneLedger {
        file: check.file,
        reviewer: check.reviewer,
        machine: check.machine,
        entries: check.entries,
        doubted: check.doubted,
        first_bad,
        future: check.future,
        ahead: check.ahead,
        torn: check.torn,
        unfinished: check.unfinished,
    }
}

fn word(what: BreakKind) -> &'static str {
    match what {
        BreakKind::Changed => "changed",
        BreakKind::OutOfPlace => "out_of_place",
        BreakKind::Cut => "cut",
    }
}

/// What is wrong with a line, in words.
fn break_text(what: &str) -> &'static str {
    match what {
        "changed" => "it was changed",
        "cut" => "it was cut",
        _ => "it does not follow the previous line: a line was removed, inserted or moved",
    }
}

fn plain(out: &mut dyn Write, verified: &Verified) -> io::Result<()> {
    if verified.ledgers.is_empty() {
        return writeln!(out, "there is no ledger yet");
    }
    for ledger in &verified.ledgers {
        let good = ledger.first_bad.is_none() && ledger.future.is_empty();
        let state = if good { "sound" } else { "NOT SOUND" };
        let entries = counted(ledger.entries, "entry", "entries");
        writeln!(out, "{}: {state}, {entries}", visible(&ledger.file))?;
        if let Some(bad) = &ledger.first_bad {
            writeln!(out, "  first bad line {}: {}", bad.line, break_text(bad.what))?;
            let doubted = counted(ledger.doubted, "entry", "entries");
            writeln!(out, "  not believed: {doubted}; what they speak of counts as unlabelled")?;
        }
        for line in &ledger.future {
            writeln!(out, "  line {line}: dated in the future; it does not count")?;
        }
        for line in &ledger.ahead {
            let what = "its time is ahead of later lines, which count as no earlier than it";
            writeln!(out, "  line {line}: {what}")?;
        }
        for line in &ledger.torn {
            writeln!(
                out,
                "  line {line}: incomplete, left by a killed writer; nothing is missing"
            )?;
        }
        if ledger.unfinished {
            writeln!(out, "  the last line has no line end; the next entry adds it")?;
        }
    }
    if verified.sound { writeln!(out, "all ledgers are intact") } else { Ok(()) }
}

fn renew(context: &Context, name: Option<&str>) -> Result<ExitCode, Failure> {
    let reviewer = reviewer(context, name)?;
    let mut ledger = Ledger::load(&context.data).map_err(failure)?;
    let path = ledger.renew(&reviewer).map_err(failure)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    output::print(format!(
        "entries of {} go to {} now\n",
        visible(&reviewer.name),
        visible(&name)
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Whose ledger is written to.
pub(super) fn reviewer(context: &Context, asked: Option<&str>) -> Result<Reviewer, Failure> {
    crate::config::reviewer(&context.config, &context.environment, asked).ok_or_else(|| {
        Failure::usage("your name is unknown")
            .hint("set `name` under `[reviewer]` in the configuration, or give `--reviewer NAME`")
    })
}

/// Says on stderr which ledgers are not as they were written.
pub(super) fn warn_unsound(ledger: &Ledger, now: Timestamp) {
    for check in ledger.check(now).iter().filter(|check| !check.is_sound()) {
        let what = match check.broken {
            Some(broken) => format!("it was changed from line {} on", broken.line),
            None => "it has entries dated in the future".to_owned(),
        };
        let text = format!("{}: {what}; what depends on it counts as unlabelled", check.file);
        super::reading::note(&text);
    }
}

pub(super) use crate::advice::of_ledger as failure;

/// Prints what was saved.
pub(super) fn print(document: &Document, as_json: bool) -> Result<ExitCode, Failure> {
    output::to_stdout(|out| document.write(out, as_json))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Verified);
        crate::cli::output::assert_asset("ledger-verify.schema.json", &schema);
    }
}
