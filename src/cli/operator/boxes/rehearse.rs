//! `foureyes box rehearse`: the two pushes of the runbook, on a box.

use super::Which;
use super::remote_agent::{RemoteAgent, Unheard};
use crate::cli::hook::rehearse::{Document, SCHEMA};
use crate::cli::{Context, Failure, output};
use crate::remote_hook::RemoteCommand;
use crate::report::json;
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
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let far = RemoteAgent::new(context, &args.which.name, &args.which.repo)?;
    output::to_stderr(&format!("{}: rehearsing …", output::visible(&args.which.name)));
    let document = match far.document::<Document>(RemoteCommand::Rehearse, b"") {
        Ok((document, _)) if document.schema == SCHEMA => document,
        Ok((document, _)) => {
            return refused(Unheard::Odd(format!("it answers with {:?}", document.schema)));
        }
        Err(unheard) => return refused(unheard),
    };
    output::to_stdout(|out| match args.json {
        true => json::value(out, &document, false),
        false => out.write_all(document.plain().as_bytes()),
    })?;
    Ok(ExitCode::from(u8::from(!document.well)))
}

/// Says on stderr why there was no rehearsal: standard output is the document's.
fn refused(unheard: Unheard) -> Result<ExitCode, Failure> {
    for line in unheard.finding()?.plain().lines() {
        output::to_stderr(line);
    }
    Ok(ExitCode::from(1))
}
