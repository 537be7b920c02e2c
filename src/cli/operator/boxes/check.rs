//! `foureyes box check`.

use super::{Which, agent, assessed, context};
use crate::boxes;
use crate::cli::{Context, Failure, output};
use crate::report::PlainOrJson;
use std::process::ExitCode;

/// Check a box's judging setup, as a non-interactive shell on it sees it
///
/// Runs `foureyes hook check` on the box. Exit codes: 0, no check failed; 1, a check failed, and
/// its hint says what to do; 69, the box could not be reached.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// Have the box ask each of its judges one short question, to see whether its answer carries the
    /// call word; nothing is logged
    #[arg(long)]
    ask: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(cli: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let name = output::visible(&args.which.name);
    let progress = |what: &str| output::to_stderr(&format!("{name}: {}", output::visible(what)));
    let context = context(cli, &progress);
    let agent = agent(&context, &args.which)?;
    let report = boxes::check(&context, &agent, args.ask, &|family| assessed(cli, family))?;
    output::to_stdout(|out| report.write(out, args.json, cli.command_line))?;
    Ok(ExitCode::from(u8::from(!report.well)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(crate::boxes::BoxReport);
        crate::asset_tests::assert_bundled("hook.schema.json", "box-check", &schema);
    }
}
