//! `foureyes rejects`.

use super::reading::{self, From, Plain, Show};
use super::{Context, Failure, output};
use crate::report::rejects;
use std::process::ExitCode;

/// List pieces of logs that are no record: box, file, line, byte, reason
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    show: Show,
    #[command(flatten)]
    plain: Plain,
    /// Print JSON Lines: one document a reject
    #[arg(long, group = "format")]
    json: bool,
    /// List at most so many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let collected = reading::collect(context, &args.from)?;
    reading::say_stale(&collected);
    let most = args.limit.unwrap_or(usize::MAX);
    let rows = reading::ask(context, &collected, |archive| Ok(archive.rejects(most)?))?;
    if rows.is_empty() {
        reading::say("nothing was rejected");
    }
    let options = args.show.options();
    output::to_stdout(|out| {
        let form = if args.json { rejects::json } else { rejects::plain };
        form(out, &rows, &options).map(reading::say_masked)
    })?;
    Ok(ExitCode::SUCCESS)
}
