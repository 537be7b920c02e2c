//! `foureyes box enable`: from readiness to a box that blocks.

use super::{Which, agent, context};
use crate::boxes::{self, BlockingEvidence, Outcome, Waiver};
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::gate::day;
use crate::cli::operator::reading::{Fleet, From};
use crate::cli::operator::{ledger, readiness};
use crate::cli::text_argument::{self, REASON};
use crate::cli::{Context, Failure, output};
use crate::domain::Timestamp;
use crate::report::PlainOrJson;
use std::process::ExitCode;

/// Let a box block pushes, based on readiness, and prove with a rehearsal that it does
///
/// Requires READY of the family that its hook judges, or a waiver with name, reason and end date. The box stores the report with its
/// mode, and then rehearses a poor push and a bypass against a temporary remote. If the rehearsal
/// fails, the box returns to advisory; if it becomes unreachable, its previous mode is restored.
/// Exit codes: 0, the box blocks; 1, it does not: NOT READY, not set up, or the rehearsal failed;
/// 2, it does not: NOT ENOUGH EVIDENCE; 69, the box could not be reached; 74, the ledger could not
/// be written, and the output says which mode the box is in.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    family: OfFamily,
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
pub(super) fn run(cli: &Context, args: &Args) -> Result<ExitCode, Failure> {
    // Some of it takes minutes.
    let name = output::visible(&args.which.name);
    let progress = |what: &str| output::to_stderr(&format!("{name}: {what} …"));
    let context = context(cli, &progress);
    let agent = agent(&context, &args.which)?;
    agent.require_repositories()?;
    let by = ledger::reviewer(cli, args.reviewer.as_deref())?;
    let waiver = waiver(cli, args)?;
    progress("asking readiness");
    let report = readiness::current(
        cli,
        args.family.kind(),
        (&From::default(), Fleet::default()),
        None,
        "box enable",
    )?;
    let evidence = BlockingEvidence::new(&context, &report, args.as_box.as_deref(), waiver)?;
    let (report, done) = boxes::enable(&context, &agent, &evidence, &by);
    // What was done there is told whatever went wrong afterwards.
    output::to_stdout(|out| report.write(out, args.json, cli.command_line))?;
    done?;
    Ok(ExitCode::from(match report.state {
        Outcome::Blocking => 0,
        Outcome::Refused => evidence.refusal_code(),
        _ => 1,
    }))
}

fn waiver(context: &Context, args: &Args) -> Result<Option<Waiver>, Failure> {
    let (Some(name), Some(reason), Some(until)) =
        (&args.waive_name, &args.waive_reason, args.waive_until)
    else {
        return Ok(None);
    };
    let given = text_argument::text(Some(reason), "--waive-reason", REASON)?;
    let reason = &given.unwrap_or_default();
    if name.trim().is_empty() || reason.trim().is_empty() {
        return Err(Failure::usage("a waiver needs a name and a reason"));
    }
    if until <= context.now {
        return Err(Failure::usage(format!("the waiver already ended on {}", until.day_text()))
            .hint("`--waive-until` is the UTC date on which it ends"));
    }
    Ok(Some(Waiver { name: name.clone(), reason: reason.clone(), until }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(crate::boxes::EnableReport);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-enable", &schema);
    }
}
