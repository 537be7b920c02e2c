//! `foureyes box rehearse`: the two pushes of the runbook, on a box.

use super::{Which, agent, context};
use crate::boxes;
use crate::cli::{Context, Failure, output};
use crate::report::PlainOrJson;
use std::process::ExitCode;

/// Rehearse a poor push and a bypass on a box, in a scratch repository there
///
/// Runs `foureyes hook rehearse` on the box; its mode stays as it is. Exit codes: 0, both pushes
/// ended as the mode demands; 1, one did not, or the program of the box failed; 69, the box could
/// not be reached.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(cli: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let context = context(cli, &|_| {});
    let agent = agent(&context, &args.which)?;
    output::to_stderr(&format!("{}: rehearsing …", output::visible(&args.which.name)));
    let report = match boxes::rehearse(&agent) {
        Ok(report) => report,
        Err(error) => {
            // Standard output is the document's.
            error.finding()?.plain().lines().for_each(output::to_stderr);
            return Ok(ExitCode::from(1));
        }
    };
    output::to_stdout(|out| report.write(out, args.json, cli.command_line))?;
    Ok(ExitCode::from(u8::from(!report.well)))
}
