//! `foureyes box rollback`: back to advisory, in one command.

use super::{Which, agent, context};
use crate::boxes;
use crate::cli::operator::ledger;
use crate::cli::operator::reading::note;
use crate::cli::text_argument::{self, REASON};
use crate::cli::{Context, Failure, output};
use crate::domain::review::Reviewer;
use crate::report::PlainOrJson;
use std::process::ExitCode;

/// Return a box to advisory mode, so that it stops no pushes
///
/// Needs no readiness, no reviewer name and no valid configuration on the box. Exit codes: 0, the
/// box confirms that it is advisory; 1, its program failed, and the hint says what to do; 69, the
/// box could not be reached; 74, the box is advisory, but the ledger could not be written.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Reason, stored in the ledger and on the box; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Reviewer who makes the change [default: as configured, else the account name, else
    /// `somebody`]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command. What happened is printed whatever went wrong.
pub(super) fn run(cli: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let context = context(cli, &|_| {});
    let agent = agent(&context, &args.which)?;
    let by = reviewer(cli, args.reviewer.as_deref())?;
    // A box goes back for want of no reason.
    let reason = text_argument::text(args.reason.as_deref(), "--reason", REASON);
    let reason = reason.unwrap_or_else(|why| {
        note(&format!("continuing without a reason: {}", why.error));
        None
    });
    let (report, done) = boxes::rollback(&context, &agent, &by, reason);
    output::to_stdout(|out| report.write(out, args.json, cli.command_line))?;
    done.map(|()| ExitCode::from(u8::from(!report.advisory)))
}

/// Who does it. A box goes back for want of no name: then the ledger says `somebody`.
fn reviewer(context: &Context, asked: Option<&str>) -> Result<Reviewer, Failure> {
    let known = ledger::writer(context, asked);
    let nobody = || {
        note("your name is unknown: this is recorded as done by `somebody`");
        ledger::writer(context, Some("somebody"))
    };
    known.or_else(nobody).ok_or_else(|| Failure::usage("your name is unknown"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(crate::boxes::RollbackReport);
        crate::asset_tests::assert_bundled("hook.schema.json", "hook-rollback", &schema);
    }
}
