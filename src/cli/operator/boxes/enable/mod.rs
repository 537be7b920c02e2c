//! `foureyes box enable`: from readiness to a box that blocks.

mod document;
mod ends;
mod revoke;
mod transaction;

use super::Which;
use super::evidence::{BlockingEvidence, Waived};
use super::remote_agent::RemoteAgent;
use crate::cli::operator::gate::day;
use crate::cli::operator::ledger;
use crate::cli::{Context, Failure, output};
use crate::domain::Timestamp;
use crate::report::json;
use document::Document;
use std::process::ExitCode;
use transaction::EnableBlocking;

/// Let a box block pushes, based on readiness, and prove with a rehearsal that it does
///
/// Requires READY, or a waiver with name, reason and end date. The box stores the report with its
/// mode, and then rehearses a poor push and a bypass against a temporary remote. If the rehearsal
/// fails, the box returns to advisory; if it becomes unreachable, its previous mode is restored.
/// Exit codes: 0, the box blocks; 1, it does not: NOT READY, not set up, or the rehearsal failed;
/// 2, it does not: NOT ENOUGH EVIDENCE; 69, the box could not be reached; 74, the ledger could not
/// be written, and the output says which mode the box is in.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Reuse the readiness report of another box, unless newer evidence contradicts it
    #[arg(long, value_name = "NAME", conflicts_with = "waive_name")]
    as_box: Option<String>,
    /// Person who answers for blocking without READY
    #[arg(long, value_name = "NAME", requires_all = ["waive_reason", "waive_until"])]
    waive_name: Option<String>,
    /// Reason for blocking without READY; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", requires_all = ["waive_name", "waive_until"])]
    waive_reason: Option<String>,
    /// UTC date on which blocking without READY ends
    #[arg(long, value_name = "DATE", value_parser = day, requires_all = ["waive_name", "waive_reason"])]
    waive_until: Option<Timestamp>,
    /// Reviewer who makes the change [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let far = RemoteAgent::new(context, &args.which.name, &args.which.repo)?;
    if far.repositories.is_empty() {
        return Err(nowhere(&args.which.name));
    }
    let by = ledger::reviewer(context, args.reviewer.as_deref())?;
    let waived = waived(context, args)?;
    tell(&args.which.name, "asking readiness");
    let ground = BlockingEvidence::of(context, args.as_box.as_deref(), waived.as_ref())?;
    let mut document = Document::new(&args.which.name, ground.result(), ground.against.clone());
    let done = match ground.holds {
        false => Ok(ground.code()),
        true => EnableBlocking { context, far: &far, ground: &ground, by: &by }.go(&mut document),
    };
    // What was done there is told whatever went wrong afterwards.
    output::to_stdout(|out| match args.json {
        true => json::value(out, &document, false),
        false => out.write_all(document.plain().as_bytes()),
    })?;
    done.map(ExitCode::from)
}

/// Says on standard error what is done now: some of it takes minutes.
fn tell(name: &str, what: &str) {
    output::to_stderr(&format!("{}: {what} …", output::visible(name)));
}

fn nowhere(name: &str) -> Failure {
    Failure::usage(format!("no repository of {name} is configured, so nothing would be blocked"))
        .hint("give each: `remote_path` in [[repository]], or `--repo DIR`")
        .hint(format!("install the hook there with `foureyes hook install`; `foureyes box check {name}` checks it"))
}

fn waived(context: &Context, args: &Args) -> Result<Option<Waived>, Failure> {
    let (Some(name), Some(reason), Some(until)) =
        (&args.waive_name, &args.waive_reason, args.waive_until)
    else {
        return Ok(None);
    };
    let given = crate::cli::text_argument::text(
        Some(reason),
        "--waive-reason",
        crate::cli::text_argument::REASON,
    )?;
    let reason = &given.unwrap_or_default();
    if name.trim().is_empty() || reason.trim().is_empty() {
        return Err(Failure::usage("a waiver needs a name and a reason"));
    }
    if until <= context.now {
        return Err(Failure::usage(format!("the waiver already ended on {}", until.day_text()))
            .hint("`--waive-until` is the UTC date on which it ends"));
    }
    Ok(Some(Waived { name: name.clone(), reason: reason.clone(), until }))
}
